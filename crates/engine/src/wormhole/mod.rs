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
mod mechanisms;
mod recovery;
mod router;
mod send;
mod shape;
mod size;
mod source;
mod switch;
#[cfg(test)]
mod tests;
mod times;
mod wires;

use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::probe::Probe;
use crate::contract::recovery::Recovery;
use crate::outcome::{AuditError, Counters, Deadlock, Waiting};
use crate::totals::Totals;
use fabric::Fabric;
use shape::{Shape, shape};
use tailback_network::Grid;
use tailback_traffic::Generated;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{ChannelAllocator, CrossbarInputs, MAX_PORTS, Router, Sharing, SwitchAllocator, port_counts};
pub use size::{RouterSize, router_bytes};

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

impl<'a, M: Mechanisms> Wormhole<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: inputs and output channels number at most [`MAX_PORTS`].
    pub fn new(
        grid: &'a Grid,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        needs_occupancy: bool,
    ) -> Self {
        let sources = sources.into();
        let lane = parts.recovery.lane_flits() > 0;
        let (inputs, outputs) = port_counts(grid, &config, lane);
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        assert!(config.injection_channels >= 1, "the spec was checked for an injection channel");
        let network = grid.ports() * (config.channels as usize + usize::from(lane));
        Wormhole(match shape(network, inputs, outputs) {
            Shape::Small => Shaped::Small(Fabric::new(grid, sources, config, parts, needs_occupancy)),
            Shape::Medium => Shaped::Medium(Fabric::new(grid, sources, config, parts, needs_occupancy)),
            Shape::Wide => Shaped::Wide(Fabric::new(grid, sources, config, parts, needs_occupancy)),
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

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub fn sources_wait(&self) -> bool {
        each!(&self.0, fabric => fabric.common.sources.wait())
    }

    /// What nodes send.
    pub fn sources(&self) -> &M::Sources<'a> {
        each!(&self.0, fabric => fabric.common.sources.sources())
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
