//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::Mechanisms;
use super::fabric::{Crossed, Fabric};
use super::queues::{after, next_in};
use crate::contract::probe::Probe;
use crate::contract::queueing::Queueing;
use tailback_base::bits::ones;

/// Which queues ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Those that are preferred.
    Preferred,
    /// Those that come after all others of the switch.
    Deferred,
}

/// The members of a mask in circles from `from` on.
#[inline(always)]
fn in_circles(mask: u64, from: u32) -> impl Iterator<Item = usize> {
    let later = mask & u64::MAX << from;
    ones(later).chain(ones(mask & !later))
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// All switches in which something may be granted.
    #[inline]
    pub(super) fn cross<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.look.word_count() {
            for bit in ones(self.look.take_word(word)) {
                self.allocate(word * 64 + bit, now, probe);
            }
        }
    }

    /// One switch: every egress side that can takes a packet.
    #[inline]
    fn allocate<P: Probe>(&mut self, switch: usize, now: u64, probe: &mut P) {
        let pointer = self.switches[switch].pointer;
        let mut granted = false;
        for class in [Class::Preferred, Class::Deferred] {
            let state = &self.switches[switch];
            if class == Class::Deferred && state.deferring == 0 {
                break;
            }
            for port in in_circles(state.wanted & state.idle_outputs, u32::from(pointer)) {
                if let Some((input, queue, joins)) = self.choose(switch, port, class) {
                    self.grant(switch, (input, queue), (port, joins), now, probe);
                    granted = true;
                }
            }
        }
        if granted {
            self.switches[switch].pointer = after(usize::from(pointer), self.layout.ports) as u8;
        }
    }

    /// Whether some egress side could take a packet.
    pub(super) fn could_grant(&self, switch: usize) -> bool {
        let state = &self.switches[switch];
        let takes = |port: usize, class: Class| self.choose(switch, port, class).is_some();
        ones(state.idle_outputs).any(|port| takes(port, Class::Preferred) || takes(port, Class::Deferred))
    }

    /// The ingress port and its queue of which an egress side takes a packet, and the queue that it joins.
    #[inline]
    fn choose(&self, switch: usize, port: usize, class: Class) -> Option<(usize, usize, usize)> {
        let (state, egress) = (&self.switches[switch], switch * self.layout.ports + port);
        let mut inputs = self.askers[egress] & state.idle_inputs;
        if class == Class::Deferred {
            inputs &= state.deferring;
        }
        let out = &self.outs[egress];
        if self.shared && out.used >= out.part {
            return None;
        }
        in_circles(inputs, out.granted).find_map(|input| {
            let (queue, joins) = self.choose_asking(switch * self.layout.ports + input, input, egress, port, class)?;
            Some((input, queue, joins))
        })
    }

    /// The queue of an ingress side whose turn it is of those that could send to an egress side, and the queue that it joins.
    #[inline]
    fn choose_asking(
        &self,
        side: usize,
        input: usize,
        egress: usize,
        port: usize,
        class: Class,
    ) -> Option<(usize, usize)> {
        let state = &self.ingress[side];
        let asks = &self.asks[(side * self.layout.ports + port) * self.in_words..][..self.in_words];
        let (first, others) = match class {
            Class::Preferred => (!state.held & !state.deferred, u64::MAX),
            Class::Deferred => (!state.held & state.deferred, 0),
        };
        let mut joins = 0;
        let word = |w: usize| asks[w] & if w == 0 { first } else { others };
        let queue = next_in(asks.len(), word, state.turn as usize, |queue| {
            let route = self.pool.route_behind(self.in_list(side, queue).first);
            let room = self.room(egress, input as u8, route);
            joins = room.unwrap_or(0);
            room.is_some()
        })?;
        Some((queue, joins))
    }

    /// A packet leaves `from`, an ingress port and its queue, for `to`, an egress port and its queue.
    #[inline]
    fn grant<P: Probe>(
        &mut self,
        switch: usize,
        (input, queue): (usize, usize),
        (port, joins): (usize, usize),
        now: u64,
        probe: &mut P,
    ) {
        let (side, egress) = (switch * self.layout.ports + input, switch * self.layout.ports + port);
        self.asks_no_more(side, queue, port);
        let list = &mut self.in_lists[side * self.in_stride + queue];
        let id = list.pop(&self.pool);
        let (level, first) = (list.level, list.first);
        let state = &mut self.ingress[side];
        state.turn = after(queue, state.count as usize);
        let busy = &mut self.switches[switch];
        busy.idle_inputs &= !(1 << input);
        busy.idle_outputs &= !(1 << port);
        if level > 0 {
            self.come_to_front(side, queue, first, now);
        }
        let counter = if self.shared { 0 } else { queue as u32 };
        self.events.crossed.push(now + self.layout.transfer, Crossed { side: side as u32, counter, port: port as u8 });
        let notices = &mut self.notices;
        self.in_queues[side].left(queue, level, &mut |to, notice| notices.by_ingress(side, to, notice));
        self.refresh_ingress(side, now, probe);
        self.pool.carried_mut(id).at += 1;
        self.outs[egress].granted = after(input, self.layout.ports);
        self.join_out(egress, joins, input as u8, id, now, probe);
    }

    /// The first packet of a queue has its output.
    #[inline]
    fn asks_no_more(&mut self, side: usize, queue: usize, port: usize) {
        let ports = self.layout.ports;
        let (switch, input) = (side / ports, side % ports);
        let asks = &mut self.asks[(side * ports + port) * self.in_words..][..self.in_words];
        asks[queue / 64] &= !(1 << (queue % 64));
        if asks.iter().any(|&word| word != 0) {
            return;
        }
        let askers = &mut self.askers[switch * ports + port];
        *askers &= !(1 << input);
        if *askers == 0 {
            self.switches[switch].wanted &= !(1 << port);
        }
    }
}
