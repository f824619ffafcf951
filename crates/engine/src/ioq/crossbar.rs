//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::fabric::{Crossed, Fabric};
use super::queues::{after, first_in, first_of, in_circles};
use super::sides::{Ingress, Out, Switch};
use super::{MAX_PORTS, Mechanisms};
use crate::contract::probe::Probe;
use crate::contract::queueing::Queueing;
use tailback_base::bits::ones;

/// Which queues ask: those that are preferred, or those that come after all others of the switch. Indices of [`Switch::wanted`]
/// and [`Fabric::askers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Preferred,
    Deferred,
}

impl<M: Mechanisms, const SHARED: bool> Fabric<'_, M, SHARED> {
    /// All switches in which something may be granted.
    #[inline]
    pub(super) fn cross<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.look.word_count() {
            let switches = self.look.take_word(word);
            for bit in ones(switches) {
                self.allocate(word * 64 + bit, now, probe);
            }
        }
    }

    /// One switch: every egress side that can takes a packet.
    #[inline]
    fn allocate<P: Probe>(&mut self, switch: usize, now: u64, probe: &mut P) {
        let &Switch { idle_outputs, pointer, .. } = &self.switches[switch];
        for class in [Class::Preferred, Class::Deferred] {
            let &Switch { wanted, idle_outputs, .. } = &self.switches[switch];
            for port in in_circles(wanted[class as usize] & idle_outputs, pointer.into()) {
                if let Some(from) = self.choose(switch, port, class) {
                    self.grant(switch, from, port, now, probe);
                }
            }
        }
        if self.switches[switch].idle_outputs != idle_outputs {
            self.switches[switch].pointer = after(usize::from(pointer), self.layout.ports) as u8;
        }
    }

    /// The packet that an egress side takes of a class: its ingress port and queue, and the queue that it joins.
    #[inline(always)]
    fn choose(&mut self, switch: usize, port: usize, class: Class) -> Option<(usize, usize, usize)> {
        let first = switch * self.layout.ports;
        let egress = first + port;
        let Out { used, part, granted, .. } = self.outs[egress];
        if SHARED && used >= part {
            return None;
        }
        loop {
            let state = &self.switches[switch];
            let inputs = state.askers[port % MAX_PORTS][class as usize] & state.idle_inputs;
            if inputs == 0 {
                return None;
            }
            let input = first_of(inputs, granted);
            let (side, words) = (first + input, if SHARED { 1 } else { self.in_words });
            let turn = self.ingress[side].turn;
            let queue = first_in(words, |w| self.ready(side, port, w)[class as usize], turn)?;
            let route = self.pool.route_behind(self.in_list(side, queue).first);
            let joins = self.out_queues[egress].queue_for(input as u8, route);
            if SHARED || self.used(egress, joins) < part {
                return Some((input, queue, joins));
            }
            self.park_asking((side, queue), port, (egress, joins));
        }
    }

    /// Queues of an ingress side that ask for a port and are not held: a word of the set of each class.
    #[inline(always)]
    pub(super) fn ready(&self, side: usize, port: usize, word: usize) -> [u64; 2] {
        let asks = self.asks[(side * self.layout.ports + port) * self.in_words + word];
        if word > 0 {
            return [asks, 0];
        }
        let Ingress { held, deferred, .. } = self.ingress[side];
        [asks & !held & !deferred, asks & !held & deferred]
    }

    /// What asks for a port from an ingress side, or may be sent there, has changed.
    #[inline(always)]
    pub(super) fn rate(&mut self, side: usize, port: usize) {
        let Ingress { switch, port: input, .. } = self.ingress[side];
        let mut ready = self.ready(side, port, 0);
        for word in 1..if SHARED { 1 } else { self.in_words } {
            ready[0] |= self.ready(side, port, word)[0];
        }
        let Switch { askers, wanted, .. } = &mut self.switches[switch as usize];
        let askers = &mut askers[port % MAX_PORTS];
        for class in 0..2 {
            askers[class] = askers[class] & !(1 << input) | u64::from(ready[class] != 0) << input;
            wanted[class] = wanted[class] & !(1 << port) | u64::from(askers[class] != 0) << port;
        }
    }

    /// The first packet of a queue of an ingress side has left for an egress port, and this one comes to the front.
    #[inline(always)]
    fn next_in_front(&mut self, side: usize, queue: usize, next: Option<u32>, port: usize, now: u64) {
        if let Some(id) = next {
            // The one behind it will be looked at when this one leaves.
            self.pool.prefetch_hop(self.pool.next(id));
            // PERF: most often the next one asks for the same port, and so nothing changes.
            if self.pool.port(id) == port && (self.layout.delay == 0 || self.pool.asks(id) <= now) {
                return;
            }
        }
        self.asks[(side * self.layout.ports + port) * self.in_words + queue / 64] &= !(1 << (queue % 64));
        self.rate(side, port);
        if let Some(id) = next {
            self.come_to_front(side, queue, id, now);
        }
    }

    /// The first packet of a queue of an ingress port leaves for an egress port.
    #[inline(always)]
    fn grant<P: Probe>(
        &mut self,
        switch: usize,
        (input, queue, joins): (usize, usize, usize),
        port: usize,
        now: u64,
        probe: &mut P,
    ) {
        let (side, egress) = (switch * self.layout.ports + input, switch * self.layout.ports + port);
        let list = &mut self.in_lists[side * self.in_stride + queue];
        let id = list.pop(&self.pool);
        let (level, first) = (list.level, list.first);
        let state = &mut self.ingress[side];
        state.turn = after(queue, state.count as usize);
        let busy = &mut self.switches[switch];
        busy.idle_inputs &= !(1 << input);
        busy.idle_outputs &= !(1 << port);
        self.next_in_front(side, queue, (level > 0).then_some(first), port, now);
        let counter = if SHARED { 0 } else { queue as u32 };
        self.events.crossed.push(now + self.layout.transfer, Crossed { side: side as u32, counter, port: port as u8 });
        let notices = &mut self.notices;
        self.in_queues[side].left(queue, level, &mut |to, notice| notices.by_ingress(side, to, notice));
        self.refresh_ingress(side, now, probe);
        self.pool.advance(id);
        self.outs[egress].granted = after(input, self.layout.ports);
        self.join_out(egress, joins, input as u8, id, now, probe);
    }
}
