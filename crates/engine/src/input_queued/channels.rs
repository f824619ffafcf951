//! Heads are routed and get channels.

use super::allocators::allocate;
use super::fabric::Fabric;
use super::layout::End;
use super::mechanisms::Mechanisms;
use super::router::{Matching, RequestOrder};
use super::state::Doing;
use crate::contract::probe::{Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use std::ops::Range;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Heads that wait are routed together, when those before them have been.
    pub(super) fn begin_routing(&mut self, router: usize, now: u64) {
        if self.routes_by_halves {
            self.begin_routing_of_halves(router, now);
        } else if self.routed.is_empty(router) && !self.unrouted.is_empty(router) {
            self.begin_routing_of((router, router), now, |_| u64::MAX);
        }
    }

    /// Those in masks by word; the batch is known by a number.
    #[inline(always)]
    pub(super) fn begin_routing_of(&mut self, (router, batch): (usize, usize), now: u64, mask: impl Fn(usize) -> u64) {
        for word in 0..self.unrouted.words() {
            let bits = self.unrouted.take(router, word, mask(word));
            self.routed.add(router, word, bits);
        }
        self.routes_until[batch] = now + u64::from(self.config.routing_cycles) - 1;
    }

    /// Heads that have been routed ask from the next step on. Returns whether there are any.
    pub(super) fn end_routing(&mut self, router: usize, now: u64) -> bool {
        if self.routes_by_halves {
            return self.end_routing_of_halves(router, now);
        }
        now >= self.routes_until[router] && self.end_routing_of(router, |_| u64::MAX)
    }

    /// Those in masks by word.
    #[inline(always)]
    pub(super) fn end_routing_of(&mut self, router: usize, mask: impl Fn(usize) -> u64) -> bool {
        if self.looks {
            self.decide_routed(router, &mask);
        }
        let mut any = false;
        for word in 0..self.routed.words() {
            let bits = self.routed.take(router, word, mask(word));
            any |= bits != 0;
            self.asking.add(router, word, bits);
            let first = self.first(router) * self.layout.channels + word * 64;
            ones(bits).for_each(|bit| self.inputs[first + bit].doing = Doing::Asking);
        }
        any
    }

    /// Channels that the head of an input channel may have now, of its port.
    #[inline(always)]
    pub(super) fn may_have(&self, router: usize, n: usize) -> u16 {
        let input = &self.inputs[self.first(router) * self.layout.channels + n];
        self.may_have_of(router, input.port.into(), input.channels)
    }

    /// Whether the head of an input channel may have any channel now.
    pub(super) fn may_have_any(&self, router: usize, n: usize) -> bool {
        self.wishes(router, n).into_iter().any(|wish| self.may_have_of(router, wish.port, wish.channels) != 0)
    }

    /// What of these channels of a port heads may have now.
    #[inline(always)]
    pub(super) fn may_have_of(&self, router: usize, port: usize, channels: u16) -> u16 {
        let port = self.first(router) + port;
        let free = self.free[port] & channels;
        let free = if self.config.needs_credit { free & self.open[port] } else { free };
        if self.ejection.is_finite() { self.by_ejection(port, free) } else { free }
    }

    /// What of the free channels of a port heads may have where ejection buffers are finite: to a node one packet at a time begins, by the first
    /// of them, and none where its buffer is full.
    #[cold]
    fn by_ejection(&self, port: usize, free: u16) -> u16 {
        match self.layout.ahead[port].end {
            End::Node(_) if self.is_shut(port) => 0,
            End::Node(_) => free & free.wrapping_neg(),
            End::Port(_) | End::Nowhere => free,
        }
    }

    /// Whether the port leads to a node whose ejection buffer is full.
    #[inline(always)]
    pub(super) fn is_shut(&self, port: usize) -> bool {
        self.ejection.is_finite()
            && matches!(self.layout.ahead[port].end, End::Node(node) if self.ejection.is_full(node))
    }

    /// The number by which the allocator of channels knows an input channel of a router.
    #[inline(always)]
    pub(super) fn asker(&self, router: usize, n: usize) -> usize {
        match self.config.request_order {
            RequestOrder::ByPort => n,
            RequestOrder::ByChannel => {
                let (port, channel) = self.layout.places[n];
                let ports = self.numbered_with(router, port.into());
                let place = usize::from(channel) * ports.len() + (usize::from(port) - ports.start);
                ports.start * self.layout.channels + place
            }
        }
    }

    /// The input ports whose channels are numbered by turns, this one among them.
    #[inline(always)]
    fn numbered_with(&self, router: usize, port: usize) -> Range<usize> {
        match self.layout.one_way() {
            None => 0..self.layout.ports(router),
            Some(out) => self.layout.inputs_with(router, port, out),
        }
    }

    /// The input channel of a router that the allocator of channels knows by a number.
    #[inline(always)]
    fn channel_of_asker(&self, router: usize, number: usize) -> usize {
        match self.config.request_order {
            RequestOrder::ByPort => number,
            RequestOrder::ByChannel => {
                let channels = self.layout.channels;
                let ports = self.numbered_with(router, number / channels);
                let place = number - ports.start * channels;
                (ports.start + place % ports.len()) * channels + place / ports.len()
            }
        }
    }

    /// Finds out which heads get which channels.
    #[inline(always)]
    pub(super) fn match_channels(&mut self, router: usize) {
        if self.config.channel_allocator.matching == Matching::Islip && !self.has_lesser {
            self.match_by_ports(router);
            return;
        }
        self.channel_requests.clear();
        for word in 0..self.asking.words() {
            for bit in ones(self.asking.word(router, word)) {
                self.ask_for_channels(router, word * 64 + bit);
            }
        }
        let draws = self.draws(router, router as u32 * 2, [&self.asking; 2]);
        allocate(&mut self.channel_turns, router, &mut self.channel_requests, draws);
    }

    /// A head asks the allocator for the channels that it may have now.
    #[inline(always)]
    fn ask_for_channels(&mut self, router: usize, n: usize) {
        let (number, ranked) = (self.asker(router, n), self.channel_requests.are_ranked());
        let priority = if ranked { self.priority(router, n) } else { 0 };
        for wish in self.wishes(router, n) {
            if wish.channels == 0 {
                continue;
            }
            for channel in ones(self.may_have_of(router, wish.port, wish.channels).into()) {
                let output = wish.port * self.layout.channels + channel;
                self.channel_requests.ask(number, output);
                if ranked {
                    let ranks = (self.rank_of(router, wish, channel), priority);
                    self.channel_requests.rank(number, output, ranks);
                }
            }
        }
    }

    /// A head asks alone.
    #[inline(always)]
    fn match_lone_head(&mut self, router: usize, n: usize) {
        self.channel_requests.forget_matches();
        let channels = self.may_have(router, n);
        if channels != 0 {
            let port = self.inputs[self.first(router) * self.layout.channels + n].port;
            let asks = (self.asker(router, n), port.into(), channels);
            self.channel_ports.give(&mut self.channel_turns, router, &mut self.channel_requests, asks);
        }
    }

    /// The same by iSLIP.
    #[inline(always)]
    fn match_by_ports(&mut self, router: usize) {
        let asking = if self.asking.words() == 1 { self.asking.word(router, 0) } else { 0 };
        if asking.is_power_of_two() {
            self.match_lone_head(router, asking.trailing_zeros() as usize);
            return;
        }
        let inputs = self.first(router) * self.layout.channels;
        for word in 0..self.asking.words() {
            for bit in ones(self.asking.word(router, word)) {
                let n = word * 64 + bit;
                let channels = self.may_have(router, n);
                if channels != 0 {
                    let number = self.asker(router, n);
                    self.channel_ports.ask(number, self.inputs[inputs + n].port.into(), channels);
                }
            }
        }
        self.channel_ports.allocate(&mut self.channel_turns, router, &mut self.channel_requests);
    }

    /// Heads have the channels that were found for them. Returns whether there are any.
    #[inline(always)]
    pub(super) fn give_channels<P: Probe>(&mut self, router: usize, now: u64, probe: &mut P) -> bool {
        let mut any = false;
        for word in 0..self.channel_requests.taken().len() {
            for bit in ones(self.channel_requests.taken()[word]) {
                let number = word * 64 + bit;
                let output = self.channel_requests.output_of(number).expect("it is matched");
                let n = self.channel_of_asker(router, number);
                self.give(router, n, output, now, probe);
                any = true;
            }
        }
        any
    }

    #[inline(always)]
    fn give<P: Probe>(&mut self, router: usize, n: usize, output: usize, now: u64, probe: &mut P) {
        let (first, channels) = (self.first(router), self.layout.channels);
        let (port, channel) = self.layout.places[output];
        let input = &mut self.inputs[first * channels + n];
        (input.doing, input.channel) = (Doing::Going, channel);
        input.port = port;
        self.free[first + usize::from(port)] &= !(1 << channel);
        let of = &mut self.outputs[first * channels + output];
        of.user = n as u16;
        self.asking.remove(router, n);
        self.going.insert(router, n);
        if of.credits > 0 {
            self.ready.insert(router, n);
        }
        let (at, place) = (first * channels + n, usize::from(self.inputs[first * channels + n].front));
        let slot = &mut self.rings[at * self.layout.ring + place];
        if !self.layout.links(router).has(port.into()) {
            if self.ejection.is_finite() {
                let packet = &self.packets[slot.packet];
                self.ejection.take(packet.destination, packet.flits);
            }
            return;
        }
        let name = self.layout.links(router).name(port.into());
        slot.word = self.parts.routing.advance(name, slot.word);
        // A routing that looks at queues counts them itself.
        self.packets[slot.packet].hops += u32::from(!self.looks);
        self.counters.packet_hops += 1;
        let own = self.layout.own(router);
        probe.sets_out(now, own, name);
        probe.taken(Taken { cycle: now, router: own, port: name, by: TakenBy::Preference });
    }
}
