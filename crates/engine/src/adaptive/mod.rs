//! The adaptive cut-through data path: a head may ask for another output in every cycle, entering a ring may need a bubble,
//! and a node may have several injection queues. `docs/adaptive.md` says what a cycle is.

/// Runs `$body` with `$fabric` bound to the fabric of whatever shape.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {
        match $self {
            Shaped::Small($fabric) => $body,
            Shaped::Wide($fabric) => $body,
        }
    };
}

mod allocate;
mod asked;
mod audit;
mod audit_places;
mod bounds;
mod census;
mod checkpoint;
mod deadlock;
mod deliver;
mod events;
mod fabric;
mod fronts;
mod generate;
mod interface;
mod links;
mod mechanisms;
mod requests;
mod router;
mod rules;
mod smart;
mod state;

use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::probe::Probe;
use crate::contract::sources::Sources;
use crate::outcome::{AuditError, Counters, Deadlock, Waiting};
use crate::totals::Totals;
use fabric::{Fabric, keeps_steps};
use state::{Queued, RouterState};
use tailback_network::Grid;
use tailback_traffic::Generated;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{CrossbarOutputs, InterfaceChannels, MAX_PORTS, Requests, Router, port_counts};

/// Bytes of state, packet queues and finite injection queues of a router, for estimates.
pub fn router_bytes(grid: &Grid, router: &Router) -> usize {
    let (inputs, outputs) = port_counts(grid, router);
    let state = match shape(inputs, outputs) {
        Shape::Small => size_of::<RouterState<u16, 16, 32>>(),
        Shape::Wide => size_of::<RouterState<u64, 64, 64>>(),
    };
    let network = grid.ports() * router.channels as usize;
    let places = router.buffer_packets.next_power_of_two() as usize * size_of::<Queued>();
    let waiting = router.source_queue_packets.unwrap_or(0) as usize * size_of::<interface::Made>();
    let steps = if keeps_steps(router.requests) { inputs * size_of::<u64>() } else { 0 };
    state + steps + network * places + (inputs - network) * waiting
}

/// Bytes of a packet that waits in an injection queue, for estimates.
pub const WAITING_BYTES: usize = size_of::<interface::Made>();

/// A network of adaptive cut-through routers in the middle of a run.
pub struct Adaptive<'a, M: Mechanisms>(Shaped<'a, M>);

/// A network in the smallest shape that its routers fit.
enum Shaped<'a, M: Mechanisms> {
    /// Up to 16 inputs and 32 outputs: two dimensions with three channels.
    Small(Box<Fabric<'a, M, u16, 16, 32>>),
    /// Up to 64 inputs and outputs.
    Wide(Box<Fabric<'a, M, u64, 64, 64>>),
}

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Small,
    Wide,
}

fn shape(inputs: usize, outputs: usize) -> Shape {
    if inputs <= 16 && outputs <= 32 { Shape::Small } else { Shape::Wide }
}

impl<'a, M: Mechanisms> Adaptive<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: inputs and outputs number at most [`MAX_PORTS`], messages are multiples of packets.
    pub fn new(
        grid: &'a Grid,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        needs_occupancy: bool,
    ) -> Self {
        let sources = sources.into();
        let (inputs, outputs) = port_counts(grid, &config);
        let flits = config.packet_flits;
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        assert!(config.injection_queues >= 1, "the spec was checked for an injection queue");
        assert!(config.source_queue_packets != Some(0), "the spec was checked for queues that hold a packet");
        assert!(flits >= 1 && config.buffer_packets >= 1, "the spec was checked for buffers that hold a packet");
        assert!(
            config.buffer_packets.saturating_mul(flits) <= i16::MAX as u32,
            "the spec was checked for small buffers"
        );
        assert!(
            sources.min_flits().is_multiple_of(flits) && sources.max_flits().is_multiple_of(flits),
            "the spec was checked for messages that are multiples of packets"
        );
        Adaptive(match shape(inputs, outputs) {
            Shape::Small => Shaped::Small(Box::new(Fabric::new(grid, sources, config, parts, needs_occupancy))),
            Shape::Wide => Shaped::Wide(Box::new(Fabric::new(grid, sources, config, parts, needs_occupancy))),
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        each!(&mut self.0, fabric => fabric.bit_instructions = false);
        self
    }

    /// Simulates one cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        each!(&mut self.0, fabric => fabric.step(probe));
    }

    /// The cycle to be simulated next.
    pub fn cycle(&self) -> u64 {
        each!(&self.0, fabric => fabric.cycle)
    }

    /// Totals since the start.
    pub fn counters(&self) -> Counters {
        each!(&self.0, fabric => fabric.counters)
    }

    /// Packets whose head has left its injection queue and whose tail has not arrived.
    pub fn in_flight(&self) -> u64 {
        each!(&self.0, fabric => fabric.in_flight())
    }

    /// What became of all packets since cycle 0.
    pub fn totals(&self) -> Totals {
        each!(&self.0, fabric => fabric.totals())
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn sources_are_dry(&self) -> bool {
        each!(&self.0, fabric => fabric.interface.is_dry())
    }

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub fn sources_wait(&self) -> bool {
        each!(&self.0, fabric => fabric.interface.waits())
    }

    /// What nodes send.
    pub fn sources(&self) -> &M::Sources<'a> {
        each!(&self.0, fabric => &fabric.interface.makers.sources)
    }

    /// Packets that the sources made before cycle `end`, which is no later than [`Adaptive::cycle`], and that have not come to
    /// the front of their queue.
    pub fn backlog(&self, end: u64, made: impl FnMut(u32, Generated)) {
        each!(&self.0, fabric => fabric.backlog(end, made));
    }

    /// Re-derives the books between two cycles: packets, room, bubbles and all masks.
    ///
    /// # Errors
    /// The first book that does not balance.
    pub fn audit(&self) -> Result<(), AuditError> {
        each!(&self.0, fabric => fabric.audit())
    }

    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    pub fn deadlock(&self) -> Option<Deadlock> {
        each!(&self.0, fabric => fabric.deadlock())
    }

    /// Whether nothing in the network can ever happen again although packets are in it: no flit moves, no credit is on its
    /// way, no head may ask for what could be granted.
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

    /// The packet with a number that [`Adaptive::fronts`] told.
    pub fn name_of(&self, id: u32) -> Name {
        each!(&self.0, fabric => fabric.name(id))
    }
}

#[cfg(test)]
mod tests;
