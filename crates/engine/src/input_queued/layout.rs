//! Where everything of a router is in the tables, and where wires lead.

use super::router::Router;
use tailback_network::Network;

/// Nothing.
pub(super) const NONE: u32 = u32::MAX;

/// A port and channels of a head that has not decided.
pub(super) const OPEN: (u16, u16) = (u16::MAX, 0);

/// Where what leaves by a port arrives, or where what arrives by a port comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A port of all ports.
    Port(u32),
    /// A node.
    Node(u32),
    /// Nowhere: the port has no link.
    Nowhere,
}

/// A wire that leaves by a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub end: End,
    /// Cycles that a flit is on it.
    pub cycles: u64,
}

/// Ports of all routers have one numbering, and so have their channels: channel `v` of port `p` is `p * channels + v`. Ports of nodes follow those
/// of links. An input port and the output port of the same number belong to the same link, or node.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Virtual channels of a port.
    pub channels: usize,
    /// Links of every router: its first ports.
    links: Vec<u16>,
    /// First port of every router, and the number of all ports.
    pub first: Vec<u32>,
    /// Router of every port.
    pub router: Vec<u32>,
    /// By port, where the output leads.
    pub ahead: Vec<Wire>,
    /// By port, what feeds the input.
    pub behind: Vec<Wire>,
    /// Port of every node.
    pub of_node: Vec<u32>,
    /// By number of a channel at its router: its port there, and its channel there.
    pub places: Vec<(u16, u8)>,
    /// Most ports of a router.
    pub most: usize,
    /// Words of a set of the channels of a router.
    pub words: usize,
    /// Packets in a ring, less one; they are a power of two.
    pub ring_mask: u16,
    /// Places of a ring.
    pub ring: usize,
    /// Crossbar inputs, and outputs, of a port.
    pub speedup: (usize, usize),
}

impl Layout {
    pub fn new(network: &Network, config: &Router, shortest: u32) -> Self {
        let channels = config.channels as usize;
        let (mut first, mut router, mut of_node) = (vec![0u32], Vec::new(), vec![NONE; network.nodes()]);
        for at in 0..network.routers() as u32 {
            let links = network.ports(at);
            for (seat, node) in network.seats().of(at) {
                of_node[node as usize] = router.len() as u32 + (links + seat as usize) as u32;
            }
            router.resize(router.len() + links + network.nodes_at(at) as usize, at);
            first.push(router.len() as u32);
        }
        let node_of = |port: u32| {
            let at = router[port as usize];
            let seat = (port - first[at as usize]) as usize - network.ports(at);
            network.seats().node(at, seat as u32)
        };
        let mut ahead = Vec::with_capacity(router.len());
        let mut behind = vec![Wire { end: End::Nowhere, cycles: 1 }; router.len()];
        for (port, &at) in (0u32..).zip(&router) {
            let local = (port - first[at as usize]) as usize;
            if local >= network.ports(at) {
                let wire = Wire { end: End::Node(node_of(port)), cycles: super::router::NODE_LINK };
                ahead.push(wire);
                behind[port as usize] = wire;
                continue;
            }
            let Some(link) = network.link(at, local) else {
                ahead.push(Wire { end: End::Nowhere, cycles: 1 });
                continue;
            };
            let entry = network.ahead(at, local).expect("it has a link");
            let (to, cycles) = (first[entry.router as usize] + entry.port, u64::from(link.cycles));
            ahead.push(Wire { end: End::Port(to), cycles });
            behind[to as usize] = Wire { end: End::Port(port), cycles };
        }
        let most = first.windows(2).map(|two| (two[1] - two[0]) as usize).max().unwrap_or(0);
        let ring = ring_places(config.buffer_flits, shortest);
        Layout {
            channels,
            links: (0..network.routers() as u32).map(|at| network.ports(at) as u16).collect(),
            places: (0..most * channels).map(|n| ((n / channels) as u16, (n % channels) as u8)).collect(),
            words: (most * channels).div_ceil(64).max(1),
            most,
            ring_mask: (ring - 1) as u16,
            ring,
            speedup: (config.input_speedup as usize, config.output_speedup as usize),
            first,
            router,
            ahead,
            behind,
            of_node,
        }
    }

    /// Ports of a router that lead to others, or nowhere; those of its nodes follow.
    #[inline(always)]
    pub fn links(&self, router: usize) -> usize {
        self.links[router].into()
    }

    /// Ports of a router.
    #[inline(always)]
    pub fn ports(&self, router: usize) -> usize {
        (self.first[router + 1] - self.first[router]) as usize
    }

    /// The longest wire.
    pub fn longest(&self) -> u64 {
        self.ahead.iter().map(|wire| wire.cycles).max().unwrap_or(1)
    }
}

/// Places that the packets of a buffer may need: of all but the first one their heads are in the buffer.
pub(super) fn ring_places(buffer: u32, shortest: u32) -> usize {
    ((buffer.max(2) - 2) / shortest.max(1) + 2).next_power_of_two() as usize
}
