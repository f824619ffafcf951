//! Buffer occupancy: mean level and share of busy (full) buffers, per direction and virtual channel, over time.

use crate::listed::{End, Grows, Listed, Site, Size, cycles};
use crate::tables::column;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::Grid;
use tailback_results::Series;
use tailback_spec::Param;

/// Samples of all buffers every so many cycles.
#[derive(Clone, Debug)]
pub struct Levels {
    every: u64,
    ports: usize,
    channels: usize,
    capacity: u16,
    cycles: Vec<f64>,
    /// Per port and channel: mean flits, then share of full buffers, a value a sample.
    columns: Vec<(Vec<f64>, Vec<f64>)>,
}

tailback_base::state!([] Levels {
    saved: ; grown: cycles; by pairs: columns; rebuilt: every, ports, channels, capacity;
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
    pub fn new(grid: &Grid, channels: usize, capacity: u16, every: u64, expected: u64) -> Self {
        let reserve = (expected / every + 2).min(1 << 20) as usize;
        let column = || (Vec::with_capacity(reserve), Vec::with_capacity(reserve));
        Levels {
            every,
            ports: grid.ports(),
            channels,
            capacity,
            cycles: Vec::with_capacity(reserve),
            columns: (0..grid.ports() * channels).map(|_| column()).collect(),
        }
    }

    /// The samples as a table. Directions are named by dimension and sign: `x+`, `y-`, `d3+`.
    pub fn series(&self) -> Series {
        let mut columns = Vec::new();
        for (index, (mean, full)) in self.columns.iter().enumerate() {
            let name = format!("{}_vc{}", direction_name(index / self.channels), index % self.channels);
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
    const PARAMS: &'static [Param] = &[cycles(
        "occupancy_every_cycles",
        1 << 40,
        "Time between samples of buffer levels and full buffers, per direction and virtual channel; 0: no samples.",
    )];

    const NEEDS_GRID: bool = true;

    const READS_LEVELS: bool = true;

    fn new(site: &Site<'_>) -> Self {
        let every = site.probes.u64("occupancy_every_cycles");
        Levels::new(site.grid(), site.channels, site.capacity, every, site.expected)
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
        for port in 0..self.ports {
            for channel in 0..self.channels {
                let levels = occupancy.levels(port, channel);
                let sum: u64 = levels.iter().map(|&l| u64::from(l)).sum();
                let full = levels.iter().filter(|&&l| l >= self.capacity).count();
                let (mean, busy) = &mut self.columns[port * self.channels + channel];
                mean.push(sum as f64 / levels.len() as f64);
                busy.push(full as f64 / levels.len() as f64);
            }
        }
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
