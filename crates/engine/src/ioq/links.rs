//! Links: each that sends nothing sends a notice, credits or a packet.

use super::Mechanisms;
use super::fabric::{Arrival, Control, Fabric};
use super::layout::NODE;
use super::notices::{DUE, KINDS, NOTICE, OWED, PACKET};
use super::queues::{after, first_in};
use super::sides::Out;
use crate::contract::probe::{Grant, Probe};
use crate::contract::queueing::Queueing;
use tailback_base::bits::ones;
use tailback_base::prefetch::prefetch;

impl<M: Mechanisms, const SHARED: bool> Fabric<'_, M, SHARED> {
    /// All links that may have something to send.
    #[inline]
    pub(super) fn send<P: Probe>(&mut self, now: u64, probe: &mut P) {
        for word in 0..self.idle.word_count() {
            let (links, kinds) = self.notices.work.take(word);
            // One that is busy is looked at when it falls idle.
            let links = links & self.idle.word(word);
            // PERF: the state of all sides is larger than the second-level cache (`tailback bench recn-1`).
            for bit in ones(links & kinds[PACKET]) {
                prefetch(&self.outs, word * 64 + bit, 0, 1);
                prefetch(&self.out_queues, word * 64 + bit, 0, if SHARED { 2 } else { 1 });
            }
            for bit in ones(links) {
                // What one link sends is no work for another one in this cycle.
                self.serve(word * 64 + bit, kinds.map(|links| links >> bit & 1 == 1), now, probe);
            }
        }
    }

    /// The link out of a side sends what comes first.
    #[inline]
    fn serve<P: Probe>(&mut self, out: usize, has: [bool; KINDS], now: u64, probe: &mut P) {
        if has[NOTICE] {
            self.notices.send(out);
            return self.send_control(out, Control { at: out as u32, counter: 0, credits: 0 }, now);
        }
        if has[DUE] {
            return self.send_credits(out, self.creditor(out, &self.due), now);
        }
        if has[PACKET]
            && let Some(queue) = self.choose_queue(out)
        {
            return self.send_packet(out, queue, now, probe);
        }
        if has[OWED] {
            self.send_credits(out, self.creditor(out, &self.owing), now);
        }
    }

    /// The counter of a set whose turn it is.
    #[inline]
    fn creditor(&self, side: usize, set: &[u64]) -> usize {
        if SHARED {
            return 0;
        }
        let set = &set[side * self.counter_words..][..self.counter_words];
        first_in(set.len(), |w| set[w], self.ingress[side].credit_turn).expect("links know what they owe")
    }

    /// An ingress side gives back all that a counter is owed.
    fn send_credits(&mut self, side: usize, counter: usize, now: u64) {
        let state = &mut self.ingress[side];
        let upstream = state.upstream;
        let (words, bit) = (side * self.counter_words, 1 << (counter % 64));
        self.owing[words + counter / 64] &= !bit;
        self.due[words + counter / 64] &= !bit;
        if !SHARED {
            state.credit_turn = after(counter, state.count as usize);
        }
        let none = |set: &[u64]| set[words..][..self.counter_words].iter().all(|&word| word == 0);
        if SHARED || none(&self.due) {
            self.notices.work.remove(side, DUE);
        }
        if SHARED || none(&self.owing) {
            self.notices.work.remove(side, OWED);
        }
        let credits = std::mem::take(&mut self.in_lists[side * self.in_stride + counter].credits);
        self.send_control(side, Control { at: upstream, counter: counter as u32, credits }, now);
    }

    #[inline]
    fn send_control(&mut self, out: usize, control: Control, now: u64) {
        self.idle.remove(out);
        let flits = self.layout.control;
        self.events.sent.insert(now + flits, out);
        self.events.control.push(now + self.layout.link + flits, control);
    }

    /// The queue whose first packet may be sent and whose turn it is, and the counter of credits that it needs one of.
    #[inline(always)]
    fn choose_queue(&mut self, out: usize) -> Option<(usize, Option<usize>)> {
        let state = self.outs[out];
        if SHARED && state.to != NODE && self.out_lists[out * self.out_stride].credits == 0 {
            return None;
        }
        loop {
            let filled = &self.filled[out * self.out_words..][..if SHARED { 1 } else { self.out_words }];
            let ready = |w: usize| if w == 0 { filled[0] & !state.held } else { filled[w] };
            let queue = first_in(filled.len(), ready, state.turn)?;
            if state.to == NODE {
                return Some((queue, None));
            }
            if SHARED {
                return Some((queue, Some(out * self.out_stride)));
            }
            let counter = self.counter_of(out, self.out_lists[out * self.out_stride + queue].first);
            if self.out_lists[counter].credits > 0 {
                return Some((queue, Some(counter)));
            }
            self.park_sending(out, queue, counter);
        }
    }

    /// A queue of an out side has no packet that may be sent.
    #[inline]
    pub(super) fn unfill(&mut self, out: usize, queue: usize) {
        let filled = &mut self.filled[out * self.out_words..][..if SHARED { 1 } else { self.out_words }];
        filled[queue / 64] &= !(1 << (queue % 64));
        if filled.iter().all(|&word| word == 0) {
            self.notices.work.remove(out, PACKET);
        }
    }

    /// The first packet of a queue is sent, with a credit of a counter if it goes to a switch.
    #[inline(always)]
    fn send_packet<P: Probe>(&mut self, out: usize, (queue, counter): (usize, Option<usize>), now: u64, probe: &mut P) {
        let list = &mut self.out_lists[out * self.out_stride + queue];
        let id = list.pop(&self.pool);
        let level = list.level;
        if level > 0 {
            self.pool.prefetch_hop(list.first);
        } else {
            self.unfill(out, queue);
        }
        let state = &mut self.outs[out];
        state.turn = after(queue, state.count as usize);
        (state.sends, state.packet) = (queue as u32, id);
        let to = state.to;
        self.idle.remove(out);
        let (flits, link) = (self.layout.flits, self.layout.link);
        self.events.sent.insert(now + flits, out);
        self.sending.insert(out);
        if let Some(counter) = counter {
            self.out_lists[counter].credits -= 1;
            self.events.arrivals.push(now + link, Arrival { side: to, packet: id });
        } else {
            self.events.deliveries.push(now + link + flits, id);
        }
        self.report(out, now, probe);
        let notices = &mut self.notices;
        self.out_queues[out].left(queue, level, &mut |to, notice| notices.by_out(out, to, notice));
        self.refresh_out(out, now, probe);
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
