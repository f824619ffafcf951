//! Mean occupancy of the buffers of every direction and virtual channel: over the measured window, and over time.

use crate::channels;
use crate::kinds::Kinds;
use crate::listed::{End, Grows, Listed, Site, Size, switch};
use crate::picture::{Draw, Line, Picture};
use crate::tables::{column, windows};
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_engine::Probe;
use tailback_engine::contract::probe::EndOfCycle;
use tailback_network::Network;
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
    /// Kinds of links, each of which has a buffer at its far end for each channel.
    kinds: Kinds,
    ports: usize,
    /// By `kind * channels + channel`: the cycle that is counted now, and the window that cycles are in now.
    cycle: Vec<u64>,
    now: Vec<u64>,
    /// By `kind * channels + channel`: the measured window, and its cycles that are over.
    measured: Vec<u64>,
    measured_cycles: u64,
    /// Whole windows, one after the other.
    windows: Vec<u64>,
}

tailback_base::state!([] ChannelOccupancy {
    saved: next_end, now, measured, measured_cycles; grown: windows; rebuilt: from, to, cycles, channels, kinds, ports, cycle;
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
    pub fn new(network: &Network, channels: usize, (from, to): (u64, u64), cycles: u64, expected: u64) -> Self {
        let kinds = Kinds::new(network);
        let columns = kinds.count() * channels;
        let reserve = (expected / cycles + 2).min(1 << 16) as usize;
        ChannelOccupancy {
            from,
            to,
            cycles,
            next_end: cycles,
            channels,
            kinds,
            ports: network.most_ports(),
            cycle: vec![0; columns],
            now: vec![0; columns],
            measured: vec![0; columns],
            measured_cycles: 0,
            windows: Vec::with_capacity(reserve * columns),
        }
    }

    /// Buffers of a kind.
    fn buffers(&self, kind: usize) -> u64 {
        self.kinds.links(kind).max(1)
    }

    /// Mean flits in a buffer behind a link of a kind, over the measured window; `None` where it has not begun.
    pub fn mean(&self, kind: usize, channel: usize) -> Option<f64> {
        let sum = self.measured[kind * self.channels + channel];
        (self.measured_cycles > 0).then(|| sum as f64 / (self.buffers(kind) * self.measured_cycles) as f64)
    }

    /// The whole windows so far as a table over their first cycle.
    pub fn series(&self) -> Series {
        let rows = || self.windows.chunks(self.now.len());
        let of = |at: usize| {
            let buffer_cycles = (self.buffers(at / self.channels) * self.cycles) as f64;
            let name = format!("{}_vc{}", self.kinds.name(at / self.channels), at % self.channels);
            column(name, "flits", rows().map(|row| row[at] as f64 / buffer_cycles).collect())
        };
        windows("channel_occupancy", "flits", self.cycles, (0..self.now.len()).map(of).collect())
    }

    /// Counts a cycle at whose end the buffers of each port and channel have these levels.
    fn count<'a>(&mut self, cycle: u64, levels: impl Fn(usize, usize) -> &'a [u16]) {
        let measures = (self.from..self.to).contains(&cycle);
        self.measured_cycles += u64::from(measures);
        self.sum(levels);
        for (at, now) in self.now.iter_mut().enumerate() {
            *now += self.cycle[at];
            if measures {
                self.measured[at] += self.cycle[at];
            }
        }
        if cycle + 1 == self.next_end {
            self.next_end += self.cycles;
            self.windows.extend_from_slice(&self.now);
            self.now.fill(0);
        }
    }
}

impl ChannelOccupancy {
    /// Adds up the levels of this cycle by kind and channel.
    fn sum<'a>(&mut self, levels: impl Fn(usize, usize) -> &'a [u16]) {
        if self.kinds.are_ports() {
            for (at, flits) in self.cycle.iter_mut().enumerate() {
                *flits = sum(levels(at / self.channels, at % self.channels));
            }
            return;
        }
        self.cycle.fill(0);
        for (port, channel) in (0..self.ports).flat_map(|port| (0..self.channels).map(move |channel| (port, channel))) {
            for (router, &level) in (0u32..).zip(levels(port, channel)).filter(|(_, level)| **level > 0) {
                if let Some(kind) = self.kinds.arriving(router, port) {
                    self.cycle[kind * self.channels + channel] += u64::from(level);
                }
            }
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
    const MINDS_IDLE: bool = true;

    const PARAMS: &'static [Param] = &[switch(
        "channel_occupancy",
        "Average the flits in the buffers of each direction and virtual channel, over the measured window and \
         window by window.",
    )];

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

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        ChannelOccupancy::new(site.network, site.channels, site.measured, site.window, site.expected)
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
    use tailback_network::Grid;

    #[test]
    fn means_are_over_buffers_that_exist_and_cycles() {
        // A line of three routers: links up feed routers 1 and 2, links down 0 and 1; two channels.
        let network = Grid::new(&[3], &[false], 1, 1).into();
        let mut occupancy = ChannelOccupancy::new(&network, 2, (1, 3), 2, 10);
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
