//! Flow control: whether a packet fits into a virtual channel.

use super::config::{FlowControl, Scope};
use super::network::Network;
use crate::wormhole::routing::{Candidates, Link};

impl Network<'_> {
    /// Whether the packet at an input may take a virtual channel of a link, open or not.
    pub(super) fn fits(&self, router: usize, input: usize, candidates: &Candidates, link: Link) -> bool {
        let own = self.config.number(link);
        if self.routers[router].room[own] == 0 {
            return false;
        }
        let FlowControl::Bubble { escape_packets, new_packets, scope } = self.config.flow_control else { return true };
        let enters = input != own && self.is_escape(candidates, link);
        let is_new = input >= self.config.network_inputs();
        let found = match scope {
            Scope::Local => self.free_in_own_queue(router, own),
            Scope::Ring => self.free_in_ring(router, link),
        };
        let enough = !enters || found >= escape_packets as usize;
        enough && (!is_new || self.free_in_own_queue(router, own) >= new_packets as usize)
    }

    /// Under an adaptive routing the fallback, if it has one; else every channel.
    fn is_escape(&self, candidates: &Candidates, link: Link) -> bool {
        !self.config.shared.is_adaptive() || candidates.fallback.contains(&link)
    }

    /// Packets for which there is place beside those whose heads have arrived and whose tails have not left.
    fn free_in_own_queue(&self, router: usize, own: usize) -> usize {
        self.config.buffer_packets() as usize - self.routers[router].inputs[own].packets.len()
    }

    /// Packets for which there is place in the buffers of a channel around a ring, or along a line, beside those that have
    /// been granted.
    fn free_in_ring(&self, router: usize, link: Link) -> usize {
        let is_fed = |router: &usize| self.config.shared.base.upstream(*router, link.0).is_some();
        let free = |router: usize| {
            self.config.buffer_packets() as usize - self.routers[router].inputs[self.config.number(link)].granted.len()
        };
        self.ring(router, link.0 / 2).into_iter().filter(is_fed).map(free).sum()
    }

    /// The routers that differ from one in a dimension only, itself included.
    fn ring(&self, router: usize, dimension: usize) -> Vec<usize> {
        let base = &self.config.shared.base;
        let mut coordinates = base.coordinates(router);
        let at = |x: u32| {
            coordinates[dimension] = x;
            base.router_at(&coordinates)
        };
        (0..base.radix[dimension]).map(at).collect()
    }
}
