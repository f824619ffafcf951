//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::Mechanisms;
use super::fabric::{Arrival, Fabric, Tail};
use super::state::Mask;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Routing};

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize, const NV: usize> Fabric<'_, M, W, NI, NO, NV> {
    #[inline]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.tails.open(now);
        while let Some(tail) = self.tails.take(&mut cursor) {
            self.tail_leaves(now, tail, probe);
        }
        self.return_credits(now);
        let mut cursor = self.arrivals.open(now);
        while let Some(arrival) = self.arrivals.take(&mut cursor) {
            self.head_arrives(arrival);
        }
    }

    #[inline]
    fn tail_leaves<P: Probe>(&mut self, now: u64, tail: Tail, probe: &mut P) {
        let (router, input, output) = (tail.router, usize::from(tail.input), usize::from(tail.output));
        let state = &mut self.routers[router as usize];
        state.idle |= 1 << output;
        if state.wake(output) {
            self.active.insert(router as usize);
        }
        let packet = self.front(router, input).packet;
        if input < self.layout.network_inputs {
            self.pop(router, input, packet);
        } else {
            let node = router as usize * self.layout.nodes + input - self.layout.network_inputs;
            self.source_is_free(node as u32, now, probe);
        }
        if output >= self.layout.ports {
            self.consume(now, packet, probe);
        }
    }

    /// The front packet's tail has left a network input: the next one comes to the front.
    #[inline]
    fn pop(&mut self, router: u32, input: usize, packet: u32) {
        let state = &mut self.routers[router as usize].inputs[input & (NI - 1)];
        state.front = (state.front + 1) & ((1 << self.layout.depth_bits) - 1);
        state.count -= 1;
        let more = state.count > 0;
        if self.returns.whole_at_tail() {
            let flits = self.length(packet);
            self.credit_whole(router, input, flits);
        }
        if more {
            self.ask(router, input);
        }
    }

    #[inline]
    fn head_arrives(&mut self, arrival: Arrival) {
        let (router, input) = (arrival.router, arrival.input as usize);
        let mask = (1u16 << self.layout.depth_bits) - 1;
        let state = &mut self.routers[router as usize].inputs[input & (NI - 1)];
        debug_assert!(state.count <= mask, "a buffer never holds more packets than it has room for");
        let position = (state.front + state.count) & mask;
        state.count += 1;
        let first = state.count == 1;
        let at = self.queue(router, input, position);
        self.queues[at] = arrival.slot;
        if first {
            self.ask(router, input);
        }
    }

    /// The front packet of a network input asks for an output.
    #[inline]
    fn ask(&mut self, router: u32, input: usize) {
        let front = self.routers[router as usize].inputs[input & (NI - 1)].front;
        let at = self.queue(router, input, front);
        let slot = &mut self.queues[at];
        let lane = (self.layout.port_of[input & 63], self.layout.channel_of[input & 63]);
        let head = Head { router, input: Some(lane) };
        let packet = &self.packets[slot.packet];
        let request = self.parts.routing.request(head, packet, &mut slot.word);
        let (output, channels) = match request.port {
            Some(port) => (usize::from(port), request.channels),
            None => (self.ejection_output(packet.destination, input), 1),
        };
        if self.routers[router as usize].file(input, output, channels) {
            self.active.insert(router as usize);
        }
    }

    #[inline]
    fn consume<P: Probe>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = &self.packets[id];
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        self.packets.remove(id);
    }
}
