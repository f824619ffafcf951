//! Set-aside queues in use: over the measured window, and over time (`recn-mesh-2005` section 3.3 and figure 3).

use crate::listed::{End, Listed, Site, switch};
use crate::picture::{Draw, Line, Picture};
use crate::tables::{column, windows};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::{EndOfCycle, SetAside};
use tailback_engine::contract::queueing::Side;
use tailback_mechanisms::queueing;
use tailback_network::Grid;
use tailback_results::{Record, Series};
use tailback_spec::{Idle, Param, When};

/// The kinds of sides, in the order of all lists by kind.
pub const SIDES: [(Side, &str); 3] = [(Side::Ingress, "ingress"), (Side::Egress, "egress"), (Side::Adapter, "adapter")];

/// The number of a kind of side.
pub(crate) fn kind(side: Side) -> usize {
    match side {
        Side::Ingress => 0,
        Side::Egress => 1,
        Side::Adapter => 2,
    }
}

/// Queues in use at the sides of one kind.
#[derive(Clone, Debug)]
struct Level {
    /// By side.
    in_use: Vec<u32>,
    /// Sides that have so many in use, by that number.
    sides: Vec<u32>,
    /// In use at all sides.
    total: u64,
    /// In use where there are most.
    largest: u32,
}

impl Level {
    fn new(places: usize) -> Self {
        Level { in_use: vec![0; places], sides: vec![places as u32], total: 0, largest: 0 }
    }

    /// That the sides were counted right.
    fn fits(&self) -> Result<(), Unfit> {
        let mut sides = vec![0; self.sides.len()];
        for &in_use in &self.in_use {
            *sides.get_mut(in_use as usize).ok_or(Unfit::new("a side has too many queues set aside"))? += 1;
        }
        let total = self.in_use.iter().map(|&in_use| u64::from(in_use)).sum::<u64>() == self.total;
        let largest = self.in_use.iter().max() == Some(&self.largest);
        ensure(sides == self.sides && total && largest, "queues set aside were not counted right")
    }

    fn set(&mut self, place: usize, in_use: u32) {
        let before = std::mem::replace(&mut self.in_use[place], in_use);
        self.total = self.total + u64::from(in_use) - u64::from(before);
        if self.sides.len() <= in_use as usize {
            self.sides.resize(in_use as usize + 1, 0);
        }
        self.sides[before as usize] -= 1;
        self.sides[in_use as usize] += 1;
        self.largest = self.largest.max(in_use);
        while self.largest > 0 && self.sides[self.largest as usize] == 0 {
            self.largest -= 1;
        }
    }
}

/// Sums over the ends of some cycles, by kind of side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Sums {
    total: [u64; 3],
    largest: [u32; 3],
    cycles: u64,
}

impl Sums {
    fn add(&mut self, levels: &[Level; 3]) {
        for (kind, level) in levels.iter().enumerate() {
            self.total[kind] += level.total;
            self.largest[kind] = self.largest[kind].max(level.largest);
        }
        self.cycles += 1;
    }
}

/// Set-aside queues in use at the end of every cycle.
#[derive(Clone, Debug)]
pub struct SetAsideQueues {
    from: u64,
    to: u64,
    cycles: u64,
    /// Ports of a switch, those to nodes included.
    ports: usize,
    /// Sides of each kind that exist.
    places: [u64; 3],
    levels: [Level; 3],
    measured: Sums,
    /// The window that cycles are in now, and those before.
    now: Sums,
    windows: Vec<Sums>,
}

tailback_base::plain!(Sums);
tailback_base::state!([] Level { saved: in_use, total, largest; grown: sides; } [fits]);
tailback_base::state!([] SetAsideQueues {
    saved: levels, measured, now; grown: windows; rebuilt: from, to, cycles, ports, places;
} [fits]);

impl SetAsideQueues {
    fn fits(&self) -> Result<(), Unfit> {
        let sums = self.windows.iter().chain([&self.measured, &self.now]);
        are_counts(sums.flat_map(|sums| sums.total.into_iter().chain([sums.cycles])))
    }
}

