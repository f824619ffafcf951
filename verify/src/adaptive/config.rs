//! The numbers and choices of a network of adaptive cut-through routers.

use crate::wormhole;
use crate::wormhole::routing::Link;

/// A network of adaptive cut-through routers.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What other routers have too: the network, the delays of heads, links and credits, channels, buffers, ejection, the
    /// packets of an injection queue, routing, selection, arbiter, admission, the seed. Stages, allocators, sharing,
    /// injection channels, recovery and `base`'s arbiter mean nothing here.
    pub shared: wormhole::Config,
    /// Length of every packet \[flits\]; the traffic's messages are multiples of it, and so are buffers.
    pub packet_flits: u32,
    /// More header time where a packet leaves the dimension by which it came \[cycles\].
    pub turn_cycles: u32,
    /// More header time at the destination's router \[cycles\].
    pub consumption_cycles: u32,
    /// What one packet at a time holds.
    pub crossbar_outputs: CrossbarOutputs,
    /// What heads ask for.
    pub requests: Requests,
    /// Under [`Requests::Parallel`], whether the fallback is asked for before the preferred channels.
    pub escape_first: bool,
    /// Whether new packets give way.
    pub transit_first: bool,
    /// What must be free before a packet may enter a channel.
    pub flow_control: FlowControl,
    /// Injection queues of a node, at least 1.
    pub queues: u32,
    /// Which of them takes a packet.
    pub policy: Policy,
    /// How packets come to the router from there.
    pub interface_channels: InterfaceChannels,
    /// The links to nodes, if ejection channels are virtual channels of such.
    pub ejection_port: Option<Port>,
    /// Whether a packet whose queue is full chooses again in every cycle.
    pub choose_again: bool,
    /// Pauses between packets and after refusals.
    pub pace: Pace,
}

/// Pauses between packets and after refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Cycles that an output is idle after a tail.
    pub output_gap: u32,
    /// Cycles that an input is idle after a tail.
    pub input_gap: u32,
    /// Cycles from a request in vain to the next one.
    pub refusal: u32,
    /// Whether the head that may ask for the longest time comes first.
    pub first_come: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { output_gap: 0, input_gap: 0, refusal: 1, first_come: false }
    }
}

/// What one packet at a time holds, from grant to tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarOutputs {
    /// A link.
    Link,
    /// A virtual channel; the link takes packets from its channels in turn.
    Channel,
}

/// What heads ask for, one output a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// What fits and is open.
    Parallel,
    /// A step a cycle.
    InTurn,
    /// The next step that fits.
    Smart,
    /// Any preferred channel that fits.
    Random,
    /// The preferred channel with most room.
    Shortest,
    /// The preferred channel with fewest flits behind it, as counted by credits.
    ShortestFlits,
    /// Its own channel straight on, else any preferred one.
    Stay,
}

/// What must be free before a packet may enter a channel, beside its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowControl {
    /// Nothing.
    VirtualCutThrough,
    /// A bubble.
    Bubble {
        /// Packets, to enter an escape channel from elsewhere.
        escape_packets: u32,
        /// Packets in the own queue, for a new packet.
        new_packets: u32,
        /// Where those to enter an escape channel must be free.
        scope: Scope,
    },
}

/// Where a bubble is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In the own queue.
    Local,
    /// In the whole ring.
    Ring,
}

/// Which injection queue takes a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The shortest.
    Sh,
    /// The shortest of the directions that lead closer.
    Shp,
    /// The direction with most hops left.
    Lpath,
    /// The first direction with hops left.
    Dor,
    /// Any.
    Random,
    /// One after the other.
    RoundRobin,
}

/// How packets come from the interface to the router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceChannels {
    /// At once.
    Physical,
    /// One at a time, a flit a cycle.
    Virtual {
        /// Packets of a queue that the router holds.
        router_packets: u32,
    },
    /// By a link whose virtual channels the queues are.
    Port(Port),
}

