//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::Mechanisms;
use super::fabric::{Arrival, Fabric, Layout, Tail};
use super::state::{Mask, RouterState};
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Routing};
use crate::packet::{Packets, Slot};
use crate::wheel::Cursor;
use tailback_base::prefetch::prefetch;

/// How many events ahead memory is asked for: long enough for a trip to memory, short enough to stay in the first cache.
const AHEAD: u32 = 12;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize, const NV: usize> Fabric<'_, M, W, NI, NO, NV> {
    #[inline(always)]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.tails.open(now);
        while let Some(tail) = self.tails.take(&mut cursor) {
            if self.large {
                self.expect_tail(&cursor);
            }
            self.tail_leaves(now, tail, probe);
        }
        self.return_credits(now);
        let mut cursor = self.arrivals.open(now);
        while let Some(arrival) = self.arrivals.take(&mut cursor) {
            if self.large {
                self.expect_arrival(&cursor);
            }
            self.head_arrives(arrival);
        }
    }

    /// Asks for the memory that an event a little ahead will touch.
    #[inline]
    fn expect_tail(&self, cursor: &Cursor) {
        if let Some(tail) = self.tails.peek(cursor, AHEAD) {
            let input = usize::from(tail.input);
            RouterState::prefetch(&self.routers, tail.router);
            prefetch(&self.queues, self.queue(tail.router, input, 0), 0, 1);
            if input < self.layout.network_inputs {
                let port = usize::from(self.layout.port_of[input & 63]);
                RouterState::prefetch_output(&self.routers, self.grid.upstream(tail.router, port), port);
            }
        }
    }

    /// Asks for the memory that an event a little ahead will touch.
    #[inline]
    fn expect_arrival(&self, cursor: &Cursor) {
        if let Some(arrival) = self.arrivals.peek(cursor, AHEAD) {
            RouterState::prefetch(&self.routers, arrival.router);
            prefetch(&self.queues, self.queue(arrival.router, arrival.input as usize, 0), 0, 1);
        }
    }

    #[inline(always)]
    fn tail_leaves<P: Probe>(&mut self, now: u64, tail: Tail, probe: &mut P) {
        let (router, input, output) = (tail.router, usize::from(tail.input), usize::from(tail.output));
        let base = (router as usize * NI + input) << self.layout.depth_bits;
        let state = &mut self.routers[router as usize];
        state.idle |= 1 << output;
        let mut ready = state.wake(output);
        let queue = &mut state.inputs[input & (NI - 1)];
        let left = base | usize::from(queue.front);
        let network = input < self.layout.network_inputs;
        if network {
            queue.front = (queue.front + 1) & self.layout.depth_mask;
            queue.count -= 1;
            if queue.count > 0 {
                let slot = &mut self.queues[base | usize::from(queue.front)];
                let (output, channels) = ask(&self.parts.routing, &self.packets, &self.layout, router, input, slot);
                ready |= state.file(input, output, channels);
            }
        }
        self.active.insert_if(router as usize, ready);
        let consumed = output >= self.layout.ports;
        // The packet itself is looked at only where its length is not known or it goes.
        let packet = if consumed || self.flits == 0 { self.queues[left].packet } else { 0 };
        if !network {
            let node = router as usize * self.layout.nodes + input - self.layout.network_inputs;
            self.source_is_free(node as u32, now, probe);
        } else if self.returns.whole_at_tail() {
            let flits = self.length(packet);
            self.credit_whole(router, input, flits);
        }
        if consumed {
            self.consume(now, packet, probe);
        }
    }

    #[inline(always)]
    fn head_arrives(&mut self, arrival: Arrival) {
        let (router, input) = (arrival.router, arrival.input as usize);
        let state = &mut self.routers[router as usize];
        let queue = &mut state.inputs[input & (NI - 1)];
        let mask = self.layout.depth_mask;
        debug_assert!(queue.count <= mask, "a buffer never holds more packets than it has room for");
        let position = (queue.front + queue.count) & mask;
        let first = queue.count == 0;
        queue.count += 1;
        let slot = &mut self.queues[((router as usize * NI + input) << self.layout.depth_bits) | usize::from(position)];
        *slot = arrival.slot;
        if first {
            let (output, channels) = ask(&self.parts.routing, &self.packets, &self.layout, router, input, slot);
            let ready = state.file(input, output, channels);
            self.active.insert_if(router as usize, ready);
        }
    }

    #[inline(always)]
    fn consume<P: Probe>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = &self.packets[id];
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        if self.throttled {
            self.parts.admission.delivered(packet.router, packet.flits);
        }
        self.packets.remove(id);
    }
}

/// What the packet at the front of a network input asks for: output and channels.
#[inline(always)]
fn ask<R: Routing>(
    routing: &R,
    packets: &Packets,
    layout: &Layout,
    router: u32,
    input: usize,
    slot: &mut Slot,
) -> (usize, u16) {
    let lane = (layout.port_of[input & 63], layout.channel_of[input & 63]);
    let packet = &packets[slot.packet];
    let request = routing.request(Head { router, input: Some(lane) }, packet, &mut slot.word);
    match request.port {
        Some(port) => (usize::from(port), request.channels),
        None => (layout.ejection_output(packet.destination, input), 1),
    }
}
