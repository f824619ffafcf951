//! Crossbar: each egress side that receives nothing takes a packet of an ingress side that sends nothing.

use super::events::{Crossed, Ripe};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::{after, first_in, first_of, in_circles};
use super::shape::{Row, Shape, behind};
use super::sides::{Ingress, Out, Queues};
use crate::contract::probe::Probe;
use crate::contract::queueing::Queueing;
use crate::mask::Mask;
use std::mem::take;
use tailback_base::prefetch::prefetch_parts;

/// Switches between a look ahead and the turn.
const AHEAD: usize = 2;

/// Which queues ask: those that are preferred, or those that come after all others of the switch.
const CLASSES: usize = 2;

/// What crosses: an ingress port and its queue, the egress port, and the queue there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub input: usize,
    pub queue: usize,
    pub port: usize,
    pub joins: usize,
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// All switches in which something may be granted.
    #[inline(always)]
    pub(super) fn cross<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut switches = take(&mut self.turns.first);
        switches.clear();
        for word in 0..self.crossbars.look.word_count() {
            switches.add(word, self.crossbars.look.take_word(word));
        }
        let list = switches.as_slice();
        for (n, &switch) in list.iter().enumerate() {
            if let Some(&soon) = list.get(n + AHEAD) {
                self.will_allocate(soon as usize);
            }
            match self.takes_turns {
                true => self.allocate::<true, P>(switch as usize, now, probe),
                false => self.allocate_by_arbiter(switch as usize, now, probe),
            }
        }
        self.turns.first = switches;
    }

    /// What the first grant of a switch is likely to need. PERF: it is known step by step, and each would wait for memory.
    #[inline(always)]
    fn will_allocate(&self, switch: usize) {
        let (state, first) = (&self.crossbars.switches[switch], switch * self.layout.ports);
        let ports = (state.wanted[0].get() | state.wanted[1].get()) & state.idle_outputs.get();
        let port = ports.trailing_zeros() as usize;
        let [preferred, deferred] = *state.askers.at(port % S::PORTS);
        let inputs = (preferred.get() | deferred.get()) & state.idle_inputs.get();
        let input = inputs.trailing_zeros() as usize;
        let queues = std::mem::offset_of!(Ingress<Queues<M>, S>, queues);
        prefetch_parts(&self.ingress, first + input, [(0, 2), (queues, 1)]);
        prefetch_parts(&self.outs, first + port, [(0, 1), (std::mem::offset_of!(Out<Queues<M>, S>, queues), 1)]);
    }

    /// One switch, whose arbiters are asked.
    ///
    /// PERF: kept out of the loop, which most networks run without (`tailback bench recn-1`).
    #[cold]
    #[inline(never)]
    fn allocate_by_arbiter<P: Probe>(&mut self, switch: usize, now: u64, probe: &mut P) {
        self.allocate::<false, P>(switch, now, probe);
    }

    /// One switch: every egress side that can takes a packet, from ingress sides in turn or by its arbiter.
    #[inline(always)]
    fn allocate<const IN_TURN: bool, P: Probe>(&mut self, switch: usize, now: u64, probe: &mut P) {
        let state = &self.crossbars.switches[switch];
        let (idle, pointer) = (state.idle_outputs.get(), state.pointer);
        for class in 0..CLASSES {
            let state = &self.crossbars.switches[switch];
            let ports = state.wanted[class].get() & state.idle_outputs.get();
            for port in in_circles(ports, pointer.into()) {
                let chosen = match (S::SHARED && !self.has_room(switch * self.layout.ports + port), IN_TURN) {
                    (true, _) => self.want(switch, port),
                    (false, true) => self.choose(switch, port, class),
                    (false, false) => self.arbitrate(switch, port, class, now),
                };
                if let Some(crossing) = chosen {
                    self.grant(switch, crossing, now, probe);
                }
            }
        }
        let state = &mut self.crossbars.switches[switch];
        if state.idle_outputs.get() != idle {
            state.pointer = after(pointer.into(), self.layout.ports) as u8;
        }
    }

    /// An egress side without room takes nothing, and waits for some.
    #[inline(always)]
    fn want(&mut self, switch: usize, port: usize) -> Option<Crossing> {
        self.notices.work.want(switch * self.layout.ports + port);
        None
    }

    /// The packet that an egress side, which has room where memory is shared, takes of a class.
    #[inline(always)]
    fn choose(&mut self, switch: usize, port: usize, class: usize) -> Option<Crossing> {
        let first = switch * self.layout.ports;
        let egress = first + port;
        loop {
            let state = &self.crossbars.switches[switch];
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
        let (delay, words) = (self.layout.delay, self.in_words());
        let (state, pool, notices) = (&mut self.ingress[side], &mut self.pool, &mut self.notices);
        let list = state.lists.at_mut(queue);
        let id = list.first;
        list.first = pool.advance(id);
        list.level -= 1;
        let (level, next) = (list.level, list.first);
        state.turn = behind::<S>(queue, state.count);
        self.crossbars.switches[switch].take(input, port);
        let counter = if S::SHARED { 0 } else { queue as u32 };
        let crossed =
            Crossed { side: side as u32, counter, switch: switch as u32, input: input as u8, port: port as u8 };
        self.events.crossed.push(crossed);
        if level == 0 {
            self.crossbars.ask_no_more(state, queue, port, words);
        } else {
            let (wanted, asks) = (pool.come_to_front(next), if delay == 0 { now } else { pool.asks(next) });
            // PERF: most often the next one asks for the same port, and so nothing changes.
            if wanted != port || asks > now {
                self.crossbars.ask_no_more(state, queue, port, words);
                if asks > now {
                    self.events.ripe.push(asks, Ripe { side: side as u32, queue: queue as u32 });
                } else {
                    self.crossbars.ask(state, queue, wanted, words);
                }
            }
        }
        if state.queues.left(queue, level, &mut |to, notice| notices.by_ingress(side, to, notice)) {
            self.refresh_ingress(side, now, probe);
        }
        self.outs[egress].granted = input as u32 + 1;
        self.join_out(egress, joins, input as u8, id, now, probe);
    }
}
