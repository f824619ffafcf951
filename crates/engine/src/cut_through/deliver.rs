//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::Mechanisms;
use super::fabric::{Arrival, Fabric, Layout, Tail};
use super::state::{Inputs, RouterState};
use super::tables::Id;
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Routing};
use crate::packet::{Packets, Slot};
use crate::wheel::CHUNK;

/// How many events ahead memory is asked for: long enough for a trip to memory, short enough to stay in the first cache.
const AHEAD: usize = 12;

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    #[inline(always)]
    pub(super) fn deliver<P: Probe, const PLAIN: bool>(&mut self, now: u64, block: usize, probe: &mut P) {
        let mut cursor = self.tails.open_lane(now, block);
        let mut batch = [Tail::default(); CHUNK];
        loop {
            let tails = self.tails.take_chunk(&mut cursor, &mut batch);
            if tails.is_empty() {
                break;
            }
            // PERF: the routers that get credits are far apart; all of them are asked for before the first is needed.
            let mut upstream = [Id::default(); CHUNK];
            for (tail, upstream) in tails.iter().zip(&mut upstream) {
                *upstream = self.expect_tail(tail);
            }
            for (&tail, upstream) in tails.iter().zip(upstream) {
                self.tail_leaves::<P, PLAIN>(now, tail, upstream, probe);
            }
        }
        let mut cursor = self.arrivals.open_lane(now, block);
        let mut batch = [Arrival::default(); CHUNK];
        loop {
            let arrivals = self.arrivals.take_chunk(&mut cursor, &mut batch);
            if arrivals.is_empty() {
                break;
            }
            for (n, &arrival) in arrivals.iter().enumerate() {
                if self.blocks.many() {
                    self.expect_arrival(arrivals.get(n + AHEAD));
                }
                self.head_arrives(arrival);
            }
        }
    }

    /// Asks for the memory that a tail will touch, and returns the router that feeds its input (any, where a node does).
    #[inline(always)]
    fn expect_tail(&self, tail: &Tail) -> Id {
        let input = usize::from(tail.input);
        let upstream = self.feeding(tail.router, input).0;
        if self.spread {
            RouterState::prefetch_input(self.routers.all(), tail.router.get(), input);
            RouterState::prefetch_credits(self.routers.all(), upstream.get());
        }
        upstream
    }

    /// Asks for the memory that an event a little ahead will touch.
    #[inline]
    fn expect_arrival(&self, arrival: Option<&Arrival>) {
        if let Some(arrival) = arrival {
            RouterState::prefetch_input(self.routers.all(), arrival.router.get(), arrival.input as usize);
            RouterState::prefetch_requests(self.routers.all(), arrival.router.get());
        }
    }

    #[inline(always)]
    fn tail_leaves<P: Probe, const PLAIN: bool>(&mut self, now: u64, tail: Tail, upstream: Id, probe: &mut P) {
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
        } else if (PLAIN || self.returns.whole_at_tail()) && self.share.owns(upstream) {
            let flits = if PLAIN { self.flits } else { self.length(left) };
            self.credit_whole(upstream, input, flits);
        }
        if consumed {
            self.consume::<P, PLAIN>(now, left, probe);
        } else if self.share.is_cut() && !self.share.owns(self.peers.at(router, output)) {
            self.packets.remove(left);
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
    fn consume<P: Probe, const PLAIN: bool>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = &self.packets[id];
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        if !PLAIN && self.throttled {
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
