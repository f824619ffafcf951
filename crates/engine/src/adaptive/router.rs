//! The numbers of an adaptive cut-through router, and its choices.

/// What a packet holds from its grant to its tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarOutputs {
    /// The link.
    Link,
    /// A virtual channel of the link, which takes one packet after the other from its channels.
    Channel,
}

/// What a head asks for, see `docs/adaptive.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// One of all preferred channels that fit and are open; else an escape channel.
    Parallel,
    /// One step a cycle.
    InTurn,
    /// The first step from a pointer on whose channel fits, open or not.
    Smart,
    /// A random one of the preferred channels that fit, open or not.
    Random,
    /// The one with most room of the preferred channels that fit, open or not.
    Shortest,
    /// As [`Requests::Shortest`], by the flits that have been sent into a channel and whose credits have not come.
    ShortestFlits,
    /// Straight on the channel that it is in, else a random preferred channel; open or not.
    Stay,
}

/// How packets come from a node's interface to its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceChannels {
    /// Every injection queue has a channel of its own.
    Physical,
    /// The queues of a node share a channel of a flit a cycle.
    Virtual {
        /// Packets that a queue may have at the router, at least 1.
        router_packets: u32,
    },
    /// The queues of a node are the virtual channels of a link of a flit a cycle, and credits come back.
    Port(Port),
}

/// A link between a node and its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// The buffer of each of its virtual channels \[packets\], at least 1.
    pub buffer_packets: u32,
    /// Time of a flit on it \[cycles\], at least 1.
    pub link_cycles: u32,
}

/// Pauses between packets, and after requests in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Cycles that an output, and its link, send nothing after a tail.
    pub output_gap_cycles: u32,
    /// Cycles that an input sends nothing after a tail.
    pub input_gap_cycles: u32,
    /// Cycles from a request in vain to the head's next request; at least 1.
    pub refusal_cycles: u32,
    /// Whether outputs take the head that might ask first, and their arbiter decides among equals only.
    pub first_come: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { output_gap_cycles: 0, input_gap_cycles: 0, refusal_cycles: 1, first_come: false }
    }
}

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, 1 to 16.
    pub channels: u32,
    /// Buffer of a virtual channel \[packets\], at least 1; at most 32767 flits.
    pub buffer_packets: u32,
    /// Length of every packet \[flits\], at least 1. Messages are multiples of it.
    pub packet_flits: u32,
    /// Cycles a head spends in a router before it may ask for an output.
    pub header_cycles: u32,
    /// Cycles more where it leaves the dimension that it came by.
    pub turn_cycles: u32,
    /// Cycles more at its destination.
    pub consumption_cycles: u32,
    /// Cycles from a flit's leaving a buffer to the credit's use upstream; at least 1.
    pub credit_cycles: u32,
    /// What a packet holds from its grant to its tail.
    pub crossbar_outputs: CrossbarOutputs,
    /// What a head asks for.
    pub requests: Requests,
    /// Under [`Requests::Parallel`], escape channels before preferred ones.
    pub escape_first: bool,
    /// Packets in the network before new ones.
    pub transit_first: bool,
    /// Packets a node can consume at a time, a flit a cycle each; `None`: one for every network input.
    pub ejection_channels: Option<u32>,
    /// The link to a node, whose virtual channels the ejection channels are; `None`: each has a flit a cycle of its own.
    pub ejection_port: Option<Port>,
    /// Injection queues a node, at least 1.
    pub injection_queues: u32,
    /// Packets an injection queue holds, at least 1, the one being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// How packets come from a node's interface to its router.
    pub interface_channels: InterfaceChannels,
    /// Whether a packet whose injection queue is full chooses again in every cycle.
    pub choose_again: bool,
    /// Pauses between packets, and after requests in vain.
    pub pace: Pace,
    /// Seed of all random streams.
    pub seed: u64,
}

impl Router {
    /// Cycles that the links from and to a node add to the way of a packet.
    pub fn node_link_cycles(&self) -> u32 {
        self.injection_link_cycles() + self.ejection_port.map_or(0, |port| port.link_cycles - 1)
    }

    /// Time of a flit on the link from a node \[cycles\]; 0: there is none.
    pub(super) fn injection_link_cycles(&self) -> u32 {
        match self.interface_channels {
            InterfaceChannels::Port(port) => port.link_cycles,
            InterfaceChannels::Physical | InterfaceChannels::Virtual { .. } => 0,
        }
    }
}

/// The largest number of inputs, and of outputs, of a router in a grid: one bit each in a mask.
pub const MAX_PORTS: usize = 64;

/// The largest number of inputs of a router, and of its ejection channels.
pub const MAX_INPUTS: usize = 2048;

/// The largest number of outputs of a router.
pub const MAX_OUTPUTS: usize = 2048;

/// The largest number of links from a router to others.
pub const MAX_LINKS: usize = 64;

/// Inputs and outputs of a router with these numbers, so many network ports and nodes.
pub fn port_counts((ports, nodes): (usize, u32), router: &Router) -> (usize, usize) {
    let (network, nodes) = (ports * router.channels as usize, nodes as usize);
    let ejection = nodes * router.ejection_channels.map_or(network.max(1), |k| k as usize);
    let outputs = match router.crossbar_outputs {
        CrossbarOutputs::Link => ports,
        CrossbarOutputs::Channel => network,
    };
    (network + nodes * router.injection_queues as usize, outputs + ejection)
}
