//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::events::{Arrival, Ripe};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::{Row, Shape};
use crate::contract::census::{Doing, Front, Scratch};
use crate::contract::queueing::Queueing;
use crate::mask::Mask;
use tailback_base::bits::ones;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Calls `each` with every head that stands behind no other packet. Those at the front of admittance queues are told of when
    /// they come there and when what they wait for has changed, perhaps.
    pub(super) fn fronts(&self, scratch: &mut Scratch, mut each: impl FnMut(Front)) {
        scratch.words.resize(self.layout.all_nodes, u64::MAX);
        for (node, known) in scratch.words.iter_mut().enumerate() {
            if self.admittance.counts()[node] > 0 && std::mem::replace(known, self.answers_of(node)) != *known {
                self.fronts_before_adapter(node, &mut each);
            }
        }
        for &(node, destination) in &scratch.started {
            self.front_before_adapter(node as usize, destination as usize, &mut each);
        }
        let mut tell = |id, doing| each(Front { id, doing, flight: 0, lasts: false });
        (0..self.layout.outs).filter(|&out| self.outs[out].used > 0).for_each(|out| self.fronts_at_out(out, &mut tell));
        (0..self.layout.sides).for_each(|side| self.fronts_that_ask(side, &mut tell));
        (0..self.layout.sides).filter(|&out| self.outs[out].wanted > 0).for_each(|out| {
            for thing in self.room.waiters(out * self.out_stride..(out + 1) * self.out_stride) {
                let (side, queue) = (thing / self.in_stride, thing % self.in_stride);
                tell(self.in_list(side, queue).first, self.does_at_ingress(side, queue, out));
            }
        });
        for &Ripe { side, queue } in self.events.ripe.iter() {
            tell(self.in_list(side as usize, queue as usize).first, Doing::Routing);
        }
        self.events.arrivals.iter().for_each(|&Arrival { packet, .. }| tell(packet, Doing::Wires));
    }

    /// All that fronts of a node's admittance queues wait for, as a number: while it is the same, so is what they do.
    fn answers_of(&self, node: usize) -> u64 {
        let (out, work) = (self.layout.sides + node, &self.notices.work);
        let state = &self.outs[out];
        let (answers, heard) =
            (u64::from(state.queues.answers()), u64::from(self.words.heard(self.layout.home(node as u32).0)));
        if S::SHARED {
            return heard << 33 | answers << 1 | u64::from(self.has_room(out));
        }
        // Where each queue has its own room: a packet that joins or leaves changes one of these.
        let (used, sends) = (u64::from(state.used), u64::from(work.is_sending(out)));
        ((heard ^ answers) << 40 | used << 33 | u64::from(state.packet) << 1 | sends) & (u64::MAX >> 1)
    }

    fn fronts_before_adapter(&self, node: usize, each: &mut impl FnMut(Front)) {
        for (word, &filled) in self.admittance.filled(node).iter().enumerate() {
            ones(filled).for_each(|bit| self.front_before_adapter(node, word * 64 + bit, each));
        }
    }

    /// The front of an admittance queue, if there is one.
    fn front_before_adapter(&self, node: usize, destination: usize, each: &mut impl FnMut(Front)) {
        if self.admittance.count(node, destination) == 0 {
            return;
        }
        let (id, out) = (self.admittance.line(node, destination).front, self.layout.sides + node);
        let (route, queues) = (self.pool.route(id), &self.outs[out].queues);
        let doing = match queues.accepts(route) && self.may_start(node, id) {
            false => Doing::Admission,
            true if self.finds_room(out, || queues.queue_for(0, route)) => Doing::Switch,
            true => Doing::Room,
        };
        each(Front { id, doing, flight: 0, lasts: true });
    }

    fn finds_room(&self, out: usize, joins: impl FnOnce() -> usize) -> bool {
        if S::SHARED { self.has_room(out) } else { self.free_at_out(out, joins()) > 0 }
    }

    fn fronts_at_out(&self, out: usize, tell: &mut impl FnMut(u32, Doing)) {
        let (state, work) = (&self.outs[out], &self.notices.work);
        // It joined in the last cycle where the link is idle: it is on its way through the crossbar, or to the adapter.
        let moves = if work.is_idle(out) { Doing::Wires } else { Doing::Switch };
        let (held, to_node) = (state.held.get(), state.to_node());
        let paid = !S::SHARED || to_node || self.credits[out] > 0;
        let mut at = |queue: usize| {
            let first = state.lists.at(queue).first;
            let paid = paid && (S::SHARED || to_node || self.credits(out, self.counter_of(first)) > 0);
            let free = paid && !(queue < 64 && held >> queue & 1 == 1);
            tell(first, if free { moves } else { Doing::Room });
        };
        for (word, filled) in state.filled.all().iter().enumerate() {
            ones(filled.get()).for_each(|bit| at(word * 64 + bit));
        }
        if !S::SHARED && state.unpaid > 0 {
            self.credit
                .waiters(out * self.out_stride..(out + 1) * self.out_stride)
                .for_each(|thing| at(thing % self.out_stride));
        }
    }

    /// The first packets of the queues of an ingress side that ask for the crossbar.
    fn fronts_that_ask(&self, side: usize, tell: &mut impl FnMut(u32, Doing)) {
        let (state, words) = (&self.ingress[side], self.in_words());
        let switch = side / self.layout.ports * self.layout.ports;
        for port in 0..self.layout.ports {
            for word in 0..words {
                for bit in ones(state.asks.at(port * words + word).get()) {
                    let queue = word * 64 + bit;
                    tell(state.lists.at(queue).first, self.does_at_ingress(side, queue, switch + port));
                }
            }
        }
    }

    /// What the first packet of a queue of an ingress side does that asks for an egress side.
    fn does_at_ingress(&self, side: usize, queue: usize, egress: usize) -> Doing {
        let state = &self.ingress[side];
        let joins = || {
            let route = self.pool.route_behind(state.lists.at(queue).first);
            self.outs[egress].queues.queue_for(state.port, route)
        };
        let free = !(queue < 64 && state.held.get() >> queue & 1 == 1) && self.finds_room(egress, joins);
        if free { Doing::Switch } else { Doing::Room }
    }
}
