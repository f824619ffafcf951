//! Where everything of a router is in the tables, and where wires lead.

use super::router::{InputPorts, NodePorts, Router};
use super::table::{ByPort, Place, WINDOW};
use std::ops::Range;
use tailback_network::Network;

/// Nothing.
pub(super) const NONE: u32 = u32::MAX;

/// A port and channels of a head that has not decided.
pub(super) const OPEN: (u16, u16) = (u16::MAX, 0);

/// A product with the reciprocal of at most 16 channels is exact for numbers below `1 << (RECIPROCAL_BITS - 4)`.
const RECIPROCAL_BITS: u32 = 34;

/// Where what leaves by a port arrives, or where what arrives by a port comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A port of all ports.
    Port(u32),
    /// The node of a wire.
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

/// What [`Wire`] says of a port that leads somewhere.
///
/// PERF: a third of its bytes, and no product on the way (`tailback bench booksim-mesh8`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// The first channel of the port, or of the wire, at the other end.
    pub to: u32,
    /// Cycles that a flit is on the wire.
    pub cycles: u32,
}

/// Where the links are among the ports of a router.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    first: u16,
    many: u16,
}

impl Links {
    /// Whether a port leads to another router, or nowhere; the others are those of nodes.
    #[inline(always)]
    pub fn has(self, port: usize) -> bool {
        port.wrapping_sub(self.first.into()) < self.many.into()
    }

    /// The name that the network has for the port of a link, as an output.
    #[inline(always)]
    pub fn name(self, port: usize) -> u8 {
        (port - usize::from(self.first)) as u8
    }

    /// The port of a link that the network has a name for, as an output.
    #[inline(always)]
    pub fn port(self, name: u8) -> usize {
        usize::from(self.first) + usize::from(name)
    }

    /// The ports of links.
    pub fn range(self) -> Range<usize> {
        self.first.into()..usize::from(self.first) + usize::from(self.many)
    }
}

