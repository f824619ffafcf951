//! The adaptive cut-through data path: a head may ask for another output in every cycle, entering a ring may need a bubble,
//! and a node may have several injection queues. `docs/adaptive.md` says what a cycle is.

/// Runs `$body` with `$fabric` bound to the fabric of whatever shape.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {
        match $self {
            Shaped::Small($fabric) => $body,
            Shaped::Wide($fabric) => $body,
            Shaped::Many($fabric) => $body,
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
mod counted;
mod deadlock;
mod deliver;
mod ends;
mod events;
mod fabric;
mod fronts;
mod generate;
mod home;
mod hosted;
mod interface;
mod links;
mod mechanisms;
mod members;
mod pace;
mod pauses;
mod peers;
mod requests;
mod router;
mod rules;
mod smart;
mod state;
mod stay;
mod window;

use crate::contract::admission::Admission;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::data_paths::data_path;
use crate::occupancy::Buffers;
use crate::words::Words;
use fabric::{Fabric, keeps_steps};
use state::{Queued, RouterState};
use tailback_network::Network;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{
    CrossbarOutputs, InterfaceChannels, MAX_INPUTS, MAX_LINKS, MAX_OUTPUTS, MAX_PORTS, Pace, Port, Requests, Router,
    port_counts,
};

/// Bytes of state, packet queues and finite injection queues of a router with so many network ports and nodes, for estimates.
pub fn router_bytes((ports, nodes): (usize, u32), router: &Router) -> usize {
    let (inputs, outputs) = port_counts((ports, nodes), router);
    let state = match shape(inputs, outputs) {
        Shape::Small => size_of::<RouterState<u16, 16, 32>>(),
        Shape::Wide => size_of::<RouterState<u64, 64, 64>>(),
        Shape::Many => size_of::<RouterState<Words, MAX_INPUTS, MAX_OUTPUTS>>(),
    };
    let network = ports * router.channels as usize;
    let places = router.buffer_packets.next_power_of_two() as usize * size_of::<Queued>();
    let waiting = router.source_queue_packets.unwrap_or(0) as usize * size_of::<interface::Made>();
    let steps = if keeps_steps(router.requests) { inputs * size_of::<u64>() } else { 0 };
    state + steps + pauses::router_bytes(router, inputs, outputs) + network * places + (inputs - network) * waiting
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
    /// More, of a routing that offers a head channels of one port.
    Many(Box<Fabric<'a, M, Words, MAX_INPUTS, MAX_OUTPUTS>>),
}

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Small,
    Wide,
    Many,
}

fn shape(inputs: usize, outputs: usize) -> Shape {
    if inputs <= 16 && outputs <= 32 {
        Shape::Small
    } else if inputs <= MAX_PORTS && outputs <= MAX_PORTS {
        Shape::Wide
    } else {
        Shape::Many
    }
}

impl<'a, M: Mechanisms> Adaptive<'a, M> {
    /// Builds the state of an empty network in cycle 0.
    ///
    /// The numbers have been checked: a router has at most [`MAX_INPUTS`] inputs and [`MAX_OUTPUTS`] outputs, in a grid [`MAX_PORTS`] of
    /// each, and messages are multiples of packets.
    pub fn new(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let network = network.into();
        let (inputs, outputs) = port_counts((network.most_ports(), network.most_nodes()), &config);
        Adaptive::in_shape(shape(inputs, outputs), network, sources.into(), config, parts, buffers)
    }

    /// The same network, of routers that are kept as the widest are whatever they need: slower, equal bits. For networks without a grid, of
    /// routings and admissions that wide routers take.
    pub fn widest(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        Adaptive::in_shape(Shape::Many, network.into(), sources.into(), config, parts, buffers)
    }

    fn in_shape(
        shape: Shape,
        network: Network,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let (inputs, outputs) = port_counts((network.most_ports(), network.most_nodes()), &config);
        assert!(network.most_ports() <= MAX_LINKS, "the spec was checked for at most {MAX_LINKS} links of a router");
        let flits = config.packet_flits;
        assert!(inputs <= MAX_INPUTS && outputs <= MAX_OUTPUTS, "the spec was checked for at most {MAX_OUTPUTS} ports");
        let one_port = network.grid().is_none() && !parts.routing.is_adaptive() && !parts.admission.is_active();
        assert!(shape != Shape::Many || one_port, "the spec was checked for what a wide router can do");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        assert!(config.pace.refusal_cycles >= 1, "the spec was checked for heads that ask once a cycle at most");
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
        Adaptive(match shape {
            Shape::Small => Shaped::Small(Box::new(Fabric::new(network, sources, config, parts, buffers))),
            Shape::Wide => Shaped::Wide(Box::new(Fabric::new(network, sources, config, parts, buffers))),
            Shape::Many => Shaped::Many(Box::new(Fabric::new(network, sources, config, parts, buffers))),
        })
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        each!(&mut self.0, fabric => fabric.bit_instructions = false);
        self
    }
}

data_path!(Adaptive, each);

#[cfg(test)]
mod tests;
