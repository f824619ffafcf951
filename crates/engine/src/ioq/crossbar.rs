//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::Mechanisms;
use super::fabric::{Crossed, Fabric};
use super::queues::{after, first_in, first_of, in_circles, next_in};
use super::sides::{Ingress, Switch};
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
        let Switch { idle_outputs, pointer, .. } = self.switches[switch];
        for class in [Class::Preferred, Class::Deferred] {
            let Switch { wanted, idle_outputs, .. } = self.switches[switch];
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

    /// Whether some egress side could take a packet.
    pub(super) fn could_grant(&self, switch: usize) -> bool {
        let finds = |port: usize, class: Class| self.choose(switch, port, class).is_some();
        let mut idle = ones(self.switches[switch].idle_outputs);
        idle.any(|port| finds(port, Class::Preferred) || finds(port, Class::Deferred))
    }

    /// The packet that an egress side takes of a class: its ingress port and queue.
    #[inline(always)]
    fn choose(&self, switch: usize, port: usize, class: Class) -> Option<(usize, usize)> {
        let first = switch * self.layout.ports;
        let egress = first + port;
        let out = &self.outs[egress];
        let inputs = self.askers[egress][class as usize] & self.switches[switch].idle_inputs;
        if self.shared {
            if inputs == 0 || out.used >= out.part {
                return None;
            }
            let input = first_of(inputs, out.granted);
            let turn = self.ingress[first + input].turn;
            let queue = first_in(self.in_words, |w| self.ready(first + input, port, w)[class as usize], turn)?;
            return Some((input, queue));
        }
        in_circles(inputs, out.granted).find_map(|input| {
            let side = first + input;
            let ready = |w: usize| self.ready(side, port, w)[class as usize];
            let finds_room = |queue: usize| self.finds_room(side, queue, egress, input);
            let queue = next_in(self.in_words, ready, self.ingress[side].turn, finds_room)?;
            Some((input, queue))
        })
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
        for word in 1..self.in_words {
            ready[0] |= self.ready(side, port, word)[0];
        }
        let askers = &mut self.askers[switch as usize * self.layout.ports + port];
        let wanted = &mut self.switches[switch as usize].wanted;
        for class in 0..2 {
            askers[class] = askers[class] & !(1 << input) | u64::from(ready[class] != 0) << input;
            wanted[class] = wanted[class] & !(1 << port) | u64::from(askers[class] != 0) << port;
        }
    }

    /// Whether the first packet of a queue finds room in the parted memory of an egress side.
    fn finds_room(&self, side: usize, queue: usize, egress: usize, input: usize) -> bool {
        let route = self.pool.route_behind(self.in_list(side, queue).first);
        self.room(egress, input as u8, route).is_some()
    }

    /// The first packet of a queue of an ingress port leaves for an egress port.
    fn grant<P: Probe>(&mut self, switch: usize, (input, queue): (usize, usize), port: usize, now: u64, probe: &mut P) {
        let (side, egress) = (switch * self.layout.ports + input, switch * self.layout.ports + port);
        self.asks[(side * self.layout.ports + port) * self.in_words + queue / 64] &= !(1 << (queue % 64));
        self.rate(side, port);
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
        self.pool.advance(id);
        let joins = self.out_queues[egress].queue_for(input as u8, self.pool.route(id));
        self.outs[egress].granted = after(input, self.layout.ports);
        self.join_out(egress, joins, input as u8, id, now, probe);
    }
}