/// A link between a node and its router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Packets in the buffer of each of its channels.
    pub buffer_packets: u32,
    /// Cycles of a flit on it.
    pub link_cycles: u32,
}

/// What a packet holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A virtual channel of a link.
    Link(Link),
    /// An ejection channel.
    Ejection,
}

impl Config {
    /// Inputs from links, and as many virtual channels to links.
    pub fn network_inputs(&self) -> usize {
        self.shared.base.ports() * self.shared.base.virtual_channels as usize
    }

    /// Injection queues of a router.
    pub fn injection_inputs(&self) -> usize {
        (self.shared.base.nodes_per_router * self.queues) as usize
    }

    /// The input of an injection queue, at its router.
    pub fn injection_input(&self, node: usize, queue: usize) -> usize {
        let local = self.shared.base.local(node as u32);
        self.network_inputs() + local * self.queues as usize + queue
    }

    /// Node and queue of an injection input of a router; none where it has fewer nodes than another.
    pub fn injection_queue(&self, router: usize, input: usize) -> Option<(usize, usize)> {
        let number = input - self.network_inputs();
        let (local, queue) = (number / self.queues as usize, number % self.queues as usize);
        Some((*self.shared.base.nodes_at(router).get(local)? as usize, queue))
    }

    /// Port and channel of an input; `None` at an injection queue.
    pub fn from_link(&self, input: usize) -> Option<Link> {
        let channels = self.shared.base.virtual_channels as usize;
        (input < self.network_inputs()).then(|| (input / channels, input % channels))
    }

    /// The number of a virtual channel of a link: that of its own queue among the inputs.
    pub fn number(&self, (port, channel): Link) -> usize {
        port * self.shared.base.virtual_channels as usize + channel
    }

    /// The output that one who takes a virtual channel of a link must hold.
    pub fn link_output(&self, link: Link) -> usize {
        match self.crossbar_outputs {
            CrossbarOutputs::Link => link.0,
            CrossbarOutputs::Channel => self.number(link),
        }
    }

    /// The output by which the packet at an input is consumed by `node`.
    pub fn ejection_output(&self, input: usize, node: u32) -> usize {
        let local = self.shared.base.local(node);
        let channels = self.shared.base.ejection_outputs();
        match self.ejection_port {
            // One packet at a time takes the link, whatever its channel.
            Some(_) => self.network_outputs() + local * channels,
            None => self.network_outputs() + local * channels + input % channels,
        }
    }

    /// The ejection channel of the packet at an input, among those of its router.
    pub fn ejection_channel(&self, input: usize, node: u32) -> usize {
        let (local, channels) = (self.shared.base.local(node), self.shared.base.ejection_outputs());
        local * channels + input % channels
    }

    fn network_outputs(&self) -> usize {
        match self.crossbar_outputs {
            CrossbarOutputs::Link => self.shared.base.ports(),
            CrossbarOutputs::Channel => self.network_inputs(),
        }
    }

    /// Inputs of a router.
    pub fn inputs(&self) -> usize {
        self.network_inputs() + self.injection_inputs()
    }

    /// Outputs of a router.
    pub fn outputs(&self) -> usize {
        self.network_outputs() + self.shared.base.nodes_per_router as usize * self.shared.base.ejection_outputs()
    }

    /// The number of an input or an output of a router in the network.
    pub fn number_of(&self, router: usize, port: usize) -> usize {
        let most = if self.inputs() <= 64 && self.outputs() <= 64 { 64 } else { 2048 };
        router * most + port
    }

    /// Packets that the buffer of a virtual channel holds.
    pub fn buffer_packets(&self) -> u32 {
        self.shared.base.buffer_flits / self.packet_flits
    }

    /// Latency of a packet in an empty network.
    pub fn zero_load(&self, hops: u32, turns: u32) -> u64 {
        let base = &self.shared.base;
        let heads = (hops + 1) * base.header_cycles + turns * self.turn_cycles + self.consumption_cycles;
        u64::from(hops * base.link_cycles + heads + self.packet_flits)
    }
}
