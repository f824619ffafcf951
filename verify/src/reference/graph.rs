//! A network of any shape, listed link by link, and the routes of a table.

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The router at the far end.
    pub router: usize,
    /// The port at the far end: the output that leads back, and as a rule the input.
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
    /// The ports of the widest router, which are asked for all the time.
    pub ports: usize,
    /// What inputs are numbered by.
    pub inputs: Inputs,
    /// The router of each node.
    pub nodes: Vec<usize>,
    /// Where the network is folded: how many ports of each router lead out, the first ones. By the others flits come in, and no link is used in its
    /// other direction. Routers with nodes stand for two then: what comes from nodes leaves by links, and what comes by links leaves to nodes.
    pub one_way: Option<usize>,
    /// By destination router, router and the packet's mark: what its head may ask for, the usual first. A packet with a higher mark
    /// asks as with the highest listed.
    pub hops: Vec<Vec<Vec<Vec<Hop>>>>,
    /// What marks packets.
    pub mark: Mark,
    /// By destination router: the channels of the wires to its nodes that packets may take, where nodes have such wires; none: all.
    pub exits: Vec<Vec<usize>>,
    /// How heads choose among several; without it they take the usual.
    pub taste: Option<Taste>,
}

/// What inputs are numbered by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inputs {
    /// The output that leads back.
    #[default]
    Back,
    /// The output at the other end, as in a grid.
    Along,
}

/// What of a packet's way so far, beside the router that it is at, decides how it goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// The hops that it has made.
    #[default]
    Hops,
    /// 1 if it has gone down a link, else 0. By router, its place: that of a higher one is less.
    Down(Vec<usize>),
    /// Its layer, by destination router, then source router.
    Layer(Vec<Vec<usize>>),
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
    /// The link of a port, if there is one.
    pub fn link(&self, router: usize, port: usize) -> Option<Link> {
        *self.links[router].get(port)?
    }

    /// The nodes of a router.
    pub fn nodes_at(&self, router: usize) -> Vec<u32> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node] == router).map(|node| node as u32).collect()
    }

    /// What a head with this mark may ask for, the usual first.
    pub fn ways(&self, at: usize, to: usize, mark: usize) -> &[Hop] {
        let hops = &self.hops[to][at];
        &hops[mark.min(hops.len() - 1)]
    }

    /// The mark of a packet for a router that has been at these, from its first to the one that it is at.
    pub fn mark(&self, been: &[usize], to: usize) -> usize {
        match &self.mark {
            Mark::Hops => been.len() - 1,
            Mark::Down(place) => usize::from(been.windows(2).any(|pair| place[pair[1]] > place[pair[0]])),
            Mark::Layer(layers) => layers[to][been[0]],
        }
    }

    /// All hops of the usual way from one router to another.
    pub fn usual(&self, from: usize, to: usize) -> Vec<&Hop> {
        let (mut been, mut hops) = (vec![from], Vec::new());
        loop {
            let at = been[been.len() - 1];
            if at == to {
                return hops;
            }
            let hop = &self.ways(at, to, self.mark(&been, to))[0];
            been.push(self.link(at, hop.port).expect("routes follow links").router);
            hops.push(hop);
        }
    }

    /// The hops of the usual way from one router to another.
    pub fn length(&self, from: usize, to: usize) -> u32 {
        self.usual(from, to).len() as u32
    }
}
