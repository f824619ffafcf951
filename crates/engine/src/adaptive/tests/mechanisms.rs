//! Mechanisms for tests.

use crate::Lazy;
use crate::adaptive::mechanisms::{Mechanisms, Parts};
use crate::contract::admission::{Admission, LocalView};
use crate::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use crate::contract::flow_control::{FlowControl, Origin, Scope, Step};
use crate::contract::injection::{Injection, InjectionQueue};
use crate::contract::routing::{Candidates, Head, Request, Routing};
use crate::contract::selection::{Choice, Selection};
use crate::cut_through;
use crate::occupancy::Occupancy;
use crate::packet::Packet;
use tailback_network::Grid;

pub struct Plain;

impl Mechanisms for Plain {
    type Sources<'t> = Lazy<'t>;
    type Routing = Minimal;
    type Selection = Lowest;
    type Arbiter = Turns;
    type FlowControl = Bubble;
    type Admission = Gate;
    type Injection = Policy;
}

impl cut_through::Mechanisms for Plain {
    type Sources<'t> = Lazy<'t>;
    type Routing = Minimal;
    type Arbiter = Turns;
    type FlowControl = Bubble;
    type Admission = Gate;
}

/// How packets are routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Dimension order, all channels.
    Order,
    /// Dimension order; channel 0 before a dateline and channel 1 behind it.
    Dateline,
    /// Any minimal port on channels from 1 on; dimension order on channel 0 as the escape.
    Escape,
}

pub struct Minimal {
    pub grid: Grid,
    pub way: Way,
}

impl Minimal {
    /// Signed hops in a dimension; up where both ways are as long.
    fn offset(&self, d: usize, router: u32, to: u32) -> i32 {
        let (a, b) = (self.grid.coordinates(router)[d] as i32, self.grid.coordinates(to)[d] as i32);
        let k = self.grid.radix()[d] as i32;
        if !self.grid.wrap()[d] {
            return b - a;
        }
        let up = (b + k - a) % k;
        if 2 * up <= k { up } else { up - k }
    }

    /// Minimal ports, lowest dimension first.
    fn ports(&self, router: u32, packet: &Packet) -> Vec<usize> {
        let offsets = (0..self.grid.dimensions()).map(|d| (d, self.offset(d, router, packet.router)));
        offsets.filter(|&(_, o)| o != 0).map(|(d, o)| 2 * d + usize::from(o < 0)).collect()
    }

    fn class(&self, router: u32, packet: &Packet, port: usize) -> u16 {
        let (d, at) = (port / 2, self.grid.coordinates(router)[port / 2] as i32);
        let end = at + self.offset(d, router, packet.router);
        if (0..self.grid.radix()[d] as i32).contains(&end) { 0b10 } else { 0b01 }
    }
}

impl Routing for Minimal {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = self.grid.distance(router, packet.router);
        0
    }

    fn request(&self, head: Head, packet: &Packet, _word: &mut u32) -> Request {
        let port = self.ports(head.router, packet).first().copied();
        let channels = port.map_or(1, |port| match self.way {
            Way::Dateline => self.class(head.router, packet, port),
            _ => u16::MAX,
        });
        Request { port: port.map(|port| port as u8), channels }
    }

    fn is_adaptive(&self) -> bool {
        self.way == Way::Escape
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, word: &mut u32) -> Candidates {
        let ports = self.ports(head.router, packet);
        let source = self.grid.router_of(packet.source);
        let distance = self.grid.distance(source, packet.router) - self.grid.distance(head.router, packet.router);
        assert_eq!((*word, packet.hops), (distance, distance), "the word travels with the head");
        let (all, port) = ((1u64 << channels) - 1, |p: usize, mask: u64| mask << (p * channels as usize));
        let first = ports.first().copied();
        let any = |mask: u64| ports.iter().fold(0, |m, &p| m | port(p, mask));
        match self.way {
            Way::Order => Candidates { preferred: first.map_or(0, |p| port(p, all)), fallback: 0 },
            Way::Dateline => {
                let mask = |p| u64::from(self.class(head.router, packet, p));
                Candidates { preferred: first.map_or(0, |p| port(p, mask(p))), fallback: 0 }
            }
            Way::Escape => Candidates { preferred: any(all & !1), fallback: first.map_or(0, |p| port(p, 1)) },
        }
    }

    fn offsets(&self, router: u32, packet: &Packet) -> [i32; 6] {
        let all = self.grid.dimensions();
        std::array::from_fn(|d| if d < all { self.offset(d, router, packet.router) } else { 0 })
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
        assert!(choice.free.count_ones() > 1, "asked only where there is a choice");
        choice.free.trailing_zeros()
    }
}

/// Round robin.
pub struct Turns;

tailback_base::stateless!(Turns, Gate, Policy);

impl Arbiter for Turns {
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let inputs = contest.inputs.low();
        assert_ne!(inputs, 0, "somebody asks");
        let later = inputs & (u64::MAX << pointer.get());
        let winner = if later != 0 { later } else { inputs }.trailing_zeros();
        assert!(age(winner).0 <= contest.cycle);
        *pointer = Turn::of(winner as usize + 1);
        winner
    }
}

/// Packets that must be free where a packet enters an escape channel, and in the own queue of new ones.
#[derive(Clone, Copy, Debug)]
pub struct Bubble {
    pub escape: u32,
    pub new: u32,
    pub scope: Scope,
}

impl FlowControl for Bubble {
    fn room_flits(&self, step: Step) -> u32 {
        step.flits
    }

    fn bubble_flits(&self, step: Step) -> u32 {
        if step.escape && step.origin != Origin::Behind { self.escape * step.flits } else { 0 }
    }

    fn own_queue_flits(&self, step: Step) -> u32 {
        if step.origin == Origin::Node { self.new * step.flits } else { 0 }
    }

    fn scope(&self) -> Scope {
        self.scope
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

/// Which queue a packet goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The fewest flits waiting, the lowest among equals.
    Fewest,
    /// That of the number.
    Always(usize),
    /// That of the first direction.
    Direction,
}

impl Injection for Policy {
    fn choose(&mut self, _node: u32, offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize {
        match *self {
            Policy::Fewest => (0..queues.len()).min_by_key(|&q| queues[q].waiting_flits).expect("there are some"),
            Policy::Always(queue) => queue,
            Policy::Direction => match offsets.iter().position(|&o| o != 0) {
                Some(d) => 2 * d + usize::from(offsets[d] < 0),
                None => draw() as usize % queues.len(),
            },
        }
    }
}

pub const NO_BUBBLE: Bubble = Bubble { escape: 0, new: 0, scope: Scope::Local };

pub fn parts(grid: &Grid, way: Way, flow_control: Bubble) -> Parts<Plain> {
    Parts {
        routing: Minimal { grid: grid.clone(), way },
        selection: Lowest,
        arbiter: Turns,
        flow_control,
        admission: Gate(false),
        injection: Policy::Fewest,
    }
}
