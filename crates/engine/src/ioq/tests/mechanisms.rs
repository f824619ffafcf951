//! Mechanisms for tests.

use super::any::Any;
use crate::Lazy;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use crate::contract::queueing::{Discipline, LINK, Notice, NoticeKind, Place, Queueing, Route, Side, Turns};
use crate::contract::routing::{Candidates, Head, Request, Routing};
use crate::ioq::mechanisms::{Mechanisms, Parts};
use crate::packet::Packet;
use tailback_base::bits::ones;
use tailback_network::Grid;

pub struct Plain;

impl Mechanisms for Plain {
    type Sources<'t> = Lazy<'t>;
    type Routing = Minimal;
    type Discipline = Any;
    type Arbiter = Pick;
    type Admission = Gate;
}

pub fn parts(grid: &Grid, discipline: impl Into<Any>) -> Parts<Plain> {
    let routing = Minimal { grid: grid.clone(), adaptive: false };
    Parts { routing, discipline: discipline.into(), arbiter: Pick::Turns, admission: Gate(false) }
}

/// Who gets an egress side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Ingress ports take turns.
    Turns,
    /// They take turns, and the arbiter says so in every contest.
    AskedTurns,
    /// The packet made first.
    Eldest,
}

impl Arbiter for Pick {
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        let inputs = || ones(contest.inputs.low()).map(|input| input as u32);
        if *self == Pick::Eldest {
            return inputs().min_by_key(|&input| age(input)).expect("somebody asks");
        }
        let winner = inputs().find(|&input| input as usize >= pointer.get()).or_else(|| inputs().next());
        let winner = winner.expect("somebody asks");
        *pointer = Turn::of(winner as usize + 1);
        winner
    }

    fn is_round_robin(&self) -> bool {
        *self == Pick::Turns
    }
}

/// Holds packets while their first port is not free.
pub struct Gate(pub bool);

impl Admission for Gate {
    fn is_active(&self) -> bool {
        self.0
    }

    fn admits_by_any(&self, view: LocalView<'_>, request: Request, _useful: u16) -> bool {
        let port = request.port.expect("a network port");
        assert!(view.all == 1 && view.idle < 1 << view.room.len());
        view.room[usize::from(port)] & view.all != 0
    }
}

tailback_base::stateless!(Pick, Gate);

/// Minimal ways, in dimension order or any.
pub struct Minimal {
    pub grid: Grid,
    pub adaptive: bool,
}

impl Minimal {
    /// Minimal ports, lowest dimension first; up where both ways are as long.
    fn ports(&self, router: u32, packet: &Packet) -> Vec<usize> {
        let (here, there) = (self.grid.coordinates(router), self.grid.coordinates(packet.router));
        let offset = |d: usize| {
            let (k, direct) = (self.grid.radix()[d] as i32, there[d] as i32 - here[d] as i32);
            let up = (direct + k) % k;
            if !self.grid.wrap()[d] {
                direct
            } else if 2 * up <= k {
                up
            } else {
                up - k
            }
        };
        let offsets = (0..self.grid.dimensions()).map(|d| (d, offset(d)));
        offsets.filter(|&(_, o)| o != 0).map(|(d, o)| 2 * d + usize::from(o < 0)).collect()
    }
}

impl Routing for Minimal {
    fn start(&self, _router: u32, _packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let source = self.grid.router_of(packet.source);
        let distance = self.grid.distance(source, packet.router) - self.grid.distance(head.router, packet.router);
        assert_eq!(*word, distance, "the word travels with the head");
        assert_eq!(head.input.is_none(), distance == 0 || head.router == source);
        let port = self.ports(head.router, packet).first().map(|&port| port as u8);
        Request { port, channels: 1 }
    }

    fn is_adaptive(&self) -> bool {
        self.adaptive
    }

