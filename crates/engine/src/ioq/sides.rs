//! The state of sides and switches, and what their disciplines have to say.

use super::fabric::Fabric;
use super::layout::NODE;
use super::notices::PACKET;
use super::queues::Queue;
use super::{MAX_PORTS, Mechanisms};
use crate::contract::probe::{Probe, SetAside};
use crate::contract::queueing::{Discipline, Point, Queueing, Side};

/// The queues that a discipline makes.
pub(super) type Queues<M> = <<M as Mechanisms>::Discipline as Discipline>::Queues;

/// An ingress side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Ingress {
    /// Queues that send nothing now, as a mask.
    pub held: u64,
    /// Queues that ask after all others, as a mask.
    pub deferred: u64,
    /// The out side whose link leads here, or [`NODE`].
    pub upstream: u32,
    /// Packets in the memory.
    pub used: u32,
    /// The queue after the one that it sent from last.
    pub turn: u32,
    /// The counter after the one that got its credits last.
    pub credit_turn: u32,
    /// Queues.
    pub count: u32,
    /// Packets that a counter of credits stands for.
    pub part: u32,
    /// Owed credits that make a control packet due.
    pub batch: u32,
    /// Set-aside queues in use.
    pub set_aside: u32,
    /// Its switch.
    pub switch: u32,
    /// Its port.
    pub port: u8,
}

/// An egress or adapter side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Out {
    /// Queues that send nothing now, as a mask.
    pub held: u64,
    /// The ingress side that its link leads to, or [`NODE`].
    pub to: u32,
    /// Packets in the memory.
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
    /// Queues, or fronts of admittance queues, that wait for room here.
    pub wanted: u32,
    /// Queues that wait for credits.
    pub unpaid: u32,
    /// Set-aside queues in use.
    pub set_aside: u32,
    /// Its switch, or its node.
    pub place: u32,
    /// Its port.
    pub port: u8,
}

/// A crossbar.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Switch {
    /// Ingress ports that send nothing.
    pub idle_inputs: u64,
    /// Egress ports that receive nothing.
    pub idle_outputs: u64,
    /// Egress ports with a bit in `askers`, by class.
    pub wanted: [u64; 2],
    /// The egress port that comes first.
    pub pointer: u8,
    /// By egress port: ingress ports with a queue in `asks` that is not held and is preferred, and with one that is deferred.
    /// PERF: most switches have few ports, and so use two cache lines of this.
    pub askers: [[u64; 2]; MAX_PORTS],
}

/// The packets that a side with so much memory has in a queue, and the packets in all.
pub(super) fn part(memory: u32, queues: usize, shared: bool) -> u32 {
    if shared { memory } else { memory / queues as u32 }
}

impl<M: Mechanisms, const SHARED: bool> Fabric<'_, M, SHARED> {
    /// The discipline of an ingress side has been called: what it says has changed, perhaps.
    #[inline(always)]
    pub(super) fn refresh_ingress<P: Probe>(&mut self, side: usize, now: u64, probe: &mut P) {
        let queues = &self.in_queues[side];
        let (held, deferred, in_use) = (queues.held(), queues.deferred(), queues.set_aside());
        let state = &mut self.ingress[side];
        if (held, deferred) != (state.held, state.deferred) {
            (state.held, state.deferred) = (held, deferred);
            self.look.insert(state.switch as usize);
            (0..self.layout.ports).for_each(|port| self.rate(side, port));
        }
        let state = &mut self.ingress[side];
        if in_use != state.set_aside {
            state.set_aside = in_use;
            let (router, port) = (state.switch, state.port);
            probe.set_aside(SetAside { cycle: now, side: Side::Ingress, router, port, in_use });
        }
    }

    /// The discipline of an out side has been called: what it says has changed, perhaps.
    #[inline(always)]
    pub(super) fn refresh_out<P: Probe>(&mut self, out: usize, now: u64, probe: &mut P) {
        let queues = &self.out_queues[out];
        let (held, in_use) = (queues.held(), queues.set_aside());
        let state = &mut self.outs[out];
        if held != state.held {
            state.held = held;
            self.notices.work.again(out);
        }
        if in_use != state.set_aside {
            state.set_aside = in_use;
            let (router, port) = (state.place, state.port);
            let side = if out < self.layout.sides { Side::Egress } else { Side::Adapter };
            probe.set_aside(SetAside { cycle: now, side, router, port, in_use });
        }
    }

    /// A packet joins a queue of an out side, where it has found room.
    #[inline(always)]
    pub(super) fn join_out<P: Probe>(&mut self, out: usize, queue: usize, from: u8, id: u32, now: u64, probe: &mut P) {
        let list = &mut self.out_lists[out * self.out_stride + queue];
        list.push(&mut self.pool, id);
        let level = list.level;
        self.outs[out].used += 1;
        if level == 1 {
            self.filled[out * self.out_words + queue / 64] |= 1 << (queue % 64);
            self.notices.work.add(out, PACKET);
        }
        let notices = &mut self.notices;
        self.out_queues[out].joined(queue, from, level, &mut |to, notice| notices.by_out(out, to, notice));
        self.refresh_out(out, now, probe);
    }

    /// Packets in a queue of an out side, and the one that its link is sending.
    #[inline(always)]
    pub(super) fn used(&self, out: usize, queue: usize) -> u32 {
        let sends = self.sending.contains(out) && self.outs[out].sends as usize == queue;
        self.out_lists[out * self.out_stride + queue].level + u32::from(sends)
    }

    /// The first packet of a queue of an ingress side.
    #[inline(always)]
    pub(super) fn in_list(&self, side: usize, queue: usize) -> &Queue {
        &self.in_lists[side * self.in_stride + queue]
    }

    /// The counter of credits that a packet of an out side needs one of, or `None` where it goes to a node.
    pub(super) fn counter(&self, out: usize, id: u32) -> Option<usize> {
        (self.outs[out].to != NODE).then(|| self.counter_of(out, id))
    }

    /// The counter of credits that a packet of an out side needs one of to go to a switch.
    #[inline(always)]
    pub(super) fn counter_of(&self, out: usize, id: u32) -> usize {
        if SHARED {
            return out * self.out_stride;
        }
        out * self.out_stride + self.parts.discipline.credit_counter(self.pool.route(id))
    }

    /// Calls `each` with every congested point that some side knows of.
    pub(super) fn points(&self, each: &mut dyn FnMut(Point)) {
        for (state, queues) in self.ingress.iter().zip(&self.in_queues) {
            let (side, router, port) = (Side::Ingress, state.switch, state.port);
            queues.points(&mut |turns| each(Point { side, router, port, turns: *turns }));
        }
        for (out, (state, queues)) in self.outs.iter().zip(&self.out_queues).enumerate() {
            let side = if out < self.layout.sides { Side::Egress } else { Side::Adapter };
            let (router, port) = (state.place, state.port);
            queues.points(&mut |turns| each(Point { side, router, port, turns: *turns }));
        }
    }
}
