//! What follows when a discipline was called, and what all parts of a cycle do with sides.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::Queue;
use super::shape::{Row, Shape};
use super::work::PACKET;
use crate::contract::probe::{Probe, SetAside};
use crate::contract::queueing::{Discipline, Point, Queueing, Side};
use crate::mask::Mask;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// The discipline of an ingress side says something else now, perhaps.
    #[inline(never)]
    pub(super) fn refresh_ingress<P: Probe>(&mut self, side: usize, now: u64, probe: &mut P) {
        let state = &mut self.ingress[side];
        let (held, deferred) = (S::Set::of(state.queues.held()), S::Set::of(state.queues.deferred()));
        let in_use = state.queues.set_aside();
        let before = std::mem::replace(&mut state.set_aside, in_use);
        let (router, port) = (state.switch, state.port);
        if (held, deferred) != (state.held, state.deferred) {
            (state.held, state.deferred) = (held, deferred);
            let words = self.in_words();
            self.crossbars.look.insert(router as usize);
            (0..self.layout.ports).for_each(|port| self.crossbars.rate(&self.ingress[side], port, words));
        }
        if in_use != before {
            probe.set_aside(SetAside { cycle: now, side: Side::Ingress, router, port, in_use });
        }
    }

    /// The discipline of an out side says something else now, perhaps.
    #[inline(never)]
    pub(super) fn refresh_out<P: Probe>(&mut self, out: usize, now: u64, probe: &mut P) {
        let state = &mut self.outs[out];
        let (held, in_use) = (S::Set::of(state.queues.held()), state.queues.set_aside());
        let before = std::mem::replace(&mut state.set_aside, in_use);
        if held != state.held {
            state.held = held;
            let work = &mut self.notices.work;
            if state.is_ready() { work.add(out, PACKET) } else { work.remove(out, PACKET) }
        }
        if in_use != before {
            let (router, port) = (state.place, state.port);
            let side = if out < self.layout.sides { Side::Egress } else { Side::Adapter };
            probe.set_aside(SetAside { cycle: now, side, router, port, in_use });
        }
    }

    /// A packet joins a queue of an out side, where it has found room.
    #[inline(always)]
    pub(super) fn join_out<P: Probe>(&mut self, out: usize, queue: usize, from: u8, id: u32, now: u64, probe: &mut P) {
        let (state, notices) = (&mut self.outs[out], &mut self.notices);
        let level = state.lists.at_mut(queue).push(&mut self.pool, id);
        state.used += 1;
        // PERF: with a shared memory no queue is parked, and so nothing changes where there were others.
        if S::SHARED || level == 1 {
            state.fill(queue);
            let may = if S::SHARED || queue < 64 { !state.held.get() >> queue & 1 } else { 1 };
            notices.work.add_packet(out, may);
        }
        if state.queues.joined(queue, from, level, &mut |to, notice| notices.by_out(out, to, notice)) {
            self.refresh_out(out, now, probe);
        }
    }

    /// Packets in a queue of an out side, and the one that its link is sending.
    #[inline(always)]
    pub(super) fn used(&self, out: usize, queue: usize) -> u32 {
        let state = &self.outs[out];
        let sends = self.notices.work.is_sending(out) && state.sends as usize == queue;
        state.lists.at(queue).level + u32::from(sends)
    }

    /// Packets that count where a packet that joins a queue of an out side looks for room.
    pub(super) fn taken(&self, out: usize, queue: usize) -> u32 {
        if S::SHARED { self.taken_in_all(out) } else { self.used(out, queue) }
    }

    /// Packets in an out side, and the one that its link is sending.
    #[inline(always)]
    pub(super) fn taken_in_all(&self, out: usize) -> u32 {
        self.outs[out].used + u32::from(self.notices.work.is_sending(out))
    }

    /// Whether a packet finds room in the memory that the queues of an out side share.
    #[inline(always)]
    pub(super) fn has_room(&self, out: usize) -> bool {
        self.taken_in_all(out) < self.outs[out].part
    }

    /// Words of a set of queues of an ingress side.
    #[inline(always)]
    pub(super) fn in_words(&self) -> usize {
        if S::SHARED { 1 } else { self.in_words }
    }

    /// The first packet of a queue of an ingress side.
    #[inline(always)]
    pub(super) fn in_list(&self, side: usize, queue: usize) -> &Queue {
        self.ingress[side].lists.at(queue)
    }

    /// Credits of a counter of an out side.
    #[inline(always)]
    pub(super) fn credits(&self, out: usize, counter: usize) -> u32 {
        if S::SHARED { self.credits[out] } else { self.outs[out].lists.at(counter).credits }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn credits_mut(&mut self, out: usize, counter: usize) -> &mut u32 {
        if S::SHARED { &mut self.credits[out] } else { &mut self.outs[out].lists.at_mut(counter).credits }
    }

    /// Credits that a counter of an ingress side is owed.
    pub(super) fn owed(&self, side: usize, counter: usize) -> u32 {
        if S::SHARED { self.memory[side].owed } else { self.ingress[side].lists.at(counter).credits }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(super) fn owed_mut(&mut self, side: usize, counter: usize) -> &mut u32 {
        if S::SHARED { &mut self.memory[side].owed } else { &mut self.ingress[side].lists.at_mut(counter).credits }
    }

    /// The counter of credits that a packet of an out side needs one of, or `None` where it goes to a node.
    pub(super) fn counter(&self, out: usize, id: u32) -> Option<usize> {
        (!self.outs[out].to_node()).then(|| self.counter_of(id))
    }

    /// The counter of credits that a packet of an out side needs one of to go to a switch.
    #[inline(always)]
    pub(super) fn counter_of(&self, id: u32) -> usize {
        if S::SHARED { 0 } else { self.parts.discipline.credit_counter(self.pool.route(id)) }
    }

    /// Calls `each` with every congested point that some side knows of.
    pub(super) fn points(&self, each: &mut dyn FnMut(Point)) {
        for state in &self.ingress {
            let (side, router, port) = (Side::Ingress, state.switch, state.port);
            state.queues.points(&mut |turns| each(Point { side, router, port, turns: *turns }));
        }
        for (out, state) in self.outs.iter().enumerate() {
            let side = if out < self.layout.sides { Side::Egress } else { Side::Adapter };
            let (router, port) = (state.place, state.port);
            state.queues.points(&mut |turns| each(Point { side, router, port, turns: *turns }));
        }
    }
}
