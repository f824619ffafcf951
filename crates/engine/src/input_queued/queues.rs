//! Queues of flits behind the crossbar that have an end: no flit asks to go to a port whose queue is full.
//!
//! Flits that are still in the crossbar do not count, so a queue may grow beyond its end by as many as are on their way. Nobody keeps the
//! flits of a queue: its link is taken for one cycle by each of them.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Notes which queues of a router are full when a step begins.
    #[inline(always)]
    pub(super) fn look_at_queues(&mut self, router: usize, now: u64) {
        let Some(most) = self.config.output_queue_flits else { return };
        let first = self.first(router);
        for port in 0..self.layout.ports(router) {
            self.full[port] = self.queued(first + port, now) >= u64::from(most);
        }
    }

    /// Flits that wait for the link of a port when a step begins: those that left their buffers in the step before are not there yet.
    fn queued(&self, port: usize, now: u64) -> u64 {
        let taken = match self.taken_before.get(port) {
            Some(&(taken, step)) if step == self.step.wrapping_sub(1) => taken,
            _ => self.departs[port],
        };
        taken.saturating_sub(now)
    }

    /// Whether the queue of a port of the router that takes its step was full when it began.
    #[inline(always)]
    pub(super) fn is_full(&self, port: usize) -> bool {
        self.config.output_queue_flits.is_some() && self.full[port]
    }

    /// A flit is about to take the link of a port, which it reaches in the next step.
    #[inline(always)]
    pub(super) fn note_turn(&mut self, port: usize) {
        if let Some(before) = self.taken_before.get_mut(port)
            && before.1 != self.step
        {
            *before = (self.departs[port], self.step);
        }
    }
}
