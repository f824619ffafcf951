//! Who waits for what where memory is parted: queues for room behind the crossbar, queues for credits, admittance queues for
//! room in the adapter. Whoever was looked at in vain is not looked at again before what it waits for is there.
//!
//! PERF: a side has a queue a destination under VOQnet; with all of them tried again at every look, most of the time went
//! into those that are full.

use super::Mechanisms;
use super::fabric::Fabric;
use super::queues::{NONE, follow};
use super::shape::Shape;
use super::work::PACKET;
use tailback_base::state::Unfit;

/// Things that wait for places, as a list a place, in no order that matters. A thing waits for one place at a time.
#[derive(Clone, Debug)]
pub(super) struct Parked {
    /// By place: the one that came last.
    heads: Vec<u32>,
    /// By thing: the one that came before it.
    next: Vec<u32>,
}

tailback_base::state!([] Parked { saved: heads, next; } [fits]);

impl Parked {
    /// Nobody waits; numbers are below these.
    pub fn new(things: usize, places: usize) -> Self {
        Parked { heads: vec![NONE; places], next: vec![NONE; things] }
    }

    /// A thing waits for a place.
    #[inline]
    fn park(&mut self, thing: usize, place: usize) {
        self.next[thing] = std::mem::replace(&mut self.heads[place], thing as u32);
    }

    /// Nobody waits for a place any more; those who did, for [`Parked::take`].
    #[inline]
    fn wake(&mut self, place: usize) -> u32 {
        std::mem::replace(&mut self.heads[place], NONE)
    }

    /// The next of those who waited.
    #[inline]
    fn take(&self, waiters: &mut u32) -> Option<usize> {
        let thing = *waiters as usize;
        if *waiters == NONE {
            return None;
        }
        *waiters = self.next[thing];
        Some(thing)
    }

    /// That no list goes round.
    fn fits(&self) -> Result<(), Unfit> {
        follow(&self.heads, &self.next)
    }

    /// Things that wait for some places.
    pub fn waiters(&self, places: std::ops::Range<usize>) -> impl Iterator<Item = usize> + '_ {
        self.heads[places].iter().flat_map(move |&head| {
            let mut waiters = head;
            std::iter::from_fn(move || self.take(&mut waiters))
        })
    }

    /// Things that wait, and for which place.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.heads.iter().enumerate().flat_map(move |(place, &head)| {
            let mut waiters = head;
            std::iter::from_fn(move || Some((self.take(&mut waiters)?, place)))
        })
    }
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// A queue of an ingress side that asks for a port waits for room in this queue of that egress side.
    #[inline]
    pub(super) fn park_asking(&mut self, (side, queue): (usize, usize), port: usize, (egress, joins): (usize, usize)) {
        self.room.park(side * self.in_stride + queue, egress * self.out_stride + joins);
        self.outs[egress].wanted += 1;
        self.notices.work.want(egress);
        let words = self.in_words();
        self.crossbars.ask_no_more(&mut self.ingress[side], queue, port, words);
    }

    /// A queue of an egress side has room again.
    #[inline]
    pub(super) fn wake_asking(&mut self, egress: usize, queue: usize) {
        let mut waiters = self.room.wake(egress * self.out_stride + queue);
        while let Some(waiter) = self.room.take(&mut waiters) {
            let (side, queue) = (waiter / self.in_stride, waiter % self.in_stride);
            self.outs[egress].wanted -= 1;
            self.ask_first(side, queue);
        }
    }

    /// A queue of an out side waits for a credit of this counter.
    #[inline]
    pub(super) fn park_sending(&mut self, out: usize, queue: usize, counter: usize) {
        self.credit.park(out * self.out_stride + queue, out * self.out_stride + counter);
        self.outs[out].unpaid += 1;
        if self.outs[out].unfill(queue) {
            self.notices.work.remove(out, PACKET);
        }
    }

    /// A counter has credits.
    #[inline]
    pub(super) fn wake_sending(&mut self, out: usize, counter: usize) {
        let mut waiters = self.credit.wake(out * self.out_stride + counter);
        while let Some(waiter) = self.credit.take(&mut waiters) {
            let queue = waiter - out * self.out_stride;
            self.outs[out].unpaid -= 1;
            self.outs[out].fill(queue);
            self.notices.work.add(out, PACKET);
        }
    }

    /// An admittance queue waits for room in this queue of its adapter.
    #[inline]
    pub(super) fn park_admittance(&mut self, node: usize, destination: usize, joins: usize) {
        self.admittance.park(node, destination);
        self.outs[self.layout.sides + node].wanted += 1;
        self.notices.work.want(self.layout.sides + node);
        self.adapter.park(node * self.layout.all_nodes + destination, node * self.out_stride + joins);
    }

    /// A queue of an adapter has room again.
    #[inline]
    pub(super) fn wake_admittance(&mut self, node: usize, queue: usize) {
        let mut waiters = self.adapter.wake(node * self.out_stride + queue);
        while let Some(waiter) = self.adapter.take(&mut waiters) {
            self.outs[self.layout.sides + node].wanted -= 1;
            self.admittance.unpark(node, waiter - node * self.layout.all_nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_wait_for_a_place_are_woken_once() {
        let mut parked = Parked::new(6, 3);
        [(0, 1), (5, 1), (3, 2), (4, 1)].into_iter().for_each(|(thing, place)| parked.park(thing, place));
        assert_eq!(parked.iter().collect::<Vec<_>>(), [(4, 1), (5, 1), (0, 1), (3, 2)]);
        let mut waiters = parked.wake(1);
        let woken: Vec<usize> = std::iter::from_fn(|| parked.take(&mut waiters)).collect();
        assert_eq!(woken, [4, 5, 0]);
        assert_eq!((parked.wake(1), parked.wake(0)), (NONE, NONE));
        parked.park(5, 2);
        assert_eq!(parked.iter().collect::<Vec<_>>(), [(5, 2), (3, 2)]);
    }
}
