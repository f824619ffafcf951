//! The far ends of links, in a network that is no grid: there a link's channel has a number of its own at either end.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::state::{Layout, Mask, RouterState};
use tailback_network::Network;

/// The far end of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The router; where there is no link, the one that has the port.
    pub router: u32,
    /// The first of the link's inputs there.
    pub first: u16,
    /// Time of a flit on the link \[cycles\].
    pub cycles: u16,
}

/// By `router * ports + port`; none in a grid.
pub(super) fn ends(network: &Network, layout: &Layout) -> Box<[End]> {
    if network.has_computed_links() {
        return Box::default();
    }
    let end = |router: u32, port: usize| {
        let first = |port: usize| (port * layout.channels) as u16;
        let link = (port < network.ports(router)).then(|| network.link(router, port)).flatten();
        let nowhere = End { router, first: first(port), cycles: 1 };
        link.map_or(nowhere, |link| End {
            router: link.to.router,
            first: first(link.to.port as usize),
            cycles: link.cycles as u16,
        })
    };
    let routers = 0..network.routers() as u32;
    routers.flat_map(|router| (0..layout.ports).map(move |port| end(router, port))).collect()
}

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
