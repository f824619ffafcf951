//! Flits in every input buffer at the end of every cycle, kept exactly although packets move as wholes.
//!
//! In cut-through a packet's flits move in lock-step, so a buffer fills and drains at one flit a cycle between times that
//! are known at the grant. A byte a buffer holds the present slope; adding all slopes to all levels each cycle is a loop
//! that vectorises, and costs nothing when nobody asks for occupancy (no throttle or probe needs it).

use crate::wheel::Wheel;
use tailback_base::state::{Unfit, ensure};

/// Whether somebody outside reads the levels of buffers: a probe, or a checkpoint that a probe may go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffers {
    /// Levels are kept.
    Watched,
    /// Levels are kept only where admission needs them.
    Unwatched,
}

/// Levels of all input buffers. Index: `(port * channels + channel) * routers + router`, so that a direction is one slice.
#[derive(Clone, Debug)]
pub struct Occupancy {
    routers: usize,
    channels: usize,
    level: Vec<u16>,
    slope: Vec<i8>,
    /// Flits that left each buffer in the last cycle observed. Empty where a data path does not tell.
    leaving: Vec<u8>,
    changes: Wheel<(u32, i8)>,
}

tailback_base::state!([] Occupancy { saved: level, slope, leaving, changes; rebuilt: routers, channels; } [fits]);

impl Occupancy {
    /// All buffers empty. `horizon` is the longest time from a grant to the arrival of the tail downstream, in cycles;
    /// `ports` are network ports.
    pub fn new(routers: usize, ports: usize, channels: usize, horizon: u64, shortest_packet: u32, link: u64) -> Self {
        let buffers = routers * ports * channels;
        // Three changes are scheduled a grant; a link carries one packet every `shortest_packet` cycles.
        let grants = 2 + (horizon + link) as usize / shortest_packet as usize;
        let changes = Wheel::new(horizon, buffers + routers * ports * 3 * grants);
        Occupancy {
            routers,
            channels,
            level: vec![0; buffers],
            slope: vec![0; buffers],
            leaving: vec![0; buffers],
            changes,
        }
    }

    /// That buffers fill and drain by a packet or two at a time, now and later.
    fn fits(&self) -> Result<(), Unfit> {
        let slopes = self.slope.iter().all(|slope| (-2..=2).contains(slope));
        let later = self
            .changes
            .iter()
            .all(|&(buffer, change)| (buffer as usize) < self.slope.len() && [-1, 1, LEFT, GOES].contains(&change));
        ensure(slopes && later, "a buffer fills faster than anything can")?;
        ensure(self.leaving.iter().all(|&leaving| leaving <= 2), "a buffer drains faster than anything can")?;
        let mut still: Vec<i64> = self.slope.iter().map(|&slope| slope.into()).collect();
        self.changes.iter().for_each(|&(buffer, change)| still[buffer as usize] += i64::from(slope_of(change)));
        ensure(still.iter().all(|&slope| slope == 0), "a buffer fills or drains for ever")
    }

    /// Nothing behind any channel, for senders that count flits until their credits come, `credit` cycles after a flit leaves.
    pub(crate) fn of_senders(routers: usize, ports: usize, channels: usize, packet: u32, credit: u32) -> Self {
        let (buffers, horizon) = (routers * ports * channels, u64::from(packet + credit));
        // Two changes when a packet is sent, and two when it leaves the buffer behind.
        let packets = 2 + (packet + credit) as usize / packet as usize;
        Occupancy {
            routers,
            channels,
            level: vec![0; buffers],
            slope: vec![0; buffers],
            leaving: vec![0; buffers],
            changes: Wheel::new(horizon, buffers * 4 * packets),
        }
    }

    /// All buffers empty, for data paths that set the levels themselves.
    pub(crate) fn by_flits(routers: usize, ports: usize, channels: usize) -> Self {
        Occupancy {
            routers,
            channels,
            level: vec![0; routers * ports * channels],
            slope: Vec::new(),
            leaving: Vec::new(),
            changes: Wheel::new(0, 0),
        }
    }

