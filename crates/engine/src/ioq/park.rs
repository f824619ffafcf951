//! Parks what was looked at in vain, and wakes it when what it waits for is there.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::Shape;
use super::work::PACKET;

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
