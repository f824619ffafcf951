//! Conservation, derived from scratch: every packet is somewhere, exactly once, and so is every place for one.

use super::fabric::Fabric;
use super::layout::NODE;
use super::mechanisms::Mechanisms;
use super::queues::{NONE, Queue};
use super::shape::{Row, Shape};
use crate::books::packets_are_found;
use crate::outcome::{AuditError, expect};
use std::collections::BTreeSet;

/// What events are to come, as numbers.
pub(super) struct Books {
    /// Packets on the link, by counter of an out side.
    pub flying: Vec<u32>,
    /// Credits on their way, by counter of an out side.
    pub returning: Vec<u32>,
    /// Packets in the crossbar, by counter of an ingress side.
    pub crossing: Vec<u32>,
    /// Packets that a link is sending, by queue of an out side.
    pub sending: Vec<u32>,
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Re-derives the books between two cycles.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        let books = self.books();
        self.audit_packets()?;
        self.audit_sources()?;
        self.audit_ingress(&books)?;
        self.audit_outs(&books)?;
        self.audit_credits(&books)?;
        self.audit_admittance()?;
        self.audit_events()?;
        self.audit_work()
    }

    pub(super) fn books(&self) -> Books {
        let (ingress, outs) = (self.layout.sides * self.in_stride, self.layout.outs * self.out_stride);
        let mut books = Books {
            flying: vec![0; outs],
            returning: vec![0; outs],
            crossing: vec![0; ingress],
            sending: vec![0; outs],
        };
        for arrival in self.events.arrivals.iter() {
            let out = self.memory[arrival.side as usize].upstream as usize;
            if let Some(counter) = self.counter(out, arrival.packet) {
                books.flying[out * self.out_stride + counter] += 1;
            }
        }
        for control in self.events.control.iter() {
            let returning = &mut books.returning[control.at as usize * self.out_stride + control.counter as usize];
            *returning = returning.saturating_add(control.credits);
        }
        for crossed in self.events.crossed.iter() {
            books.crossing[crossed.side as usize * self.in_stride + crossed.counter as usize] += 1;
        }
        for out in (0..self.layout.outs).filter(|&out| self.notices.work.is_sending(out)) {
            books.sending[out * self.out_stride + self.outs[out].sends as usize] += 1;
        }
        books
    }

    /// The queues of an ingress side.
    pub(super) fn in_lists_of(&self, side: usize) -> &[Queue] {
        &self.ingress[side].lists.all()[..self.in_stride]
    }

    /// The queues of an out side.
    pub(super) fn out_lists_of(&self, out: usize) -> &[Queue] {
        &self.outs[out].lists.all()[..self.out_stride]
    }

    /// The counters of an ingress side.
    pub(super) fn counters_of(&self, side: usize) -> usize {
        if S::SHARED { 1 } else { self.ingress[side].count as usize }
    }

    /// Packets in the queues that a counter of an ingress side stands for.
    fn stored(&self, side: usize, counter: usize) -> u32 {
        let lists = self.in_lists_of(side);
        if S::SHARED { lists.iter().map(|list| list.level).sum() } else { lists[counter].level }
    }

    /// Every packet known is found once, and the counters agree.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut found: Vec<u32> = self.events.arrivals.iter().map(|arrival| arrival.packet).collect();
        found.extend(self.events.deliveries.iter());
        let ingress = (0..self.layout.sides).flat_map(|side| self.in_lists_of(side));
        let outs = (0..self.layout.outs).flat_map(|out| self.out_lists_of(out));
        for list in ingress.chain(outs) {
            found.extend(list.iter(&self.pool));
            let last = found.last().copied();
            expect(list.level == 0 || last == Some(list.last), || format!("{list:?} ends with {last:?}"))?;
        }
        let in_network = found.len() as u64;
        for node in 0..self.layout.all_nodes {
            let fronts = (0..self.layout.all_nodes).map(|destination| self.admittance.line(node, destination).front);
            found.extend(fronts.filter(|&front| front != NONE));
        }
        let (all, flying) = (found.len(), self.counters.in_flight());
        let live: BTreeSet<u32> = self.pool.live_ids().map(|(id, _)| id).collect();
        packets_are_found(self.pool.len(), all, &self.counters)?;
        expect(found.into_iter().collect::<BTreeSet<_>>() == live && flying == in_network, || {
            format!("{in_network} of {all} packets are in the network, the counters say {flying}")
        })
    }

    /// Every place in the memory of an ingress side is taken by a packet that is there or in the crossbar.
    fn audit_ingress(&self, books: &Books) -> Result<(), AuditError> {
        for (side, state) in self.memory.iter().enumerate() {
            let mut all = 0;
            for counter in 0..self.counters_of(side) {
                let crossing = books.crossing[side * self.in_stride + counter];
                let used = self.stored(side, counter) + crossing;
                expect(used <= self.counter_packets(side), || {
                    format!("ingress side {side}: {used} packets of counter {counter}")
                })?;
                all += used;
            }
            expect(all == state.used || self.occupancy.is_none(), || {
                format!("ingress side {side}: {all} packets, {state:?}")
            })?;
        }
        Ok(())
    }

    /// Every place in the memory of an out side is taken by a packet that is there or being sent.
    fn audit_outs(&self, books: &Books) -> Result<(), AuditError> {
        for (out, state) in self.outs.iter().enumerate() {
            let mut all = 0;
            for (queue, list) in self.out_lists_of(out).iter().enumerate() {
                let used = list.level + books.sending[out * self.out_stride + queue];
                expect(used == self.used(out, queue) && used <= state.part, || {
                    format!("out side {out}, queue {queue}: {used} packets, {list:?}")
                })?;
                all += used;
            }
            let sending = u32::from(self.notices.work.is_sending(out));
            expect(all == state.used + sending && (!S::SHARED || all <= state.part), || {
                format!("out side {out}: {all} packets, {} are known", state.used)
            })?;
        }
        Ok(())
    }

    /// Every place of an ingress side is known upstream, promised, taken, owed or on its way back.
    fn audit_credits(&self, books: &Books) -> Result<(), AuditError> {
        for (out, state) in self.outs.iter().enumerate().filter(|(_, state)| state.to != NODE) {
            let side = state.to as usize;
            for counter in 0..self.counters_of(side) {
                let (here, there) = (out * self.out_stride + counter, side * self.in_stride + counter);
                let credits = self.credits(out, counter);
                let known = credits + books.flying[here] + books.returning[here];
                let taken = self.stored(side, counter) + books.crossing[there] + self.owed(side, counter);
                expect(known + taken == self.counter_packets(side), || {
                    format!(
                        "out side {out}, counter {counter}: {} credits, {} flying, {} returning and {taken} there are \
                         not {}",
                        credits,
                        books.flying[here],
                        books.returning[here],
                        self.counter_packets(side)
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Admittance queues hold what they are said to hold, and nodes wait for full ones only.
    fn audit_admittance(&self) -> Result<(), AuditError> {
        let (nodes, mut all, mut behind) = (self.layout.all_nodes, 0, vec![0u32; self.layout.all_nodes.pow(2)]);
        self.admittance.each_waiting(|node, destination, _| {
            behind[node * nodes + destination] += 1;
            all += 1;
        });
        for node in 0..nodes {
            let mut total = 0;
            for destination in 0..nodes {
                let line = self.admittance.line(node, destination);
                let count = behind[node * nodes + destination] + u32::from(line.front != NONE);
                let filled = self.admittance.filled(node)[destination / 64] >> (destination % 64) & 1 == 1;
                let waits = self.makers.stalled(node).is_some()
                    && self.makers.nodes[node].next.destination as usize == destination;
                let right = count == line.count && filled == (count > 0) && filled == (line.front != NONE);
                expect(right && count <= self.admittance.limit && (!waits || count == self.admittance.limit), || {
                    format!("node {node}, destination {destination}: {count} packets, {line:?}, waits: {waits}")
                })?;
                total += count;
            }
            expect(total == self.admittance.counts()[node], || format!("node {node}: {total} packets wait"))?;
        }
        let (messages, open) = (self.makers.messages.count(), self.makers.unfinished());
        let most = self.pool.len() + all + open;
        expect(messages <= most, || format!("{messages} messages are open, {most} could be"))
    }
}