/// Networks side by side are alike. A router of plane `p` is numbered behind all of the planes before, and so are the wires of nodes: that of node
/// `n` in plane `p` is wire `p * nodes + n`. With one plane a router is the one of the network, and a wire is a node.
///
/// Where classes share wires, a class is a port of its node, and a node of the network is such a port: of `k` classes, ports `n k` to `n k + k - 1`
/// are those of node `n`.
///
/// Ports of all routers have one numbering, and so have their channels: channel `v` of port `p` is `p * channels + v`. Ports of nodes follow those
/// of links, or stand before them: the network names ports of links alone, and has other numbers for them then ([`Links::name`]). An input
/// port and the output port of the same number lead from and to the same neighbour, or node, where input ports are not numbered by routers. The
/// network has names for input ports, too ([`Layout::entry`]).
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Virtual channels of a port.
    pub channels: usize,
    /// One by that number, in parts of `1 << RECIPROCAL_BITS`, rounded up.
    reciprocal: u64,
    /// Where the links are among the ports of every router.
    links: Vec<Links>,
    /// Where the network is folded: how many links of every router lead out.
    one_way: Option<usize>,
    /// By port, the name that the network has for it as the input of a link.
    entries: Vec<u8>,
    /// First port of every router, and the number of all ports.
    pub first: Vec<u32>,
    /// Router of every port.
    pub router: Vec<u32>,
    /// By port, where the output leads.
    pub ahead: ByPort<Wire>,
    /// By port, what feeds the input.
    pub behind: ByPort<Wire>,
    /// The same in few bytes.
    pub hops: ByPort<Hop>,
    pub hops_back: ByPort<Hop>,
    /// Port of every wire of a node.
    pub of_node: Vec<u32>,
    /// Routers of the network, and nodes, each with its wires.
    base: (usize, usize),
    /// Ports of a node that share its wires.
    pub classes: usize,
    /// By number of a channel at its router: its port there, and its channel there.
    pub places: Vec<(u16, u8)>,
    /// Those of the first channels.
    near: [(u8, u8); WINDOW],
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
        let classes = config.classes;
        let base = (network.routers(), network.nodes() / classes as usize);
        let (routers, planes) = (base.0 as u32, config.planes);
        let wires = base.1 * planes as usize;
        let nodes_at = |own: u32| (network.nodes_at(own) / classes) as usize;
        let links_of = |own: u32| Links {
            first: if config.node_ports == NodePorts::First { nodes_at(own) as u16 } else { 0 },
            many: network.ports(own) as u16,
        };
        let (mut first, mut router, mut of_node) = (vec![0u32], Vec::new(), vec![NONE; wires]);
        for at in 0..routers * planes {
            let (plane, own) = (at / routers, at % routers);
            let links = links_of(own);
            let first_seat = if links.first == 0 { u32::from(links.many) } else { 0 };
            for (seat, node) in network.seats().of(own) {
                let wire = plane as usize * base.1 + (node / classes) as usize;
                of_node[wire] = router.len() as u32 + first_seat + seat / classes;
            }
            router.resize(router.len() + usize::from(links.many) + nodes_at(own), at);
            first.push(router.len() as u32);
        }
        let nowhere = Wire { end: End::Nowhere, cycles: 1 };
        let [mut ahead, mut behind] = [0; 2].map(|_| ByPort::new(router.len(), nowhere));
        let mut entries = vec![0; router.len()];
        for at in 0..routers * planes {
            let first = first[at as usize] + u32::from(links_of(at % routers).first);
            let names = input_names(network, at % routers, config.input_ports);
            entries[first as usize..first as usize + names.len()].copy_from_slice(&names);
        }
        for (port, &at) in (0u32..).zip(&router) {
            let (plane, own) = (at / routers, at % routers);
            let name = (port - first[at as usize]).wrapping_sub(links_of(own).first.into()) as usize;
            let Some(link) = (name < network.ports(own)).then(|| network.link(own, name)).flatten() else { continue };
            let entry = network.ahead(own, name).expect("it has a link");
            let far = plane * routers + entry.router;
            let (far_links, first) = (links_of(entry.router), first[far as usize]);
            let first_input = first + u32::from(far_links.first);
            let mut inputs = entries[first_input as usize..].iter();
            let place = inputs.position(|&name| u32::from(name) == entry.port).expect("it is one of its links");
            let (to, cycles) = (first_input + place as u32, u64::from(link.cycles));
            ahead[port as usize] = Wire { end: End::Port(to), cycles };
            behind[to as usize] = Wire { end: End::Port(port), cycles };
        }
        for (wire, &port) in (0u32..).zip(&of_node).filter(|(_, port)| **port != NONE) {
            let wire = Wire { end: End::Node(wire), cycles: super::router::NODE_LINK };
            ahead[port as usize] = wire;
            behind[port as usize] = wire;
        }
        let hops = |of: &ByPort<Wire>| {
            let mut hops = ByPort::new(router.len(), Hop { to: NONE, cycles: 1 });
            for (hop, wire) in hops.iter_mut().zip(of.iter()) {
                hop.cycles = wire.cycles as u32;
                hop.to = match wire.end {
                    End::Port(other) | End::Node(other) => other * channels as u32,
                    End::Nowhere => NONE,
                };
            }
            hops
        };
        let (hops, hops_back) = (hops(&ahead), hops(&behind));
        let most = first.windows(2).map(|two| (two[1] - two[0]) as usize).max().unwrap_or(0);
        let ring = ring_places(config.buffer_flits, shortest);
        assert!(router.len() * channels < 1 << (RECIPROCAL_BITS - 4), "so many channels have no room in memory");
        Layout {
            channels,
            entries,
            reciprocal: (1u64 << RECIPROCAL_BITS).div_ceil(channels as u64),
            links: (0..routers * planes).map(|at| links_of(at % routers)).collect(),
            one_way: network.one_way().map(|out| out as usize),
            places: (0..most * channels).map(|n| ((n / channels) as u16, (n % channels) as u8)).collect(),
            near: std::array::from_fn(|n| ((n / channels) as u8, (n % channels) as u8)),
            words: (most * channels).div_ceil(64).max(1),
            most,
            ring_mask: (ring - 1) as u16,
            ring,
            speedup: (config.input_speedup as usize, config.output_speedup as usize),
            first,
            router,
            hops,
            hops_back,
            ahead,
            behind,
            of_node,
            base,
            classes: classes as usize,
        }
    }

    /// Routers of all planes.
    pub fn routers(&self) -> usize {
        self.first.len() - 1
    }

    /// Port and channel of one of the first 64 input channels of a router.
    #[inline(always)]
    pub fn place(&self, n: usize) -> (u8, u8) {
        self.near[n & (WINDOW - 1)]
    }

    /// The port, as the network names it, and channel by which flits of an input channel come from another router; `None`: from a node.
    #[inline(always)]
    pub fn entry(&self, router: usize, n: usize) -> Option<(u8, u8)> {
        let ((port, channel), links) = (self.places[n], self.links[router]);
        links.has(port.into()).then(|| (self.entries[self.first[router] as usize + usize::from(port)], channel))
    }

    /// The number that the port of a node has where ports of nodes follow those of links.
    pub fn behind_links(&self, router: usize, port: usize) -> u8 {
        let links = self.links[router];
        (if links.first == 0 { port } else { port + usize::from(links.many) }) as u8
    }

    /// Where a router is in the tables by port and by channel.
    #[inline(always)]
    pub fn place_of(&self, router: usize) -> Place {
        Place::new(self.first[router] as usize, self.channels)
    }

    /// The plane of a router.
    #[inline(always)]
    pub fn plane(&self, router: usize) -> usize {
        if router < self.base.0 { 0 } else { router / self.base.0 }
    }

    /// A router as the network numbers it.
    #[inline(always)]
    pub fn own(&self, router: usize) -> u32 {
        (if router < self.base.0 { router } else { router % self.base.0 }) as u32
    }

    /// A router of the network in a plane.
    pub fn router_in(&self, plane: usize, router: u32) -> usize {
        plane * self.base.0 + router as usize
    }

    /// The wire of a port in a plane.
    #[inline(always)]
    pub fn wire(&self, plane: usize, port: usize) -> usize {
        plane * self.base.1 + self.node_of(port)
    }

    /// The node of a port.
    #[inline(always)]
    pub fn node_of(&self, port: usize) -> usize {
        if self.classes == 1 { port } else { port / self.classes }
    }

    /// The ports of a node.
    #[inline(always)]
    pub fn ports_of(&self, node: usize) -> Range<usize> {
        node * self.classes..(node + 1) * self.classes
    }

    /// Where a port keeps what it knows of its channels in a plane.
    #[inline(always)]
    pub fn in_plane(&self, plane: usize, port: usize) -> usize {
        plane * self.base.1 * self.classes + port
    }

    /// The node of a wire.
    #[inline(always)]
    pub fn node(&self, wire: usize) -> usize {
        if wire < self.base.1 { wire } else { wire % self.base.1 }
    }

    /// Port and channel of a channel of all, or wire and channel of a channel of nodes.
    ///
    /// PERF: a division by a number that is not known takes as long as a dozen of the loads around it (`tailback bench booksim-mesh8`).
    #[inline(always)]
    pub fn split(&self, channel: usize) -> (usize, usize) {
        let port = ((channel as u64 * self.reciprocal) >> RECIPROCAL_BITS) as usize;
        debug_assert_eq!(port, channel / self.channels);
        (port, channel - port * self.channels)
    }

    /// Where the links of a router are among its ports.
    #[inline(always)]
    pub fn links(&self, router: usize) -> Links {
        self.links[router]
    }

    /// Where the network is folded: how many links of every router lead out.
    #[inline(always)]
    pub fn one_way(&self) -> Option<usize> {
        self.one_way
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

/// The names of the inputs of a router from others, in the order of their ports. On a grid the name is the direction in which flits come, which is that of
/// the output on the other side.
fn input_names(network: &Network, router: u32, order: InputPorts) -> Vec<u8> {
    let turned = usize::from(network.grid().is_some());
    let mut names: Vec<usize> = (0..network.ports(router)).map(|port| port ^ turned).collect();
    if order == InputPorts::ByRouter {
        let from = |name: usize| network.behind(router, name).map(|from| from.router);
        // Where links lead one way, those that lead out stay before those that lead in.
        let leads_in = |name: usize| network.one_way().is_some_and(|out| name >= out as usize);
        names.sort_by_key(|&name| (leads_in(name), from(name).is_none(), from(name)));
    }
    names.into_iter().map(|name| name as u8).collect()
}

/// Places that the packets of a buffer may need: of all but the first one their heads are in the buffer.
pub(super) fn ring_places(buffer: u32, shortest: u32) -> usize {
    ((buffer.max(2) - 2) / shortest.max(1) + 2).next_power_of_two() as usize
}
