//! What a host does between two cycles: messages that it offers, what has arrived, and cycles in which nothing would happen.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::Mask;
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::Sources;
use crate::totals::Amount;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Takes a message for the next cycle.
    pub fn take_offer(&mut self, offer: Offer) {
        self.interface.makers.offer(self.cycle, offer);
    }

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass.
    pub fn is_at_rest(&self) -> bool {
        let minds = self.throttled || self.occupancy.is_some();
        let wires = self.tails.pending() + self.arrivals.pending() + self.credits.pending() + self.ripe.pending();
        let still = wires + self.pauses.outputs.pending() == 0 && self.home.is_still() && self.look.is_empty();
        !minds && still && self.counters.in_flight() == 0 && self.interface.makers.wait()
    }

    /// Leaves out the cycles before `to` of a network at rest.
    pub fn skip(&mut self, to: u64) {
        self.cycle = to;
    }

    /// What has arrived for the host.
    pub fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.interface.makers.sources.arrivals()
    }

    /// What the host has offered at a node and whose tail has not left it.
    pub fn host_queued(&mut self, node: u32) -> Amount {
        let now = self.cycle;
        self.interface.makers.sources.queued(node, now)
    }

    /// The host has received a message at a node, which gives back places of its ejection buffer.
    pub fn host_consumed(&mut self, node: u32, places: u32) {
        self.interface.makers.sources.consumed(node, places);
    }
}
