//! The numbers of a cut-through router.

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, 1 to 16.
    pub channels: u32,
    /// Buffer of a virtual channel \[flits\], 1 to 32767.
    pub buffer_flits: u32,
    /// Cycles a head spends in a router before it may ask for an output.
    pub header_cycles: u32,
    /// Cycles from a flit's leaving a buffer to the credit's use upstream; at least 1.
    pub credit_cycles: u32,
    /// Packets a node can consume at a time, a flit a cycle each; `None`: one from every input.
    pub ejection_channels: Option<u32>,
    /// Packets that the ejection buffer of a node holds; `None`: any number. Where it is finite there is one ejection channel.
    pub ejection_packets: Option<u32>,
    /// Packets a source queue holds, the one being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Seed of all random streams.
    pub seed: u64,
}

/// The largest number of links from a router to others.
pub const MAX_LINKS: usize = 64;

/// The largest number of nodes of a router.
pub const MAX_NODES: usize = 1024;

/// The largest number of inputs of a router.
pub const MAX_INPUTS: usize = 2048;

/// The largest number of outputs of a router.
pub const MAX_OUTPUTS: usize = 1 << 15;

/// The largest number of inputs, and of outputs, of a router of a grid: one bit each in a request mask.
pub const MAX_PORTS: usize = 64;

/// Inputs and outputs of a router with these numbers, so many network ports and nodes.
pub fn port_counts(ports: usize, nodes: u32, router: &Router) -> (usize, usize) {
    let inputs = ports * router.channels as usize;
    let nodes = nodes as usize;
    let ejection = router.ejection_channels.map_or(inputs.max(1), |k| k as usize);
    (inputs + nodes, ports + nodes * ejection)
}

/// Where the links of a network are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// They are those of a grid, and computed.
    OfGrid,
    /// In a table.
    Listed,
}
