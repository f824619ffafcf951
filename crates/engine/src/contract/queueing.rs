//! Queueing discipline: in which queue of a side of a port a packet waits. Called by the input-output-queued data path only:
//! the others have one queue a virtual channel. `docs/input_output_queued.md` says when each hook is called.

use serde::{Deserialize, Serialize};
use tailback_base::state::{State, Unfit, ensure};

/// The longest way to a congested point \[switches\].
pub const TURNS_MAX: usize = 63;

/// A place, as the output ports on the way to it.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    /// Output port at each switch; those from `len` on mean nothing.
    pub ports: [u8; TURNS_MAX],
    /// How many there are.
    pub len: u8,
}

tailback_base::state!([] Turns { saved: ports, len; } [fits]);

impl Turns {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(usize::from(self.len) <= TURNS_MAX, "a way is too long")
    }

    /// That these are ports of switches with so many, and that there may be one turn more.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn lead_through(&self, ports: u8) -> Result<(), Unfit> {
        let there = usize::from(self.len) < TURNS_MAX && self.as_slice().iter().all(|&port| port < ports);
        ensure(there, "a way leads through ports that are not there")
    }

    /// These ports; at most [`TURNS_MAX`].
    pub fn new(ports: &[u8]) -> Self {
        let mut turns = Turns { ports: [0; TURNS_MAX], len: ports.len() as u8 };
        turns.ports[..ports.len()].copy_from_slice(ports);
        turns
    }

    /// The ports, nearest first.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.ports[..usize::from(self.len)]
    }
}

impl PartialEq for Turns {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Turns {}

impl Default for Turns {
    fn default() -> Self {
        Turns::new(&[])
    }
}

/// How the first turns of a way are packed into a word: a few bits each, nearest lowest, a port as its number plus 1, 0 behind
/// the last. PERF: one comparison of words says whether a route begins with some turns, without a look at the route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Bits of a turn.
    bits: u32,
    /// Turns in a word.
    turns: u32,
}

impl Packing {
    /// The ports of a word, up to its end.
    pub fn unpack(self, word: u64) -> impl Iterator<Item = u8> {
        let bits = self.bits;
        let digit = move |n: u32| word.unbounded_shr(n * bits) & !(u64::MAX << bits);
        (0..self.turns).map(digit).take_while(|&digit| digit != 0).map(|digit| (digit - 1) as u8)
    }

    /// For switches of so many ports, 1 to 64.
    pub fn new(ports: usize) -> Self {
        let bits = usize::BITS - ports.leading_zeros();
        Packing { bits, turns: u64::BITS / bits }
    }

    /// Turns in a word.
    #[inline]
    pub fn turns(self) -> usize {
        self.turns as usize
    }

    /// The first turns of a way.
    pub fn pack(self, way: &[u8]) -> u64 {
        let first = way.iter().take(self.turns()).enumerate();
        first.fold(0, |word, (n, &port)| word | (u64::from(port) + 1) << (n as u32 * self.bits))
    }

    /// The bits of the first `turns` turns, or of all that are in a word.
    #[inline]
    pub fn mask(self, turns: usize) -> u64 {
        !u64::MAX.unbounded_shl(turns.min(self.turns()) as u32 * self.bits)
    }

    /// The first turn of a way that has one.
    #[inline]
    pub fn first(self, word: u64) -> u8 {
        debug_assert!(word & !(u64::MAX << self.bits) != 0, "a way at its end has no next turn");
        ((word & !(u64::MAX << self.bits)) as u8).wrapping_sub(1)
    }

    /// Where the turns of a word are in that of a way that has so many before them; those that it has no place for are left out.
    #[inline]
    pub fn after(self, word: u64, turns: usize) -> u64 {
        word.unbounded_shl(turns as u32 * self.bits) & self.mask(self.turns())
    }

    /// The word of a way behind its first turn, which is all of that way.
    #[inline]
    pub fn behind(self, word: u64) -> u64 {
        word >> self.bits
    }

    /// The word for a way that was longer than a word; `rest` is the remaining part of the way.
    pub fn behind_long(self, word: u64, rest: &[u8]) -> u64 {
        let last = self.turns() - 1;
        word >> self.bits | (u64::from(rest[last]) + 1) << (last as u32 * self.bits)
    }
}

/// What is left of a packet's route. Seen from an ingress side it begins with the output port at this switch, from an egress
/// or adapter side with that at the next switch; it is empty at an egress side whose link leads to a node.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The first turns, packed.
    pub packed: u64,
    /// How.
    pub packing: Packing,
    /// All turns, nearest first, where they are more than a word has; the last one leads to the node.
    pub long: Option<&'a [u8]>,
    /// Destination node.
    pub destination: u32,
}

impl<'a> Route<'a> {
    /// These turns to a node.
    pub fn new(packing: Packing, turns: &'a [u8], destination: u32) -> Self {
        let long = (turns.len() > packing.turns()).then_some(turns);
        Route { packed: packing.pack(turns), packing, long, destination }
    }

    /// The next output port, where there is one.
    #[inline]
    pub fn next(&self) -> u8 {
        self.packing.first(self.packed)
    }
}

/// The neighbour of a side at the other end of the link: upstream of an ingress side, downstream of an egress or adapter side.
/// The other neighbours are the sides across the crossbar, by port number.
pub const LINK: u8 = u8::MAX;

/// What a side says to a neighbouring one: in a control packet, or within the switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The way from the receiver to the congested point.
    pub turns: Turns,
    /// What it says.
    pub kind: NoticeKind,
}

