//! The wormhole data path: the unit of allocation is the flit. `docs/wormhole.md` says what a cycle is.

/// Runs `$body` with `$fabric` bound to the fabric of whatever shape.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {
        match $self {
            Shaped::Small($fabric) => $body,
            Shaped::Medium($fabric) => $body,
            Shaped::Wide($fabric) => $body,
        }
    };
}

mod audit;
mod audit_places;
mod audit_wires;
mod block;
mod census;
mod channels;
mod checkpoint;
mod common;
mod contest;
mod deadlock;
mod deliver;
mod fabric;
mod feed;
mod fronts;
mod give;
mod groups;
mod kernels;
mod lanes;
mod layout;
mod links;
mod recovery;
mod send;
mod size;
mod source;
mod switch;
#[cfg(test)]
mod tests;
mod times;
mod wires;

use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::probe::Probe;
use crate::contract::recovery::Recovery;
use crate::contract::routing::Routing;
use crate::contract::selection::Selection;
use crate::cut_through::{AuditError, Counters, Deadlock, Waiting, ones_below};
use crate::totals::Totals;
use fabric::Fabric;
use tailback_network::Grid;
use tailback_traffic::{Generated, Traffic};

pub use size::{RouterSize, router_bytes};

/// The mechanisms of a run.
pub trait Mechanisms {
    /// Routing.
    type Routing: Routing;
    /// Choice among free channels.
    type Selection: Selection;
    /// All arbiters.
    type Arbiter: Arbiter;
    /// Admission of new packets.
    type Admission: Admission;
    /// Deadlock recovery.
    type Recovery: Recovery;
}

/// The mechanisms' values.
pub struct Parts<M: Mechanisms> {
    /// Routing.
    pub routing: M::Routing,
    /// Choice among free channels.
    pub selection: M::Selection,
    /// Arbiters of channel allocation.
    pub channel_arbiter: M::Arbiter,
    /// Arbiters of the crossbar's inputs.
    pub input_arbiter: M::Arbiter,
    /// Arbiters of the crossbar's outputs.
    pub output_arbiter: M::Arbiter,
    /// Admission of new packets.
    pub admission: M::Admission,
    /// Deadlock recovery.
    pub recovery: M::Recovery,
}

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

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, without that of a recovery lane.
    pub channels: u32,
    /// Buffer of a virtual channel \[flits\], 1 to 32767.
    pub buffer_flits: u32,
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
    /// Injection channels of a node, a flit a cycle each; at least 1.
    pub injection_channels: u32,
    /// Ejection channels of a node, a flit a cycle and a packet at a time each; `None`: one for every network input.
    pub ejection_channels: Option<u32>,
    /// Packets a source queue holds, those being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
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

/// The largest number of inputs, and of output channels, of a router: one bit each in a mask.
pub const MAX_PORTS: usize = 64;

/// Inputs and output channels of a router with these numbers; `lane`: recovery has one.
pub fn port_counts(grid: &Grid, router: &Router, lane: bool) -> (usize, usize) {
    let network = grid.ports() * (router.channels as usize + usize::from(lane));
    let nodes = grid.nodes_per_router() as usize;
    let ejection = router.ejection_channels.map_or(network, |k| k as usize);
    (network + nodes * router.injection_channels as usize, network + nodes * ejection)
}

/// A network of wormhole routers in the middle of a run.
pub struct Wormhole<'a, M: Mechanisms>(Shaped<'a, M>);

