//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::Mechanisms;
use super::fabric::{Arrival, Fabric, Layout, Tail};
use super::state::{Inputs, RouterState};
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Routing};
use crate::packet::{Packets, Slot};
use crate::wheel::Cursor;

/// How many events ahead memory is asked for: long enough for a trip to memory, short enough to stay in the first cache.
const AHEAD: u32 = 12;

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    #[inline(always)]
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, block: usize, probe: &mut P) {
        let mut cursor = self.tails.open_lane(now, block);
        while let Some(tail) = self.tails.take(&mut cursor) {
            if self.blocks.many() {
                self.expect_tail(&cursor);
            }
            self.tail_leaves(now, tail, probe);
        }
        let mut cursor = self.arrivals.open_lane(now, block);
        while let Some(arrival) = self.arrivals.take(&mut cursor) {
            if self.blocks.many() {
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
            RouterState::prefetch_input(self.routers.all(), tail.router.get(), input);
            if input < self.layout.network_inputs {
                let port = usize::from(self.layout.port_of[input & 63]);
                RouterState::prefetch_credits(self.routers.all(), self.peers.upstream(tail.router, port).get());
            }
        }
    }

    /// Asks for the memory that an event a little ahead will touch.
    #[inline]
    fn expect_arrival(&self, cursor: &Cursor) {
        if let Some(arrival) = self.arrivals.peek(cursor, AHEAD) {
            RouterState::prefetch_input(self.routers.all(), arrival.router.get(), arrival.input as usize);
            RouterState::prefetch_requests(self.routers.all(), arrival.router.get());
        }
    }

    #[inline(always)]
    fn tail_leaves<P: Probe>(&mut self, now: u64, tail: Tail, probe: &mut P) {
        let (router, input, output) = (tail.router, usize::from(tail.input), usize::from(tail.output));
        let state = self.routers.at_mut(router);
        state.release(output);
        let mut ready = state.wake(output);
        let queue = &mut state.inputs[input & (NI - 1)];
        let left = queue.slot.packet;
        let network = input < self.layout.network_inputs;
        if network {
            queue.front = (queue.front + 1) & self.layout.depth_mask;
            queue.count -= 1;
            if queue.count > 0 {
                queue.slot = self.queues.at(router, input, queue.front);
                let slot = &mut queue.slot;
                let (output, channels) =
                    ask(&self.parts.routing, &self.packets, &self.layout, router.get(), input, slot);
                ready |= state.file(input, output, channels);
            }
        }
        self.active.insert_if(router, ready);
        let consumed = output >= self.layout.ports;
        if !network {
            let node = router.get() as usize * self.layout.nodes + input - self.layout.network_inputs;
            self.source_is_free(node as u32, now, probe);
        } else if self.returns.whole_at_tail() {
            let flits = self.length(left);
            self.credit_whole(router, input, flits);
        }
        if consumed {
            self.consume(now, left, probe);
        }
    }

    #[inline(always)]
    fn head_arrives(&mut self, arrival: Arrival) {
        let (router, input) = (arrival.router, arrival.input as usize);
        let state = self.routers.at_mut(router);
        let queue = &mut state.inputs[input & (NI - 1)];
        let mask = self.layout.depth_mask;
        debug_assert!(queue.count <= mask, "a buffer never holds more packets than it has room for");
        let position = (queue.front + queue.count) & mask;
        let first = queue.count == 0;
        queue.count += 1;
        if first {
            queue.slot = arrival.slot;
            let slot = &mut queue.slot;
            let (output, channels) = ask(&self.parts.routing, &self.packets, &self.layout, router.get(), input, slot);
            let ready = state.file(input, output, channels);
            self.active.insert_if(router, ready);
        } else {
            *self.queues.at_mut(router, input, position) = arrival.slot;
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
