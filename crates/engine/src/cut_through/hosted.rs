//! What a host does between two cycles: messages that it offers, what has arrived, and cycles in which nothing would happen.

use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::Sources;
use crate::totals::Amount;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Takes a message for the next cycle. A node with a packet at the head of its queue is asked when that has left.
    pub(super) fn take_offer(&mut self, offer: Offer) {
        let node = offer.source as usize;
        self.heads.sources.offer(self.cycle, offer);
        if !self.at_head.contains(node) && !self.heads.known.contains(node) {
            self.heads.wake(offer.source, self.cycle);
        }
    }

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass.
    pub(super) fn is_at_rest(&self) -> bool {
        let minds = self.throttled || self.kept.is_on() || self.occupancy.is_some();
        let is_empty = self.tails.pending() == 0 && self.arrivals.pending() == 0 && self.active.is_empty();
        !minds && is_empty && !self.returns.any_outstanding() && self.sources_wait()
    }

    /// Leaves out the cycles before `to` of a network at rest.
    pub(super) fn skip(&mut self, to: u64) {
        self.cycle = to;
    }

    /// What has arrived for the host.
    pub(super) fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.heads.sources.arrivals()
    }

    /// What the host has offered at a node and whose tail has not left it.
    pub(super) fn host_queued(&mut self, node: u32) -> Amount {
        let now = self.cycle;
        self.heads.sources.queued(node, now)
    }

    /// The host has received a message at a node, which gives back places of its ejection buffer.
    pub(super) fn host_consumed(&mut self, node: u32, places: u32) {
        self.heads.sources.consumed(node, places);
        if self.ejection.is_finite() {
            self.give_back(node, self.cycle);
        }
    }
}
