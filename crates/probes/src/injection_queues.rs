//! Packets in the injection queues: over the measured window, and over time.

use crate::listed::{End, Listed, Site, switch};
use crate::picture::{Draw, Line, Picture};
use crate::tables::{column, windows};
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_results::{Record, Series};
use tailback_spec::{Idle, Param, When};

/// Sums over some cycles.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Sums {
    /// Packets at the end of every cycle, summed over all nodes, by queue number.
    packets: Vec<u64>,
    /// Most packets in one queue at the end of a cycle.
    largest: u32,
    cycles: u64,
}

impl Sums {
    fn add(&mut self, injection: &[u32]) {
        let queues = self.packets.len();
        for packets in injection.chunks(queues) {
            self.packets.iter_mut().zip(packets).for_each(|(sum, &packets)| *sum += u64::from(packets));
        }
        self.largest = self.largest.max(injection.iter().copied().max().unwrap_or(0));
        self.cycles += 1;
    }

    /// Mean packets in each of the queues with these numbers.
    fn mean(&self, nodes: usize, queues: std::ops::Range<usize>) -> f64 {
        let all = nodes as f64 * queues.len() as f64 * self.cycles as f64;
        self.packets[queues].iter().sum::<u64>() as f64 / all
    }
}

/// Packets in every injection queue at the end of every cycle. Only the adaptive cut-through path tells.
#[derive(Clone, Debug)]
pub struct InjectionQueues {
    from: u64,
    to: u64,
    cycles: u64,
    nodes: usize,
    measured: Sums,
    /// The window that cycles are in now, and those before.
    now: Sums,
    windows: Vec<Sums>,
}

tailback_base::plain!(Sums);
tailback_base::state!([] InjectionQueues {
    saved: measured, now; grown: windows; rebuilt: from, to, cycles, nodes;
} [fits]);

impl InjectionQueues {
    fn fits(&self) -> Result<(), Unfit> {
        let sums = || self.windows.iter().chain([&self.measured, &self.now]);
        are_counts(sums().flat_map(|sums| sums.packets.iter().copied().chain([sums.cycles])))?;
        let queues = self.measured.packets.len();
        ensure(queues > 0 && sums().all(|sums| sums.packets.len() == queues), "a node has other queues")
    }
}

impl InjectionQueues {
    /// Windows of `cycles`, and cycles `from..to`, of `nodes` nodes with `queues` queues each.
    pub fn new(nodes: usize, queues: usize, (from, to): (u64, u64), cycles: u64) -> Self {
        let none = Sums { packets: vec![0; queues], largest: 0, cycles: 0 };
        InjectionQueues { from, to, cycles, nodes, measured: none.clone(), now: none, windows: Vec::new() }
    }

    fn queues(&self) -> usize {
        self.now.packets.len()
    }

    /// Mean packets in a queue over the measured window; `None` where the data path does not tell.
    pub fn mean(&self) -> Option<f64> {
        (self.measured.cycles > 0).then(|| self.measured.mean(self.nodes, 0..self.queues()))
    }

    /// The whole windows so far as a table over their first cycle; no rows where the data path does not tell.
    pub fn series(&self) -> Series {
        let of = |name: String, value: &dyn Fn(&Sums) -> f64| {
            column(name, "packets", self.windows.iter().map(value).collect())
        };
        let mut columns = vec![
            of("mean".into(), &|sums| sums.mean(self.nodes, 0..self.queues())),
            of("largest".into(), &|sums| f64::from(sums.largest)),
        ];
        let each = (0..self.queues()).filter(|_| self.queues() > 1);
        columns.extend(each.map(|queue| of(format!("q{queue}"), &|sums| sums.mean(self.nodes, queue..queue + 1))));
        windows("injection_queues", "packets", self.cycles, columns)
    }
}

/// The line of a column: `q0` is that of queue 0.
fn line(column: &str) -> Option<Line> {
    let name = column.strip_prefix('q').map_or(column.to_owned(), |queue| format!("queue {queue}"));
    (column != "largest").then(|| Line::new("Packets in a queue", name))
}

impl Listed for InjectionQueues {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[switch(
        "injection_queues",
        "Average the packets in the injection queues, over the measured window and window by window. Only for \
         router kinds adaptive_cut_through and input_output_queued (packets in admittance).",
    )];

    const IDLE: &'static [Idle] = &[Idle {
        keys: &["injection_queues"],
        when: &[When::Is("router.kind", &["cut_through", "wormhole", "input_queued"])],
        because: "a node has no injection queues there, only its source queue",
    }];

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "injection-queues",
        caption: "Packets in an injection queue over time: the mean over all nodes, in windows.",
        table: "injection_queues",
        draw: Draw::Lines(line),
    }];

    fn sees(site: &Site<'_>) -> bool {
        site.path.tells_queues
    }

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        InjectionQueues::new(site.network.nodes(), site.path.queues, site.measured, site.window)
    }

    fn measure_anew(&mut self, _new: Self) {
        self.measured = Sums { packets: vec![0; self.measured.packets.len()], largest: 0, cycles: 0 };
    }

    fn columns(&self, _end: &End<'_>, record: &mut Record) {
        record.injection_queue_mean = self.mean();
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        vec![self.series()]
    }
}

impl Probe for InjectionQueues {
    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        if end.injection.is_empty() {
            return;
        }
        self.now.add(end.injection);
        if (self.from..self.to).contains(&end.cycle) {
            self.measured.add(end.injection);
        }
        if self.now.cycles == self.cycles {
            let next = Sums { packets: vec![0; self.queues()], largest: 0, cycles: 0 };
            self.windows.push(std::mem::replace(&mut self.now, next));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::admission::Gauges;

    #[test]
    fn queues_are_averaged_over_cycles_and_nodes() {
        let mut queues = InjectionQueues::new(2, 2, (1, 3), 2);
        let cycles: [&[u32]; 5] = [&[9, 9, 9, 9], &[1, 2, 3, 4], &[0, 0, 0, 6], &[0, 0, 2, 0], &[7, 7, 7, 7]];
        for (cycle, injection) in (0..).zip(cycles) {
            let gauges = Gauges::default();
            queues.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, injection, gauges });
        }
        // Cycles 1 and 2 of four queues.
        assert_eq!(queues.mean(), Some(16.0 / 8.0));
        let series = queues.series();
        let column = |name: &str| series.column(name).expect(name).to_vec();
        assert_eq!(series.x, [0.0, 2.0], "the last window is not over");
        assert_eq!((column("mean"), column("largest")), (vec![46.0 / 8.0, 1.0], vec![9.0, 6.0]));
        assert_eq!((column("q0"), column("q1")), (vec![22.0 / 4.0, 0.5], vec![24.0 / 4.0, 1.5]));
        assert!(series.check().is_ok());
    }

    #[test]
    fn silence_is_no_zero() {
        let mut queues = InjectionQueues::new(2, 1, (0, 10), 5);
        for cycle in 0..10 {
            let gauges = Gauges::default();
            queues.end_of_cycle(EndOfCycle { cycle, in_flight: 0, occupancy: None, injection: &[], gauges });
        }
        assert_eq!((queues.mean(), queues.series().x.len()), (None, 0));
    }

    #[test]
    fn a_picture_has_the_mean_and_a_line_for_each_queue() {
        let names = ["mean", "largest", "q0"].map(|column| line(column).map(|line| line.name));
        assert_eq!(names, [Some("mean".to_owned()), None, Some("queue 0".to_owned())]);
    }
}
