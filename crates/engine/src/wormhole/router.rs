//! The numbers of a wormhole router, and its choices.

/// When an output channel may be given to the next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// When the buffer downstream has been left by the last packet.
    Owned,
    /// When the last packet's tail has been sent into it.
    Shared,
    /// As shared; a preferred channel of a head that also has an escape only if the packet, or a whole buffer, fits.
    SharedWhole,
}

/// How heads get output channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelAllocator {
    /// One head a router and cycle.
    Central,
    /// Heads choose first, then channels.
    InputFirst,
    /// Channels choose first, then heads.
    OutputFirst,
}

/// How flits get through the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchAllocator {
    /// Crossbar inputs choose first, then outputs.
    InputFirst,
    /// Outputs choose first, then crossbar inputs.
    OutputFirst,
}

/// What has a crossbar input of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarInputs {
    /// Every network port; its channels share it.
    Port,
    /// Every virtual channel.
    Channel,
}

/// What the channels between a router and a node carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// A flit a cycle each.
    Channels,
    /// A flit a cycle together.
    Shared,
}

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, without that of a recovery lane.
    pub channels: u32,
    /// Buffer of a virtual channel \[flits\], 1 to 32767; the largest where they differ.
    pub buffer_flits: u32,
    /// Buffers of the virtual channels of a link \[flits\], in their order, where they differ.
    pub channel_buffers: Option<[u16; 16]>,
    /// Cycles from a head's coming to the front until it asks for a channel.
    pub routing_cycles: u32,
    /// Cycles from a channel's being given to a head until its flits may ask for the switch.
    pub vc_allocation_cycles: u32,
    /// Cycles that a switch decision takes.
    pub switch_allocation_cycles: u32,
    /// Cycles that a flit takes through the crossbar.
    pub crossbar_cycles: u32,
    /// Cycles from a flit's leaving a buffer to the credit's use upstream, beside those of the switch decision; at least 1.
    pub credit_cycles: u32,
    /// Injection channels of a node; at least 1.
    pub injection_channels: u32,
    /// Who of them has a flit a cycle.
    pub injection: Local,
    /// Ejection channels of a node, a packet at a time each; `None`: one for every network input.
    pub ejection_channels: Option<u32>,
    /// Who of them has a flit a cycle.
    pub ejection: Local,
    /// Packets a source queue holds, those being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Length of the packets that messages are cut into \[flits\], a divisor of every length that occurs; `None`: a message is a packet.
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
    /// Seed of all random streams.
    pub seed: u64,
}

impl Router {
    /// The buffer of a virtual channel of a link \[flits\].
    pub fn buffer_of(&self, channel: usize) -> u32 {
        self.channel_buffers.map_or(self.buffer_flits, |of| u32::from(of[channel]))
    }
}

/// The largest number of inputs, and of output channels, of a router: one bit each in a mask.
pub const MAX_PORTS: usize = 64;

/// The largest number of links from a router to others.
pub const MAX_LINKS: usize = 31;

/// Inputs and output channels of a router with so many network ports and nodes, and so many channels on a link, that of a recovery lane among them.
pub fn port_counts((ports, nodes): (usize, u32), router: &Router, link_channels: usize) -> (usize, usize) {
    let (network, nodes) = (ports * link_channels, nodes as usize);
    let ejection = router.ejection_channels.map_or(network.max(1), |k| k as usize);
    (network + nodes * router.injection_channels as usize, network + nodes * ejection)
}
