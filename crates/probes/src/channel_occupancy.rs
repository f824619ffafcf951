//! Mean occupancy of the buffers of every direction and virtual channel: over the measured window, and over time.

use crate::channels;
use crate::levels::direction_name;
use crate::listed::{End, Grows, Listed, Site, Size, switch};
use crate::picture::{Draw, Line, Picture};
use crate::tables::{column, windows};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::{Grid, NONE};
use tailback_results::Series;
use tailback_spec::Param;

/// Flits at the end of every cycle, summed over the buffers of each direction and virtual channel.
#[derive(Clone, Debug)]
pub struct ChannelOccupancy {
    from: u64,
    to: u64,
    cycles: u64,
    /// The end of the window that cycles are in now.
    next_end: u64,
    channels: usize,
    /// Buffers that exist, by port: those at the far ends of links.
    buffers: Vec<u64>,
    /// By `port * channels + channel`: the window that cycles are in now.
    now: Vec<u64>,
    /// By `port * channels + channel`: the measured window, and its cycles that are over.
    measured: Vec<u64>,
    measured_cycles: u64,
    /// Whole windows, one after the other.
    windows: Vec<u64>,
}

tailback_base::state!([] ChannelOccupancy {
    saved: next_end, now, measured, measured_cycles; grown: windows; rebuilt: from, to, cycles, channels, buffers;
} [fits]);

impl ChannelOccupancy {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.next_end, self.measured_cycles])?;
        are_counts(self.now.iter().chain(&self.measured).chain(&self.windows).copied())?;
        ensure(self.windows.len().is_multiple_of(self.now.len()), "a window is not whole")
    }
}

impl ChannelOccupancy {
    /// Windows of `cycles` over a run of about `expected` cycles, and cycles `from..to`.
    pub fn new(grid: &Grid, channels: usize, (from, to): (u64, u64), cycles: u64, expected: u64) -> Self {
        let routers = 0..grid.routers() as u32;
        let buffers =
            |port| routers.clone().filter(|&router| grid.upstream(router, port) != NONE).count().max(1) as u64;
        let columns = grid.ports() * channels;
        let reserve = (expected / cycles + 2).min(1 << 16) as usize;
        ChannelOccupancy {
            from,
            to,
            cycles,
            next_end: cycles,
            channels,
            buffers: (0..grid.ports()).map(buffers).collect(),
            now: vec![0; columns],
            measured: vec![0; columns],
            measured_cycles: 0,
            windows: Vec::with_capacity(reserve * columns),
        }
    }

    /// Mean flits in a buffer that `port` and `channel` feed, over the measured window; `None` where it has not begun.
    pub fn mean(&self, port: usize, channel: usize) -> Option<f64> {
        let sum = self.measured[port * self.channels + channel];
        (self.measured_cycles > 0).then(|| sum as f64 / (self.buffers[port] * self.measured_cycles) as f64)
    }

    /// The whole windows so far as a table over their first cycle.
    pub fn series(&self) -> Series {
        let rows = || self.windows.chunks(self.now.len());
        let of = |at: usize| {
            let buffer_cycles = (self.buffers[at / self.channels] * self.cycles) as f64;
            let name = format!("{}_vc{}", direction_name(at / self.channels), at % self.channels);
            column(name, "flits", rows().map(|row| row[at] as f64 / buffer_cycles).collect())
        };
        windows("channel_occupancy", "flits", self.cycles, (0..self.now.len()).map(of).collect())
    }

    /// Counts a cycle at whose end the buffers of each port and channel have these levels.
    fn count<'a>(&mut self, cycle: u64, levels: impl Fn(usize, usize) -> &'a [u16]) {
        let measures = (self.from..self.to).contains(&cycle);
        self.measured_cycles += u64::from(measures);
        for (at, now) in self.now.iter_mut().enumerate() {
            let flits = sum(levels(at / self.channels, at % self.channels));
            *now += flits;
            if measures {
                self.measured[at] += flits;
            }
        }
        if cycle + 1 == self.next_end {
            self.next_end += self.cycles;
            self.windows.extend_from_slice(&self.now);
            self.now.fill(0);
        }
    }
}

/// Sums of so many levels fit 32 bits, which add up several at a time.
const STRETCH: usize = 1 << 16;

fn sum(levels: &[u16]) -> u64 {
    let part = |levels: &[u16]| u64::from(levels.iter().map(|&level| u32::from(level)).sum::<u32>());
    levels.chunks(STRETCH).map(part).sum()
}

impl Listed for ChannelOccupancy {
    const PARAMS: &'static [Param] = &[switch(
        "channel_occupancy",
        "Average the flits in the buffers of each direction and virtual channel, over the measured window and \
         window by window.",
    )];

    const NEEDS_GRID: bool = true;

    const READS_LEVELS: bool = true;

    const PICTURES: &'static [Picture] = &[Picture {
        kind: "channel-occupancy",
        caption: "Flits in a buffer over time, a panel for each virtual channel: the mean over all buffers of a direction, in windows.",
        table: "channel_occupancy",
        // Columns are called `x+_vc0`.
        draw: Draw::Lines(|column| {
            let (direction, channel) = column.split_once("_vc")?;
            Some(Line::new("Flits in a buffer", direction).within(format!("channel {channel}")))
        }),
    }];

    fn new(site: &Site<'_>) -> Self {
        ChannelOccupancy::new(site.grid(), site.channels, site.measured, site.window, site.expected)
    }

    fn measure_anew(&mut self, _new: Self) {
        self.measured.fill(0);
        self.measured_cycles = 0;
    }

    fn grows(size: Size) -> Grows {
        Grows::Window(16 * size.buffers)
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        // Where links are watched, too, theirs is the table of both.
        let channels = end.watch.link_load.is_none().then(|| channels::table(end)).flatten();
        [self.series()].into_iter().chain(channels).collect()
    }
}

impl Probe for ChannelOccupancy {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        if let Some(occupancy) = end.occupancy {
            self.count(end.cycle, |port, channel| occupancy.levels(port, channel));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_buffers_that_exist_and_cycles() {
        // A line of three routers: links up feed routers 1 and 2, links down 0 and 1; two channels.
        let grid = Grid::new(&[3], &[false], 1, 1);
        let mut occupancy = ChannelOccupancy::new(&grid, 2, (1, 3), 2, 10);
        assert_eq!(occupancy.mean(0, 0), None);
        let cycles: [[u16; 3]; 5] = [[0, 9, 9], [0, 1, 4], [0, 2, 3], [0, 0, 2], [0, 50, 50]];
        for (cycle, levels) in (0..).zip(&cycles) {
            occupancy.count(cycle, |port, channel| if (port, channel) == (0, 1) { levels } else { &[0; 3] });
        }
        assert_eq!((occupancy.mean(0, 1), occupancy.mean(1, 1)), (Some(10.0 / 4.0), Some(0.0)));
        let series = occupancy.series();
        let column = |name: &str| series.column(name).expect(name).to_vec();
        assert_eq!(series.x, [0.0, 2.0], "the last window is not over");
        assert_eq!((column("x+_vc1"), column("x-_vc0")), (vec![23.0 / 4.0, 7.0 / 4.0], vec![0.0, 0.0]));
        assert_eq!((series.columns.len(), series.check().is_ok()), (4, true));
    }

    #[test]
    fn large_sums_do_not_wrap() {
        assert_eq!(sum(&vec![u16::MAX; 200_000]), 200_000 * u64::from(u16::MAX));
    }
}
