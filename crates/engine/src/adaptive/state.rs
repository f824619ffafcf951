//! What a router is, and how its inputs and outputs are numbered: as in `docs/adaptive.md`.

use super::members::Members;
use super::router::{CrossbarOutputs, MAX_INPUTS, MAX_LINKS, MAX_PORTS, Router, port_counts};
use super::window::{First, Lowest};
use crate::contract::arbiter::Turn;
use crate::mask::{self, ones_below};
use crate::packet::Slot;
use crate::words::Words;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use tailback_base::state::State;
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

/// A set of inputs, or of channels between routers, of a router, as it is kept.
pub(super) trait Mask: Copy + Default + Debug + Send + Sync + State {
    /// As it is worked with; and a set of ejection channels.
    type Set: Members;
    /// Channels among the 64 of a head's window.
    type Near: mask::Mask;
    /// The first channel of a head's window.
    type First: First;
    /// The number that an arbiter keeps for each output.
    type Turn: Turn + Default + Debug + Send + Sync + State;

    /// What tells the inputs and outputs of one router from those of the next, by number in the network.
    fn stride(layout: &Layout) -> u32;

    /// The members.
    fn get(self) -> Self::Set;

    /// The set of these members.
    fn of(members: Self::Set) -> Self;

    /// Those of some heads with a channel out of `which` in their window that one of two lists has for them.
    fn touching<const N: usize>(
        heads: Self::Set,
        lists: [&[Self::Near; N]; 2],
        first: &[Self::First; N],
        which: Self::Set,
    ) -> Self::Set;
}

macro_rules! mask {
    ($($t:ty),+) => {$(
        impl Mask for $t {
            type Set = u64;
            type Near = $t;
            type First = Lowest;
            type Turn = u8;

            #[inline(always)]
            fn stride(_layout: &Layout) -> u32 {
                MAX_PORTS as u32
            }

            #[inline(always)]
            fn get(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            fn of(members: u64) -> Self {
                members as $t
            }

            // PERF: without a branch and with a table, so that it becomes vector instructions.
            #[inline(always)]
            fn touching<const N: usize>(heads: u64, [a, b]: [&[Self; N]; 2], _: &[Lowest; N], which: u64) -> u64 {
                const BIT: [$t; <$t>::BITS as usize] = {
                    let mut all = [0; <$t>::BITS as usize];
                    let mut n = 0;
                    while n < all.len() {
                        all[n] = 1 << n;
                        n += 1;
                    }
                    all
                };
                let (mut all, which) = (0, which as $t);
                for ((a, b), bit) in a.iter().zip(b).zip(&BIT) {
                    all |= if (a | b) & which == 0 { 0 } else { *bit };
                }
                heads & u64::from(all)
            }
        }
    )+};
}
mask!(u16, u64);

/// Of a router that is too wide for words: a head has its candidates at one port.
impl Mask for Words {
    type Set = Words;
    type Near = u64;
    type First = u16;
    type Turn = u16;

    fn stride(layout: &Layout) -> u32 {
        layout.stride
    }

    fn get(self) -> Words {
        self
    }

    fn of(members: Words) -> Self {
        members
    }

    fn touching<const N: usize>(heads: Words, [a, b]: [&[u64; N]; 2], first: &[u16; N], which: Words) -> Words {
        heads.that(|head| (a[head] | b[head]) & which.window(first[head].into()) != 0)
    }
}

/// Adds members to a mask.
#[inline(always)]
pub(super) fn add<W: Mask>(mask: &mut W, members: W::Set) {
    *mask = W::of(mask.get() | members);
}

/// Takes members from a mask.
#[inline(always)]
pub(super) fn clear<W: Mask>(mask: &mut W, members: W::Set) {
    *mask = W::of(mask.get() & !members);
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
    pub channel: u16,
    /// The input that holds the channel of this number, if one does.
    pub holder: u16,
}

tailback_base::plain!(Queued, Input);

/// A router with at most `NI` inputs, as many channels between routers, and `NO` outputs. Bit `i` of a mask of inputs is input
/// `i`; bit `c` of a mask of channels is output channel `c`, whose own queue is input `c`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct RouterState<W: Mask, const NI: usize, const NO: usize> {
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
    pub open_ejection: W::Set,
    /// Per channel, room in the buffer behind it as known here \[flits\].
    pub credits: [i16; NI],
    /// Per input, the channels of its window that the packet at its front prefers.
    pub preferred: [W::Near; NI],
    /// Per input, the channels of its window that the packet at its front falls back to.
    pub fallback: [W::Near; NI],
    /// Per input, the first channel of the window.
    pub first: [W::First; NI],
    /// Inputs.
    pub inputs: [Input; NI],
    /// The kinds of steps for which each channel fits.
    pub kinds: [u8; NI],
    /// Per output, the arbiter's number.
    pub pointer: [W::Turn; NO],
    /// Per link, the channel after the one it served last.
    pub turn: [u8; MAX_LINKS],
    /// In a grid, per port, the router that it leads to; this one where it leads nowhere.
    pub peer: [u32; 16],
}

