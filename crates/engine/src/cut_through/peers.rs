//! The links between routers: where an output leads, which output feeds an input, and how long a head takes.
//!
//! Those of a grid are computed, all alike. Those of any other network are in a table.

use super::router::Links;
use super::tables::{Id, Steps};
use tailback_network::Network;

/// The far end of a link.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    /// The router; where there is no link, the one that has the port.
    router: Id,
    /// Its input port, and the output port that leads back.
    port: u16,
    /// Time of a flit on the link that leads there \[cycles\].
    cycles: u16,
    /// Cycles that a flit takes to leave for that link: 1 at full width.
    period: u16,
}

/// The links of all routers.
#[derive(Clone, Debug)]
pub(super) struct Peers {
    steps: Steps,
    /// By `router << bits | port`; empty where links are computed.
    ends: Box<[End]>,
    bits: u32,
    /// Whether some links carry less than a flit per cycle.
    narrow: bool,
}

impl Peers {
    /// The wiring of a network, each number of a router checked by `id`.
    pub fn new(network: &Network, id: impl Fn(u32) -> Id) -> Self {
        if let Some(grid) = network.grid().filter(|_| network.has_computed_links()) {
            return Peers { steps: Steps::new(grid, id), ends: Box::default(), bits: 0, narrow: false };
        }
        let routers = network.routers();
        let bits = network.most_ports().next_power_of_two().trailing_zeros();
        let nowhere = |at: usize| End { router: id((at >> bits) as u32), period: 1, ..End::default() };
        let mut ends: Box<[End]> = (0..routers << bits).map(nowhere).collect();
        for router in 0..routers as u32 {
            for (port, link) in network.links_of(router) {
                let (port_there, cycles, period) = (link.to.port as u16, link.cycles as u16, link.period as u16);
                let end = End { router: id(link.to.router), port: port_there, cycles, period };
                ends[(router as usize) << bits | port] = end;
            }
        }
        let narrow = network.slowest_period() > 1;
        Peers { steps: Steps::none(routers), ends, bits, narrow }
    }

    /// Whether all links are computed, and as long.
    #[inline(always)]
    pub fn are_computed(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether the links are told there, and carry a flit per cycle.
    pub fn are(&self, links: Links) -> bool {
        self.are_computed() == (links == Links::OfGrid) && !self.narrow
    }

    #[inline(always)]
    fn computes(&self, known: Option<Links>) -> bool {
        known.map_or(self.are_computed(), |links| links == Links::OfGrid)
    }

    #[inline(always)]
    fn end(&self, router: Id, port: usize) -> End {
        self.ends[(router.get() as usize) << self.bits | port]
    }

    /// The router that an output leads to.
    #[inline(always)]
    pub fn at(&self, router: Id, port: usize, known: Option<Links>) -> Id {
        if self.computes(known) { self.steps.at(router, port) } else { self.end(router, port).router }
    }

    /// The same, and the input port there.
    #[inline(always)]
    pub fn ahead(&self, router: Id, port: usize, known: Option<Links>) -> (Id, usize) {
        if self.computes(known) {
            return (self.steps.at(router, port), port);
        }
        let end = self.end(router, port);
        (end.router, usize::from(end.port))
    }

    /// The router whose output feeds an input port, and that output.
    #[inline(always)]
    pub fn behind(&self, router: Id, input: usize, known: Option<Links>) -> (Id, usize) {
        if self.computes(known) {
            return (self.steps.upstream(router, input), input);
        }
        let end = self.end(router, input);
        (end.router, usize::from(end.port))
    }

    /// Time of a flit on the link of an output \[cycles\]; `None` where all links are alike.
    #[inline(always)]
    pub fn cycles(&self, router: Id, port: usize, known: Option<Links>) -> Option<u64> {
        (!self.computes(known)).then(|| self.end(router, port).cycles.into())
    }

    /// Cycles that a flit takes to leave by a network port: 1 at full width.
    #[inline(always)]
    pub fn period(&self, router: Id, port: usize) -> u32 {
        if self.narrow { self.end(router, port).period.into() } else { 1 }
    }
}
