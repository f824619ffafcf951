//! The numbers and choices of a network of wormhole routers.

use super::recovery::Recovery;
use super::routing::Routing;
use super::selection::Selection;
use super::throttle::Admission;
use crate::reference;

/// A network of wormhole routers.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What cut-through routers have too: the network, the delays of links and credits, channels, buffers, ejection, queues,
    /// dimension order's choices, the seed. Its header delay, arbiter and admission mean nothing here.
    pub base: reference::Config,
    /// Buffers of the channels of a link \[flits\], where they differ; empty: that of `base` each, which is the largest anyway.
    pub channel_buffers: Vec<u32>,
    /// Cycles from a head's coming to the front until it asks for a channel.
    pub routing_cycles: u32,
    /// Cycles from a channel's being given until its flits may ask for the switch.
    pub vc_allocation_cycles: u32,
    /// Cycles that a switch decision takes.
    pub switch_allocation_cycles: u32,
    /// Cycles that a flit takes through the crossbar.
    pub crossbar_cycles: u32,
    /// Packets that a node sends at a time; at least 1.
    pub injection_channels: u32,
    /// Whether they share one flit a cycle; else each has one.
    pub shares_injection: bool,
    /// Whether the packets that a node consumes share one flit a cycle.
    pub shares_ejection: bool,
    /// Length of the packets that messages are cut into \[flits\]; `None`: a message is a packet.
    pub packet_flits: Option<u32>,
    /// When a channel may be given to the next packet.
    pub sharing: Sharing,
    /// How heads get channels.
    pub channel_allocator: ChannelAllocator,
    /// How flits get through the switch.
    pub switch_allocator: SwitchAllocator,
    /// What has a crossbar input of its own.
    pub crossbar_inputs: CrossbarInputs,
    /// Whether heads ask for the switch in the cycle in which they ask for a channel.
    pub speculative: bool,
    /// Who wins a contest, everywhere.
    pub arbiter: Arbiter,
    /// Which channels a head may take.
    pub routing: Routing,
    /// Which of the free ones it takes.
    pub selection: Selection,
    /// What happens to a head that waits long.
    pub recovery: Recovery,
    /// When a new packet may ask for a channel.
    pub admission: Admission,
}

/// When a channel may be given to the next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// When the credit of the last packet's tail is back.
    Owned,
    /// When the last packet's tail has been sent.
    Shared,
    /// As shared; but a preferred channel of a head that has an escape too needs room for the packet or a whole buffer.
    SharedWhole,
}

/// How heads get channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelAllocator {
    /// One head a router and cycle.
    Central,
    /// Heads choose first.
    InputFirst,
    /// Channels choose first.
    OutputFirst,
}

/// How flits get through the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchAllocator {
    /// Crossbar inputs choose first.
    InputFirst,
    /// Outputs choose first.
    OutputFirst,
}

/// What has a crossbar input of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarInputs {
    /// Every network port; its channels share it.
    Port,
    /// Every input.
    Channel,
}

/// Who wins a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbiter {
    /// The first input from the one after the last winner on.
    RoundRobin,
    /// Any of them.
    Random,
    /// The packet born first; then the lower source, then the lower input.
    OldestFirst,
    /// The one served longest ago.
    Matrix,
}

/// What leads out of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A virtual channel of a link, that of the recovery lane included.
    Network {
        /// The network port.
        port: usize,
        /// The channel.
        channel: usize,
    },
    /// An ejection channel, by its number at the router.
    Ejection(usize),
}

impl Config {
    /// A torus or mesh of the simplest routers: dimension order, owned channels, no delay but a cycle a link and credit, two
    /// virtual channels of 8 flits, one injection and one ejection channel.
    pub fn plain(radix: &[u32], wrap: bool) -> Self {
        Config {
            base: plain_base(radix, wrap),
            channel_buffers: Vec::new(),
            routing_cycles: 0,
            vc_allocation_cycles: 0,
            switch_allocation_cycles: 0,
            crossbar_cycles: 0,
            injection_channels: 1,
            shares_injection: false,
            shares_ejection: false,
            packet_flits: None,
            sharing: Sharing::Owned,
            channel_allocator: ChannelAllocator::InputFirst,
            switch_allocator: SwitchAllocator::InputFirst,
            crossbar_inputs: CrossbarInputs::Channel,
            speculative: false,
            arbiter: Arbiter::RoundRobin,
            routing: Routing::DimensionOrder,
            selection: Selection::First,
            recovery: Recovery::Off,
            admission: Admission::Off,
        }
    }

    /// Virtual channels of a link, that of the recovery lane included.
    pub fn width(&self) -> usize {
        self.base.virtual_channels as usize + usize::from(self.lane_flits() > 0)
    }

    /// The channel of the recovery lane, the last of each link, if there is one.
    pub fn lane(&self) -> Option<usize> {
        (self.lane_flits() > 0).then_some(self.base.virtual_channels as usize)
    }

