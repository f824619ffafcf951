//! What a host does between two cycles: messages that it offers, what has arrived, and cycles in which nothing would happen.

use super::fabric::Fabric;
use super::layout::NONE;
use super::mechanisms::Mechanisms;
use super::router::STEP;
use crate::contract::host::{Arrived, Offer};
use crate::totals::Amount;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Takes a message for the next cycle.
    pub(super) fn take_offer(&mut self, offer: Offer) {
        self.sources.offer(self.cycle, offer);
    }

    /// Whether nothing happens any more before a host offers something, and no mechanism minds how many cycles pass.
    pub(super) fn is_at_rest(&self) -> bool {
        let wires = self.flits.pending() + self.credits.pending() + self.node_credits.pending();
        let home = self.homing.pending() + self.deliveries.pending();
        let acts = !self.awake.is_empty() || !self.sending.is_empty();
        self.occupancy.is_none() && wires + home == 0 && !acts && self.sources.wait()
    }

    /// Leaves out the cycles before `to` of a network at rest. Steps are counted as if they had been taken.
    pub(super) fn skip(&mut self, to: u64) {
        let parts = u128::from(to - self.cycle) * u128::from(self.config.steps) + u128::from(self.part);
        self.step += (parts / u128::from(STEP)) as u64;
        self.part = (parts % u128::from(STEP)) as u32;
        self.cycle = to;
    }

    /// What has arrived for the host.
    pub(super) fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.sources.arrivals()
    }

    /// What the host has offered at a node and whose tail has not left it, less the flits that have left.
    pub(super) fn host_queued(&mut self, node: u32) -> Amount {
        let now = self.cycle;
        let mut queued = self.sources.queued(node, now);
        let at = &self.nodes[node as usize];
        if at.packet != NONE {
            queued.flits -= u64::from(self.packets[at.packet].flits - at.left);
        }
        queued
    }

    /// The host has received a message at a node, which gives back places of its ejection buffer.
    pub(super) fn host_consumed(&mut self, node: u32, places: u32) {
        self.sources.consumed(node, places);
        if self.ejection.is_finite() {
            self.give_back(node, self.cycle);
        }
    }
}
