//! The state of sides and switches.

use super::layout::{Layout, NODE, words};
use super::queues::Queue;
use super::shape::{Row, Shape};
use super::{Mechanisms, Router};
use crate::contract::queueing::{Discipline, Queueing};
use crate::cut_through::{Mask, ones_below};
use tailback_network::Grid;

/// The queues that a discipline makes.
pub(super) type Queues<M> = <<M as Mechanisms>::Discipline as Discipline>::Queues;

/// An ingress side. PERF: its first cache line is enough to see what it may send.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Ingress<Q, S: Shape> {
    /// Queues that send nothing now, as a mask.
    pub held: u64,
    /// Queues that ask after all others, as a mask.
    pub deferred: u64,
    /// Queues whose first packet may ask and that are not parked, by where it goes: words of a set for each egress port.
    pub asks: S::Asks,
    /// The queue after the one that it sent from last.
    pub turn: u32,
    /// Queues.
    pub count: u32,
    /// Its switch.
    pub switch: u32,
    /// Set-aside queues in use.
    pub set_aside: u32,
    /// Its port.
    pub port: u8,
    pub lists: S::Lists,
    pub queues: Q,
}

/// The memory of an ingress side, as credits see it. PERF: apart from the side, for a credit needs no more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory {
    /// The out side whose link leads here, or [`NODE`].
    pub upstream: u32,
    /// Packets in it.
    pub used: u32,
    /// Credits that are owed, where there is one counter; else they are with its queue.
    pub owed: u32,
    /// Owed credits of a counter that make a control packet due.
    pub batch: u32,
}

/// An egress or adapter side. PERF: its first cache line is enough to see what its link may send.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Out<Q, S: Shape> {
    /// Queues that send nothing now, as a mask.
    pub held: u64,
    /// Queues with packets that are not parked.
    pub filled: S::Sets,
    /// The ingress side that its link leads to, or [`NODE`].
    pub to: u32,
    /// Packets in its queues. The one that its link is sending has its place, too.
    pub used: u32,
    /// The queue after the one that it sent from last.
    pub turn: u32,
    /// Queues.
    pub count: u32,
    /// Packets that a queue may hold, or all queues where they share the memory.
    pub part: u32,
    /// Of an egress side, the ingress port after the one that it granted last. Of an adapter side, the destination after the
    /// one that it served last.
    pub granted: u32,
    /// The queue that its link is sending a packet of, or sent the last one of.
    pub sends: u32,
    /// That packet.
    pub packet: u32,
    /// Queues, or fronts of admittance queues, that are parked for room here.
    pub wanted: u32,
    /// Queues that are parked for credits.
    pub unpaid: u32,
    /// Set-aside queues in use.
    pub set_aside: u32,
    /// Its switch, or its node.
    pub place: u32,
    /// Its port.
    pub port: u8,
    pub lists: S::Lists,
    pub queues: Q,
}

/// A crossbar.
#[derive(Clone, Debug)]
pub(super) struct Switch<S: Shape> {
    /// Ingress ports that send nothing.
    pub idle_inputs: S::Ports,
    /// Egress ports that receive nothing.
    pub idle_outputs: S::Ports,
    /// Egress ports with a bit in `askers`, by class.
    pub wanted: [S::Ports; 2],
    /// The egress port that comes first.
    pub pointer: u8,
    /// By egress port: ingress ports with a queue in `asks` that is not held and is preferred, and with one that is deferred.
    pub askers: S::Askers,
}

/// The packets that a side with so much memory has in a queue, and the packets in all.
fn part(memory: u32, queues: usize, shared: bool) -> u32 {
    let part = if shared { memory } else { memory / queues as u32 };
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
    rebuilt: to, count, part, place, port;
});
tailback_base::state!([S: Shape] Switch<S> { saved: idle_inputs, idle_outputs, wanted, pointer, askers; });

