//! The input-output-queued data path: memories on both sides of a crossbar, queues that a discipline makes, flow control that
//! takes link bandwidth. `docs/input_output_queued.md` says what a cycle is.
//!
//! All packets have one length, so a hop is a handful of events at known times. Between events nothing is looked at: a link, a
//! switch or an adapter for which nothing could be done is not visited again before something has changed that it depends on.

mod admit;
mod admittance;
mod arbitrate;
mod audit;
mod audit_events;
mod audit_parked;
mod audit_sources;
mod audit_work;
mod bounds;
mod census;
mod changes;
mod checkpoint;
mod crossbar;
mod crossbars;
mod deadlock;
mod delayed;
mod deliver;
mod events;
mod fabric;
mod fronts;
mod generate;
mod layout;
mod links;
mod mechanisms;
mod notices;
mod park;
mod parked;
mod pool;
mod queues;
mod ring;
mod router;
mod shape;
mod sides;
mod throttle;
mod totals;
mod work;

use crate::contract::census::{Front, Name, Scope, Scratch, Stand};
use crate::contract::probe::Probe;
use crate::contract::queueing::{Discipline, Point, Queueing};
use crate::contract::sources::Sources;
use crate::outcome::{AuditError, Counters, Deadlock, Waiting};
use crate::totals::Totals;
use crossbars::Switch;
use fabric::Fabric;
use layout::{Layout, longest_route, words};
use pool::Pool;
use queues::Queue;
use shape::{Parted, Small, Wide, fits};
use sides::{Ingress, Memory, Out};
use tailback_network::Grid;
use tailback_traffic::Generated;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{MAX_PORTS, Router, port_count};

/// Bytes of the state of a router with its nodes when all its memories are full, for estimates; every side has at most so many
/// `queues`. What waits for admittance is not in it.
pub fn router_bytes(grid: &Grid, router: &Router, queues: usize) -> usize {
    let (ports, nodes) = (port_count(grid), grid.nodes_per_router() as usize);
    let packet = Pool::bytes(longest_route(grid));
    // Rows have places for a power of two of queues.
    let queues = queues.next_power_of_two().max(16);
    let masks = words(queues) * size_of::<u64>();
    let queue = size_of::<Queue>() + 2 * size_of::<u32>();
    let ingress = size_of::<Ingress<(), Parted>>()
        + size_of::<Memory>()
        + queues * queue
        + (ports + 2) * masks
        + router.ingress_packets as usize * packet;
    let out = size_of::<Out<(), Parted>>() + queues * queue + masks + router.egress_packets as usize * packet;
    let admittance = grid.nodes() * size_of::<admittance::Line>();
    size_of::<Switch<Parted>>() + ports * (ingress + out) + nodes * (out + admittance)
}

/// A network of input-output-queued switches in the middle of a run.
pub struct Ioq<'a, M: Mechanisms>(Kind<'a, M>);

