//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::events::{Arrival, Tail};
use super::fabric::{Fabric, Layout};
use super::hot::{Hot, known};
use super::mechanisms::Mechanisms;
use super::router::Links;
use super::tables::Id;
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::routing::{Head, Request, Routing};
use crate::contract::sources::Sources;
use crate::packet::{Packets, Slot};
use crate::wheel::CHUNK;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    #[inline(always)]
    pub(super) fn deliver<P: Probe, const PLAIN: bool>(&mut self, now: u64, block: usize, probe: &mut P) {
        if self.blocks.many() {
            self.expect::<PLAIN>(now, block + 1);
        }
        let mut cursor = self.tails.open_lane(now, block);
        let mut batch = [Tail::default(); CHUNK];
        loop {
            let tails = self.tails.take_chunk(&mut cursor, &mut batch);
            if tails.is_empty() {
                break;
            }
            // PERF: the routers that a tail touches are far apart; all of them are asked for before the first is needed.
            let mut upstream = [Id::default(); CHUNK];
            for (tail, upstream) in tails.iter().zip(&mut upstream) {
                *upstream = self.expect_tail::<PLAIN>(tail);
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
            if R::LINKS == Links::Listed && self.spread {
                arrivals.iter().for_each(|arrival| self.expect_head(arrival));
            }
            for &arrival in arrivals {
                self.head_arrives::<PLAIN>(now, arrival);
            }
        }
        if !self.asked.is_empty() {
            self.ask_noted(now, block, probe);
        }
        if !PLAIN && self.consumers.is_some() {
            self.give_back_late(now, block);
        }
    }

    /// Asks for the memory that a tail will touch, and returns the router that feeds its input (any, where a node does).
    #[inline(always)]
    fn expect_tail<const PLAIN: bool>(&self, tail: &Tail) -> Id {
        let (router, input) = (tail.router, usize::from(tail.input));
        let upstream = self.feeding::<PLAIN>(router, input).0;
        let routers = self.routers.all();
        if self.spread {
            R::prefetch(routers, router.get());
            R::prefetch(routers, upstream.get());
            R::prefetch_input(routers, router.get(), input);
        } else if self.blocks.many() && self.routers.at(router).is_followed(input) {
            R::prefetch_input(routers, router.get(), input);
        }
        upstream
    }

    /// Asks for the memory that a head will touch where routing looks at its packet.
    ///
    /// PERF: behind long links it was in no near cache any more (`tailback bench dragonfly-1056`).
    #[inline(always)]
    fn expect_head(&self, arrival: &Arrival) {
        let routers = self.routers.all();
        self.packets.expect(arrival.slot.packet);
        R::prefetch(routers, arrival.router.get());
        R::prefetch_input(routers, arrival.router.get(), arrival.input as usize);
    }

    /// Asks for the memory that what is due at a block will touch, and for what is due at the next one.
    ///
    /// PERF: a block ahead, the trips to memory of a whole block overlap (`tailback bench million`).
    #[inline(always)]
    fn expect<const PLAIN: bool>(&self, now: u64, block: usize) {
        if block >= self.blocks.count {
            return;
        }
        self.tails.prefetch(now, block + 1);
        self.arrivals.prefetch(now, block + 1);
        let routers = self.routers.all();
        for &Tail { router, input, output } in self.tails.chunks(now, block).flatten() {
            R::prefetch(routers, router.get());
            R::prefetch(routers, self.feeding::<PLAIN>(router, usize::from(input)).0.get());
            if usize::from(output) >= self.layout.ports {
                R::prefetch_input(routers, router.get(), usize::from(input));
            }
            if usize::from(input) >= self.layout.network_inputs {
                self.expect_free(router, usize::from(input));
            }
        }
        for &Arrival { router, input, .. } in self.arrivals.chunks(now, block).flatten() {
            R::prefetch(routers, router.get());
            R::prefetch_input(routers, router.get(), input as usize);
            self.parts.routing.expect(router.get());
        }
    }

    #[inline(always)]
    fn tail_leaves<P: Probe, const PLAIN: bool>(&mut self, now: u64, tail: Tail, upstream: Id, probe: &mut P) {
        let (router, input, output) = (tail.router, usize::from(tail.input), usize::from(tail.output));
        let consumed = output >= self.layout.ports;
        let goes_abroad =
            !consumed && self.share.is_cut() && !self.share.owns(self.peers.at(router, output, known::<R, PLAIN>()));
        let state = self.routers.at_mut(router);
        // PERF: an input with one packet is left alone: this saves a trip to memory.
        let left = if !PLAIN || consumed || goes_abroad { state.input(input).slot.packet } else { 0 };
        state.release(output);
        let mut ready = state.wake(output);
        let network = input < self.layout.network_inputs;
        if state.is_followed(input) {
            let queue = state.input_mut(input);
            queue.slot = self.queues.at(router, input, queue.next);
            queue.next = (queue.next + 1) & self.layout.depth_mask;
            queue.behind -= 1;
            let behind = queue.behind;
            state.set_followed(input, behind);
            ready |= self.ask_at::<PLAIN>(now, router, input);
        } else {
            state.leave(input);
        }
        self.active.insert_if(router, ready);
        if !network {
            let node = self.layout.node_at(router, input);
            if !PLAIN && self.ejection.is_finite() && self.consumers.is_none() {
                self.give_back(node, now);
            }
            self.source_is_free(node, now, probe);
        } else if (PLAIN || self.returns.whole_at_tail()) && self.share.owns(upstream) {
            let flits = if PLAIN { self.flits } else { self.length(left) };
            self.credit_whole::<PLAIN>(router, upstream, input, flits);
        }
        if consumed {
            self.consume::<P, PLAIN>(now, left, probe);
        } else if goes_abroad {
            self.packets.remove(left);
        }
    }

    #[inline(always)]
    fn head_arrives<const PLAIN: bool>(&mut self, now: u64, arrival: Arrival) {
        let (router, input) = (arrival.router, arrival.input as usize);
        let state = self.routers.at_mut(router);
        if state.is_taken(input) {
            state.set_followed(input, 1);
            let (queue, mask) = (state.input_mut(input), self.layout.depth_mask);
            debug_assert!(queue.behind < mask, "a buffer never holds more packets than it has room for");
            let position = (queue.next + queue.behind) & mask;
            queue.behind += 1;
            *self.queues.at_mut(router, input, position) = arrival.slot;
        } else {
            state.take(input);
            state.input_mut(input).slot = arrival.slot;
            let ready = self.ask_at::<PLAIN>(now, router, input);
            self.active.insert_if(router, ready);
        }
    }

    /// The head at the front of a network input asks. 1 if the output is ready now, else 0.
    #[inline(always)]
    fn ask_at<const PLAIN: bool>(&mut self, now: u64, router: Id, input: usize) -> u64 {
        if !PLAIN && self.kept.is_on() {
            let (output, channels) = self.decide(now, router, input);
            return self.routers.at_mut(router).file(input, output, channels);
        }
        let state = self.routers.at_mut(router);
        let slot = &mut state.input_mut(input).slot;
        let place = (router.get(), input, self.layout.lane::<R>(input));
        let (output, channels) = ask(&self.parts.routing, &self.packets, &self.layout, place, slot);
        state.file(input, output, channels)
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
        let (node, woken) = (packet.destination, self.heads.sources.delivered(now, packet, Some(packet.index)));
        self.packets.remove(id);
        if let Some(at) = woken {
            self.wake_kin(node, at, now, probe);
        }
        if !PLAIN && self.ejection.is_finite() {
            match &mut self.consumers {
                Some(consumers) => consumers.insert(self.heads.sources.kin(node).start as usize),
                None => self.give_back(node, now),
            }
        }
    }
}

/// What the packet at the front of a network input asks for: output and channels.
#[inline(always)]
pub(super) fn ask(
    routing: &impl Routing,
    packets: &Packets,
    layout: &Layout,
    (router, input, lane): (u32, usize, (u8, u8)),
    slot: &mut Slot,
) -> (usize, u16) {
    let packet = &packets[slot.packet];
    let request = routing.request(Head { router, input: Some(lane) }, packet, &mut slot.word);
    outcome(layout, packet.destination, input, request)
}

/// The output and the channels of a request at an input.
#[inline(always)]
pub(super) fn outcome(layout: &Layout, destination: u32, input: usize, request: Request) -> (usize, u16) {
    match request.port {
        Some(port) => (usize::from(port), request.channels),
        None => (layout.ejection_output(destination, input), 1),
    }
}
