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
    /// Cycles that a flit takes to leave for it, 1 at full width; the same in both directions.
    pub period: u32,
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
    /// By destination router, router and hops that a packet has made: what its head may ask for, the usual first. A packet with more
    /// hops asks as with the most listed.
    pub hops: Vec<Vec<Vec<Vec<Hop>>>>,
    /// By destination router: the channels of the wires to its nodes that packets may take, where nodes have such wires; none: all.
    pub exits: Vec<Vec<usize>>,
    /// How heads choose among several; without it they take the usual.
    pub taste: Option<Taste>,
}

/// What heads compare: they take the hop with the least sum, of several the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taste {
    /// What a flit counts that the router owes to the channels of the hop.
    pub owed: u32,
    /// What a flit counts that waits for the port.
    pub waiting: u32,
    /// What else counts.
    pub beyond: Beyond,
}

/// What heads know of the router behind a port: all flits that it owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Nothing.
    Nothing,
    /// It signals them, and its signals take as long as a flit takes to get there.
    Signalled,
    /// They are known at once.
    Known,
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

    /// What a head may ask for that has made so many hops, the usual first.
    pub fn ways(&self, at: usize, to: usize, made: usize) -> &[Hop] {
        let hops = &self.hops[to][at];
        &hops[made.min(hops.len() - 1)]
    }

    /// The hops of the usual way from one router to another.
    pub fn length(&self, from: usize, to: usize) -> u32 {
        let (mut at, mut made) = (from, 0);
        while at != to {
            at = self.link(at, self.ways(at, to, made)[0].port).expect("routes follow links").router;
            made += 1;
        }
        made as u32
    }
}