    /// Sets the levels of one channel's buffers at routers `first..`; those beyond the last router are ignored.
    #[inline(always)]
    pub(crate) fn store(&mut self, port: usize, channel: usize, first: usize, levels: &[u16]) {
        let buffers = &mut self.level[(port * self.channels + channel) * self.routers..][..self.routers];
        let count = levels.len().min(buffers.len() - first);
        buffers[first..first + count].copy_from_slice(&levels[..count]);
    }

    /// Sets the level of one buffer, for data paths that count packets.
    #[inline]
    pub(crate) fn set(&mut self, buffer: usize, level: u16) {
        self.level[buffer] = level;
    }

    /// What a data path set.
    pub(crate) fn level_at(&self, buffer: usize) -> u16 {
        self.level[buffer]
    }

    /// Where the buffer of `channel` at input `port` of `router` is kept.
    #[inline]
    pub fn index(&self, router: u32, port: usize, channel: usize) -> usize {
        (port * self.channels + channel) * self.routers + router as usize
    }

    /// Flits in all buffers that `port` and `channel` feed, by router.
    pub fn levels(&self, port: usize, channel: usize) -> &[u16] {
        &self.level[(port * self.channels + channel) * self.routers..][..self.routers]
    }

    /// Writes the flits in all buffers as a register at the clock edge sees them, by port, channel and router: those that were there
    /// before the departures of the last cycle observed. A data path that does not tell what left has the levels of the end of the cycle.
    pub fn levels_at_edge(&self, to: &mut [u16]) {
        to.copy_from_slice(&self.level);
        for (level, &leaving) in to.iter_mut().zip(&self.leaving) {
            *level = level.wrapping_add(u16::from(leaving));
        }
    }

    /// The same of one buffer.
    pub fn level_at_edge(&self, router: u32, port: usize, channel: usize) -> u16 {
        let buffer = self.index(router, port, channel);
        self.level[buffer].wrapping_add(self.leaving.get(buffer).map_or(0, |&leaving| u16::from(leaving)))
    }

    /// Flits in one buffer at the end of the last cycle observed.
    pub fn level(&self, router: u32, port: usize, channel: usize) -> u16 {
        self.level[self.index(router, port, channel)]
    }

    /// A packet of `flits` begins to leave `buffer` in cycle `now`, a flit each `period` cycles, the first in the last of these.
    pub(crate) fn departs(&mut self, buffer: usize, now: u64, flits: u32, period: u32) {
        if period > 1 {
            for left in ends(now, flits, period) {
                self.changes.push(left, (buffer as u32, GOES));
                self.changes.push(left + 1, (buffer as u32, LEFT));
            }
            return;
        }
        self.slope[buffer] -= 1;
        // What a forged checkpoint holds may wrap, as in `step`.
        self.leaving[buffer] = self.leaving[buffer].wrapping_add(1);
        self.changes.push(now + u64::from(flits), (buffer as u32, LEFT));
    }

    /// A packet of `flits` begins to leave `buffer` in cycle `at`, which may lie ahead.
    pub(crate) fn departs_at(&mut self, buffer: usize, at: u64, flits: u32) {
        self.changes.push(at, (buffer as u32, -1));
        self.changes.push(at + u64::from(flits), (buffer as u32, 1));
    }

    /// The head of a packet of `flits` reaches `buffer` in cycle `at`, or `period` less one later where it takes so long to leave, as
    /// does every flit behind it.
    pub(crate) fn arrives(&mut self, buffer: usize, at: u64, flits: u32, period: u32) {
        if period > 1 {
            for come in ends(at, flits, period) {
                self.changes.push(come, (buffer as u32, 1));
                self.changes.push(come + 1, (buffer as u32, -1));
            }
            return;
        }
        self.changes.push(at, (buffer as u32, 1));
        self.changes.push(at + u64::from(flits), (buffer as u32, -1));
    }

