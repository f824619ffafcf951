//! What a spec says about traffic, as the twin sees it.

/// A network and what its nodes send.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Routers in each dimension.
    pub radix: Vec<u32>,
    /// Nodes at each router.
    pub nodes_per_router: u32,
    /// Seed of the point.
    pub seed: u64,
    /// To whom nodes send, where the workload does not say so itself.
    pub pattern: Pattern,
    /// When.
    pub process: Process,
    /// How long messages are.
    pub sizes: Sizes,
    /// Which load at which time.
    pub workload: Workload,
}

impl Config {
    /// Nodes of the network.
    pub fn nodes(&self) -> u32 {
        self.radix.iter().product::<u32>() * self.nodes_per_router
    }
}

/// What is done with a node's address, or with the coordinates of its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// `trns`.
    Transpose,
    /// `shfl`.
    Shuffle,
    /// `bcmp`.
    Complement,
    /// `brev`.
    Reverse,
    /// `brot`.
    Rotate,
    /// `butterfly`.
    Butterfly,
    /// `tornado`.
    Tornado,
    /// `neighbour`, in all dimensions.
    Neighbour,
    /// `neighbour`, in the first dimension.
    RingNeighbour,
}

/// Where a hot region lies.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// The first nodes, so many percent of them.
    Band(f64),
    /// A block of routers at the origin, so many in each dimension.
    Block(Vec<u32>),
}

/// Which nodes are hot sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The last of every so many.
    Even,
    /// Drawn with the seed.
    Random,
}

/// To whom nodes send.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `rand`.
    Rand,
    /// `uniform`.
    Uniform {
        /// Whether a node may draw itself.
        include_self: bool,
    },
    /// A fixed destination each, from the address or the coordinates.
    Mapped(Matter),
    /// The same, where a node whose destination is itself sends, too.
    MappedWhole(Matter),
    /// `torn`.
    Torn {
        /// Distance along the ids; `None`: half the nodes of a row.
        offset: Option<u32>,
    },
    /// `rpar`.
    RandomPairs,
    /// `random_permutation`.
    RandomPermutation,
    /// `shift`.
    Shift {
        /// Nodes further on; `None`: a tornado.
        offset: Option<u32>,
        /// Nodes of a group; `None`: all.
        group: Option<u32>,
    },
    /// `permutation`: the destination of every node.
    Permutation(Vec<u32>),
    /// `destinations`: the destination of every node, its own among them.
    Destinations(Vec<u32>),
    /// `weighted`: nodes and how often packets go there.
    Weighted(Vec<(u32, u32)>),
    /// `steps`: how many nodes further on, and how often.
    Steps(Vec<(u32, u32)>),
    /// `row_to_column`.
    RowToColumn,
    /// `hot_spot`.
    HotSpot {
        /// The hot nodes.
        nodes: Vec<u32>,
        /// Share of the packets that go to them.
        share_percent: f64,
    },
    /// `hot_region`.
    HotRegion {
        /// Where it is.
        region: Region,
        /// Share of the packets that go there.
        share_percent: f64,
    },
    /// `hot_sources`.
    HotSources {
        /// To whom hot sources send.
        destination: u32,
        /// One node in so many is one.
        one_in: u32,
        /// Which.
        placement: Placement,
    },
    /// `adversarial`.
    Adversarial {
        /// Nodes of a group.
        group: u32,
        /// Groups from that of the source to that of the destination.
        offset: u32,
    },
}

/// When nodes send, at a given load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Process {
    /// `bernoulli`.
    Bernoulli,
    /// `periodic`.
    Periodic {
        /// Whether nodes begin at random points of their intervals.
        random: bool,
    },
    /// `on_off`.
    OnOff {
        /// Mean length of a burst.
        on: f64,
        /// Mean length of the silence between bursts.
        off: f64,
    },
}

/// How long messages are.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// All of so many flits.
    Fixed(u32),
    /// Short and long ones.
    Bimodal {
        /// Flits of a short one.
        short: u32,
        /// Flits of a long one.
        long: u32,
        /// Share of the long ones.
        long_percent: f64,
    },
    /// Lengths with their weights.
    Distribution(Vec<(u32, f64)>),
}

/// Which load at which time.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// One load for ever.
    Steady {
        /// Flits per node and cycle.
        load: f64,
    },
    /// The same, measured by the rule of periods.
    Periods {
        /// Flits per node and cycle.
        load: f64,
    },
    /// A load that rises from 0 and then stays.
    Ramp {
        /// What it rises to.
        end_load: f64,
        /// In so many cycles.
        cycles: u64,
    },
    /// Phases one after the other.
    Phases {
        /// They.
        phases: Vec<Phase>,
        /// Whether the first follows the last.
        repeat: bool,
    },
    /// So many messages a node, all at cycle 0.
    Collective {
        /// The number.
        messages: u64,
    },
}

/// A stretch of time with a load and a pattern of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Its length.
    pub cycles: u64,
    /// Flits per node and cycle.
    pub load: f64,
    /// To whom nodes send in it.
    pub pattern: Pattern,
}
