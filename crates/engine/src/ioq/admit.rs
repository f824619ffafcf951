//! Admittance: queues of a node, one a destination, and what its adapter takes from them.

use super::admittance::{Admittance, Waiting};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::after;
use super::shape::Shape;
use super::sides::Out;
use crate::contract::probe::Probe;
use crate::contract::queueing::Queueing;
use crate::contract::sources::Sources;
use crate::totals::{Amount, Lot};
use std::mem::take;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// All adapters that may have something to take.
    #[inline(always)]
    pub(super) fn admit<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut nodes = take(&mut self.turns.first);
        nodes.clear();
        for word in 0..self.admittance.look.word_count() {
            let Admittance { look, idle, waits, .. } = &mut self.admittance;
            nodes.add(word, look.take_word(word) & idle.word(word) & waits.word(word));
        }
        nodes.as_slice().iter().for_each(|&node| self.admit_of(node as usize, now, probe));
        self.turns.first = nodes;
    }

    /// The destination whose turn it is at a node's adapter, and the queue there that its packet joins. Who is refused, by the
    /// discipline, by the throttle or for lack of room, is remembered.
    #[inline(always)]
    fn choose_destination(&mut self, node: usize) -> Option<(usize, usize)> {
        let out = self.layout.sides + node;
        if S::SHARED && !self.has_room(out) {
            self.notices.work.want(out);
            return None;
        }
        self.admittance.ask_again(node, self.outs[out].queues.answers());
        loop {
            let Out { queues, granted, part, .. } = &self.outs[out];
            let destination = self.admittance.next(node, *granted)?;
            let front = self.admittance.line(node, destination).front;
            let route = self.pool.route(front);
            if !queues.accepts(route) || !self.may_start(node, front) {
                self.admittance.refuse(node, destination);
                continue;
            }
            let joins = queues.queue_for(0, route);
            if S::SHARED || self.used(out, joins) < *part {
                return Some((destination, joins));
            }
            self.park_admittance(node, destination, joins);
        }
    }

    #[inline(always)]
    fn admit_of<P: Probe>(&mut self, node: usize, now: u64, probe: &mut P) {
        let Some((destination, joins)) = self.choose_destination(node) else { return };
        let out = self.layout.sides + node;
        self.outs[out].granted = after(destination, self.layout.all_nodes);
        let (id, next) = self.admittance.take(node, destination);
        self.pool.packet_mut(id).entered = now;
        self.counters.entered += 1;
        probe.entered(now, self.pool.packet(id));
        if let Some(waiting) = next {
            let id = self.start(node as u32, destination as u32, waiting, probe);
            self.admittance.lines[node * self.layout.all_nodes + destination].front = id;
        }
        self.left(node, destination);
        if self.follows_packets {
            let leaves = now + self.layout.transfer;
            self.makers.entered(now, leaves, self.pool.packet(id));
        }
        self.admittance.idle.remove(node);
        self.events.taken.push(node as u32);
        self.join_out(out, joins, 0, id, now, probe);
    }

    /// A packet has left an admittance queue: its node may wait for that.
    #[inline]
    fn left(&mut self, node: usize, destination: usize) {
        let of = &self.makers.nodes[node];
        if of.stalled.is_some() && of.next.destination as usize == destination {
            self.makers.resume(node);
        }
    }

    /// Lets everything happen at the sources that is due before the next cycle.
    pub(super) fn catch_up(&mut self) {
        self.makers.sources.catch_up(self.cycle);
    }

    /// Packets made before cycle `end` that have not come to the front of their queue.
    pub(super) fn backlog(&self, end: u64, mut made: impl FnMut(u32, Lot)) {
        let amount = Amount::one(self.config.packet_flits);
        self.admittance.each_waiting(|node, _, waiting| {
            let Waiting { birth, index, .. } = *waiting;
            if birth < end {
                made(node as u32, Lot { cycle: birth, first: index, amount });
            }
        });
    }
}
