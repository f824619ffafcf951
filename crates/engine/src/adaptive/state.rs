//! What a router is, and how its inputs and outputs are numbered: as in `docs/adaptive.md`.

use super::router::{CrossbarOutputs, MAX_PORTS, Router, port_counts};
use crate::mask;
use crate::mask::ones_below;
use crate::packet::Slot;
use serde::{Deserialize, Serialize};
use tailback_network::{Grid, Network};

/// Ways of coming to a channel that flow control may tell apart: origin, and whether it is an escape channel.
pub(super) const KINDS: usize = 6;

/// A packet in a buffer.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Queued {
    /// The packet.
    pub slot: Slot,
    /// Cycle in which its head arrived.
    pub arrived: u64,
}

/// A set of inputs, or of channels between routers, of a router.
pub(super) trait Mask: mask::Mask {
    /// The numbers, as a mask, of those of at most as many pairs of sets as there are bits of which one has a member in `which`.
    fn touching<const N: usize>(a: &[Self; N], b: &[Self; N], which: Self) -> u64;
}

macro_rules! mask {
    ($($t:ty),+) => {$(
        impl Mask for $t {
            // PERF: without a branch and with a table, so that it becomes vector instructions.
            #[inline(always)]
            fn touching<const N: usize>(a: &[Self; N], b: &[Self; N], which: Self) -> u64 {
                const BIT: [$t; <$t>::BITS as usize] = {
                    let mut all = [0; <$t>::BITS as usize];
                    let mut n = 0;
                    while n < all.len() {
                        all[n] = 1 << n;
                        n += 1;
                    }
                    all
                };
                let mut all = 0;
                for ((a, b), bit) in a.iter().zip(b).zip(&BIT) {
                    all |= if (a | b) & which == 0 { 0 } else { *bit };
                }
                u64::from(all)
            }
        }
    )+};
}
mask!(u16, u64);

/// Adds members to a mask.
#[inline(always)]
pub(super) fn add<W: Mask>(mask: &mut W, bits: u64) {
    *mask = W::of(mask.get() | bits);
}

/// Takes members from a mask.
#[inline(always)]
pub(super) fn clear<W: Mask>(mask: &mut W, bits: u64) {
    *mask = W::of(mask.get() & !bits);
}

/// An input, and the channel of the same number.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Input {
    /// The packet at its front.
    pub slot: Slot,
    /// Packets whose head has arrived and whose tail has not left; not kept for injection queues.
    pub count: u16,
    /// RouterPort of the front packet in the ring; not kept for injection queues.
    pub front: u16,
    /// The ejection channel that the front packet asks for, or the channel that it was granted last.
    pub channel: u8,
    /// The input that holds the channel of this number, if one does.
    pub holder: u8,
    /// The kinds of steps for which the channel of this number fits.
    pub kinds: u8,
}

tailback_base::plain!(Queued, Input);

/// A router with at most `NI` inputs, as many channels between routers, and `NO` outputs. Bit `i` of a mask of inputs is input
/// `i`; bit `c` of a mask of channels is output channel `c`, whose own queue is input `c`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct RouterState<W, const NI: usize, const NO: usize> {
    /// Inputs whose head may ask and holds no output.
    pub waiting: W,
    /// Inputs with a packet at their front.
    pub fronted: W,
    /// Inputs with a front packet that goes to a node of this router.
    pub ejecting: W,
    /// Channels whose output nobody holds.
    pub open: W,
    /// Channels that a packet holds which has not been sent: never where the link is the output.
    pub held: W,
    /// Channels of links that send nothing.
    pub idle: W,
    /// By kind of step, the channels that fit; a bubble around the ring is asked for elsewhere.
    pub fits: [W; KINDS],
    /// Channels that fit for some kind of step.
    pub some: W,
    /// Ejection channels that nobody holds.
    pub open_ejection: u64,
    /// Per channel, room in the buffer behind it as known here \[flits\].
    pub credits: [i16; NI],
    /// Per input, the channels that the packet at its front prefers.
    pub preferred: [W; NI],
    /// Per input, the channels that the packet at its front falls back to.
    pub fallback: [W; NI],
    /// Inputs.
    pub inputs: [Input; NI],
    /// Per output, the arbiter's byte.
    pub pointer: [u8; NO],
    /// Per link, the channel after the one it served last.
    pub turn: [u8; 16],
    /// Per port, the router that it leads to; this one where it leads nowhere.
    pub peer: [u32; 16],
}

tailback_base::state!([W: Mask, const NI: usize, const NO: usize] RouterState<W, NI, NO> {
    saved: waiting, fronted, ejecting, open, held, idle, fits, some, open_ejection, credits, preferred, fallback, inputs, pointer,
        turn;
    rebuilt: peer;
});

impl<W: Mask, const NI: usize, const NO: usize> RouterState<W, NI, NO> {
    /// Router `router` with nothing in it; no channel fits yet.
    pub fn new(network: &Network, layout: &Layout, router: u32, buffer_flits: i16) -> Self {
        let peer = |port: usize| match port {
            port if port < layout.ports => network.ahead(router, port).map_or(router, |far| far.router),
            _ => router,
        };
        RouterState {
            waiting: W::default(),
            fronted: W::default(),
            ejecting: W::default(),
            open: W::of(layout.links),
            held: W::default(),
            idle: W::of(layout.links),
            fits: [W::default(); KINDS],
            some: W::default(),
            open_ejection: ones_below(layout.nodes * layout.ejection),
            credits: [buffer_flits; NI],
            preferred: [W::default(); NI],
            fallback: [W::default(); NI],
            inputs: [Input::default(); NI],
            pointer: [0; NO],
            turn: [0; 16],
            peer: std::array::from_fn(peer),
        }
    }

