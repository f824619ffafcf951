//! The input-queued data path: BookSim 2's router, with a pipeline of routing, channel allocation, switch allocation and crossbar, each step of
//! which looks at the state before it. `docs/input_queued.md` says what a cycle is.
//!
//! It takes routers of any width one after the other. (The wormhole data path takes sixty-four of one shape at once.)

/// Runs `$body` with `$fabric` bound to the fabric.
macro_rules! each {
    ($self:expr, $fabric:ident => $body:expr) => {{
        let $fabric = $self;
        $body
    }};
}

mod allocators;
mod audit;
mod audit_flow;
mod audit_wires;
mod census;
mod channels;
mod checkpoint;
mod crossing;
mod deadlock;
mod deliver;
mod fabric;
mod folded;
mod fronts;
mod hoped;
mod hopes;
mod hosted;
mod layout;
mod mechanisms;
mod nodes;
mod plain;
mod priority;
mod queues;
mod router;
mod send;
mod sets;
mod sight;
mod size;
mod state;
mod switch;
mod table;

use crate::data_paths::data_path;
use crate::occupancy::Buffers;
use fabric::Fabric;
use tailback_network::Network;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{
    Allocator, EntryChannel, InputPorts, MAX_LINKS, MAX_PLANES, MAX_PORTS, Matching, NODE_LINK, Needs, NodePorts,
    Priority, RequestOrder, Router, STEP, Sharing, Speculation, Stages, Types, Yields,
};
pub use size::router_bytes;

/// A network of input-queued routers in the middle of a run.
pub struct InputQueued<'a, M: Mechanisms>(Box<Fabric<'a, M>>);

impl<'a, M: Mechanisms> InputQueued<'a, M> {
    /// Builds the state of an empty network in cycle 0.
    ///
    /// The numbers have been checked: ports number at most [`MAX_PORTS`], links [`MAX_LINKS`], and no routing chooses among ports.
    pub fn new(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let network = network.into();
        let ports = network.most_ports() + (network.most_nodes() / config.classes) as usize;
        assert!(ports <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        InputQueued(Box::new(Fabric::new(network, sources.into(), config, parts, buffers)))
    }

    /// The same network, simulated without the processor's bit instructions even where it has them: slower, equal bits.
    pub fn portable(mut self) -> Self {
        self.0.bit_instructions = false;
        self
    }
}

data_path!(
    InputQueued,
    each,
    fn cease(&mut self) {
        each!(&mut self.0, fabric => fabric.cease());
    }
);
