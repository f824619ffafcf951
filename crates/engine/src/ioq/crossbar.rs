//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::Mechanisms;
use super::fabric::{Crossed, Fabric};
use super::queues::{after, next_in, next_of};
use super::sides::Switch;
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

/// What an egress side finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// A packet: its ingress port and queue.
    Packet(usize, usize),
    /// Nothing of the class, but queues that ask after all others.
    Deferred,
    /// Nothing.
    None,
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
        let Switch { wanted, idle_outputs, pointer, .. } = self.switches[switch];
        let deferred = self.allocate_class(switch, wanted & idle_outputs, Class::Preferred, now, probe);
        if deferred != 0 {
            self.allocate_class(switch, deferred, Class::Deferred, now, probe);
        }
        if self.switches[switch].idle_outputs != idle_outputs {
            self.switches[switch].pointer = after(usize::from(pointer), self.layout.ports) as u8;
        }
    }

    /// Those of the egress sides that can take a packet of the class do; those to which queues of the other class ask.
    #[inline]
    fn allocate_class<P: Probe>(&mut self, switch: usize, outputs: u64, class: Class, now: u64, probe: &mut P) -> u64 {
        let (mut deferred, from) = (0, self.switches[switch].pointer);
        let later = outputs & u64::MAX << from;
        for mut outputs in [later, outputs ^ later] {
            while outputs != 0 {
                let port = outputs.trailing_zeros() as usize;
                outputs &= outputs - 1;
                match self.choose(switch, port, class) {
                    Found::Packet(input, queue) => self.grant(switch, (input, queue), port, now, probe),
                    Found::Deferred => deferred |= 1 << port,
                    Found::None => {}
                }
            }
        }
        deferred
    }

    /// Whether some egress side could take a packet.
    pub(super) fn could_grant(&self, switch: usize) -> bool {
        let finds = |port: usize, class: Class| matches!(self.choose(switch, port, class), Found::Packet(..));
        let mut idle = ones(self.switches[switch].idle_outputs);
        idle.any(|port| finds(port, Class::Preferred) || finds(port, Class::Deferred))
    }

    /// What an egress side takes of a class.
    #[inline(always)]
    fn choose(&self, switch: usize, port: usize, class: Class) -> Found {
        let first = switch * self.layout.ports;
        let egress = first + port;
        let out = &self.outs[egress];
        if self.shared && out.used >= out.part {
            return Found::None;
        }
        let (mut found, mut deferred) = (0, false);
        let inputs = self.askers[egress] & self.switches[switch].idle_inputs;
        let input = next_of(inputs, out.granted, |input| {
            let state = &self.ingress[first + input];
            let asks = &self.asks[((first + input) * self.layout.ports + port) * self.in_words..][..self.in_words];
            let ready = asks[0] & !state.held;
            let (lowest, others) = match class {
                Class::Preferred => (ready & !state.deferred, u64::MAX),
                Class::Deferred => (ready & state.deferred, 0),
            };
            deferred |= lowest != ready;
            let word = |w: usize| if w == 0 { lowest } else { asks[w] & others };
            let queue = next_in(asks.len(), word, state.turn, |queue| {
                self.shared || self.finds_room(first + input, queue, egress, input)
            });
            found = queue.unwrap_or(0);
            queue.is_some()
        });
        match input {
            Some(input) => Found::Packet(input, found),
            None if deferred => Found::Deferred,
            None => Found::None,
        }
    }

    /// Whether the first packet of a queue finds room in the parted memory of an egress side.
    fn finds_room(&self, side: usize, queue: usize, egress: usize, input: usize) -> bool {
        let route = self.pool.route_behind(self.in_list(side, queue).first);
        self.room(egress, input as u8, route).is_some()
    }

    /// The first packet of a queue of an ingress port leaves for an egress port.
    #[inline]
    fn grant<P: Probe>(&mut self, switch: usize, (input, queue): (usize, usize), port: usize, now: u64, probe: &mut P) {
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
        self.pool.advance(id);
        let joins = self.out_queues[egress].queue_for(input as u8, self.pool.route(id));
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
