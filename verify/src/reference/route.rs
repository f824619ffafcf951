//! Coordinates, neighbours and dimension-order routes; or what the list of a network of any shape says.
//!
//! In a grid, port `2d` leads up in dimension `d`, port `2d + 1` down.

use super::config::{Config, Datelines, Numbering, Place, Tie};
use super::graph::{Inputs, Link};
use super::packet::Order;
use tailback_base::rng::{self, Purpose};

impl Config {
    /// Dimensions.
    pub fn dimensions(&self) -> usize {
        self.radix.len()
    }

    /// Network ports of a router, those that lead nowhere at the edge of a mesh included.
    pub fn ports(&self) -> usize {
        self.graph.as_ref().map_or(2 * self.dimensions(), |graph| graph.ports)
    }

    /// Routers.
    pub fn routers(&self) -> usize {
        if let Some(graph) = &self.graph {
            return graph.links.len();
        }
        self.radix.iter().map(|&k| k as usize).product()
    }

    /// Nodes.
    pub fn nodes(&self) -> usize {
        self.graph.as_ref().map_or(self.routers() * self.nodes_per_router as usize, |graph| graph.nodes.len())
    }

    /// The nodes of a router.
    pub fn nodes_at(&self, router: usize) -> Vec<u32> {
        let grid = || (0..self.nodes_per_router).map(|local| router as u32 * self.nodes_per_router + local).collect();
        self.graph.as_ref().map_or_else(grid, |graph| graph.nodes_at(router))
    }

    /// The position of a node among those of its router.
    pub fn local(&self, node: u32) -> usize {
        let nodes = self.nodes_at(self.router_of(node));
        nodes.iter().position(|&other| other == node).expect("it is one of them")
    }

    /// Ejection outputs of a node.
    pub fn ejection_outputs(&self) -> usize {
        match self.ejection_channels {
            Some(channels) => channels as usize,
            None => (self.ports() * self.virtual_channels as usize).max(1),
        }
    }

    /// Outputs of a router: network ports, then each node's ejection outputs.
    pub fn outputs(&self) -> usize {
        self.ports() + self.nodes_per_router as usize * self.ejection_outputs()
    }

    /// The router of a node.
    pub fn router_of(&self, node: u32) -> usize {
        self.graph.as_ref().map_or((node / self.nodes_per_router) as usize, |graph| graph.nodes[node as usize])
    }

    /// Coordinates of a router; the first dimension counts fastest.
    pub fn coordinates(&self, router: usize) -> Vec<u32> {
        let mut rest = router as u32;
        let mut coordinates = Vec::new();
        for &k in &self.radix {
            coordinates.push(rest % k);
            rest /= k;
        }
        coordinates
    }

    /// The router at these coordinates.
    pub fn router_at(&self, coordinates: &[u32]) -> usize {
        let mut router = 0;
        for d in (0..self.dimensions()).rev() {
            router = router * self.radix[d] + coordinates[d];
        }
        router as usize
    }

    /// The router that a port leads to; none at the edge of a mesh.
    pub fn neighbour(&self, router: usize, port: usize) -> Option<usize> {
        let (d, up) = (port / 2, port.is_multiple_of(2));
        let mut coordinates = self.coordinates(router);
        let (x, last) = (coordinates[d], self.radix[d] - 1);
        coordinates[d] = match (up, self.wrap[d]) {
            (true, _) if x < last => x + 1,
            (false, _) if x > 0 => x - 1,
            (true, true) => 0,
            (false, true) => last,
            (_, false) => return None,
        };
        Some(self.router_at(&coordinates))
    }

    /// The router whose output `port` feeds the input of the same number.
    pub fn upstream(&self, router: usize, port: usize) -> Option<usize> {
        self.neighbour(router, port ^ 1)
    }

    /// The router behind an output port, and its input port there; none where the port leads nowhere. In a grid the input carries the
    /// number of the output.
    pub fn ahead(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        match &self.graph {
            None => Some((self.neighbour(router, port)?, port)),
            Some(graph) => {
                let input = |link: Link| if graph.inputs == Inputs::Along { port } else { link.port };
                graph.link(router, port).map(|link| (link.router, input(link)))
            }
        }
    }

    /// The router behind an output port, and its port that leads back; none where the port leads nowhere.
    pub fn far(&self, router: usize, port: usize) -> Option<(usize, usize)> {
        match &self.graph {
            None => Some((self.neighbour(router, port)?, port ^ 1)),
            Some(graph) => graph.link(router, port).map(|link| (link.router, link.port)),
        }
    }