    /// The buffer of a channel of a link \[flits\].
    pub fn buffer_of(&self, channel: usize) -> u32 {
        match (Some(channel) == self.lane(), self.channel_buffers.get(channel)) {
            (true, _) => self.lane_flits(),
            (false, Some(&flits)) => flits,
            (false, None) => self.base.buffer_flits,
        }
    }

    /// Inputs from links, and as many output channels to links.
    pub fn network_channels(&self) -> usize {
        self.base.ports() * self.width()
    }

    /// Inputs of a router: those from links, then the injection channels node by node.
    pub fn inputs(&self) -> usize {
        self.network_channels() + (self.base.nodes_per_router * self.injection_channels) as usize
    }

    /// Ejection channels of a node.
    pub fn ejection_channels(&self) -> usize {
        self.base.ejection_channels.map_or(self.network_channels(), |channels| channels as usize)
    }

    /// Output channels of a router: those of links, then the ejection channels node by node.
    pub fn outputs(&self) -> usize {
        self.network_channels() + self.base.nodes_per_router as usize * self.ejection_channels()
    }

    /// What an output channel is.
    pub fn way(&self, output: usize) -> Way {
        match output.checked_sub(self.network_channels()) {
            None => Way::Network { port: output / self.width(), channel: output % self.width() },
            Some(ejection) => Way::Ejection(ejection),
        }
    }

    /// The number of an output port: network ports, then ejection channels, or nodes where these share a flit a cycle.
    pub fn output_port(&self, output: usize) -> usize {
        match self.way(output) {
            Way::Network { port, .. } => port,
            Way::Ejection(ejection) if self.shares_ejection => self.base.ports() + ejection / self.ejection_channels(),
            Way::Ejection(ejection) => self.base.ports() + ejection,
        }
    }

    /// The output channel on which the packet at an input is consumed by `node`.
    pub fn ejection_output(&self, input: usize, node: u32) -> usize {
        let local = self.base.local(node);
        self.network_channels() + local * self.ejection_channels() + input % self.ejection_channels()
    }

    /// Port and channel of an input; `None` at an injection channel.
    pub fn from_link(&self, input: usize) -> Option<(usize, usize)> {
        (input < self.network_channels()).then(|| (input / self.width(), input % self.width()))
    }

    /// The crossbar input of an input, named by the first input that has it.
    pub fn crossbar_input(&self, input: usize) -> usize {
        match (self.crossbar_inputs, self.from_link(input)) {
            (CrossbarInputs::Port, Some((port, channel))) if Some(channel) != self.lane() => port * self.width(),
            (_, None) if self.shares_injection => {
                input - (input - self.network_channels()) % self.injection_channels as usize
            }
            _ => input,
        }
    }

    /// Cycles from the switch's sending a flit to its being in the next buffer.
    pub fn flight_cycles(&self, router: usize, port: usize) -> u64 {
        u64::from(self.switch_allocation_cycles + self.crossbar_cycles + self.base.cycles(router, port))
    }

    /// Cycles from the switch's sending a flit to the use of its credit upstream.
    pub fn credit_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles + self.base.credit_cycles)
    }

    /// Cycles from the switch's sending a flit to an ejection channel to its being received.
    pub fn ejection_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles + self.crossbar_cycles + 1)
    }

    /// Seeds of the arbiters of channel allocation, of crossbar inputs and of crossbar outputs.
    pub fn arbiter_seeds(&self) -> [u64; 3] {
        [0, 1, 2].map(|stage| self.base.seed.wrapping_add(stage))
    }

    /// Latency of a packet in an empty network of links that are all alike, whose buffers cover the credits' round trip.
    pub fn zero_load(&self, hops: u32, flits: u32) -> u64 {
        let head = u64::from(self.routing_cycles + self.vc_allocation_cycles);
        u64::from(hops) * (head + self.flight_cycles(0, 0)) + head + self.ejection_cycles() + u64::from(flits) - 1
    }

    /// Buffer of the recovery lane at each router \[flits\]; 0: there is no lane.
    pub fn lane_flits(&self) -> u32 {
        match self.recovery {
            Recovery::Off => 0,
            Recovery::Disha { lane_flits, .. } => lane_flits,
        }
    }
}

fn plain_base(radix: &[u32], wrap: bool) -> reference::Config {
    reference::Config {
        graph: None,
        radix: radix.to_vec(),
        wrap: vec![wrap; radix.len()],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: 2,
        buffer_flits: 8,
        header_cycles: 0,
        credit_cycles: 1,
        ejection_channels: Some(1),
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: reference::Arbiter::RoundRobin,
        datelines: if wrap { reference::Datelines::One } else { reference::Datelines::None },
        numbering: reference::Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: reference::Tie::Plus,
        admission: reference::Admission::Off,
        seed: 1,
    }
}