    fn candidates(&self, head: Head, packet: &Packet, channels: u32, _word: &mut u32) -> Candidates {
        assert_eq!(channels, 1);
        let preferred = self.ports(head.router, packet).iter().fold(0, |m, port| m | 1 << port);
        Candidates { preferred, fallback: 0 }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word + 1
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

/// One queue a side.
pub struct Single;

pub struct One;

impl Discipline for Single {
    type Queues = One;

    fn queues(&self, _place: Place) -> One {
        One
    }

    fn shares_memory(&self) -> bool {
        true
    }

    fn credit_counter(&self, _route: Route<'_>) -> usize {
        panic!("the memory is shared")
    }
}

tailback_base::stateless!(One, Modulo);
tailback_base::state!([] Moods { saved: levels, stopped, stops, set_aside; rebuilt: place; });

impl Queueing for One {
    fn count(&self) -> usize {
        1
    }

    fn queue_for(&self, _from: u8, _route: Route<'_>) -> usize {
        0
    }
}

/// A queue for every destination, modulo some number; the memory is parted or shared.
pub struct ByDestination {
    pub queues: usize,
    pub shared: bool,
}

impl Discipline for ByDestination {
    type Queues = Modulo;

    fn queues(&self, _place: Place) -> Modulo {
        Modulo(self.queues)
    }

    fn shares_memory(&self) -> bool {
        self.shared
    }

    fn credit_counter(&self, route: Route<'_>) -> usize {
        route.destination as usize % self.queues
    }
}

pub struct Modulo(usize);

impl Queueing for Modulo {
    fn count(&self) -> usize {
        self.0
    }

    fn queue_for(&self, _from: u8, route: Route<'_>) -> usize {
        route.destination as usize % self.0
    }
}

/// Two queues a side, for even and odd destinations. Whatever can happen to the queues of a side does, by chance of its own:
/// a queue is stopped by whoever is downstream, comes after all others, tells.
pub struct Moody;

/// Packets in a queue of [`Moods`] above which it stops who is upstream.
const MANY: u32 = 2;

impl Discipline for Moody {
    type Queues = Moods;

    fn queues(&self, place: Place) -> Moods {
        Moods { place, levels: [0; 2], stopped: [false; 2], stops: [0; 2], set_aside: 0 }
    }

    fn shares_memory(&self) -> bool {
        true
    }

    fn credit_counter(&self, _route: Route<'_>) -> usize {
        0
    }
}

pub struct Moods {
    place: Place,
    levels: [u32; 2],
    stopped: [bool; 2],
    /// Neighbours upstream that were stopped, as masks; the highest bit is the link.
    stops: [u64; 2],
    set_aside: u32,
}

/// A notice about the queue of this parity.
fn about(queue: usize, kind: NoticeKind) -> Notice {
    Notice { turns: Turns::new(&[queue as u8]), kind }
}

impl Queueing for Moods {
    fn count(&self) -> usize {
        2
    }

    fn queue_for(&self, _from: u8, route: Route<'_>) -> usize {
        route.destination as usize % 2
    }

    fn accepts(&self, route: Route<'_>) -> bool {
        self.levels[route.destination as usize % 2] <= MANY
    }

    fn answers(&self) -> u32 {
        self.levels[0] + self.levels[1] * 1_000_000
    }

    fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        assert_eq!(level, self.levels[queue] + 1);
        assert_eq!(from == LINK, self.place.side == Side::Ingress);
        self.levels[queue] = level;
        let bit = 1u64 << from.min(63);
        if self.place.side != Side::Adapter && level > MANY && self.stops[queue] & bit == 0 {
            self.stops[queue] |= bit;
            self.set_aside += 1;
            send(from, about(queue, NoticeKind::Off));
        }
        true
    }

    fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        assert_eq!(level + 1, self.levels[queue]);
        assert!(!self.stopped[queue], "a queue that is held sends nothing");
        self.levels[queue] = level;
        if level == 0 {
            let stops = std::mem::take(&mut self.stops[queue]);
            self.set_aside -= stops.count_ones();
            for to in (0..64).filter(|to| stops >> to & 1 == 1) {
                send(if to == 63 { LINK } else { to }, about(queue, NoticeKind::On));
            }
        }
        true
    }

    fn told(
        &mut self,
        from: u8,
        notice: &Notice,
        level: impl Fn(usize) -> u32,
        send: &mut impl FnMut(u8, Notice),
    ) -> bool {
        let queue = usize::from(notice.turns.as_slice()[0]);
        assert_eq!([level(0), level(1)], self.levels);
        match notice.kind {
            NoticeKind::Off => self.stopped[queue] = true,
            NoticeKind::On => {
                self.stopped[queue] = false;
                // An answer, against the stream.
                send(from, about(queue, NoticeKind::Released));
            }
            _ => assert!(from != LINK || self.place.side == Side::Ingress),
        }
        true
    }

    fn held(&self) -> u64 {
        u64::from(self.stopped[0]) | u64::from(self.stopped[1]) << 1
    }

    fn deferred(&self) -> u64 {
        if self.levels[0] % 3 == 2 { 0b01 } else { 0b10 }
    }

    fn set_aside(&self) -> u32 {
        self.set_aside
    }

    fn points(&self, each: &mut dyn FnMut(&Turns)) {
        for queue in (0..2).filter(|&queue| self.stops[queue] != 0) {
            each(&Turns::new(&[queue as u8]));
        }
    }
}
