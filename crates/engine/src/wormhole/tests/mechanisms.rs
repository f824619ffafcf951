//! Mechanisms for tests.

use crate::Lazy;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use crate::contract::recovery::Recovery;
use crate::contract::routing::{Candidates, Head, Request, Routing};
use crate::contract::selection::{Choice, Selection};
use crate::occupancy::Occupancy;
use crate::packet::Packet;
use crate::wormhole::mechanisms::{Mechanisms, Parts};
use tailback_network::Grid;

pub struct Plain;

impl Mechanisms for Plain {
    type Sources<'t> = Lazy<'t>;
    type Routing = Minimal;
    type Selection = Lowest;
    type Arbiter = Turns;
    type Admission = Gate;
    type Recovery = Timeout;
}

/// How packets are routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Dimension order, all channels.
    Order,
    /// Any minimal port, all channels.
    Adaptive,
    /// Any minimal port on channels from 1 on; dimension order on channel 0 as the escape.
    Escape,
}

pub struct Minimal {
    pub grid: Grid,
    pub way: Way,
}

impl Minimal {
    /// Minimal ports, lowest dimension first; up where both ways are as long.
    fn ports(&self, router: u32, packet: &Packet) -> Vec<usize> {
        let (here, there) = (self.grid.coordinates(router), self.grid.coordinates(packet.router));
        let towards = |d: usize| {
            let (a, b, k) = (here[d], there[d], self.grid.radix()[d]);
            let up = if self.grid.wrap()[d] { (b + k - a) % k <= k / 2 } else { b > a };
            2 * d + usize::from(!up)
        };
        (0..here.len()).filter(|&d| here[d] != there[d]).map(towards).collect()
    }
}

impl Routing for Minimal {
    fn start(&self, _router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = 99;
        0
    }

    fn request(&self, _head: Head, _packet: &Packet, _word: &mut u32) -> Request {
        unreachable!("candidates are asked for instead")
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let ports = self.ports(head.router, packet);
        let source = self.grid.router_of(packet.source);
        let distance = self.grid.distance(source, packet.router) - self.grid.distance(head.router, packet.router);
        assert_eq!(*word, distance, "the word travels with the head");
        let (all, port) = ((1u64 << channels) - 1, |p: usize, mask: u64| mask << (p * channels as usize));
        let first = ports.first().copied();
        let any = |mask: u64| ports.iter().fold(0, |m, &p| m | port(p, mask));
        match self.way {
            Way::Order => Candidates { preferred: first.map_or(0, |p| port(p, all)), fallback: 0 },
            Way::Adaptive => Candidates { preferred: any(all), fallback: 0 },
            Way::Escape => Candidates { preferred: any(all & !1), fallback: first.map_or(0, |p| port(p, 1)) },
        }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word + 1
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

pub struct Lowest;

impl Selection for Lowest {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        choice.free.trailing_zeros()
    }
}

/// Round robin, and whether it says so.
pub struct Turns(pub bool);

tailback_base::stateless!(Turns, Gate, Timeout);

impl Arbiter for Turns {
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, _age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let inputs = contest.inputs.low();
        assert_ne!(inputs, 0, "somebody asks");
        let later = inputs & (u64::MAX << pointer.get());
        let winner = if later != 0 { later } else { inputs }.trailing_zeros();
        *pointer = Turn::of(winner as usize + 1);
        winner
    }

    fn is_round_robin(&self) -> bool {
        self.0
    }
}

/// Lets new packets in only where a useful port is idle.
pub struct Gate(pub bool);

impl Admission for Gate {
    fn is_active(&self) -> bool {
        self.0
    }

    fn needs_occupancy(&self) -> bool {
        self.0
    }

    fn observe(&mut self, _cycle: u64, _occupancy: Option<&Occupancy>) {}

    fn admits_by_any(&self, view: LocalView<'_>, request: Request, _useful: u16) -> bool {
        request.port.is_none_or(|port| view.idle >> port & 1 == 1)
    }
}

/// Takes heads over that have failed so often; no lane when 0.
pub struct Timeout {
    pub patience: u32,
    pub grid: Grid,
}

impl Recovery for Timeout {
    fn lane_flits(&self) -> u32 {
        if self.patience > 0 { 2 } else { 0 }
    }

    fn step(&mut self, _cycle: u64) {}

    fn takes_over(&mut self, _router: u32, attempts: u32) -> bool {
        attempts >= self.patience
    }

    fn port(&self, router: u32, packet: &Packet) -> u8 {
        // On a line of routers first along x, then along y, so that the lane cannot deadlock.
        let (here, there) = (self.grid.coordinates(router), self.grid.coordinates(packet.router));
        let d = (0..here.len()).find(|&d| here[d] != there[d]).expect("not asked at the destination");
        2 * d as u8 + u8::from(here[d] > there[d])
    }

    fn arrived(&mut self, _router: u32) {}

    fn fits(&self, _now: u64, _taken_over: usize) -> bool {
        true
    }
}

pub fn parts(grid: &Grid, way: Way) -> Parts<Plain> {
    Parts {
        routing: Minimal { grid: grid.clone(), way },
        selection: Lowest,
        channel_arbiter: Turns(true),
        input_arbiter: Turns(true),
        output_arbiter: Turns(true),
        admission: Gate(false),
        recovery: Timeout { patience: 0, grid: grid.clone() },
    }
}
