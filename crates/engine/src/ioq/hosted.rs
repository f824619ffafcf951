//! What a host does between two cycles: messages that it offers, what has arrived, and cycles in which nothing would happen.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::Shape;
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::Sources;
use crate::totals::Amount;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Takes a message for the next cycle.
    pub fn take_offer(&mut self, offer: Offer) {
        self.makers.offer(self.cycle, offer);
    }

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass.
    pub fn is_at_rest(&self) -> bool {
        let minds = self.throttled || self.occupancy.is_some();
        let links = self.events.pending() == 0 && self.notices.is_empty() && self.notices.work.is_done();
        let sides = self.crossbars.look.is_empty() && self.admittance.look.is_empty();
        !minds && links && sides && self.counters.in_flight() == 0 && self.makers.wait()
    }

    /// Leaves out the cycles before `to` of a network at rest.
    pub fn skip(&mut self, to: u64) {
        self.events.skip(to);
        self.cycle = to;
    }

    /// What has arrived for the host.
    pub fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.makers.sources.arrivals()
    }

    /// What the host has offered at a node and whose tail has not left it.
    pub fn host_queued(&mut self, node: u32) -> Amount {
        let now = self.cycle;
        self.makers.sources.queued(node, now)
    }

    /// The host has received a message at a node, which gives back places of its ejection buffer.
    pub fn host_consumed(&mut self, node: u32, places: u32) {
        self.makers.sources.consumed(node, places);
    }
}
