//! Buffer occupancy: mean level and share of busy (full) buffers, per kind of link and virtual channel, over time.
//!
//! Kinds of links are the directions of a grid.

use crate::kinds::Kinds;
use crate::listed::{End, Grows, Listed, Site, Size, cycles};
use crate::tables::column;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::Network;
use tailback_results::Series;
use tailback_spec::Param;

/// Samples of all buffers every so many cycles.
#[derive(Clone, Debug)]
pub struct Levels {
    every: u64,
    kinds: Kinds,
    ports: usize,
    channels: usize,
    capacity: u16,
    cycles: Vec<f64>,
    /// Per kind and channel: mean flits, then share of full buffers, a value a sample.
    columns: Vec<(Vec<f64>, Vec<f64>)>,
}

tailback_base::state!([] Levels {
    saved: ; grown: cycles; by pairs: columns; rebuilt: every, kinds, ports, channels, capacity;
} [fits]);

/// Columns that grow alike, two by two.
mod pairs {
    use tailback_base::state::{Reader, Unfit, Writer, restore_grown, save_grown};

    pub fn save(columns: &[(Vec<f64>, Vec<f64>)], to: &mut Writer) {
        columns.iter().flat_map(|(one, other)| [one, other]).for_each(|column| save_grown(column, to));
    }

    pub fn restore(columns: &mut [(Vec<f64>, Vec<f64>)], from: &mut Reader<'_>) -> Result<(), Unfit> {
        columns.iter_mut().flat_map(|(one, other)| [one, other]).try_for_each(|column| restore_grown(column, from))
    }
}

impl Levels {
    fn fits(&self) -> Result<(), Unfit> {
        let all = self.cycles.len();
        let whole = self.columns.iter().all(|(mean, busy)| mean.len() == all && busy.len() == all);
        ensure(whole, "a table has columns of different lengths")
    }
}

impl Levels {
    /// Samples at the end of every `every`-th cycle of a run of about `expected` cycles.
    pub fn new(network: &Network, channels: usize, capacity: u16, every: u64, expected: u64) -> Self {
        let reserve = (expected / every + 2).min(1 << 20) as usize;
        let column = || (Vec::with_capacity(reserve), Vec::with_capacity(reserve));
        let kinds = Kinds::new(network);
        Levels {
            every,
            ports: network.most_ports(),
            channels,
            capacity,
            cycles: Vec::with_capacity(reserve),
            columns: (0..kinds.count() * channels).map(|_| column()).collect(),
            kinds,
        }
    }

    /// The samples as a table. Directions are named by dimension and sign: `x+`, `y-`, `d3+`; other links by their kind.
    pub fn series(&self) -> Series {
        let mut columns = Vec::new();
        for (index, (mean, full)) in self.columns.iter().enumerate() {
            let name = format!("{}_vc{}", self.kinds.name(index / self.channels), index % self.channels);
            columns.push(column(format!("{name}_mean"), "flits", mean.clone()));
            columns.push(column(format!("{name}_busy"), "share", full.clone()));
        }
        Series {
            name: "occupancy".into(),
            unit: String::new(),
            x_name: "cycle".into(),
            x_unit: "cycles".into(),
            x: self.cycles.clone(),
            columns,
        }
    }
}

/// `x+`, `x-`, `y+`, `y-`, `z+`, `z-`, then `d3+` and so on.
pub fn direction_name(port: usize) -> String {
    let sign = if port.is_multiple_of(2) { '+' } else { '-' };
    match port / 2 {
        d @ 0..3 => format!("{}{sign}", ['x', 'y', 'z'][d]),
        d => format!("d{d}{sign}"),
    }
}

impl Listed for Levels {
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[cycles(
        "occupancy_every_cycles",
        1 << 40,
        "Time between samples of buffer levels and full buffers, per direction and virtual channel; 0: no samples.",
    )];

    const READS_LEVELS: bool = true;

    fn new(site: &Site<'_>) -> Self {
        let every = site.probes.u64("occupancy_every_cycles");
        Levels::new(site.network, site.channels, site.capacity, every, site.expected)
    }

    fn measure_anew(&mut self, _new: Self) {}

    fn grows(size: Size) -> Grows {
        Grows::Sample(16 + 32 * size.buffers)
    }

    fn tables(&self, _end: &End<'_>) -> Vec<Series> {
        vec![self.series()]
    }
}

impl Probe for Levels {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn reads_levels(&self, cycle: u64) -> bool {
        cycle.is_multiple_of(self.every)
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        let Some(occupancy) = end.occupancy else { return };
        if !end.cycle.is_multiple_of(self.every) {
            return;
        }
        self.cycles.push(end.cycle as f64);
        for kind in 0..self.kinds.count() {
            for channel in 0..self.channels {
                let (sum, full, all) = self.of_kind(kind, |port| occupancy.levels(port, channel));
                let (mean, busy) = &mut self.columns[kind * self.channels + channel];
                mean.push(sum as f64 / all as f64);
                busy.push(full as f64 / all as f64);
            }
        }
    }
}

impl Levels {
    /// Flits, full buffers and buffers of a kind, out of the levels of every port by router.
    fn of_kind<'l>(&self, kind: usize, levels: impl Fn(usize) -> &'l [u16]) -> (u64, usize, usize) {
        let count = |levels: &mut dyn Iterator<Item = u16>| {
            levels
                .fold((0, 0), |(sum, full), level| (sum + u64::from(level), full + usize::from(level >= self.capacity)))
        };
        if self.kinds.are_ports() {
            let levels = levels(kind);
            let (sum, full) = count(&mut levels.iter().copied());
            return (sum, full, levels.len());
        }
        let is_of = |router: u32, port: usize| self.kinds.arriving(router, port) == Some(kind);
        let of_port = |port: usize| {
            (0u32..).zip(levels(port)).filter(move |&(router, _)| is_of(router, port)).map(|(_, &level)| level)
        };
        let (sum, full) = count(&mut (0..self.ports).flat_map(of_port));
        (sum, full, self.kinds.links(kind) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_have_names() {
        assert_eq!([0, 3, 5, 6].map(direction_name), ["x+", "y-", "z-", "d3+"]);
    }
}