impl<Q: Queueing, S: Shape> Ingress<Q, S> {
    /// An empty side with room for so many queues.
    pub fn new(queues: Q, (layout, side): (&Layout, usize), stride: usize) -> Self {
        assert!(!S::SHARED || stride <= 64, "disciplines share memory among at most 64 queues");
        Ingress {
            held: queues.held(),
            deferred: queues.deferred(),
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

    /// A word of the queues that ask for a port and are not held, of each class. `words`: those of a set of queues.
    #[inline(always)]
    pub fn ready(&self, port: usize, words: usize, word: usize) -> [u64; 2] {
        let asks = self.asks.at(port * words + word).get();
        if word > 0 {
            return [asks, 0];
        }
        let asks = asks & !self.held;
        [asks & !self.deferred, asks & self.deferred]
    }
}

impl Memory {
    /// An empty memory.
    pub fn new(count: usize, (layout, grid, side): (&Layout, &Grid, usize), config: &Router, shared: bool) -> Self {
        let part = part(config.ingress_packets, count, shared);
        let batch = config.credit_batch_packets.min(part / 4).max(1);
        Memory { upstream: layout.upstream(grid, side), used: 0, owed: 0, batch }
    }
}

/// Packets that a counter of credits of an ingress side stands for.
pub(super) fn counter_packets(config: &Router, queues: usize, shared: bool) -> u32 {
    part(config.ingress_packets, queues, shared)
}

impl<Q: Queueing, S: Shape> Out<Q, S> {
    /// An empty side with room for so many queues.
    pub fn new(queues: Q, (layout, grid, out): (&Layout, &Grid, usize), memory: u32, stride: usize) -> Self {
        Out {
            held: queues.held(),
            filled: S::Sets::of(Mask::of(0), words(stride)),
            to: layout.behind(grid, out),
            used: 0,
            turn: 0,
            count: queues.count() as u32,
            part: part(memory, queues.count(), S::SHARED),
            granted: 0,
            sends: 0,
            packet: 0,
            wanted: 0,
            unpaid: 0,
            set_aside: queues.set_aside(),
            place: out.checked_sub(layout.sides).unwrap_or(out / layout.ports) as u32,
            port: layout.out(out).port,
            lists: S::Lists::of(Queue::EMPTY, stride),
            queues,
        }
    }

    /// A word of the queues with a packet that are neither held nor parked.
    #[inline(always)]
    pub fn ready(&self, word: usize) -> u64 {
        let filled = self.filled.at(word).get();
        if word == 0 { filled & !self.held } else { filled }
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

    /// A queue has none.
    #[inline(always)]
    pub fn unfill(&mut self, queue: usize) {
        let word = self.filled.at_mut(queue / 64);
        *word = Mask::of(word.get() & !(1 << (queue % 64)));
    }

    /// Whether its link leads to a node.
    #[inline(always)]
    pub fn to_node(&self) -> bool {
        self.to == NODE
    }
}

impl<S: Shape> Switch<S> {
    /// With so many ports, idle.
    pub fn new(ports: usize) -> Self {
        let (all, none) = (Mask::of(ones_below(ports)), Mask::of(0));
        let askers = S::Askers::of([none; 2], ports);
        Switch { idle_inputs: all, idle_outputs: all, wanted: [none; 2], pointer: 0, askers }
    }

    /// A queue of an ingress port asks for an egress port in a class, if `may` is 1; 1 if it could be granted, else 0.
    #[inline(always)]
    pub fn ask(&mut self, (input, port): (u8, usize), class: u64, may: u64) -> u64 {
        let class = class as usize & 1;
        let askers = &mut self.askers.at_mut(port)[class];
        *askers = Mask::of(askers.get() | may << input);
        self.wanted[class] = Mask::of(self.wanted[class].get() | may << port);
        may & self.idle_inputs.get() >> input & self.idle_outputs.get() >> port
    }

    /// No queue of an ingress port asks for an egress port in a class.
    #[inline(always)]
    pub fn ask_no_more(&mut self, (input, port): (u8, usize), class: usize) {
        let askers = &mut self.askers.at_mut(port)[class & 1];
        *askers = Mask::of(askers.get() & !(1 << input));
        let nobody = u64::from(askers.get() == 0);
        self.wanted[class & 1] = Mask::of(self.wanted[class & 1].get() & !(nobody << port));
    }

    /// Whether queues of an ingress port ask for an egress port, by class.
    #[inline(always)]
    pub fn rate(&mut self, (input, port): (u8, usize), ready: [bool; 2]) {
        let askers = self.askers.at_mut(port);
        for class in 0..2 {
            let others = askers[class].get() & !(1 << input);
            askers[class] = Mask::of(others | u64::from(ready[class]) << input);
            let wanted = self.wanted[class].get() & !(1 << port);
            self.wanted[class] = Mask::of(wanted | u64::from(askers[class].get() != 0) << port);
        }
    }

    /// A packet takes the crossbar from an ingress port to an egress port.
    #[inline(always)]
    pub fn take(&mut self, input: usize, port: usize) {
        self.idle_inputs = Mask::of(self.idle_inputs.get() & !(1 << input));
        self.idle_outputs = Mask::of(self.idle_outputs.get() & !(1 << port));
    }

    /// It is through; 1 if something could be granted, else 0.
    #[inline(always)]
    pub fn free(&mut self, input: u8, port: u8) -> u64 {
        self.idle_inputs = Mask::of(self.idle_inputs.get() | 1 << input);
        self.idle_outputs = Mask::of(self.idle_outputs.get() | 1 << port);
        u64::from((self.wanted[0].get() | self.wanted[1].get()) & self.idle_outputs.get() != 0)
    }
}
