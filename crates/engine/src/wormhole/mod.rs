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
mod hosted;
mod kernels;
mod lanes;
mod layout;
mod links;
mod mechanisms;
mod peers;
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

use crate::contract::recovery::Recovery;
use crate::data_paths::data_path;
use crate::occupancy::Buffers;
use fabric::Fabric;
use shape::{Shape, shape};
use tailback_network::Network;

pub use mechanisms::{Mechanisms, Parts};
pub use router::{
    ChannelAllocator, CrossbarInputs, Local, MAX_LINKS, MAX_PORTS, Router, Sharing, SwitchAllocator, port_counts,
};
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
    /// Builds the state of an empty network in cycle 0.
    ///
    /// The numbers have been checked: inputs and output channels number at most [`MAX_PORTS`].
    pub fn new(
        network: impl Into<Network>,
        sources: impl Into<M::Sources<'a>>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let (wiring, sources) = (network.into(), sources.into());
        let link_channels = config.link_channels(parts.recovery.lane_flits());
        let (inputs, outputs) = port_counts((wiring.most_ports(), wiring.most_nodes()), &config, link_channels);
        assert!(inputs <= MAX_PORTS && outputs <= MAX_PORTS, "the spec was checked for at most {MAX_PORTS} ports");
        assert!(config.credit_cycles >= 1, "the spec was checked for credits that take a cycle");
        assert!(config.injection_channels >= 1, "the spec was checked for an injection channel");
        let network = wiring.most_ports() * link_channels;
        Wormhole(match shape(network, inputs, outputs) {
            Shape::Small => Shaped::Small(Fabric::new(wiring, sources, config, parts, buffers)),
            Shape::Medium => Shaped::Medium(Fabric::new(wiring, sources, config, parts, buffers)),
            Shape::Wide => Shaped::Wide(Fabric::new(wiring, sources, config, parts, buffers)),
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
}

data_path!(Wormhole, each);

/// The number of an arbiter, or of an input, of `router` in the network.
#[inline(always)]
fn arbiter(router: u32, number: usize) -> u32 {
    router * MAX_PORTS as u32 + number as u32
}