    /// Whether the front packet of `input` goes to a node here.
    #[inline(always)]
    pub fn ejects(&self, input: usize) -> bool {
        self.ejecting.get() >> input & 1 == 1
    }

    /// An input, or the channel of this number.
    #[inline(always)]
    pub fn at(&self, number: usize) -> &Input {
        &self.inputs[number & (NI - 1)]
    }

    /// An input, or the channel of this number.
    #[inline(always)]
    pub fn at_mut(&mut self, number: usize) -> &mut Input {
        &mut self.inputs[number & (NI - 1)]
    }

    /// The candidates of the packet at the front of `input`.
    #[inline(always)]
    pub fn candidates(&self, input: usize) -> u64 {
        self.preferred[input & (NI - 1)].get() | self.fallback[input & (NI - 1)].get()
    }

    /// The router behind `port`.
    #[inline(always)]
    pub fn peer(&self, port: usize) -> u32 {
        self.peer[port & 15]
    }
}

/// Numbers that index formulas need, fixed at build. Tables, because a division costs as much as the rest of a request.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Network ports.
    pub ports: usize,
    /// Virtual channels a link.
    pub channels: usize,
    /// Dimensions; none without a grid.
    pub dimensions: usize,
    /// Time of a flit on the longest link \[cycles\].
    pub link_cycles: u64,
    /// Nodes a router, the most that one has.
    pub nodes: usize,
    /// Whether all have as many, numbered router by router.
    pub even: bool,
    /// Injection queues a node.
    pub queues: usize,
    /// Inputs from links, and as many channels between routers.
    pub network: usize,
    /// Ejection channels a node.
    pub ejection: usize,
    /// Outputs before the ejection channels.
    pub outputs: usize,
    /// Places of a buffer's ring, as a power of two.
    pub ring_bits: u32,
    /// Places of a ring less one.
    pub ring_mask: u16,
    /// Port of every channel.
    pub port: [u8; MAX_PORTS],
    /// Port and number within it of every channel, and of the network input of the same number.
    pub name: [Option<(u8, u8)>; MAX_PORTS],
    /// Output of every channel.
    pub output: [u8; MAX_PORTS],
    /// Which ejection channel of a node an input uses.
    pub lane: [u8; MAX_PORTS],
    /// Channels of the output of every channel: those of its link, or itself.
    pub closes: [u64; MAX_PORTS],
    /// All channels between routers.
    pub links: u64,
    /// Channels of every port.
    pub link: [u64; 16],
    /// Channels of every dimension.
    pub dimension: [u64; 8],
}

impl Layout {
    /// The numbering of a network.
    pub fn new(wiring: &Network, config: &Router) -> Self {
        let (ports, nodes, channels) = (wiring.most_ports(), wiring.most_nodes(), config.channels as usize);
        let network = ports * channels;
        let ejection = config.ejection_channels.map_or(network.max(1), |k| k as usize);
        let places = config.buffer_packets.next_power_of_two();
        let whole_link = config.crossbar_outputs == CrossbarOutputs::Link;
        let link = |port: usize| if port < ports { ones_below(channels) << (port * channels) } else { 0 };
        let port = |c: usize| c / channels;
        Layout {
            ports,
            channels,
            dimensions: wiring.grid().map_or(0, Grid::dimensions),
            link_cycles: wiring.delays().1.into(),
            even: wiring.seats().is_even(),
            nodes: nodes as usize,
            queues: config.injection_queues as usize,
            network,
            ejection,
            outputs: port_counts((ports, nodes), config).1 - nodes as usize * ejection,
            ring_bits: places.trailing_zeros(),
            ring_mask: (places - 1) as u16,
            port: std::array::from_fn(|c| port(c) as u8),
            name: std::array::from_fn(|c| (c < network).then(|| (port(c) as u8, (c % channels) as u8))),
            output: std::array::from_fn(|c| if whole_link { port(c) } else { c } as u8),
            lane: std::array::from_fn(|input| (input % ejection) as u8),
            closes: std::array::from_fn(|c| if whole_link && c < network { link(port(c)) } else { 1 << c }),
            links: ones_below(network),
            link: std::array::from_fn(link),
            dimension: std::array::from_fn(|d| link(2 * d) | link(2 * d + 1)),
        }
    }

    /// Port and channel of a network input or a channel between routers; `None` for injection queues.
    #[inline(always)]
    pub fn name(&self, number: usize) -> Option<(u8, u8)> {
        self.name[number & (MAX_PORTS - 1)]
    }

    /// Port of a channel.
    #[inline(always)]
    pub fn port_of(&self, channel: usize) -> usize {
        usize::from(self.port[channel & (MAX_PORTS - 1)])
    }

    /// The dimension that heads of `input` came by; 0 for injection queues.
    #[inline(always)]
    pub fn dimension_of(&self, input: usize) -> usize {
        if input < self.network { self.port_of(input) / 2 } else { 0 }
    }

    /// The ejection channel that serves `input` for the node at position `local`.
    #[inline(always)]
    pub fn ejection_channel(&self, local: usize, input: usize) -> usize {
        local * self.ejection + usize::from(self.lane[input & (MAX_PORTS - 1)])
    }
}
