//! The parts of a network put together again: a network as if it had never been cut, to be looked at or to go on with.

use super::events::Arrival;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::arbiter::Arbiter;
use crate::packet::Slot;
use std::collections::HashMap;

/// Ids of packets in the whole network by source and number: while its tail is in one part and its head in another, a packet
/// is known in both.
type Known = HashMap<(u32, u64), u32>;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Takes over the state of all parts, which stand between the same two cycles and have read their post. `self` is a whole
    /// network in which nothing has happened yet. An admission that lets a network be cut has no state.
    pub(super) fn join<'s>(&mut self, parts: impl Iterator<Item = &'s Self>)
    where
        Self: 's,
    {
        let mut known = Known::new();
        self.heads.forget();
        for part in parts {
            self.cycle = part.cycle;
            for router in self.routers.ids().filter(|&router| part.share.owns(router)) {
                self.take_router(part, router, &mut known);
                let outputs = self.output_id(router, 0)..self.output_id(router, 0) + self.layout.outputs;
                self.parts.arbiter.join(&part.parts.arbiter, outputs);
                let nodes: Vec<(usize, usize)> = self.layout.nodes_of(router).collect();
                nodes.into_iter().for_each(|node| self.take_source(part, router, node, &mut known));
            }
            self.take_events(part, &mut known);
            self.counters.add(&part.counters);
        }
    }

    /// A packet of a part under its id here.
    fn take_slot(&mut self, part: &Self, slot: Slot, known: &mut Known) -> Slot {
        let packet = part.packets[slot.packet];
        let id = *known.entry((packet.source, packet.index)).or_insert_with(|| self.packets.insert(packet));
        Slot { packet: id, ..slot }
    }

    fn take_router(&mut self, part: &Self, router: Id, known: &mut Known) {
        *self.routers.at_mut(router) = part.routers.at(router).clone();
        self.active.insert_if(router, u64::from(part.active.has(router)));
        self.returns.take_ramps(&part.returns, router);
        for input in 0..self.layout.network_inputs {
            let queue = *part.routers.at(router).input(input);
            if part.routers.at(router).is_taken(input) {
                self.routers.at_mut(router).input_mut(input).slot = self.take_slot(part, queue.slot, known);
            }
            let mask = self.layout.depth_mask;
            for position in (0..queue.behind).map(|n| (queue.next + n) & mask) {
                let slot = self.take_slot(part, part.queues.at(router, input, position), known);
                *self.queues.at_mut(router, input, position) = slot;
            }
        }
    }

    fn take_source(&mut self, part: &Self, router: Id, (local, node): (usize, usize), known: &mut Known) {
        self.heads.join(&part.heads, node);
        self.ejection.join(&part.ejection, node);
        if let (Some(consumers), Some(theirs)) = (&mut self.consumers, &part.consumers) {
            if theirs.contains(node) { consumers.insert(node) } else { consumers.remove(node) }
        }
        for (set, theirs) in [(&mut self.at_head, &part.at_head), (&mut self.waiting, &part.waiting)] {
            if theirs.contains(node) { set.insert(node) } else { set.remove(node) }
        }
        if part.at_head.contains(node) {
            let input = self.layout.network_inputs + local;
            let slot = self.take_slot(part, part.front(router, input), known);
            self.routers.at_mut(router).input_mut(input).slot = slot;
        } else if part.heads.known.contains(node) {
            self.heads.calendar.schedule(node as u32, self.ready_at(self.heads.upcoming[node].cycle));
        }
    }

    fn take_events(&mut self, part: &Self, known: &mut Known) {
        for (then, &arrival) in part.arrivals.iter_from(part.cycle) {
            let slot = self.take_slot(part, arrival.slot, known);
            self.arrivals.push_to(then, self.blocks.of(arrival.router.get()), Arrival { slot, ..arrival });
        }
        for (then, &tail) in part.tails.iter_from(part.cycle) {
            self.tails.push_to(then, self.blocks.of(tail.router.get()), tail);
        }
        self.returns.take_events(&part.returns, part.cycle);
    }
}