/// The kinds of memory.
enum Kind<'a, M: Mechanisms> {
    /// The queues of a side share its memory, and are few.
    Small(Box<Fabric<'a, M, Small>>),
    /// They share it, and are more.
    Wide(Box<Fabric<'a, M, Wide>>),
    /// Each has an equal part.
    Parted(Box<Fabric<'a, M, Parted>>),
}

/// Calls an expression on the fabric, whatever its kind of memory.
macro_rules! with {
    ($self:ident, $fabric:ident => $body:expr) => {
        match &$self.0 {
            Kind::Small($fabric) => $body,
            Kind::Wide($fabric) => $body,
            Kind::Parted($fabric) => $body,
        }
    };
}

/// The most queues that a side of a switch or adapter has.
fn most_queues(layout: &Layout, discipline: &impl Discipline) -> usize {
    let adapters = layout.sides..layout.sides + layout.nodes;
    let outs = (0..layout.ports).chain(adapters).map(|out| layout.out(out));
    let places = (0..layout.ports).map(|side| layout.ingress(side)).chain(outs);
    places.map(|place| discipline.queues(place).count()).max().unwrap_or(1)
}

impl<'a, M: Mechanisms> Ioq<'a, M> {
    /// Builds the state of an empty network in cycle 0. `needs_occupancy`: some probe reads buffer levels.
    ///
    /// The numbers have been checked: ports number at most [`MAX_PORTS`], every queue has room for a packet, messages are
    /// multiples of packets.
    pub fn new(
        grid: &'a Grid,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        needs_occupancy: bool,
    ) -> Self {
        let sources = sources.into();
        let flits = config.packet_flits;
        assert!(port_count(grid) <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(flits >= 1 && config.transfer_cycles >= 1, "the spec was checked for packets that take time");
        assert!(config.control_flits >= 1, "the spec was checked for control packets that take time");
        assert!(config.credit_batch_packets >= 1, "the spec was checked for credits that come back");
        assert!(config.source_queue_packets != Some(0), "the spec was checked for queues that hold a packet");
        assert!(
            sources.min_flits().is_multiple_of(flits) && sources.max_flits().is_multiple_of(flits),
            "the spec was checked for messages that are multiples of packets"
        );
        let ports = port_count(grid);
        Ioq(if !parts.discipline.shares_memory() {
            Kind::Parted(Box::new(Fabric::new(grid, sources, config, parts, needs_occupancy)))
        } else if fits::<Small>(ports, most_queues(&Layout::new(grid, &config), &parts.discipline)) {
            Kind::Small(Box::new(Fabric::new(grid, sources, config, parts, needs_occupancy)))
        } else {
            Kind::Wide(Box::new(Fabric::new(grid, sources, config, parts, needs_occupancy)))
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        match &mut self.0 {
            Kind::Small(fabric) => fabric.bit_instructions = false,
            Kind::Wide(fabric) => fabric.bit_instructions = false,
            Kind::Parted(fabric) => fabric.bit_instructions = false,
        }
        self
    }

    /// Simulates one cycle.
    #[inline]
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        match &mut self.0 {
            Kind::Small(fabric) => fabric.step(probe),
            Kind::Wide(fabric) => fabric.step(probe),
            Kind::Parted(fabric) => fabric.step(probe),
        }
    }

    /// The cycle to be simulated next.
    pub fn cycle(&self) -> u64 {
        with!(self, fabric => fabric.cycle)
    }

    /// Totals since the start.
    pub fn counters(&self) -> Counters {
        with!(self, fabric => fabric.counters)
    }

    /// Packets that have left their admittance queue and whose tail has not arrived.
    pub fn in_flight(&self) -> u64 {
        with!(self, fabric => fabric.in_flight())
    }

    /// What became of all packets since cycle 0.
    pub fn totals(&self) -> Totals {
        with!(self, fabric => fabric.totals())
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub fn sources_are_dry(&self) -> bool {
        with!(self, fabric => fabric.sources_are_dry())
    }

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub fn sources_wait(&self) -> bool {
        with!(self, fabric => fabric.sources_wait())
    }

    /// What nodes send.
    pub fn sources(&self) -> &M::Sources<'a> {
        with!(self, fabric => &fabric.makers.sources)
    }

    /// Packets that the sources made before cycle `end`, which is no later than [`Ioq::cycle`], and that have not come to the
    /// front of their admittance queue.
    pub fn backlog(&self, end: u64, made: impl FnMut(u32, Generated)) {
        with!(self, fabric => fabric.backlog(end, made));
    }

    /// Re-derives the books between two cycles: packets, memories, credits and all masks.
    ///
    /// # Errors
    /// The first book that does not balance.
    pub fn audit(&self) -> Result<(), AuditError> {
        with!(self, fabric => fabric.audit())
    }

    /// Looks for packets that can never move. A queue that its discipline holds is taken for one that moves some day, unless
    /// the whole network is still. Cost: proportional to the queues of the network.
    pub fn deadlock(&self) -> Option<Deadlock> {
        with!(self, fabric => fabric.deadlock())
    }

    /// Whether nothing in the network can ever happen again although packets are in it: nothing moves or is on its way, and no
    /// link, crossbar or adapter has anything to do.
    pub fn is_still(&self) -> bool {
        with!(self, fabric => fabric.is_still())
    }

    /// Calls `each` with all heads in buffers of links that wait, if only for their turn.
    pub fn waiting(&self, each: &mut dyn FnMut(Waiting)) {
        with!(self, fabric => fabric.waiting(each));
    }

    /// Calls `each` with every queue that a packet is in which has come to the front of its source queue, or is on the way to.
    /// Cost: proportional to the buffers of the network.
    pub fn census(&self, scope: Scope, each: &mut dyn FnMut(Stand)) {
        with!(self, fabric => fabric.census(scope, each));
    }

    /// Calls `each` with every head that stands behind no other packet: see [`Network::fronts`](crate::Network::fronts).
    pub fn fronts(&self, scratch: &mut Scratch, each: impl FnMut(Front)) {
        with!(self, fabric => fabric.fronts(scratch, each));
    }

    /// The packet with a number that [`Ioq::fronts`] told.
    pub fn name_of(&self, id: u32) -> Name {
        with!(self, fabric => fabric.name(id))
    }

    /// Calls `each` with every congested point that some side knows of, in the order of switches and ports: ingress sides,
    /// egress sides, adapters.
    pub fn points(&self, each: &mut dyn FnMut(Point)) {
        with!(self, fabric => fabric.points(each));
    }
}

#[cfg(test)]
mod tests;
