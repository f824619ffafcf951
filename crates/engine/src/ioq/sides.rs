//! The state of sides.

use super::layout::{Layout, NODE, words};
use super::mechanisms::Mechanisms;
use super::queues::Queue;
use super::router::Router;
use super::shape::{Row, Shape};
use crate::contract::queueing::{Discipline, Queueing};
use crate::mask::Mask;
use tailback_network::Network;

/// The queues that a discipline makes.
pub(super) type Queues<M> = <<M as Mechanisms>::Discipline as Discipline>::Queues;

/// An ingress side. PERF: its first cache line is enough to see what it may send, and has the first queues where sets are
/// small.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Ingress<Q, S: Shape> {
    /// Queues whose first packet may ask and that are not parked, by where it goes: words of a set for each egress port.
    pub asks: S::Asks,
    /// Queues that send nothing now, as a mask.
    pub held: S::Set,
    /// Queues that ask after all others, as a mask.
    pub deferred: S::Set,
    /// The queue after the one that it sent from last.
    pub turn: u32,
    /// Queues.
    pub count: u32,
    /// Its switch.
    pub switch: u32,
    /// Its port.
    pub port: u8,
    pub lists: S::Lists,
    pub queues: Q,
    /// Set-aside queues in use.
    pub set_aside: u32,
}

/// The memory of an ingress side, as credits see it. PERF: apart from the side, for a credit needs no more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// The out side whose link leads here, or [`NODE`].
    pub upstream: u32,
    /// Packets in it, where buffer levels are read.
    pub used: u32,
    /// Credits that are owed, where there is one counter; else they are with its queue.
    pub owed: u32,
    /// Owed credits of a counter that make a control packet due.
    pub batch: u32,
}

/// An egress or adapter side. PERF: its first cache line is enough to see what its link may send, and has the first queue
/// where sets are small.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Out<Q, S: Shape> {
    /// Queues with packets that are not parked.
    pub filled: S::Sets,
    /// Queues that send nothing now, as a mask.
    pub held: S::Set,
    /// The ingress side that its link leads to, or [`NODE`].
    pub to: u32,
    /// Packets in its queues. The one that its link is sending has its place, too.
    pub used: u32,
    /// Packets that a queue may hold, or all queues where they share the memory.
    pub part: u32,
    /// The queue after the one that it sent from last.
    pub turn: u32,
    /// Queues.
    pub count: u32,
    /// Of an egress side, the ingress port after the one that it granted last. Of an adapter side, the destination after the
    /// one that it served last.
    pub granted: u32,
    /// The queue that its link is sending a packet of, or sent the last one of.
    pub sends: u32,
    /// That packet.
    pub packet: u32,
    /// Its switch, or its node.
    pub place: u32,
    /// Its port.
    pub port: u8,
    /// By how many cycles what its link brings comes sooner than by the longest link.
    pub sooner: u16,
    pub lists: S::Lists,
    pub queues: Q,
    /// Queues, or fronts of admittance queues, that are parked for room here.
    pub wanted: u32,
    /// Queues that are parked for credits.
    pub unpaid: u32,
    /// Set-aside queues in use.
    pub set_aside: u32,
}

/// The packets that a side with so much memory has in a queue, and the packets in all.
fn part<S: Shape>(memory: u32, queues: usize) -> u32 {
    let part = if S::SHARED { memory } else { memory / queues as u32 };
    assert!(part > 0, "the spec was checked for queues that hold a packet");
    part
}

tailback_base::state!([Q: Queueing, S: Shape] Ingress<Q, S> {
    saved: held, deferred, asks, turn, set_aside, lists, queues;
    rebuilt: count, switch, port;
});
tailback_base::state!([] Memory { saved: used, owed; rebuilt: upstream, batch; });
tailback_base::state!([Q: Queueing, S: Shape] Out<Q, S> {
    saved: held, filled, used, turn, granted, sends, packet, wanted, unpaid, set_aside, lists, queues;
    rebuilt: to, count, part, place, port, sooner;
});

impl<Q: Queueing, S: Shape> Ingress<Q, S> {
    /// An empty side with room for so many queues.
    pub fn new(queues: Q, (layout, side): (&Layout, usize), stride: usize) -> Self {
        assert!(!S::SHARED || stride <= 64, "disciplines share memory among at most 64 queues");
        Ingress {
            held: S::Set::of(queues.held()),
            deferred: S::Set::of(queues.deferred()),
            asks: S::Asks::of(Mask::of(0), layout.ports * words(stride)),
            turn: 0,
            count: queues.count() as u32,
            switch: (side / layout.ports) as u32,
            set_aside: queues.set_aside(),
            port: (side % layout.ports) as u8,
            lists: S::Lists::of(Queue::EMPTY, stride),
            queues,
        }
    }