impl SetAsideQueues {
    /// Windows of `cycles`, and cycles `from..to`.
    pub fn new(grid: &Grid, (from, to): (u64, u64), cycles: u64) -> Self {
        let (nodes, ports) = (grid.nodes(), grid.ports() + grid.nodes_per_router() as usize);
        let (switch, adapters) = (Level::new(grid.routers() * ports), Level::new(nodes));
        // Every link between switches ends at an ingress side, and so does every node's.
        let sides = (grid.links() + nodes) as u64;
        SetAsideQueues {
            from,
            to,
            cycles,
            ports,
            places: [sides, sides, nodes as u64],
            levels: [switch.clone(), switch, adapters],
            measured: Sums::default(),
            now: Sums::default(),
            windows: Vec::new(),
        }
    }

    /// Most in use at one side of a kind at the end of a cycle of the measured window; `None` before that.
    pub fn largest(&self, side: Side) -> Option<u32> {
        (self.measured.cycles > 0).then(|| self.measured.largest[kind(side)])
    }

    /// In use at a side of a kind in the mean over sides and over the measured window; `None` before that.
    pub fn mean(&self, side: Side) -> Option<f64> {
        let kind = kind(side);
        let all = self.places[kind] as f64 * self.measured.cycles as f64;
        (all > 0.0).then(|| self.measured.total[kind] as f64 / all)
    }

    /// The whole windows so far as a table over their first cycle.
    pub fn series(&self) -> Series {
        let of = |name: String, value: &dyn Fn(&Sums) -> f64| {
            column(name, "queues", self.windows.iter().map(value).collect())
        };
        let kinds = || SIDES.iter().enumerate();
        let in_use = kinds().map(|(kind, (_, name))| {
            of(format!("{name}_in_use"), &|sums| sums.total[kind] as f64 / sums.cycles as f64)
        });
        let largest =
            kinds().map(|(kind, (_, name))| of(format!("{name}_largest"), &|sums| f64::from(sums.largest[kind])));
        windows("set_aside", "queues", self.cycles, in_use.chain(largest).collect())
    }
}

/// The line of a column, in the panel of its kind.
fn line(column: &str) -> Option<Line> {
    match column.strip_suffix("_in_use") {
        Some(side) => Some(Line::new("Set-aside queues in use", side).within("in the network")),
        None => {
            let side = column.strip_suffix("_largest")?;
            Some(Line::new("Set-aside queues at a side", side).within("where there are most"))
        }
    }
}

impl Listed for SetAsideQueues {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[switch(
        "set_aside_queues",
        "Record the set-aside queues in use by kind of side, window by window. Only for queueing kind recn.",
    )];

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["set_aside_queues"],
        when: &[When::IsNot("queueing.kind", queueing::SETTING_ASIDE)],
        because: "only queueing.kind = recn sets packets aside",
    }];

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "set-aside",
        caption: "Set-aside queues over time, by kind of side: those in use in the whole network, the mean over each window; and most \
             of them at one side.",
        table: "set_aside",
        draw: Draw::Lines(line),
    }];

    /// The columns of a record are filled for every such network.
    fn is_on(site: &Site<'_>) -> bool {
        site.path.sets_aside
    }

    fn sees(site: &Site<'_>) -> bool {
        site.path.sets_aside
    }

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        SetAsideQueues::new(site.grid(), site.measured, site.window)
    }

    fn measure_anew(&mut self, _new: Self) {
        self.measured = Sums::default();
    }

    fn columns(&self, _end: &End<'_>, record: &mut Record) {
        let largest = |side| self.largest(side).map(f64::from);
        record.set_aside_max_ingress = largest(Side::Ingress);
        record.set_aside_max_egress = largest(Side::Egress);
        record.set_aside_max_adapter = largest(Side::Adapter);
        record.set_aside_mean_ingress = self.mean(Side::Ingress);
        record.set_aside_mean_egress = self.mean(Side::Egress);
        record.set_aside_mean_adapter = self.mean(Side::Adapter);
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        end.site.probes.bool("set_aside_queues").then(|| self.series()).into_iter().collect()
    }
}

impl Probe for SetAsideQueues {
    fn set_aside(&mut self, change: SetAside) {
        let place = match change.side {
            Side::Adapter => change.router as usize,
            Side::Ingress | Side::Egress => change.router as usize * self.ports + usize::from(change.port),
        };
        self.levels[kind(change.side)].set(place, change.in_use);
    }