    /// The router and output port whose link ends at an input port.
    pub fn behind(&self, router: usize, input: usize) -> Option<(usize, usize)> {
        match &self.graph {
            None => Some((self.upstream(router, input)?, input)),
            Some(_) => (0..self.routers())
                .flat_map(|from| (0..self.ports()).map(move |port| (from, port)))
                .find(|&(from, port)| self.ahead(from, port) == Some((router, input))),
        }
    }

    /// Time of a flit on the link of a port.
    pub fn cycles(&self, router: usize, port: usize) -> u32 {
        let listed = self.graph.as_ref().and_then(|graph| graph.link(router, port));
        listed.map_or(self.link_cycles, |link| link.cycles)
    }

    /// Cycles that a flit takes to leave by a port.
    pub fn period(&self, router: usize, port: usize) -> u64 {
        let listed = self.graph.as_ref().and_then(|graph| graph.link(router, port));
        listed.map_or(1, |link| link.period.into())
    }

    /// The ports that packet `index` of `source` leaves routers through on its way to `destination`; in a grid.
    pub fn route(&self, source: u32, index: u64, destination: u32) -> Vec<usize> {
        self.route_from(self.router_of(source), source, index, destination)
    }

    /// The same from `router` on.
    pub fn route_from(&self, router: usize, source: u32, index: u64, destination: u32) -> Vec<usize> {
        let dimensions: Vec<usize> = (0..self.dimensions()).collect();
        self.route_by(&dimensions, router, (source, index), destination)
    }

    /// The same in one of the two orders of a grid of two dimensions.
    pub fn route_in_order(&self, order: Order, router: usize, packet: (u32, u64), destination: u32) -> Vec<usize> {
        self.route_by(&[order.first(), 1 - order.first()], router, packet, destination)
    }

    fn route_by(
        &self,
        dimensions: &[usize],
        router: usize,
        (source, index): (u32, u64),
        destination: u32,
    ) -> Vec<usize> {
        let here = self.coordinates(router);
        let there = self.coordinates(self.router_of(destination));
        let mut route = Vec::new();
        for &d in dimensions {
            let (a, b, k) = (here[d], there[d], self.radix[d]);
            let (hops_up, hops_down) = ((b + k - a) % k, (a + k - b) % k);
            let up = match (self.wrap[d], hops_up.cmp(&hops_down)) {
                (false, _) => b > a,
                (true, std::cmp::Ordering::Less) => true,
                (true, std::cmp::Ordering::Greater) => false,
                (true, std::cmp::Ordering::Equal) => self.tie_goes_up(d, b > a, source, index),
            };
            let hops = if up { hops_up } else { hops_down };
            route.extend(vec![2 * d + usize::from(!up); hops as usize]);
        }
        route
    }

    fn tie_goes_up(&self, dimension: usize, higher: bool, source: u32, index: u64) -> bool {
        match self.tie {
            Tie::Plus => true,
            Tie::Minus => false,
            Tie::Sign => higher,
            Tie::Alternate => index.is_multiple_of(2),
            Tie::Random => rng::draw(self.seed, Purpose::Tie, source, index)[0] >> dimension & 1 == 0,
        }
    }

    /// Whether the link behind `port` crosses a dateline. Only rings have datelines.
    pub fn crosses_dateline(&self, router: usize, port: usize) -> bool {
        let d = port / 2;
        let k = self.radix[d];
        let x = self.coordinates(router)[d];
        // Between `q - 1` and `q`: going up it is the link to `q`, going down the link from `q`. At the router it is the link to `q`.
        let at_router = matches!(self.datelines, Datelines::OneAt(Place::Router) | Datelines::TwoAt(Place::Router));
        let q = match (port.is_multiple_of(2), at_router) {
            (true, _) => (x + 1) % k,
            (false, true) => (x + k - 1) % k,
            (false, false) => x,
        };
        self.wrap[d]
            && match self.datelines {
                Datelines::None => false,
                Datelines::One | Datelines::OneAt(_) => q == 0,
                Datelines::Two | Datelines::TwoAt(_) => q == 0 || q == k / 2,
            }
    }

