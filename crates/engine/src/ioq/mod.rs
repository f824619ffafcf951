//! The input-output-queued data path: memories on both sides of a crossbar, queues that a discipline makes, flow control that
//! takes link bandwidth. `docs/input_output_queued.md` says what a cycle is.
//!
//! All packets have one length, so a hop is a handful of events at known times. Between events nothing is looked at: a link, a
//! switch or an adapter for which nothing could be done is not visited again before something has changed that it depends on.

/// Runs `$body` with `$fabric` bound to the fabric, whatever its kind of memory.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {
        match $self {
            Shaped::Small($fabric) => $body,
            Shaped::Wide($fabric) => $body,
            Shaped::Parted($fabric) => $body,
        }
    };
}

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
mod hosted;
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

use crate::contract::queueing::{Discipline, Point, Queueing};
use crate::contract::sources::Sources;
use crate::data_paths::data_path;
use crate::occupancy::Buffers;
use crossbars::Switch;
use fabric::Fabric;
use layout::{Layout, longest_route, words};
use pool::Pool;
use queues::Queue;
use shape::{Parted, Small, Wide, fits};
use sides::{Ingress, Memory, Out};
use tailback_network::Network;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{MAX_PORTS, ROUTE_MAX, Router, port_count};

/// Bytes of the state of a router with its nodes when all its memories are full, for estimates; every side has at most so many
/// `queues`. What waits for admittance is not in it.
pub fn router_bytes(network: &Network, router: &Router, queues: usize) -> usize {
    let (ports, nodes) = (port_count(network), network.most_nodes() as usize);
    let packet = Pool::bytes(longest_route(network));
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
    let admittance = network.nodes() * size_of::<admittance::Line>();
    size_of::<Switch<Parted>>() + ports * (ingress + out) + nodes * (out + admittance)
}

/// A network of input-output-queued switches in the middle of a run.
pub struct Ioq<'a, M: Mechanisms>(Shaped<'a, M>);

/// A network with a kind of memory.
enum Shaped<'a, M: Mechanisms> {
    /// The queues of a side share its memory, and are few.
    Small(Box<Fabric<'a, M, Small>>),
    /// They share it, and are more.
    Wide(Box<Fabric<'a, M, Wide>>),
    /// Each has an equal part.
    Parted(Box<Fabric<'a, M, Parted>>),
}

/// The most queues that a side of a switch or adapter has.
fn most_queues(layout: &Layout, discipline: &impl Discipline) -> usize {
    let adapters = layout.sides..layout.outs;
    let outs = (0..layout.ports).chain(adapters).map(|out| layout.out(out));
    let places = (0..layout.ports).map(|side| layout.ingress(side)).chain(outs);
    places.map(|place| discipline.queues(place).count()).max().unwrap_or(1)
}

impl<'a, M: Mechanisms> Ioq<'a, M> {
    /// Builds the state of an empty network in cycle 0.
    ///
    /// The numbers have been checked: ports number at most [`MAX_PORTS`], every queue has room for a packet, messages are
    /// multiples of packets.
    pub fn new(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let (network, sources) = (network.into(), sources.into());
        let flits = config.packet_flits;
        assert!(port_count(&network) <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(flits >= 1 && config.transfer_cycles >= 1, "the spec was checked for packets that take time");
        assert!(config.adapter_cycles >= 1, "the spec was checked for links that take time");
        assert!(config.control_flits >= 1, "the spec was checked for control packets that take time");
        assert!(config.credit_batch_packets >= 1, "the spec was checked for credits that come back");
        assert!(config.source_queue_packets != Some(0), "the spec was checked for queues that hold a packet");
        assert!(
            sources.min_flits().is_multiple_of(flits) && sources.max_flits().is_multiple_of(flits),
            "the spec was checked for messages that are multiples of packets"
        );
        let ports = port_count(&network);
        Ioq(if !parts.discipline.shares_memory() {
            Shaped::Parted(Box::new(Fabric::new(network, sources, config, parts, buffers)))
        } else if fits::<Small>(ports, most_queues(&Layout::new(&network, &config), &parts.discipline)) {
            Shaped::Small(Box::new(Fabric::new(network, sources, config, parts, buffers)))
        } else {
            Shaped::Wide(Box::new(Fabric::new(network, sources, config, parts, buffers)))
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        each!(&mut self.0, fabric => fabric.bit_instructions = false);
        self
    }
}

data_path!(
    Ioq,
    each,
    fn points(&self, each: &mut dyn FnMut(Point)) {
        each!(&self.0, fabric => fabric.points(each));
    }
);

#[cfg(test)]
mod tests;