tailback_base::state!([] Notice { saved: turns, kind; });
tailback_base::plain!(NoticeKind);

/// What a notice says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoticeKind {
    /// Downstream says: there is a congested point, set its packets aside.
    #[default]
    Congested,
    /// Downstream says: stop sending from the queue of this point.
    Off,
    /// Downstream says: send again.
    On,
    /// Upstream says: the set-aside queue is released.
    Released,
    /// Upstream says: no queue was free.
    Refused,
}

/// The kind of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The side of a switch port before the crossbar.
    Ingress,
    /// The side of a switch port behind the crossbar.
    Egress,
    /// The side of a node's adapter, towards the switch.
    Adapter,
}

/// Where a side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which side.
    pub side: Side,
    /// Its port's number in the switch; of an adapter the number of the switch port that its link leads to.
    pub port: u8,
    /// Whether the link of the port leads to a node (or, of an adapter, comes from one).
    pub node: bool,
}

impl Place {
    /// Says something of the point at the end of a way from here, of less than [`TURNS_MAX`] turns, to a neighbour upstream.
    /// That one knows it by a way which, across the crossbar, begins with this port.
    pub fn tell_upstream(self, to: u8, way: &Turns, kind: NoticeKind, send: &mut impl FnMut(u8, Notice)) {
        let mut turns = *way;
        if self.side == Side::Egress {
            turns.ports.copy_within(..TURNS_MAX - 1, 1);
            (turns.ports[0], turns.len) = (self.port, way.len + 1);
        }
        send(to, Notice { turns, kind });
    }

    /// Says something of that point to the neighbour downstream on the way, in its words.
    pub fn tell_downstream(self, way: &Turns, kind: NoticeKind, send: &mut impl FnMut(u8, Notice)) {
        match way.as_slice() {
            [first, rest @ ..] if self.side == Side::Ingress => send(*first, Notice { turns: Turns::new(rest), kind }),
            _ => send(LINK, Notice { turns: *way, kind }),
        }
    }
}

/// A congested point as a side knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Which side.
    pub side: Side,
    /// The router; of an adapter its node.
    pub router: u32,
    /// The port; of an adapter the number of the router's port that its link leads to.
    pub port: u8,
    /// The way to the point; empty where the side is the root itself.
    pub turns: Turns,
}

/// A discipline: makes the queues of each side.
pub trait Discipline {
    /// The queues of a side.
    type Queues: Queueing;

    /// The queues of the side at `place`, all empty.
    fn queues(&self, place: Place) -> Self::Queues;

    /// Whether the queues of a side share its memory; then they are at most 64. Else each has an equal part.
    fn shares_memory(&self) -> bool;

    /// The queue of an ingress side that a packet joins whose route from there on this is; 0 where memory is shared. It is
    /// asked by the link's other end, which has a counter of credits for each.
    #[inline]
    fn credit_counter(&self, _route: Route<'_>) -> usize {
        0
    }
}

/// The queues of one side of one port. They appear and vanish; the packets in them and the memory are the engine's.
///
/// `from` and `to` are neighbours: [`LINK`], or a port number. Levels count packets. What is told of a change returns whether
/// [`Queueing::held`], [`Queueing::deferred`] or [`Queueing::set_aside`] may be another one since.
pub trait Queueing: State {
    /// The largest number of queues there may be at a time; they are numbered from 0.
    fn count(&self) -> usize;

    /// The queue that a packet joins which comes from `from` (of an adapter side: 0).
    fn queue_for(&self, from: u8, route: Route<'_>) -> usize;

    /// Whether an adapter side takes this packet from admittance.
    #[inline]
    fn accepts(&self, _route: Route<'_>) -> bool {
        true
    }

    /// A number that is another one whenever [`Queueing::accepts`] may have changed its mind on some packet.
    #[inline]
    fn answers(&self) -> u32 {
        0
    }

    /// A packet from `from` has joined `queue`, which now has `level` packets.
    #[inline]
    fn joined(&mut self, _queue: usize, _from: u8, _level: u32, _send: &mut impl FnMut(u8, Notice)) -> bool {
        false
    }

    /// A packet has left `queue`, which now has `level` packets.
    #[inline]
    fn left(&mut self, _queue: usize, _level: u32, _send: &mut impl FnMut(u8, Notice)) -> bool {
        false
    }

    /// A notice has come from `from`. `level` says how many packets are in a queue.
    #[inline]
    fn told(
        &mut self,
        _from: u8,
        _notice: &Notice,
        _level: impl Fn(usize) -> u32,
        _send: &mut impl FnMut(u8, Notice),
    ) -> bool {
        false
    }

    /// Queues that may send nothing now, as a mask. Only of the first 64 queues.
    #[inline]
    fn held(&self) -> u64 {
        0
    }

    /// Queues that ask for the crossbar only after all others of the switch, as a mask. Only of the first 64 queues.
    #[inline]
    fn deferred(&self) -> u64 {
        0
    }

    /// Set-aside queues in use.
    #[inline]
    fn set_aside(&self) -> u32 {
        0
    }

    /// Whether a queue is a set-aside one, in use or not.
    #[inline]
    fn is_aside(&self, _queue: usize) -> bool {
        false
    }

    /// Calls `each` with the turns of every set-aside queue in use, and with none where the side is the root of a congested
    /// tree.
    fn points(&self, _each: &mut dyn FnMut(&Turns)) {}
}
