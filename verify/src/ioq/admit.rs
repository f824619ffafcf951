//! Adapters: packets leave their admittance queues.

use super::link::round_robin;
use super::network::Network;
use super::side::{Neighbour, Sort};

impl Network<'_> {
    /// The adapter of a node takes a packet, if it is idle.
    pub(super) fn admit(&mut self, node: usize) {
        let source = &self.sources[node];
        if self.now < source.free_from {
            return;
        }
        let next = |&destination: &usize| {
            source.queues[destination].front().is_some_and(|&packet| self.is_accepted(node, packet))
        };
        let Some(destination) = round_robin(source.last_served, source.queues.len()).find(next) else { return };
        let source = &mut self.sources[node];
        let packet = source.queues[destination].pop_front().expect("it is accepted");
        source.last_served = destination;
        source.free_from = self.now + u64::from(self.config.transfer_cycles);
        self.packets[packet].entered = Some(self.now);
        self.join(self.config.adapter_end(node), Sort::Adapter, packet, Neighbour::Port(0), self.now + 1);
    }

    /// Whether the adapter side of a node accepts a packet and has room for it.
    fn is_accepted(&self, node: usize, packet: usize) -> bool {
        let end = self.config.adapter_end(node);
        let side = &self.ends[end].sending;
        let accepts = side.recn.as_ref().is_none_or(|recn| recn.accepts(self.way(packet, Sort::Adapter)));
        accepts && side.has_room(self.queue_for(end, Sort::Adapter, packet, Neighbour::Port(0)))
    }
}
