//! How long a change of VCinfo takes from one router to the next, timed in a running network.
//!
//! Bit 0 of a register is the adjacent buffer, bit 1 the next router's bit 0. When the registers of a router and of the next
//! one are clear and the second buffer becomes busy while the first does not, then the first register can only be set by
//! the next transfer between the two: the admission mechanism itself, asked whether it would hold a packet, tells when the
//! news arrived. The mechanism runs as it is, inside the engine, and does throttle.

use std::cell::Cell;
use std::rc::Rc;
use tailback_engine::contract::admission::{Admission, LocalView};
use tailback_engine::contract::routing::Request;
use tailback_engine::cut_through::{CutThrough, MAX_PORTS, Mechanisms, Parts, Router};
use tailback_engine::{Buffers, DataPath as _, Lazy, Network as _, NoProbe, Occupancy};
use tailback_mechanisms::admission::spth::Spth;
use tailback_mechanisms::admission::{Listed, Site};
use tailback_mechanisms::{arbiter, flow_control, routing};
use tailback_network::{Grid, topology};
use tailback_spec::{Point, Resolved};
use tailback_traffic::{Shape, Traffic};

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
    /// By channel and router, the two routers downstream and the histories of their buffers and of the register.
    watched: Vec<Watched>,
    room: Vec<u16>,
    delays: Rc<Cell<Delays>>,
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
    fn new(spth: Spth, grid: &Grid, channels: u32, delays: Rc<Cell<Delays>>) -> Self {
        let mut watched = Vec::new();
        let channels = channels as usize;
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
        Timed { spth, watched, room: vec![0; grid.ports()], delays }
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

tailback_base::unsaved!(Timed, "a stopwatch runs with it");

impl Admission for Timed {
    fn is_active(&self) -> bool {
        true
    }

    fn needs_occupancy(&self) -> bool {
        true
    }

    fn observe(&mut self, cycle: u64, occupancy: Option<&Occupancy>) {
        self.spth.observe(cycle, occupancy);
        let Some(occupancy) = occupancy else { return };
        for watched in &mut self.watched {
            let (port, channel) = (usize::from(watched.port), usize::from(watched.channel));
            for (busy, next) in watched.busy.iter_mut().zip(watched.next) {
                *busy = *busy << 1 | u8::from(occupancy.level(next, port, channel) >= BUSY);
            }
            let view = LocalView { router: watched.router, idle: 0, room: &self.room, all: 0 };
            let request = Request { port: Some(watched.port), channels: 1 << channel };
            watched.set = watched.set << 1 | u8::from(!self.spth.admits(view, request));
        }
        let mut delays = self.delays.get();
        for watched in &self.watched {
            if let Some(cycles) = watched.delay(self.watched[watched.follows].set) {
                delays.counts[cycles - 1] += 1;
            }
        }
        self.delays.set(delays);
    }

    fn admits(&self, view: LocalView<'_>, request: Request) -> bool {
        self.spth.admits(view, request)
    }
}

struct TimedBundle;

impl Mechanisms for TimedBundle {
    type Sources<'t> = Lazy<'t>;
    type Routing = routing::Any;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = Timed;
}

/// Delays of a hop under each way of propagation of these networks.
pub fn delays(points: &[Point]) -> ByWay {
    let mut found = ByWay::new();
    for Point { resolved, seed, .. } in points {
        let way = resolved.view("admission").text("propagation").to_owned();
        let delays = time(resolved, *seed);
        match found.iter_mut().find(|(known, _)| *known == way) {
            Some((_, sum)) => sum.add(delays),
            None => found.push((way, delays)),
        }
    }
    found
}

/// Builds the network of a spec that is part of this study, and watches it.
fn time(spec: &Resolved, seed: u64) -> Delays {
    let view = |section| spec.view(section);
    let grid = topology::build(view("topology"));
    let numbers = view("router");
    let router = Router {
        channels: numbers.u32("virtual_channels"),
        buffer_flits: numbers.u32("buffer_flits"),
        header_cycles: numbers.u32("header_cycles"),
        credit_cycles: numbers.u32("credit_cycles"),
        ejection_channels: numbers.finite("ejection_channels").map(|channels| channels as u32),
        source_queue_packets: numbers.finite("source_queue_packets").map(|packets| packets as u32),
        seed,
    };
    let shape = Shape { radix: grid.radix().to_vec(), nodes_per_router: grid.nodes_per_router() };
    let built = "the spec of this study has a network that can exist; a test prepares it";
    let traffic = Traffic::build(view("traffic"), view("workload"), &shape, seed).expect(built);
    let spth = Spth::build(
        view("admission"),
        Site { grid: &grid, channels: router.channels, buffer_flits: router.buffer_flits },
    );
    let delays = Rc::new(Cell::default());
    let parts = Parts {
        routing: routing::build(view("routing"), &grid, router.channels).expect(built),
        arbiter: arbiter::build(view("arbiter"), seed, grid.routers() * MAX_PORTS),
        flow_control: flow_control::build(view("flow_control")),
        admission: Timed::new(spth, &grid, router.channels, delays.clone()),
    };
    let mut engine = CutThrough::<TimedBundle>::new(&grid, &traffic, router, parts, Buffers::Unwatched);
    while engine.cycle() < CYCLES {
        engine.step(&mut NoProbe);
    }
    delays.get()
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
