//! Links: each that sends nothing sends a notice, credits or a packet.

use super::events::{Arrival, Control};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::{after, first_in};
use super::shape::{Row, Shape, behind};
use super::sides::{Out, Queues};
use super::work::{DUE, OWED, PACKET};
use crate::contract::probe::{Grant, Probe};
use crate::contract::queueing::Queueing;
use std::mem::take;
use tailback_base::bits::{Members, ones};
use tailback_base::prefetch::prefetch_parts;

/// Links between a look ahead and the turn.
const AHEAD: usize = 4;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// All links that may have something to send. What one sends is no work for another one in this cycle.
    #[inline(always)]
    pub(super) fn send<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let (mut senders, mut debtors) = (take(&mut self.turns.first), take(&mut self.turns.credits));
        senders.clear();
        debtors.iter_mut().for_each(Members::clear);
        for word in 0..self.notices.work.word_count() {
            let [notices, due, packets, owed] = self.notices.work.take(word);
            senders.add(word, packets);
            if S::SHARED {
                // There is a credit for all packets, and so all are sent.
                self.begin_packets(word, packets, now);
            }
            ones(notices).for_each(|bit| self.send_notice(word * 64 + bit, now));
            // Where there is one counter a side, it makes no difference whether its credits are due.
            let sets = if S::SHARED { [0, due | owed] } else { [due, owed] };
            for (debtors, links) in debtors.iter_mut().zip(sets) {
                if links != 0 {
                    debtors.add(word, links);
                    self.begin_owed(word, links, now);
                }
            }
        }
        for (debtors, due) in debtors.iter().zip([true, false]) {
            debtors.as_slice().iter().for_each(|&side| self.send_owed(side as usize, due));
        }
        let links = senders.as_slice();
        for (n, &out) in links.iter().enumerate() {
            // PERF: the state of all sides is larger than the second-level cache (`tailback bench recn-1`).
            if let Some(&soon) = links.get(n + AHEAD) {
                self.will_send(soon as usize);
            }
            self.send_first(out as usize, now, probe);
        }
        (self.turns.first, self.turns.credits) = (senders, debtors);
    }

    /// The side of a link will be needed soon.
    #[inline(always)]
    fn will_send(&self, out: usize) {
        let (lines, queues) = (if S::SHARED { 1 } else { 2 }, std::mem::offset_of!(Out<Queues<M>, S>, queues));
        prefetch_parts(&self.outs, out, [(0, lines), (queues, 1)]);
    }

    fn send_notice(&mut self, link: usize, now: u64) {
        self.notices.send(link);
        self.notices.work.begin_control(link / 64, 1 << (link % 64));
        self.events.sent.insert(now + self.layout.control, link);
        let sooner = self.sooner(link);
        self.events.control.push_sooner(Control { at: link as u32, counter: 0, credits: 0 }, sooner);
    }

    /// Links of a word begin to send packets.
    #[inline(always)]
    fn begin_packets(&mut self, word: usize, links: u64, now: u64) {
        self.notices.work.begin_packets(word, links);
        self.events.sent.insert_all(now + self.layout.flits, word, links);
    }

    /// Links of a word begin to send credits.
    #[inline(always)]
    fn begin_owed(&mut self, word: usize, links: u64, now: u64) {
        if S::SHARED {
            self.notices.work.remove_all(word, links, OWED);
            self.notices.work.remove_all(word, links, DUE);
        }
        self.notices.work.begin_control(word, links);
        self.events.sent.insert_all(now + self.layout.control, word, links);
    }

    /// A link sends credits, that are due or only owed.
    #[inline(always)]
    fn send_owed(&mut self, side: usize, due: bool) {
        let counter = if S::SHARED { 0 } else { self.creditor(side, due) };
        let credits = take(self.owed_mut(side, counter));
        let (at, sooner) = (self.memory[side].upstream, self.sooner(side));
        self.events.control.push_sooner(Control { at, counter: counter as u32, credits }, sooner);
    }

    /// By how many cycles what a link brings comes sooner than by the longest one.
    #[inline(always)]
    fn sooner(&self, link: usize) -> u16 {
        if self.layout.uneven { self.outs[link].sooner } else { 0 }
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
            if !S::SHARED {
                self.begin_packets(out / 64, 1 << (out % 64), now);
            }
            return self.send_packet(out, queue, counter, now, probe);
        }
        debug_assert!(!S::SHARED, "the link has begun to send a packet");
        if self.notices.work.of(out)[OWED] {
            self.begin_owed(out / 64, 1 << (out % 64), now);
            self.send_owed(out, false);
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

    /// The first packet of a queue is sent, with a credit of a counter if it goes to a switch.
    #[inline(always)]
    fn send_packet<P: Probe>(&mut self, out: usize, queue: usize, counter: Option<usize>, now: u64, probe: &mut P) {
        let (state, notices) = (&mut self.outs[out], &mut self.notices);
        let list = state.lists.at_mut(queue);
        let id = list.pop(&self.pool);
        let (level, next) = (list.level, list.first);
        state.used -= 1;
        state.turn = behind::<S>(queue, state.count);
        (state.sends, state.packet) = (queue as u32, id);
        if level > 0 {
            self.pool.prefetch_hop(next);
        } else if state.unfill(queue) {
            notices.work.remove(out, PACKET);
        }
        if let Some(counter) = counter {
            let credits = if S::SHARED { &mut self.credits[out] } else { &mut state.lists.at_mut(counter).credits };
            *credits -= 1;
            if S::SHARED && *credits == 0 {
                notices.work.spend(out);
            }
            self.events.arrivals.push_sooner(Arrival { side: state.to, packet: id }, state.sooner);
        } else {
            self.events.deliveries.push_sooner(id, state.sooner);
        }
        let (place, port) = (state.place, state.port);
        if state.queues.left(queue, level, &mut |to, notice| notices.by_out(out, to, notice)) {
            self.refresh_out(out, now, probe);
        }
        match out.checked_sub(self.layout.sides) {
            // What the discipline accepts may be more now.
            Some(node) => self.admittance.look.insert(node),
            None => self.report(place, port, now, probe),
        }
    }

    /// Counts and reports a packet that a link of a switch sends.
    #[inline(always)]
    fn report<P: Probe>(&mut self, router: u32, port: u8, now: u64, probe: &mut P) {
        let (flits, network) = (self.config.packet_flits, usize::from(port) < self.layout.network);
        if network {
            self.counters.packet_hops += 1;
            self.counters.flit_hops += u64::from(flits);
            probe.sets_out(now, router, port);
        }
        let channel = network.then_some((port, 0));
        probe.granted(Grant { cycle: now, router, channel, flits, injected: false });
    }
}
