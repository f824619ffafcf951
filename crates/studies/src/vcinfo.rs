//! How long a change of VCinfo takes from one router to the next, timed in a running network.
//!
//! Bit 0 of a register is the adjacent buffer, bit 1 the next router's bit 0. When the registers of a router and of the next
//! one are clear and the second buffer becomes busy while the first does not, then the first register can only be set by
//! the next transfer between the two: the admission mechanism itself, asked whether it would hold a packet, tells when the
//! news arrived. The mechanism that is asked sees what that of the network sees in every cycle, which does throttle.

use tailback_engine::Probe;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::contract::routing::Request;
use tailback_mechanisms::admission::spth::Spth;
use tailback_mechanisms::admission::{Listed, Site};
use tailback_sim::{Prepared, prepare, watched};
use tailback_spec::{Errors, Point};

/// Cycles that every network is watched.
const CYCLES: u64 = 1000;

/// Longest delay told apart; the last count is of all longer ones.
const LONGEST: usize = 4;

/// How many changes took 1, 2, 3, 4 and more than 4 cycles for the hop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Changes by cycles.
    pub counts: [u64; LONGEST + 1],
}

impl Delays {
    fn add(&mut self, other: Delays) {
        self.counts.iter_mut().zip(other.counts).for_each(|(sum, count)| *sum += count);
    }
}

/// Ways of propagation, each with its delays.
pub type ByWay = Vec<(String, Delays)>;

/// SPTh with a stopwatch.
struct Timed {
    spth: Spth,
    /// Whether its registers count the flits before the departures of the cycle.
    at_edge: bool,
    /// By channel and router, the two routers downstream and the histories of their buffers and of the register.
    watched: Vec<Watched>,
    room: Vec<u16>,
    delays: Delays,
}

struct Watched {
    router: u32,
    port: u8,
    channel: u8,
    /// The first and second router downstream.
    next: [u32; 2],
    /// Index of the next router's register.
    follows: usize,
    /// Bit k: the buffer was busy k cycles ago.
    busy: [u8; 2],
    /// Bit k: the register was set by what it learned k cycles ago.
    set: u8,
}

impl Timed {
    fn new(prepared: &Prepared) -> Self {
        let (grid, view) = (prepared.grid(), prepared.point().resolved.view("admission"));
        let site = Site { grid, channels: prepared.channels(), buffer_flits: prepared.buffer_flits() };
        let (spth, at_edge) = (Spth::build(view, site), view.text("level") == "edge");
        let (mut watched, channels) = (Vec::new(), site.channels as usize);
        for router in 0..grid.routers() as u32 {
            for port in 0..grid.ports() {
                let next = grid.peer(router, port);
                let next = [next, grid.peer(next, port)];
                watched.extend((0..channels).map(|channel| Watched {
                    router,
                    port: port as u8,
                    channel: channel as u8,
                    next,
                    follows: (next[0] as usize * grid.ports() + port) * channels + channel,
                    busy: [0; 2],
                    set: 0,
                }));
            }
        }
        Timed { spth, at_edge, watched, room: vec![0; grid.ports()], delays: Delays::default() }
    }
}

/// A buffer of 16 flits is busy with a margin of 8, inclusive, from this level on \[flits\].
const BUSY: u16 = 8;

impl Watched {
    /// A change counts when the second buffer became busy [`LONGEST`] cycles ago and has stayed so, the first has been
    /// ready since, the register was clear at first and the next one (`next_set`) the cycle before: then its delay is when
    /// the register was set.
    fn delay(&self, next_set: u8) -> Option<usize> {
        let since = (1_u8 << (LONGEST + 1)) - 1;
        let rose = self.busy[1] & since == since && self.busy[1] >> (LONGEST + 1) & 1 == 0;
        let alone = self.busy[0] & since == 0;
        let clear = self.set >> LONGEST & 1 == 0 && next_set >> (LONGEST + 1) & 1 == 0;
        let set = |cycles: &usize| self.set >> (LONGEST - cycles) & 1 == 1;
        (rose && alone && clear).then(|| (1..=LONGEST).find(set).unwrap_or(LONGEST + 1))
    }
}

impl Probe for Timed {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        let Some(occupancy) = end.occupancy else { return };
        self.spth.observe(end.cycle, Some(occupancy));
        for watched in &mut self.watched {
            let (port, channel) = (usize::from(watched.port), usize::from(watched.channel));
            for (busy, next) in watched.busy.iter_mut().zip(watched.next) {
                let level = match self.at_edge {
                    true => occupancy.level_at_edge(next, port, channel),
                    false => occupancy.level(next, port, channel),
                };
                *busy = *busy << 1 | u8::from(level >= BUSY);
            }
            let view = LocalView { router: watched.router, idle: 0, room: &self.room, all: 0 };
            let request = Request { port: Some(watched.port), channels: 1 << channel };
            watched.set = watched.set << 1 | u8::from(!self.spth.admits(view, request));
        }
        for watched in &self.watched {
            if let Some(cycles) = watched.delay(self.watched[watched.follows].set) {
                self.delays.counts[cycles - 1] += 1;
            }
        }
    }
}

/// Delays of a hop under each way of propagation of these networks.
///
/// # Errors
/// A refused spec.
pub fn delays(points: &[Point]) -> Result<ByWay, Errors> {
    let mut found = ByWay::new();
    for point in points {
        let prepared = prepare(point)?;
        let way = point.resolved.view("admission").text("propagation").to_owned();
        let delays = watched(&prepared, Timed::new(&prepared), CYCLES, |timed: &Timed| timed.delays);
        match found.iter_mut().find(|(known, _)| *known == way) {
            Some((_, sum)) => sum.add(delays),
            None => found.push((way, delays)),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(busy: [u8; 2], set: u8) -> Watched {
        Watched { router: 0, port: 0, channel: 0, next: [1, 2], follows: 0, busy, set }
    }

    #[test]
    fn a_change_is_timed_from_the_second_buffer_to_the_register() {
        assert_eq!(watched([0, 0b1_1111], 0b0_1111).delay(0), Some(1));
        assert_eq!(watched([0, 0b1_1111], 0b0_0011).delay(0), Some(3));
        assert_eq!(watched([0, 0b1_1111], 0).delay(0), Some(5));
        assert_eq!(watched([0, 0b11_1111], 0).delay(0), None, "busy for longer");
        assert_eq!(watched([0, 0b0_1111], 0b1111).delay(0), None, "not busy for long enough");
        assert_eq!(watched([0b100, 0b1_1111], 0b1111).delay(0), None, "the first buffer was busy meanwhile");
        assert_eq!(watched([0, 0b1_1111], 0b1_1111).delay(0), None, "the register was set before");
        assert_eq!(watched([0, 0b1_1111], 0b0_1111).delay(0b10_0000), None, "the next register was set before");
        assert_eq!(watched([0, 0b1_1111], 0b0_1111).delay(0b01_1111), Some(1));
    }
}
