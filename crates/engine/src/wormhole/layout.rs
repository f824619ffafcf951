//! How inputs and output channels are numbered, as in `docs/wormhole.md`. A link's channel has the same number at both of
//! its ends. Tables, because a division costs as much as the rest of a request.

use super::router::{CrossbarInputs, Local, MAX_PORTS, Router, Sharing, port_counts};
use crate::mask::ones_below;
use tailback_network::Grid;

/// Numbers that index formulas need, fixed at build.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Network ports.
    pub ports: usize,
    /// Ordinary virtual channels a link.
    pub channels: usize,
    /// Virtual channels a link, that of the recovery lane among them.
    pub link_channels: usize,
    /// Nodes a router.
    pub nodes: usize,
    /// Injection channels a node.
    pub injection: usize,
    /// Ejection channels a node.
    pub ejection: usize,
    /// Inputs from links, and as many output channels lead to links.
    pub network: usize,
    /// Inputs.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// The network's inputs or channels, as a mask.
    pub links: u64,
    /// The recovery lane's inputs or channels, as a mask.
    pub lane: u64,
    /// The buffer behind every channel of a link \[flits\], but for the recovery lane.
    pub buffer: [u16; MAX_PORTS],
    /// Channels that are free only when the tail's credit is back.
    pub owned: u64,
    /// Ring positions an input, as a power of two.
    pub ring_bits: u32,
    /// Ring positions less one.
    pub ring_mask: u16,
    /// Input port of every network input; output port of every output channel: an ejection channel is one of its own.
    pub port: [u8; MAX_PORTS],
    /// Which ejection channel of a node an input uses.
    pub ejection_lane: [u8; MAX_PORTS],
    /// Crossbar input of every input, numbered from 0.
    pub crossbar: [u8; MAX_PORTS],
    /// Inputs of every crossbar input.
    pub members: [u64; MAX_PORTS],
    /// Crossbar inputs.
    pub crossbars: usize,
    /// Output ports: those of links, then a port an ejection channel, or a node.
    pub output_ports: usize,
    /// Whether the ejection channels of a node are one output port.
    pub one_ejection: bool,
    /// Whether every input has a crossbar input of its own.
    pub single: bool,
}

impl Layout {
    /// The numbering of a network with so many channels on a link, that of a recovery lane among them, and the `shortest` packet.
    pub fn new(grid: &Grid, config: &Router, link_channels: usize, shortest: u32) -> Self {
        let (inputs, outputs) = port_counts(grid, config, link_channels);
        let (ports, channels) = (grid.ports(), config.channels as usize);
        let network = ports * link_channels;
        let depth = ring_depth(config, shortest);
        let ejection = config.ejection_channels.map_or(network, |k| k as usize);
        let one_ejection = config.ejection == Local::Shared && ejection > 1;
        let of_port = if one_ejection { ejection } else { 1 };
        let port = |n: usize| if n < network { n / link_channels } else { ports + (n - network) / of_port };
        let mut layout = Layout {
            ports,
            channels,
            link_channels,
            nodes: grid.nodes_per_router() as usize,
            injection: config.injection_channels as usize,
            ejection,
            network,
            inputs,
            outputs,
            links: ones_below(network),
            lane: (0..network).filter(|n| n % link_channels == channels).fold(0, |m, n| m | 1 << n),
            buffer: std::array::from_fn(|n| config.buffer_of((n % link_channels).min(channels - 1)) as u16),
            owned: 0,
            ring_bits: depth.trailing_zeros(),
            ring_mask: (depth - 1) as u16,
            port: std::array::from_fn(|n| port(n) as u8),
            ejection_lane: std::array::from_fn(|n| (n % ejection) as u8),
            crossbar: [0; MAX_PORTS],
            members: [0; MAX_PORTS],
            crossbars: 0,
            output_ports: ports + (outputs - network) / of_port,
            one_ejection,
            single: false,
        };
        layout.owned = if config.sharing == Sharing::Owned { layout.links } else { layout.lane };
        for input in 0..inputs {
            let ordinary = input < network && layout.lane >> input & 1 == 0;
            let shares = match ordinary {
                true => config.crossbar_inputs == CrossbarInputs::Port && input % link_channels > 0,
                false => {
                    let local = input >= network && !(input - network).is_multiple_of(layout.injection);
                    config.injection == Local::Shared && local
                }
            };
            layout.crossbars += usize::from(!shares);
            layout.crossbar[input] = (layout.crossbars - 1) as u8;
            layout.members[layout.crossbars - 1] |= 1 << input;
        }
        layout.single = layout.crossbars == inputs;
        layout
    }

    /// The ejection channel that serves `input` for the node at position `local`.
    #[inline]
    pub fn ejection_channel(&self, local: usize, input: usize) -> usize {
        self.network + local * self.ejection + usize::from(self.ejection_lane[input & (MAX_PORTS - 1)])
    }

    /// Port and channel of a network input, or of a link's output channel; `None` for others.
    #[inline]
    pub fn name(&self, number: usize) -> Option<(u8, u8)> {
        let port = self.port[number & (MAX_PORTS - 1)];
        let first = usize::from(port) * self.link_channels;
        (number < self.network).then(|| (port, (number - first) as u8))
    }

    /// The channels of a link, or the inputs that it ends at.
    pub fn link(&self, port: usize) -> u64 {
        ones_below(self.link_channels) << (port * self.link_channels)
    }

    /// The first input of a crossbar input: its number in the model.
    #[inline]
    pub fn first_of(&self, crossbar: usize) -> usize {
        self.members[crossbar & (MAX_PORTS - 1)].trailing_zeros() as usize
    }

    /// The lane's channel of a port.
    pub fn lane_of(&self, port: u8) -> usize {
        usize::from(port) * self.link_channels + self.channels
    }

    /// All ordinary channels of a port, as a mask.
    #[inline]
    pub fn all_channels(&self) -> u16 {
        ones_below(self.channels) as u16
    }

    /// From a mask in which channel `c` of port `p` is bit `p * channels + c` (routing's) to one in our numbers.
    #[inline]
    pub fn numbered(&self, mask: u64) -> u64 {
        if self.lane == 0 { mask } else { self.renumber(mask, self.channels, self.link_channels) }
    }

    /// The other way round, for channels of links.
    #[inline]
    pub fn unnumbered(&self, mask: u64) -> u64 {
        if self.lane == 0 { mask } else { self.renumber(mask, self.link_channels, self.channels) }
    }

    fn renumber(&self, mask: u64, from: usize, to: usize) -> u64 {
        let of_port = |port: usize| (mask >> (port * from) & u64::from(self.all_channels())) << (port * to);
        (0..self.ports).fold(0, |all, port| all | of_port(port))
    }
}

/// Ring positions of an input, a power of two: packets between the grant of their channel and the sending of their tail.
/// Where channels are owned there is one. Otherwise the front packet has a flit there at least, the last one perhaps none,
/// and those in between are there as wholes.
pub(super) fn ring_depth(config: &Router, shortest: u32) -> usize {
    match config.sharing {
        Sharing::Owned => 1,
        _ => (2 + (config.buffer_flits as usize - 1) / shortest as usize).next_power_of_two(),
    }
}
