//! Links: each that sends nothing sends a notice, credits or a packet.

use super::Mechanisms;
use super::fabric::{Arrival, Control, Fabric};
use super::queues::{after, first_in};
use super::shape::{Row, Shape};
use super::sides::{Out, Queues};
use super::work::{DUE, OWED, PACKET};
use crate::contract::probe::{Grant, Probe};
use crate::contract::queueing::Queueing;
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// All links that may have something to send. What one sends is no work for another one in this cycle.
    #[inline]
    pub(super) fn send<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.notices.work.word_count() {
            let [notices, due, packets, owed] = self.notices.work.take(word);
            // PERF: the state of all sides is larger than the second-level cache (`tailback bench recn-1`).
            ones(packets).for_each(|bit| self.will_send(word * 64 + bit));
            ones(notices).for_each(|bit| self.send_notice(word * 64 + bit, now));
            self.send_owed(word, due, true, now);
            for bit in ones(packets) {
                self.send_first(word * 64 + bit, now, probe);
            }
            self.send_owed(word, owed, false, now);
        }
    }

    /// The side of a link will be needed soon.
    #[inline(always)]
    fn will_send(&self, out: usize) {
        prefetch(&self.outs, out, 0, 2);
        prefetch(&self.outs, out, std::mem::offset_of!(Out<Queues<M>, S>, queues), if S::SHARED { 2 } else { 1 });
    }

    fn send_notice(&mut self, link: usize, now: u64) {
        self.notices.send(link);
        self.notices.work.begin(link, false);
        self.events.sent.insert(now + self.layout.control, link);
        self.events.control.push(Control { at: link as u32, counter: 0, credits: 0 });
    }

    /// Links of a word send credits, that are due or only owed.
    #[inline(always)]
    fn send_owed(&mut self, word: usize, links: u64, due: bool, now: u64) {
        if links == 0 {
            return;
        }
        if S::SHARED {
            self.notices.work.remove_all(word, links, OWED);
            self.notices.work.remove_all(word, links, DUE);
        }
        self.notices.work.begin_all(word, links);
        self.events.sent.insert_all(now + self.layout.control, word, links);
        for side in ones(links).map(|bit| word * 64 + bit) {
            let counter = if S::SHARED { 0 } else { self.creditor(side, due) };
            let credits = std::mem::take(self.owed_mut(side, counter));
            let at = self.memory[side].upstream;
            self.events.control.push(Control { at, counter: counter as u32, credits });
        }
    }

    /// Of the counters of an ingress side that are owed credits, or to which they are due, the one whose turn it is. It is
    /// no more among them.
    fn creditor(&mut self, side: usize, due: bool) -> usize {
        let (from, words) = (side * self.counter_words, self.counter_words);
        let set = &(if due { &self.due } else { &self.owing })[from..][..words];
        let turn = self.credit_turns[side];
        let counter = first_in(words, |w| set[w], turn).expect("links know what they owe");
        self.credit_turns[side] = after(counter, self.ingress[side].count as usize);
        for (set, kind) in [(&mut self.due, DUE), (&mut self.owing, OWED)] {
            let set = &mut set[from..][..words];
            set[counter / 64] &= !(1 << (counter % 64));
            if set.iter().all(|&word| word == 0) {
                self.notices.work.remove(side, kind);
            }
        }
        counter
    }

    /// A link sends a packet; if it cannot, credits that it owes.
    #[inline(always)]
    fn send_first<P: Probe>(&mut self, out: usize, now: u64, probe: &mut P) {
        if let Some((queue, counter)) = self.choose_queue(out) {
            self.send_packet(out, queue, counter, now, probe);
        } else if self.notices.work.of(out)[OWED] {
            self.send_owed(out / 64, 1 << (out % 64), false, now);
        }
    }

    /// The queue whose first packet may be sent and whose turn it is, and the counter of credits that it needs one of.
    #[inline(always)]
    fn choose_queue(&mut self, out: usize) -> Option<(usize, Option<usize>)> {
        loop {
            let state = &self.outs[out];
            let queue = first_in(state.filled.all().len(), |word| state.ready(word), state.turn)?;
            if state.to_node() {
                return Some((queue, None));
            }
            let counter = self.counter_of(state.lists.at(queue).first);
            if S::SHARED || self.credits(out, counter) > 0 {
                return Some((queue, Some(counter)));
            }
            self.park_sending(out, queue, counter);
        }
    }

    /// A queue of an out side has no packet that may be sent.
    #[inline(always)]
    pub(super) fn unfill(&mut self, out: usize, queue: usize) {
        let state = &mut self.outs[out];
        state.unfill(queue);
        if !state.is_ready() {
            self.notices.work.remove(out, PACKET);
        }
    }

    /// The first packet of a queue is sent, with a credit of a counter if it goes to a switch.
    #[inline(always)]
    fn send_packet<P: Probe>(&mut self, out: usize, queue: usize, counter: Option<usize>, now: u64, probe: &mut P) {
        let state = &mut self.outs[out];
        let list = state.lists.at_mut(queue);
        let id = list.pop(&self.pool);
        let (level, next) = (list.level, list.first);
        state.used -= 1;
        state.turn = after(queue, state.count as usize);
        (state.sends, state.packet) = (queue as u32, id);
        let side = state.to;
        if level > 0 {
            self.pool.prefetch_hop(next);
        } else {
            self.unfill(out, queue);
        }
        self.notices.work.begin(out, true);
        self.events.sent.insert(now + self.layout.flits, out);
        if let Some(counter) = counter {
            let credits = self.credits_mut(out, counter);
            *credits -= 1;
            if S::SHARED && *credits == 0 {
                self.notices.work.spend(out);
            }
            self.events.arrivals.push(Arrival { side, packet: id });
        } else {
            self.events.deliveries.push(id);
        }
        self.report(out, now, probe);
        let (notices, state) = (&mut self.notices, &mut self.outs[out]);
        if state.queues.left(queue, level, &mut |to, notice| notices.by_out(out, to, notice)) {
            self.refresh_out(out, now, probe);
        }
        if let Some(node) = out.checked_sub(self.layout.sides) {
            // What the discipline accepts may be more now.
            self.admittance.look.insert(node);
        }
    }

    /// Counts and reports a packet that a link sends.
    #[inline]
    fn report<P: Probe>(&mut self, out: usize, now: u64, probe: &mut P) {
        if out >= self.layout.sides {
            return;
        }
        let (&Out { place: router, port, .. }, flits) = (&self.outs[out], self.config.packet_flits);
        let network = usize::from(port) < self.layout.network;
        if network {
            self.counters.packet_hops += 1;
            self.counters.flit_hops += u64::from(flits);
        }
        let channel = network.then_some((port, 0));
        probe.granted(Grant { cycle: now, router, channel, flits, injected: false });
    }
}
