//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::Mechanisms;
use super::fabric::{Crossed, Fabric};
use super::queues::{after, first_in, first_of, in_circles};
use super::shape::{Row, Shape};
use crate::contract::probe::Probe;
use crate::contract::queueing::Queueing;
use crate::cut_through::Mask;
use tailback_base::bits::ones;

/// Which queues ask: those that are preferred, or those that come after all others of the switch.
const CLASSES: usize = 2;

/// What crosses: an ingress port and its queue, the egress port, and the queue there.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    input: usize,
    queue: usize,
    port: usize,
    joins: usize,
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
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
    #[inline(always)]
    fn allocate<P: Probe>(&mut self, switch: usize, now: u64, probe: &mut P) {
        let (idle, pointer) = (self.switches[switch].idle_outputs.get(), self.switches[switch].pointer);
        for class in 0..CLASSES {
            let state = &self.switches[switch];
            let ports = state.wanted[class].get() & state.idle_outputs.get();
            for port in in_circles(ports, pointer.into()) {
                if let Some(crossing) = self.choose(switch, port, class) {
                    self.grant(switch, crossing, now, probe);
                }
            }
        }
        let state = &mut self.switches[switch];
        if state.idle_outputs.get() != idle {
            state.pointer = after(pointer.into(), self.layout.ports) as u8;
        }
    }

    /// The packet that an egress side takes of a class.
    #[inline(always)]
    fn choose(&mut self, switch: usize, port: usize, class: usize) -> Option<Crossing> {
        let first = switch * self.layout.ports;
        let egress = first + port;
        if S::SHARED && !self.has_room(egress) {
            self.notices.work.want(egress);
            return None;
        }
        loop {
            let state = &self.switches[switch];
            let inputs = state.askers.at(port)[class].get() & state.idle_inputs.get();
            if inputs == 0 {
                return None;
            }
            let out = &self.outs[egress];
            let input = first_of(inputs, out.granted);
            let (side, words) = (&self.ingress[first + input], self.in_words());
            let queue = first_in(words, |word| side.ready(port, words, word)[class], side.turn)?;
            let route = self.pool.route_behind(side.lists.at(queue).first);
            let joins = out.queues.queue_for(input as u8, route);
            if S::SHARED || self.used(egress, joins) < out.part {
                return Some(Crossing { input, queue, port, joins });
            }
            self.park_asking((first + input, queue), port, (egress, joins));
        }
    }

    /// The first packet of a queue of an ingress port leaves for an egress port.
    #[inline(always)]
    fn grant<P: Probe>(&mut self, switch: usize, crossing: Crossing, now: u64, probe: &mut P) {
        let Crossing { input, queue, port, joins } = crossing;
        let first = switch * self.layout.ports;
        let (side, egress) = (first + input, first + port);
        let state = &mut self.ingress[side];
        let list = state.lists.at_mut(queue);
        let id = list.pop(&self.pool);
        let (level, next) = (list.level, list.first);
        state.turn = after(queue, state.count as usize);
        self.switches[switch].take(input, port);
        self.next_in_front(side, queue, (level > 0).then_some(next), port, now);
        let counter = if S::SHARED { 0 } else { queue as u32 };
        let crossed =
            Crossed { side: side as u32, counter, switch: switch as u32, input: input as u8, port: port as u8 };
        self.events.crossed.push(crossed);
        let (notices, state) = (&mut self.notices, &mut self.ingress[side]);
        if state.queues.left(queue, level, &mut |to, notice| notices.by_ingress(side, to, notice)) {
            self.refresh_ingress(side, now, probe);
        }
        self.pool.advance(id);
        self.outs[egress].granted = after(input, self.layout.ports);
        self.join_out(egress, joins, input as u8, id, now, probe);
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
        self.ask_no_more(side, queue, port);
        if let Some(id) = next {
            self.come_to_front(side, queue, id, now);
        }
    }

    /// A queue of an ingress side does not ask for a port any more.
    #[inline(always)]
    pub(super) fn ask_no_more(&mut self, side: usize, queue: usize, port: usize) {
        let (words, state) = (self.in_words(), &mut self.ingress[side]);
        let word = state.asks.at_mut(port * words + queue / 64);
        *word = Mask::of(word.get() & !(1 << (queue % 64)));
        let class = if queue < 64 { (state.deferred >> queue & 1) as usize } else { 0 };
        if (0..words).all(|word| state.ready(port, words, word)[class] == 0) {
            self.switches[state.switch as usize].ask_no_more((state.port, port), class);
        }
    }
}