    /// The levels, by buffer, that there will be when all changes that are known before cycle `now` have happened.
    pub(crate) fn settled(&self, now: u64) -> Vec<i64> {
        let end = self.changes.iter_from(now).map(|(at, _)| at).max().unwrap_or(now);
        let left = |at: u64| (end + 1 - at) as i64;
        let mut settled: Vec<i64> = self
            .level
            .iter()
            .zip(&self.slope)
            .map(|(&level, &slope)| i64::from(level) + i64::from(slope) * left(now))
            .collect();
        for (at, &(buffer, change)) in self.changes.iter_from(now) {
            settled[buffer as usize] += i64::from(slope_of(change)) * left(at);
        }
        settled
    }

    /// Brings all levels to the end of cycle `now`.
    pub(crate) fn step(&mut self, now: u64) {
        let mut cursor = self.changes.open(now);
        while let Some((buffer, change)) = self.changes.take(&mut cursor) {
            self.slope[buffer as usize] += slope_of(change);
            let leaving = &mut self.leaving[buffer as usize];
            *leaving = leaving.wrapping_add(u8::from(change == GOES)).wrapping_sub(u8::from(change == LEFT));
        }
        for (level, slope) in self.level.iter_mut().zip(&self.slope) {
            *level = level.wrapping_add_signed(i16::from(*slope));
        }
    }
}

/// The change of a buffer whose departing packet has left: as that of an arrival, but nothing leaves any more.
const LEFT: i8 = 2;

/// The change of a buffer that a flit leaves, and no other in the cycle after.
const GOES: i8 = -2;

/// What a change does to the slope of a buffer \[flits/cycle\].
fn slope_of(change: i8) -> i8 {
    change.clamp(-1, 1)
}

/// The last cycles of each of `flits` periods from a cycle on.
fn ends(from: u64, flits: u32, period: u32) -> impl Iterator<Item = u64> {
    (1..=u64::from(flits)).map(move |flit| from + flit * u64::from(period) - 1)
}

/// Levels that are kept only where somebody reads them. What was kept for nobody here is passed over.
pub(crate) mod levels {
    use crate::occupancy::Occupancy;
    use tailback_base::state::{Reader, State, Unfit, Writer};

    const SECTION: &str = "levels";

    pub fn save(levels: &Option<Occupancy>, to: &mut Writer) {
        to.section(SECTION, |to| levels.save(to));
    }

    pub fn restore(levels: &mut Option<Occupancy>, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let read = |from: &mut Reader<'_>| match (from.take()?, levels) {
            (true, Some(levels)) => levels.restore(from),
            (false, Some(_)) => Err(Unfit::new("the flits in every buffer are needed, and they were not counted")),
            (_, None) => {
                from.skip();
                Ok(())
            }
        };
        from.section(SECTION, read).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::Occupancy;

    #[test]
    fn a_flit_that_streams_through_counts_at_the_clock_edge_alone() {
        let mut occupancy = Occupancy::new(1, 1, 1, 40, 4, 1);
        // Two packets of four flits, one behind the other, each leaving as it comes.
        for at in [3, 7] {
            occupancy.arrives(0, at, 4, 1);
        }
        let mut seen = Vec::new();
        for now in 0..13 {
            if now == 3 || now == 7 {
                occupancy.departs(0, now, 4, 1);
            }
            occupancy.step(now);
            let mut edge = [9];
            occupancy.levels_at_edge(&mut edge);
            assert_eq!(edge[0], occupancy.level_at_edge(0, 0, 0));
            seen.push((occupancy.level(0, 0, 0), edge[0]));
        }
        let streams = |now: usize| (0, u16::from((3..11).contains(&now)));
        assert_eq!(seen, (0..13).map(streams).collect::<Vec<_>>());
    }
}
