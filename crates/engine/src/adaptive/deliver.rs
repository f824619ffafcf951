//! Deliver: what was scheduled for this cycle happens. Nothing here depends on the order of events within the cycle.

use super::events::{Arrival, Output, RouterPort};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::Requests;
use super::state::{Mask, Queued, RouterState, add, clear};
use super::window::First;
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Message, Probe};
use crate::contract::routing::{Candidates, Head};
use crate::mask::Mask as _;
use crate::packet::Packet;
use crate::sources::messages::Done;
use crate::wheel::CHUNK;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    #[inline(always)]
    pub(super) fn deliver<P: Probe, const PLAIN: bool>(
        &mut self,
        routers: &mut [RouterState<W, NI, NO>],
        now: u64,
        probe: &mut P,
    ) {
        let mut cursor = self.tails.open(now);
        let mut batch = [RouterPort::default(); CHUNK];
        loop {
            let tails = self.tails.take_chunk(&mut cursor, &mut batch);
            if tails.is_empty() {
                break;
            }
            for &tail in tails {
                self.tail_leaves::<P, PLAIN>(routers, now, tail, probe);
            }
        }
        let mut cursor = self.credits.open(now);
        while let Some(credit) = self.credits.take(&mut cursor) {
            self.credit(&mut routers[credit.router as usize], credit);
        }
        if !PLAIN {
            self.end_pauses(routers, now);
            self.land::<P, PLAIN>(routers, now, probe);
        }
        let mut cursor = self.arrivals.open(now);
        let mut batch = [Arrival::default(); CHUNK];
        loop {
            let arrivals = self.arrivals.take_chunk(&mut cursor, &mut batch);
            if arrivals.is_empty() {
                break;
            }
            for &arrival in arrivals {
                self.head_arrives::<PLAIN>(&mut routers[arrival.router as usize], now, arrival);
            }
        }
        let mut cursor = self.ripe.open(now);
        while let Some(head) = self.ripe.take(&mut cursor) {
            add(&mut routers[head.router as usize].waiting, W::Set::one(head.number.into()));
            self.look.insert(head.router as usize);
        }
    }

    /// The tail of the packet at the front of an input has left: the output and the input are free, and there is room
    /// upstream.
    #[inline(always)]
    fn tail_leaves<P: Probe, const PLAIN: bool>(
        &mut self,
        routers: &mut [RouterState<W, NI, NO>],
        now: u64,
        tail: RouterPort,
        probe: &mut P,
    ) {
        let (router, input) = (tail.router, usize::from(tail.number));
        let state = &mut routers[router as usize];
        let (channel, packet) = (usize::from(state.at(input).channel), state.at(input).slot.packet);
        let consumed = state.ejects(input);
        clear(&mut state.fronted, W::Set::one(input));
        self.look.insert(router as usize);
        let output = if consumed { Output::Ejection(channel) } else { Output::Channel(channel) };
        if PLAIN {
            self.open_output::<true>(state, router, output);
        } else {
            self.pause(state, now, (router, input), output);
        }
        if consumed {
            clear(&mut state.ejecting, W::Set::one(input));
            if PLAIN {
                self.consume::<P, PLAIN>(now, packet, probe);
            } else {
                self.go_home::<P, PLAIN>(now, router, channel, packet, probe);
            }
        }
        if input >= self.layout.network {
            return self.leave_interface(state, now, router, input, probe);
        }
        self.leave_buffer::<PLAIN>(state, now, router, input);
        let (back, channel) = self.back::<PLAIN>(state, router, input);
        let credit = RouterPort { router: back, number: channel as u16 };
        if self.config.credit_cycles == 1 {
            self.credit(&mut routers[credit.router as usize], credit);
        } else {
            self.credits.push(now + u64::from(self.config.credit_cycles) - 1, credit);
        }
    }

    /// The output by which packets take a channel, or an ejection channel, may be granted again.
    #[inline(always)]
    pub(super) fn open_output<const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        output: Output,
    ) {
        let channel = match output {
            Output::Channel(channel) => channel,
            Output::Ejection(channel) if PLAIN => {
                state.open_ejection = state.open_ejection | W::Set::one(channel);
                return;
            }
            Output::Ejection(channel) => return self.open_ejection(state, router, channel),
        };
        add(&mut state.open, self.layout.closes(channel));
        if !PLAIN && self.by_channel {
            add(&mut state.idle, self.layout.link(self.layout.port_of(channel)));
        }
    }

    /// A packet has left a buffer: the next one comes to the front.
    #[inline(always)]
    fn leave_buffer<const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        router: u32,
        input: usize,
    ) {
        let at = state.at_mut(input);
        at.count -= 1;
        at.front = (at.front + 1) & self.layout.ring_mask;
        let (count, front) = (at.count, at.front);
        if self.rules.count_matters(count + 1) {
            self.rules.book(state, input);
        }
        if !PLAIN && !self.rings.free.is_empty() {
            let ring = self.rings.ring(router, input);
            self.rings.free[ring] += 1;
        }
        if count > 0 {
            let next = self.queues[self.place(router, input, front)];
            self.come_to_front::<PLAIN>(state, now, router, input, next);
        }
    }

    /// There is room for one packet more behind a channel.
    #[inline(always)]
    fn credit(&mut self, state: &mut RouterState<W, NI, NO>, of: RouterPort) {
        let channel = usize::from(of.number);
        let room = &mut state.credits[channel & (NI - 1)];
        let less = *room;
        *room += self.config.packet_flits as i16;
        if self.rules.room_matters(less) && self.rules.book(state, channel) {
            self.look.insert(of.router as usize);
        }
    }

    #[inline(always)]
    fn head_arrives<const PLAIN: bool>(&mut self, state: &mut RouterState<W, NI, NO>, now: u64, arrival: Arrival) {
        let Arrival { router, input, slot } = arrival;
        let input = input as usize;
        let at = state.at_mut(input);
        let (place, count) = (at.front.wrapping_add(at.count), at.count);
        debug_assert!(u32::from(count) < self.config.buffer_packets, "a buffer holds what it has room for");
        at.count = count + 1;
        if self.rules.count_matters(count + 1) {
            self.rules.book(state, input);
        }
        let queued = Queued { slot, arrived: now };
        if count == 0 {
            return self.come_to_front::<PLAIN>(state, now, router, input, queued);
        }
        let place = self.place(router, input, place);
        self.queues[place] = queued;
    }

    /// A packet comes to the front of an input: where may it go, and from when on may it ask?
    #[inline(always)]
    pub(super) fn come_to_front<const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        router: u32,
        input: usize,
        queued: Queued,
    ) {
        let Queued { mut slot, arrived } = queued;
        let l = &self.layout;
        let packet = &self.packets[slot.packet];
        let head = Head { router, input: l.name(input) };
        let (first, candidates) =
            W::First::candidates(&self.parts.routing, head, packet, self.config.channels, &mut slot.word);
        let (i, at) = (input & (NI - 1), state.at_mut(input));
        at.slot = slot;
        if candidates.all() == 0 {
            let local = self.seat(router, packet.destination);
            at.channel = l.ejection_channel(local, input) as u16;
            add(&mut state.ejecting, W::Set::one(input));
        }
        state.first[i] = first;
        state.preferred[i] = W::Near::of(candidates.preferred);
        state.fallback[i] = W::Near::of(candidates.fallback);
        add(&mut state.fronted, W::Set::one(input));
        let wait = if self.at_once { 0 } else { self.config.header_cycles + self.extra(state, input, candidates) };
        let mut asks = now.max(arrived + u64::from(wait));
        if !PLAIN {
            asks = self.pauses.asks_from(router as usize * NI + i, asks);
        }
        if asks == now {
            add(&mut state.waiting, W::Set::one(input));
            self.look.insert(router as usize);
        } else {
            self.ripe.push(asks, RouterPort { router, number: input as u16 });
        }
        if !PLAIN && !self.steps.is_empty() {
            let step = if self.config.requests == Requests::InTurn { asks } else { 0 };
            self.steps[router as usize * NI + i] = step;
        }
    }

    /// Cycles that a head with these candidates needs beside `header_cycles`.
    #[inline(always)]
    fn extra(&self, state: &RouterState<W, NI, NO>, input: usize, candidates: Candidates) -> u32 {
        let straight: W::Set = self.layout.dimension(self.layout.dimension_of(input));
        let straight = straight.window(state.first(input));
        if candidates.all() == 0 {
            self.config.consumption_cycles
        } else if input < self.layout.network && candidates.all() & straight == 0 {
            self.config.turn_cycles
        } else {
            0
        }
    }

    #[inline(always)]
    pub(super) fn consume<P: Probe, const PLAIN: bool>(&mut self, now: u64, id: u32, probe: &mut P) {
        let packet = &self.packets[id];
        probe.delivered(Delivery { cycle: now, packet });
        self.counters.delivered += 1;
        self.counters.delivered_flits += u64::from(packet.flits);
        if !PLAIN && self.throttled {
            self.parts.admission.delivered(packet.router, packet.flits);
        }
        if let Some(Done { birth, flits, .. }) = self.interface.makers.delivered(now, id, packet) {
            let Packet { source, destination, .. } = *packet;
            probe.message_delivered(Message { cycle: now, birth, source, destination, flits });
        }
        self.packets.remove(id);
    }
}
