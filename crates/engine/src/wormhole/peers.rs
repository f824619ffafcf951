//! The links of a network that is no grid, which blocks read one by one: each has ends of its own, and a length.

use super::common::Common;
use super::lanes::{LANES, Lanes, Mask, add};
use super::layout::Layout;
use super::mechanisms::Mechanisms;
use super::router::{MAX_PORTS, Router};
use super::wires::{Moment, Some64, Wires, blocks};
use std::collections::BTreeMap;
use tailback_network::Network;

/// What a block reads of a router over a link.
#[derive(Clone, Copy, Debug)]
struct Read {
    /// The router at the far end, and the first number of the link there.
    from: (u32, u8),
    /// The lane of the router at this end, and the first number of the link here.
    to: (u8, u8),
    /// Cycles since a flit was sent that arrives now.
    ago: u16,
}

/// The links, block by block; none in a grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    reads: Vec<Vec<Read>>,
    /// Blocks that flits of a block reach sooner than by the longest link, with the cycles that it takes.
    sooner: Vec<Vec<(Some64, u64)>>,
    /// The channels of a link, from the first on.
    mask: u64,
}

impl Links {
    /// Those of a network.
    pub fn new(network: &Network, config: &Router, layout: &Layout) -> Self {
        if network.has_computed_links() {
            return Links::default();
        }
        let blocks_of = 0..network.routers().div_ceil(LANES);
        let routers = |block: usize| (block * LANES..network.routers().min((block + 1) * LANES)).map(|r| r as u32);
        let first = |port: usize| (port * layout.link_channels) as u8;
        let read = |router: u32, port: usize| {
            let far = network.behind(router, port)?;
            let cycles = network.link(far.router, far.port as usize)?.cycles;
            let (from, to) = ((far.router, first(far.port as usize)), ((router as usize % LANES) as u8, first(port)));
            Some(Read { from, to, ago: config.flit_cycles(cycles) as u16 })
        };
        let reads = |block| {
            let ports = routers(block).flat_map(|router| (0..network.ports(router)).map(move |port| (router, port)));
            ports.filter_map(|(router, port)| read(router, port)).collect()
        };
        let sooner = |block| {
            let mut by_cycles: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for (_, link) in routers(block).flat_map(|router| network.links_of(router)) {
                by_cycles.entry(link.cycles).or_default().push(link.to.router as usize / LANES);
            }
            by_cycles.remove(&layout.link_cycles);
            let all = by_cycles.into_iter().map(|(cycles, to)| (config.flit_cycles(cycles), blocks(to)));
            all.flat_map(|(cycles, some)| some.into_iter().map(move |some| (some, cycles))).collect()
        };
        Links {
            reads: blocks_of.clone().map(reads).collect(),
            sooner: blocks_of.map(sooner).collect(),
            mask: layout.link(0),
        }
    }

    /// Whether blocks read their links one by one.
    #[inline(always)]
    pub fn are_listed(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Blocks that hear of what a block sends sooner than by the longest link, and after how many cycles.
    #[inline(always)]
    pub fn sooner(&self, block: usize) -> &[(Some64, u64)] {
        if self.sooner.is_empty() { &[] } else { &self.sooner[block] }
    }

    /// What came to a block over its links, out of what `sent` says of a router some cycles ago.
    fn gather<N: Mask>(&self, block: usize, sent: impl Fn(u32, u64) -> u64) -> Lanes<N> {
        let mut all = [N::default(); LANES];
        for &Read { from, to, ago } in &self.reads[block] {
            let bits = sent(from.0, ago.into()) >> from.1 & self.mask;
            add(&mut all[usize::from(to.0) % LANES], bits << to.1);
        }
        all
    }

    /// Flits that reach a block in cycle `now`.
    pub fn flits<W: Mask>(&self, wires: &Wires<W>, now: u64, block: usize) -> Lanes<W::Links> {
        self.gather(block, |router, ago| wires.channels_of(wires.moment(now.wrapping_sub(ago)), router))
    }

    /// Credits that were sent to a block `then`.
    pub fn credits<W: Mask>(&self, wires: &Wires<W>, then: Moment, block: usize) -> Lanes<W::Links> {
        self.gather(block, |router, _| wires.inputs_of(then, router))
    }

    /// Channels of a block that were set free `then`.
    pub fn freed<W: Mask>(&self, wires: &Wires<W>, then: Moment, block: usize) -> Lanes<W::Links> {
        self.gather(block, |router, _| wires.tails_of(then, router))
    }
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The router behind a link's channel, and the channel's number among the inputs there; `None` where there is no link.
    #[inline(always)]
    pub(super) fn ahead(&self, router: u32, channel: usize) -> Option<(u32, usize)> {
        let port = usize::from(self.layout.port[channel & (MAX_PORTS - 1)]);
        let far = self.network.ahead(router, port)?;
        Some((far.router, self.at_port(channel, port, far.port)))
    }

    /// The router that feeds a network input, and the number of the channel there; `None` where none does.
    pub(super) fn behind(&self, router: u32, input: usize) -> Option<(u32, usize)> {
        let port = usize::from(self.layout.port[input & (MAX_PORTS - 1)]);
        let far = self.network.behind(router, port)?;
        Some((far.router, self.at_port(input, port, far.port)))
    }

    #[inline(always)]
    fn at_port(&self, number: usize, port: usize, other: u32) -> usize {
        number + other as usize * self.layout.link_channels - port * self.layout.link_channels
    }

    /// Cycles from a flit's being sent into a link's channel to its arrival.
    pub(super) fn flight(&self, router: u32, channel: usize) -> u64 {
        let link = self.network.link(router, usize::from(self.layout.port[channel]));
        self.config.flit_cycles(link.map_or(self.layout.link_cycles, |link| link.cycles))
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