/// A network in the smallest shape that its routers fit.
enum Shaped<'a, M: Mechanisms> {
    /// Up to 16 network inputs and 32 inputs: two dimensions with four channels.
    Small(Fabric<'a, M, u32, 16, 32>),
    /// Up to 32 network inputs and 64 inputs.
    Medium(Fabric<'a, M, u64, 32, 64>),
    /// Up to 64 inputs.
    Wide(Fabric<'a, M, u64, 64, 64>),
}

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Small,
    Medium,
    Wide,
}

fn shape(network: usize, inputs: usize, outputs: usize) -> Shape {
    match (network, inputs.max(outputs)) {
        (0..=16, 0..=32) => Shape::Small,
        (0..=32, _) => Shape::Medium,
        _ => Shape::Wide,
    }
}

impl<'a, M: Mechanisms> Wormhole<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: inputs and output channels number at most [`MAX_PORTS`].
    pub fn new(grid: &'a Grid, traffic: &'a Traffic, config: Router, parts: Parts<M>, needs_occupancy: bool) -> Self {
        let lane = parts.recovery.lane_flits() > 0;
        let (inputs, outputs) = port_counts(grid, &config, lane);
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        assert!(config.injection_channels >= 1, "the spec was checked for an injection channel");
        let network = grid.ports() * (config.channels as usize + usize::from(lane));
        Wormhole(match shape(network, inputs, outputs) {
            Shape::Small => Shaped::Small(Fabric::new(grid, traffic, config, parts, needs_occupancy)),
            Shape::Medium => Shaped::Medium(Fabric::new(grid, traffic, config, parts, needs_occupancy)),
            Shape::Wide => Shaped::Wide(Fabric::new(grid, traffic, config, parts, needs_occupancy)),
        })
    }

    /// The same network, simulated without the processor's wide vectors and bit instructions even where it has them: slower,
    /// equal bits.
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
    pub fn portable(mut self) -> Self {
        #[cfg(target_arch = "x86_64")]
        each!(&mut self.0, fabric => fabric.common.wide = None);
        self
    }

    /// Simulates one cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step(probe));
    }

    /// The cycle to be simulated next.
    pub fn cycle(&self) -> u64 {
        each!(&self.0, fabric => fabric.common.cycle)
    }

    /// Totals since the start.
    pub fn counters(&self) -> Counters {
        each!(&self.0, fabric => fabric.common.counters)
    }

    /// Packets whose head has left the source queue and whose tail has not arrived.
    pub fn in_flight(&self) -> u64 {
        each!(&self.0, fabric => fabric.common.in_flight())
    }

    /// What became of all packets since cycle 0.
    pub fn totals(&self) -> Totals {
        each!(&self.0, fabric => fabric.totals())
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn sources_are_dry(&self) -> bool {
        each!(&self.0, fabric => fabric.common.sources.are_dry())
    }

    /// Packets that the sources made before cycle `end` and that have not asked for the network yet.
    pub fn backlog(&self, end: u64, made: impl FnMut(u32, Generated)) {
        each!(&self.0, fabric => fabric.common.sources.backlog(end, made));
    }

    /// Re-derives the books between two cycles: flits and credits of every channel, packets, and all masks.
    ///
    /// # Errors
    /// The first book that does not balance.
    pub fn audit(&self) -> Result<(), AuditError> {
        each!(&self.0, fabric => fabric.audit())
    }

    /// Looks for packets that can never move. With a recovery lane there are none. Cost: proportional to the buffers of the
    /// network.
    pub fn deadlock(&self) -> Option<Deadlock> {
        each!(&self.0, fabric => fabric.deadlock())
    }

    /// Whether nothing in the network can ever happen again although packets are in it: no flit moves, no credit is on its
    /// way, no head may be given a channel. Cost: a look at all wires.
    pub fn is_still(&self) -> bool {
        each!(&self.0, fabric => fabric.is_still())
    }

    /// Calls `each` with all heads in buffers of links that wait, if only for their turn.
    pub fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        each!(&self.0, fabric => fabric.waiting(each))
    }

    /// Calls `each` with every queue that a packet is in which has come to the front of its source queue, or is on the way to.
    /// Cost: proportional to the buffers of the network.
    pub fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        each!(&self.0, fabric => fabric.census(each))
    }

    /// Calls `each` with every head that stands behind no other packet: see [`Network::fronts`](crate::Network::fronts).
    pub fn fronts(&self, scratch: &mut Scratch, each: impl FnMut(Front)) {
        each!(&self.0, fabric => fabric.fronts(scratch, each))
    }

    /// The packet with a number that [`Wormhole::fronts`] told.
    pub fn name_of(&self, id: u32) -> Name {
        each!(&self.0, fabric => fabric.name(id))
    }
}

/// The number of an arbiter, or of an input, of `router` in the network.
#[inline(always)]
fn arbiter(router: u32, number: usize) -> u32 {
    router * MAX_PORTS as u32 + number as u32
}
