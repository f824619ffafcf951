//! What could be done, found by trying everything; and whoever is parked waits for what is not there.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::NONE;
use super::shape::Shape;
use crate::contract::queueing::{Queueing, Route};
use crate::mask::Mask;
use crate::outcome::{AuditError, expect};
use tailback_base::bits::ones;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// The queue of an out side that a packet with this route joins, and whether it finds room there.
    fn room_for(&self, out: usize, from: u8, route: Route<'_>) -> (usize, bool) {
        let queue = self.outs[out].queues.queue_for(from, route);
        (queue, self.taken(out, queue) < self.outs[out].part)
    }

    /// The egress port and the queue there that the first packet of a queue of an ingress side goes to, and whether it finds
    /// room.
    fn next_room(&self, side: usize, queue: usize) -> (usize, usize, bool) {
        let first = self.in_lists_of(side)[queue].first;
        let (switch, input, port) = (side / self.layout.ports, side % self.layout.ports, self.pool.port(first));
        let (joins, room) =
            self.room_for(switch * self.layout.ports + port, input as u8, self.pool.route_behind(first));
        (port, joins, room)
    }

    /// Whether a queue that may ask, held or not, waits for its turn only.
    fn may_cross(&self, side: usize, queue: usize) -> bool {
        let list = &self.in_lists_of(side)[queue];
        let held = queue < 64 && self.ingress[side].held.get() >> queue & 1 == 1;
        if list.level == 0 || held || self.pool.asks(list.first) >= self.cycle && self.layout.delay > 0 {
            return false;
        }
        let (port, _, room) = self.next_room(side, queue);
        room && self.crossbars.switches[side / self.layout.ports].idle_outputs.get() >> port & 1 == 1
    }

    /// Whether some egress side could take a packet.
    pub(super) fn could_grant(&self, switch: usize) -> bool {
        let first = switch * self.layout.ports;
        let mut sides = ones(self.crossbars.switches[switch].idle_inputs.get()).map(|input| first + input);
        sides.any(|side| (0..self.in_stride).any(|queue| self.may_cross(side, queue)))
    }

    /// Whether a link could send a packet if it is idle.
    pub(super) fn could_send(&self, out: usize) -> bool {
        self.out_lists_of(out).iter().enumerate().any(|(queue, list)| {
            let held = queue < 64 && self.outs[out].held.get() >> queue & 1 == 1;
            let credit = || self.counter(out, list.first).is_none_or(|counter| self.credits(out, counter) > 0);
            list.level > 0 && !held && credit()
        })
    }

    /// Whether an adapter could take a packet if it is idle.
    pub(super) fn could_admit(&self, node: usize) -> bool {
        let (out, filled) = (self.layout.sides + node, self.admittance.filled(node));
        (0..self.layout.all_nodes).filter(|n| filled[n / 64] >> (n % 64) & 1 == 1).any(|destination| {
            let route = self.pool.route(self.admittance.line(node, destination).front);
            self.outs[out].queues.accepts(route) && self.room_for(out, 0, route).1
        })
    }

    /// Whoever is parked waits for what is not there, and is in no other set. The queues that are: of ingress sides, of out
    /// sides.
    pub(super) fn audit_parked(&self) -> Result<[Vec<bool>; 2], AuditError> {
        let mut asking = vec![false; self.layout.sides * self.in_stride];
        for (thing, place) in self.room.iter() {
            let (side, queue) = (thing / self.in_stride, thing % self.in_stride);
            let some = self.in_lists_of(side)[queue].level > 0;
            expect(some, || format!("ingress side {side}, queue {queue}: parked for {place}, and empty"))?;
            let (port, joins, room) = self.next_room(side, queue);
            let egress = side / self.layout.ports * self.layout.ports + port;
            let right = !asking[thing] && place == egress * self.out_stride + joins && !room;
            expect(right, || format!("ingress side {side}, queue {queue}: parked for {place}"))?;
            asking[thing] = true;
        }
        let mut sending = vec![false; self.layout.outs * self.out_stride];
        for (thing, place) in self.credit.iter() {
            let (out, queue) = (thing / self.out_stride, thing % self.out_stride);
            let some = self.out_lists_of(out)[queue].level > 0 && place / self.out_stride == out;
            expect(some, || format!("out side {out}, queue {queue}: parked for {place}"))?;
            let counter = self.counter(out, self.out_lists_of(out)[queue].first);
            let place = place - out * self.out_stride;
            let right = !sending[thing] && counter == Some(place);
            expect(right && self.credits(out, place) == 0, || {
                format!("out side {out}, queue {queue}: parked for {place}")
            })?;
            sending[thing] = true;
        }
        let mut waiting = vec![false; self.layout.all_nodes.pow(2)];
        for (thing, place) in self.adapter.iter() {
            let (node, destination) = (thing / self.layout.all_nodes, thing % self.layout.all_nodes);
            let some = self.admittance.line(node, destination).front != NONE;
            expect(some, || format!("node {node}, destination {destination}: parked for {place}, and empty"))?;
            let route = self.pool.route(self.admittance.line(node, destination).front);
            let (joins, room) = self.room_for(self.layout.sides + node, 0, route);
            let right = !waiting[thing] && place == node * self.out_stride + joins && !room;
            expect(right, || format!("node {node}, destination {destination}: parked for {place}"))?;
            waiting[thing] = true;
        }
        let nodes = self.layout.all_nodes;
        let (sides, stride) = (self.layout.sides, self.out_stride);
        let (mut wanted, mut unpaid) = (vec![0; self.outs.len()], vec![0; self.outs.len()]);
        self.room.iter().for_each(|(_, place)| wanted[place / stride] += 1);
        self.adapter.iter().for_each(|(_, place)| wanted[sides + place / stride] += 1);
        self.credit.iter().for_each(|(_, place)| unpaid[place / stride] += 1);
        for (out, state) in self.outs.iter().enumerate() {
            let right = (state.wanted, state.unpaid) == (wanted[out], unpaid[out]);
            let told = state.wanted == 0 || self.notices.work.is_wanted(out);
            expect(right && told, || format!("out side {out}: not all who wait are known"))?;
        }
        let known = |n: usize| self.admittance.is_parked(n / nodes, n % nodes) == waiting[n];
        expect((0..waiting.len()).all(known), || "an admittance queue waits for nothing".to_owned())?;
        Ok([asking, sending])
    }
}