    #[inline]
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.now.add(&self.levels);
        if (self.from..self.to).contains(&end.cycle) {
            self.measured.add(&self.levels);
        }
        if self.now.cycles == self.cycles {
            self.windows.push(std::mem::take(&mut self.now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;

    /// A line of two switches with two nodes each.
    fn queues() -> SetAsideQueues {
        SetAsideQueues::new(&Grid::new(&[2], &[false], 2, 1), (1, 4), 2)
    }

    fn change(side: Side, router: u32, port: u8, in_use: u32) -> SetAside {
        SetAside { cycle: 0, side, router, port, in_use }
    }

    /// Lets cycle `cycle` end after these changes.
    fn cycle(queues: &mut SetAsideQueues, cycle: u64, changes: &[SetAside]) {
        changes.iter().for_each(|&change| queues.set_aside(change));
        let gauges = Gauges::default();
        queues.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, injection: &[], gauges });
    }

    #[test]
    fn levels_count_at_the_end_of_cycles() {
        use Side::{Adapter, Egress, Ingress};
        let mut queues = queues();
        assert_eq!((queues.largest(Ingress), queues.mean(Ingress)), (None, None));
        cycle(&mut queues, 0, &[change(Ingress, 0, 0, 1), change(Ingress, 0, 0, 2), change(Adapter, 3, 3, 1)]);
        cycle(&mut queues, 1, &[change(Ingress, 1, 3, 1), change(Egress, 0, 3, 4), change(Egress, 0, 3, 3)]);
        cycle(&mut queues, 2, &[change(Ingress, 0, 0, 0), change(Adapter, 3, 3, 0)]);
        cycle(&mut queues, 3, &[change(Ingress, 1, 3, 0), change(Egress, 0, 3, 0)]);
        cycle(&mut queues, 4, &[change(Ingress, 1, 3, 9)]);
        // Cycles 1, 2 and 3. Ingress: 3, 1, 0 at two links and four nodes; egress: 3, 3, 0; adapters: 1, 0, 0 of four.
        let found = SIDES.map(|(side, _)| (queues.largest(side), queues.mean(side)));
        let mean = |sum: f64, sides: f64| Some(sum / (3.0 * sides));
        assert_eq!(found, [(Some(2), mean(4.0, 6.0)), (Some(3), mean(6.0, 6.0)), (Some(1), mean(1.0, 4.0))]);
        let series = queues.series();
        let column = |name: &str| series.column(name).expect(name).to_vec();
        assert_eq!(series.x, [0.0, 2.0], "the last window is not over");
        assert_eq!((column("ingress_in_use"), column("ingress_largest")), (vec![2.5, 0.5], vec![2.0, 1.0]));
        assert_eq!((column("egress_in_use"), column("egress_largest")), (vec![1.5, 1.5], vec![3.0, 3.0]));
        assert_eq!((column("adapter_in_use"), column("adapter_largest")), (vec![1.0, 0.0], vec![1.0, 0.0]));
        assert!(series.check().is_ok());
    }

    #[test]
    fn the_largest_follows_the_sides_that_have_it() {
        let mut level = Level::new(3);
        let mut largest = |changes: &[(usize, u32)]| {
            changes.iter().for_each(|&(place, in_use)| level.set(place, in_use));
            (level.largest, level.total)
        };
        assert_eq!(largest(&[(0, 5), (1, 5), (2, 2)]), (5, 12));
        assert_eq!(largest(&[(0, 4)]), (5, 11));
        assert_eq!(largest(&[(1, 0)]), (4, 6));
        assert_eq!(largest(&[(0, 0), (2, 0)]), (0, 0));
    }

    #[test]
    fn a_picture_has_a_panel_for_the_network_and_one_for_the_fullest_side() {
        for (column, panel) in [("ingress_in_use", "in the network"), ("ingress_largest", "where there are most")] {
            let line = line(column).expect("it is drawn");
            assert_eq!((line.name.as_str(), line.panel.as_str()), ("ingress", panel));
        }
        assert_eq!(line("other"), None);
    }
}
