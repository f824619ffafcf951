//! The far ends of links: in a grid a link's channel has one number, elsewhere one of its own at either end.

use super::ends::End;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::{Mask, RouterState};

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Whether links are those of a grid, all alike. `PLAIN`: it is known.
    #[inline(always)]
    pub(super) fn has_grid<const PLAIN: bool>(&self) -> bool {
        PLAIN || self.ends.is_empty()
    }

    #[inline(always)]
    pub(super) fn end(&self, router: u32, port: usize) -> End {
        self.ends[router as usize * self.layout.ports + port]
    }

    /// The router behind a channel, and the number of its input there.
    #[inline(always)]
    pub(super) fn ahead<const PLAIN: bool>(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        channel: usize,
    ) -> (u32, usize) {
        let port = self.layout.port_of(channel);
        if self.has_grid::<PLAIN>() {
            return (state.peer(port), channel);
        }
        self.other_end(router, port, channel)
    }

    /// The router that feeds an input, and the number of its channel there.
    #[inline(always)]
    pub(super) fn back<const PLAIN: bool>(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
    ) -> (u32, usize) {
        let port = self.layout.port_of(input);
        if self.has_grid::<PLAIN>() {
            return (state.peer(port ^ 1), input);
        }
        self.other_end(router, port, input)
    }

    fn other_end(&self, router: u32, port: usize, number: usize) -> (u32, usize) {
        let end = self.end(router, port);
        (end.router, usize::from(end.first) + number - port * self.layout.channels)
    }

    /// Time of a flit on the link of a port \[cycles\].
    #[inline]
    pub(super) fn cycles(&self, router: u32, port: usize) -> u64 {
        if self.ends.is_empty() { self.layout.link_cycles } else { self.end(router, port).cycles.into() }
    }

    /// Whether a port leads somewhere.
    pub(super) fn leads(&self, router: u32, port: usize) -> bool {
        self.network.ahead(router, port).is_some()
    }

    /// The node of an injection input, and its queue.
    #[inline(always)]
    pub(super) fn node_of(&self, router: u32, input: usize) -> (u32, usize) {
        let number = input - self.layout.network;
        let (seat, queue) = (number / self.layout.queues, number % self.layout.queues);
        (self.network.seats().node(router, seat as u32), queue)
    }

    /// The position of a node at its router.
    #[inline(always)]
    pub(super) fn seat(&self, router: u32, node: u32) -> usize {
        match self.layout.even {
            true => node as usize - router as usize * self.layout.nodes,
            false => self.network.seats().seat(node) as usize,
        }
    }
}
