//! What a host does between two cycles: messages that it offers, what has arrived, and cycles in which nothing would happen.

use super::common::Common;
use super::lanes::Mask;
use super::mechanisms::Mechanisms;
use crate::contract::host::{Arrived, Offer};
use crate::totals::Amount;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Takes a message for the next cycle.
    pub(super) fn take_offer(&mut self, offer: Offer) {
        self.sources.offer(self.cycle, offer);
    }

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass.
    pub(super) fn is_at_rest(&self) -> bool {
        let minds = self.throttled || self.lane || self.occupancy.is_some();
        let is_empty = self.deliveries.pending() == 0 && self.received.pending() == 0 && self.wires.is_empty();
        !minds && is_empty && self.sources.wait()
    }

    /// Leaves out the cycles before `to` of a network at rest.
    pub(super) fn skip(&mut self, to: u64) {
        // What was sent is kept until its slot is used again, and the slots of other cycles are next.
        self.wires.forget();
        self.cycle = to;
    }

    /// What has arrived for the host.
    pub(super) fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.sources.arrivals()
    }

    /// What the host has offered at a node and whose tail has not left it.
    pub(super) fn host_queued(&mut self, node: u32) -> Amount {
        let now = self.cycle;
        self.sources.queued(node, now)
    }

    /// The host has received a message at a node, which gives back places of its ejection buffer.
    pub(super) fn host_consumed(&mut self, node: u32, places: u32) {
        self.sources.consumed(node, places);
    }
}