tailback_base::state!([W: Mask, const NI: usize, const NO: usize] RouterState<W, NI, NO> {
    saved: waiting, fronted, ejecting, open, held, idle, fits, some, open_ejection, credits, preferred, fallback, first, inputs, kinds,
        pointer, turn;
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
            open: W::of(layout.links()),
            held: W::default(),
            idle: W::of(layout.links()),
            fits: [W::default(); KINDS],
            some: W::default(),
            open_ejection: W::Set::range(0, layout.nodes * layout.ejection),
            credits: [buffer_flits; NI],
            preferred: [W::Near::default(); NI],
            fallback: [W::Near::default(); NI],
            first: [W::First::default(); NI],
            inputs: [Input::default(); NI],
            kinds: [0; NI],
            pointer: [W::Turn::default(); NO],
            turn: [0; MAX_LINKS],
            peer: std::array::from_fn(peer),
        }
    }

    /// Whether the front packet of `input` goes to a node here.
    #[inline(always)]
    pub fn ejects(&self, input: usize) -> bool {
        self.ejecting.get().has(input)
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

    /// The channels that the packet at the front of `input` prefers, as a mask of its window.
    #[inline(always)]
    pub fn preferred(&self, input: usize) -> u64 {
        mask::Mask::get(self.preferred[input & (NI - 1)])
    }

    /// The channels that the packet at the front of `input` falls back to, as a mask of its window.
    #[inline(always)]
    pub fn fallback(&self, input: usize) -> u64 {
        mask::Mask::get(self.fallback[input & (NI - 1)])
    }

    /// The candidates of the packet at the front of `input`, as a mask of its window.
    #[inline(always)]
    pub fn candidates(&self, input: usize) -> u64 {
        self.preferred(input) | self.fallback(input)
    }

    /// The first channel of the window of `input`.
    #[inline(always)]
    pub fn first(&self, input: usize) -> usize {
        self.first[input & (NI - 1)].get()
    }

    /// The channel of the same number as `input`, in the window of `input` if it is one of it.
    #[inline(always)]
    pub fn own(&self, input: usize) -> u64 {
        self.first[input & (NI - 1)].bit(input)
    }

    /// The members of a set of channels in the window of `input`.
    #[inline(always)]
    pub fn window(&self, channels: W, input: usize) -> u64 {
        channels.get().window(self.first(input))
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
    pub port: [u8; MAX_INPUTS],
    /// Port and number within it of every channel, and of the network input of the same number.
    pub name: [Option<(u8, u8)>; MAX_INPUTS],
    /// Output of every channel.
    pub output: [u16; MAX_INPUTS],
    /// Which ejection channel of a node an input uses.
    pub lane: [u16; MAX_INPUTS],
    /// The first channel of the output of every channel.
    first: [u16; MAX_INPUTS],
    /// Channels of an output: those of a link, or one; as bits from the first on.
    closed: u64,
    /// The same of a link.
    of_link: u64,
    /// The same of a dimension.
    of_dimension: u64,
    /// What tells the inputs and outputs of one router from those of the next, by number in the network.
    stride: u32,
}

impl Layout {
    /// The numbering of a network.
    pub fn new(wiring: &Network, config: &Router) -> Self {
        let (ports, nodes, channels) = (wiring.most_ports(), wiring.most_nodes(), config.channels as usize);
        let network = ports * channels;
        let ejection = config.ejection_channels.map_or(network.max(1), |k| k as usize);
        let places = config.buffer_packets.next_power_of_two();
        let whole_link = config.crossbar_outputs == CrossbarOutputs::Link;
        let port = |c: usize| c / channels;
        let (inputs, outputs) = port_counts((ports, nodes), config);
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
            outputs: outputs - nodes as usize * ejection,
            ring_bits: places.trailing_zeros(),
            ring_mask: (places - 1) as u16,
            port: std::array::from_fn(|c| port(c) as u8),
            name: std::array::from_fn(|c| (c < network).then(|| (port(c) as u8, (c % channels) as u8))),
            output: std::array::from_fn(|c| if whole_link { port(c) } else { c } as u16),
            lane: std::array::from_fn(|input| (input % ejection) as u16),
            first: std::array::from_fn(|c| if whole_link { port(c) * channels } else { c } as u16),
            closed: if whole_link { ones_below(channels) } else { 1 },
            of_link: ones_below(channels),
            of_dimension: ones_below(2 * channels),
            stride: if inputs.max(outputs) <= MAX_PORTS { MAX_PORTS } else { MAX_INPUTS } as u32,
        }
    }

    /// Port and channel of a network input or a channel between routers; `None` for injection queues.
    #[inline(always)]
    pub fn name(&self, number: usize) -> Option<(u8, u8)> {
        self.name[number & (MAX_INPUTS - 1)]
    }

    /// Port of a channel.
    #[inline(always)]
    pub fn port_of(&self, channel: usize) -> usize {
        usize::from(self.port[channel & (MAX_INPUTS - 1)])
    }

    /// All channels between routers.
    #[inline(always)]
    pub fn links<S: Members>(&self) -> S {
        S::range(0, self.network)
    }

    /// Channels of a port.
    #[inline(always)]
    pub fn link<S: Members>(&self, port: usize) -> S {
        S::at(self.of_link, port * self.channels)
    }

    /// Channels of a dimension.
    #[inline(always)]
    pub fn dimension<S: Members>(&self, dimension: usize) -> S {
        S::at(self.of_dimension, 2 * dimension * self.channels)
    }

    /// Channels of the output of a channel: those of its link, or itself.
    #[inline(always)]
    pub fn closes<S: Members>(&self, channel: usize) -> S {
        S::at(self.closed, self.first[channel & (MAX_INPUTS - 1)].into())
    }

    /// The dimension that heads of `input` came by; 0 for injection queues.
    #[inline(always)]
    pub fn dimension_of(&self, input: usize) -> usize {
        if input < self.network { self.port_of(input) / 2 } else { 0 }
    }

    /// The ejection channel that serves `input` for the node at position `local`.
    #[inline(always)]
    pub fn ejection_channel(&self, local: usize, input: usize) -> usize {
        local * self.ejection + usize::from(self.lane[input & (MAX_INPUTS - 1)])
    }
}