    /// The first packet of a queue asks for a port from now on: the class that it asks in, and 1 if it may, 0 if it is held.
    #[inline(always)]
    pub fn ask(&mut self, queue: usize, port: usize, words: usize) -> (u64, u64) {
        let word = self.asks.at_mut(port * words + queue / 64);
        *word = Mask::of(word.get() | 1 << (queue % 64));
        if S::SHARED || queue < 64 { (self.deferred.get() >> queue & 1, !self.held.get() >> queue & 1) } else { (0, 1) }
    }

    /// A queue does not ask for a port any more: the class in which no other does.
    #[inline(always)]
    pub fn ask_no_more(&mut self, queue: usize, port: usize, words: usize) -> Option<usize> {
        let word = self.asks.at_mut(port * words + queue / 64);
        *word = Mask::of(word.get() & !(1 << (queue % 64)));
        let class = if S::SHARED || queue < 64 { (self.deferred.get() >> queue & 1) as usize } else { 0 };
        (0..words).all(|word| self.ready(port, words, word)[class] == 0).then_some(class)
    }

    /// A word of the queues that ask for a port and are not held, of each class. `words`: those of a set of queues.
    #[inline(always)]
    pub fn ready(&self, port: usize, words: usize, word: usize) -> [u64; 2] {
        let asks = self.asks.at(port * words + word).get();
        if word > 0 {
            return [asks, 0];
        }
        let asks = asks & !self.held.get();
        [asks & !self.deferred.get(), asks & self.deferred.get()]
    }
}

impl Memory {
    /// An empty memory.
    pub fn new<S: Shape>(count: usize, (layout, wiring, side): (&Layout, &Network, usize), config: &Router) -> Self {
        let part = part::<S>(config.ingress_packets, count);
        let batch = config.credit_batch_packets.min(part / 4).max(1);
        Memory { upstream: layout.upstream(wiring, side), used: 0, owed: 0, batch }
    }
}

/// Packets that a counter of credits of an ingress side stands for.
pub(super) fn counter_packets<S: Shape>(config: &Router, queues: usize) -> u32 {
    part::<S>(config.ingress_packets, queues)
}

impl<Q: Queueing, S: Shape> Out<Q, S> {
    /// An empty side with room for so many queues.
    pub fn new(queues: Q, (layout, wiring, out): (&Layout, &Network, usize), config: &Router, stride: usize) -> Self {
        Out {
            held: S::Set::of(queues.held()),
            filled: S::Sets::of(Mask::of(0), words(stride)),
            to: layout.behind(wiring, out),
            used: 0,
            turn: 0,
            count: queues.count() as u32,
            part: part::<S>(config.egress_packets, queues.count()),
            granted: 0,
            sends: 0,
            packet: 0,
            wanted: 0,
            unpaid: 0,
            set_aside: queues.set_aside(),
            place: out.checked_sub(layout.sides).unwrap_or(out / layout.ports) as u32,
            port: layout.out(out).port,
            sooner: layout.sooner((wiring, config), out),
            lists: S::Lists::of(Queue::EMPTY, stride),
            queues,
        }
    }

    /// A word of the queues with a packet that are neither held nor parked.
    #[inline(always)]
    pub fn ready(&self, word: usize) -> u64 {
        let filled = self.filled.at(word).get();
        if word == 0 { filled & !self.held.get() } else { filled }
    }

    /// Whether there is such a queue.
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        if S::SHARED { self.ready(0) != 0 } else { (0..self.filled.all().len()).any(|word| self.ready(word) != 0) }
    }

    /// A queue has a packet that may be sent unless it is held.
    #[inline(always)]
    pub fn fill(&mut self, queue: usize) {
        let word = self.filled.at_mut(queue / 64);
        *word = Mask::of(word.get() | 1 << (queue % 64));
    }

    /// A queue has none; whether no other has one.
    #[inline(always)]
    pub fn unfill(&mut self, queue: usize) -> bool {
        let word = self.filled.at_mut(queue / 64);
        *word = Mask::of(word.get() & !(1 << (queue % 64)));
        !self.is_ready()
    }

    /// Whether its link leads to a node.
    #[inline(always)]
    pub fn to_node(&self) -> bool {
        self.to == NODE
    }
}