    /// Whether a packet that leaves `router` on the way `rest` goes over to the next class; `turns`: it enters a ring here. Where it has its class
    /// from there on, it goes over if it will cross a dateline on its way up the ring, or none on its way down.
    pub fn changes_class(&self, router: usize, rest: &[usize], turns: bool) -> bool {
        let port = rest[0];
        if !matches!(self.datelines, Datelines::OneAt(Place::Entry) | Datelines::TwoAt(Place::Entry)) {
            return self.crosses_dateline(router, port);
        }
        let mut at = router;
        let mut crosses = false;
        for _ in rest.iter().take_while(|&&next| next == port) {
            crosses |= self.crosses_dateline(at, port);
            at = self.neighbour(at, port).expect("routes end at the edge");
        }
        turns && self.wrap[port / 2] && crosses == port.is_multiple_of(2)
    }

    /// All channels of the packets of an order.
    pub fn channels_of_order(&self, order: Order) -> Vec<usize> {
        (0..self.classes() / 2).flat_map(|class| self.channels_in_order(order, class)).collect()
    }

    /// Those of a class, 0 or 1, where rings have two.
    pub fn channels_in_order(&self, order: Order, class: u32) -> Vec<usize> {
        self.channels_of(order.first() as u32 * (self.classes() / 2) + class)
    }

    /// The class of a packet of an order whose way on is `rest`: 0 while it will cross the link between the ends of a ring, where packets
    /// can wait for each other around one.
    pub fn class_in_order(&self, router: usize, rest: &[usize]) -> u32 {
        if self.classes() == 2 {
            return 0;
        }
        let port = rest[0];
        let (hops, at, k) = (
            rest.iter().take_while(|&&next| next == port).count() as u32,
            self.coordinates(router)[port / 2],
            self.radix[port / 2],
        );
        let crosses = if port.is_multiple_of(2) { at + hops >= k } else { at < hops };
        u32::from(!crosses)
    }

    /// Classes of virtual channels.
    pub fn classes(&self) -> u32 {
        if self.cross_line.is_some() {
            let closes = self.radix.iter().zip(&self.wrap).any(|(&k, &wrap)| wrap && k >= 4);
            return if closes { 4 } else { 2 };
        }
        let rings = self.wrap.contains(&true);
        match (rings && self.datelines != Datelines::None, self.numbering) {
            (false, _) => 1,
            (true, Numbering::Reset) => 2,
            (true, Numbering::Carry) => self.dimensions() as u32 + 1,
        }
    }

    /// The channels, out of some, that a head may take which came by channel `came_by`; `straight`: it goes on in its dimension.
    pub fn kept(&self, channels: Vec<usize>, straight: bool, came_by: usize) -> Vec<usize> {
        let same = self.keeps_channel && straight && channels.contains(&came_by);
        if same { vec![came_by] } else { channels }
    }

    /// The virtual channels that the head of a packet of some message class asks for, which goes straight on from input `came_by` where there is
    /// one: those of its class in a network that has the channels of that message class alone.
    pub fn channels_of_message(&self, destination: u32, class: u32, came_by: Option<usize>) -> Vec<usize> {
        let each = self.virtual_channels / self.message_classes;
        let alone = Config { virtual_channels: each, message_classes: 1, ..self.clone() };
        let lane = came_by.unwrap_or(0) % self.virtual_channels as usize % each as usize;
        let first = (destination % self.message_classes * each) as usize;
        let channels = alone.kept(alone.channels_of(class), came_by.is_some(), lane);
        channels.into_iter().map(|channel| channel + first).collect()
    }

    /// Whether two classes share a channel.
    fn has_shared_middle(&self) -> bool {
        let on_entry = self.cross_line.is_none() && self.datelines == Datelines::OneAt(Place::Entry);
        self.shares_middle && on_entry && self.classes() == 2
    }

    /// The lower half of the channels, or the upper one: they share one where their number is odd.
    pub fn half(&self, upper: usize) -> Vec<usize> {
        let all = self.virtual_channels as usize;
        if upper == 0 { (0..all - all / 2).collect() } else { (all / 2..all).collect() }
    }

    /// The virtual channels of a class, in ascending order.
    pub fn channels_of(&self, class: u32) -> Vec<usize> {
        let v = self.virtual_channels;
        if self.has_shared_middle() {
            return self.half(class as usize);
        }
        (0..v).filter(|c| c * self.classes() / v == class).map(|c| c as usize).collect()
    }
}
