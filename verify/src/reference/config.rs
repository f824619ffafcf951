//! The numbers and choices of a network.

use super::graph::Graph;

/// A network of cut-through routers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// A network of any shape, where it is no grid: then `radix`, `wrap`, `link_cycles`, `datelines`, `numbering` and `tie` say
    /// nothing, and `nodes_per_router` is the number of nodes of the router that has most.
    pub graph: Option<Graph>,
    /// Routers in each dimension, at least 2.
    pub radix: Vec<u32>,
    /// Whether each dimension is a ring.
    pub wrap: Vec<bool>,
    /// Nodes at each router.
    pub nodes_per_router: u32,
    /// Time of a flit on a link \[cycles\], at least 1.
    pub link_cycles: u32,
    /// Virtual channels of a link.
    pub virtual_channels: u32,
    /// Buffer of a virtual channel \[flits\], at least the longest packet.
    pub buffer_flits: u32,
    /// Time a head spends in a router before it may ask for an output \[cycles\].
    pub header_cycles: u32,
    /// Time from a flit's leaving a buffer to the credit's use upstream \[cycles\], at least 1.
    pub credit_cycles: u32,
    /// Packets that a node consumes at a time; `None`: one from each network input.
    pub ejection_channels: Option<u32>,
    /// Message classes: each has as many virtual channels as the others, and node `n` is the port of class `n % message_classes`.
    pub message_classes: u32,
    /// Places of a node's ejection buffer \[packets\], under a [`super::script::Script`]; `None`: any number.
    pub ejection_packets: Option<u32>,
    /// Packets that a source queue holds, the one being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Who gets an output.
    pub arbiter: Arbiter,
    /// Where packets change the class of virtual channels.
    pub datelines: Datelines,
    /// The class after a turn.
    pub numbering: Numbering,
    /// Whether a head that goes straight on keeps the channel by which it came, where that is of its class.
    pub keeps_channel: bool,
    /// Whether the halves of an odd number of channels share the middle one; else it is of the first. They do only where there are two
    /// classes, and packets do not change theirs on a link.
    pub shares_middle: bool,
    /// The direction at distance k/2 on a ring.
    pub tie: Tie,
    /// Routing by the rows ahead, in a grid of two dimensions; else dimension order. Then `datelines`, `numbering` and `keeps_channel`
    /// say nothing.
    pub cross_line: Option<CrossLine>,
    /// Throttling.
    pub admission: Admission,
    /// Seed of all random draws.
    pub seed: u64,
}

/// Who gets an output that several heads ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbiter {
    /// The first input from the one after the last winner on.
    RoundRobin,
    /// Any of them.
    Random,
    /// The packet born first; then the lower source, then the lower input.
    OldestFirst,
    /// The first port from the one after the last winner's on, and its highest channel; each node is a port of its own.
    TwoLevel,
    /// The same port, and of it the first channel from the one after the last winner's on.
    TwoLevelNext,
}

/// Dateline `q` of a ring is its link between `q - 1` and `q`, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Datelines {
    /// None.
    None,
    /// At 0.
    One,
    /// At 0 and at floor(k/2).
    Two,
    /// At 0, elsewhere than on the link.
    OneAt(Place),
    /// At 0 and at floor(k/2), elsewhere than on the link.
    TwoAt(Place),
}

/// Where a packet goes over to the next class, if not on the link between `q - 1` and `q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the link into router `q`, from either side.
    Router,
    /// Where it enters a ring in which it will cross a dateline.
    Entry,
}

/// The class of virtual channels after a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Class 0 in each dimension.
    Reset,
    /// The class is kept.
    Carry,
}

/// The direction on a ring when both are as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Up.
    Plus,
    /// Down.
    Minus,
    /// Up when the destination's coordinate is higher.
    Sign,
    /// Up for even packets of a source.
    Alternate,
    /// A coin for each packet and dimension.
    Random,
}

/// x first or y first, whichever row has fewer busy buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossLine {
    /// A buffer is busy when at most this much is known to be free \[flits\].
    pub margin_flits: u32,
    /// Length of a register \[routers\]; `None`: floor(k/2) of its dimension. 16 at most.
    pub register_bits: Option<u32>,
    /// How registers travel.
    pub wires: Wires,
}

/// On what registers travel against the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wires {
    /// Wires of their own.
    Own,
    /// The links that lead to their readers, in cycles in which these carry no flit.
    Links,
}

/// When a new packet may ask for the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Always.
    Off,
    /// State-propagation throttling.
    Spth {
        /// A buffer is busy when at most this much is free \[flits\].
        margin_flits: u32,
        /// Busy when free <= margin (true) or free < margin (false).
        inclusive: bool,
        /// When in a cycle the flits in a buffer are counted.
        level: Level,
        /// Length of a register \[routers\]; `None`: floor(k/2) of its dimension, at most 32.
        register_bits: Option<u32>,
        /// Which registers of the first direction hold a packet.
        registers: Registers,
        /// How registers travel.
        propagation: Propagation,
    },
}

/// When in a cycle the flits in a buffer are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Before the departures of the cycle.
    Edge,
    /// After them.
    Departed,
}

/// The registers that hold a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registers {
    /// Those of all virtual channels.
    Any,
    /// Those of the channels that it asks for.
    Used,
}

/// How registers travel against the packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Propagation {
    /// Every register, a hop a cycle.
    Ideal,
    /// One changed register a link and cycle.
    SharedLink,
}
