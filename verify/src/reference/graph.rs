//! A network of any shape, listed link by link, and the routes of a table.

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The router at the far end.
    pub router: usize,
    /// The port at the far end: its input, and the output that leads back.
    pub port: usize,
    /// Time of a flit \[cycles\].
    pub cycles: u32,
}

/// What a head asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The output port.
    pub port: usize,
    /// The virtual channels that it may take, in ascending order.
    pub channels: Vec<usize>,
}

/// Routers, links, nodes and routes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// By router and port, the link that leaves it.
    pub links: Vec<Vec<Option<Link>>>,
    /// The router of each node.
    pub nodes: Vec<usize>,
    /// By destination router, router and hops that a packet has made: what its head asks for. A packet with more hops asks as with the
    /// most listed.
    pub hops: Vec<Vec<Vec<Hop>>>,
}

impl Graph {
    /// The ports of the widest router.
    pub fn ports(&self) -> usize {
        self.links.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The link of a port, if there is one.
    pub fn link(&self, router: usize, port: usize) -> Option<Link> {
        *self.links[router].get(port)?
    }

    /// The nodes of a router.
    pub fn nodes_at(&self, router: usize) -> Vec<u32> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node] == router).map(|node| node as u32).collect()
    }

    /// All that a packet from one router to another asks for on its way.
    pub fn route(&self, from: usize, to: usize) -> Vec<Hop> {
        let (mut at, mut route) = (from, Vec::new());
        while at != to {
            let hops = &self.hops[to][at];
            let hop = &hops[route.len().min(hops.len() - 1)];
            at = self.link(at, hop.port).expect("routes follow links").router;
            route.push(hop.clone());
        }
        route
    }
}
