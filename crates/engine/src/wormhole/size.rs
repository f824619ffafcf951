//! What a router needs, before it is built.

use super::block::Block;
use super::lanes::LANES;
use super::layout::ring_depth;
use super::router::Router;
use super::shape::{Shape, shape};
use crate::packet::Slot;

/// What the estimate of a router's memory needs to know.
#[derive(Clone, Copy, Debug)]
pub struct RouterSize {
    /// Network ports.
    pub ports: usize,
    /// Nodes.
    pub nodes: usize,
    /// Whether recovery has a lane.
    pub lane: bool,
    /// `topology.link_cycles`.
    pub link_cycles: u32,
    /// Shortest packet \[flits\].
    pub shortest: u32,
}

/// Bytes of hot state, wires and packet queues of a router, for estimates.
pub fn router_bytes(size: RouterSize, config: &Router) -> usize {
    let network = size.ports * (config.channels as usize + usize::from(size.lane));
    let inputs = network + size.nodes * config.injection_channels as usize;
    let outputs = network + size.nodes * config.ejection_channels.map_or(network, |k| k as usize);
    let (block, mask, links) = match shape(network, inputs, outputs) {
        Shape::Small => (size_of::<Block<u32, 16, 32>>(), size_of::<u32>(), size_of::<u16>()),
        Shape::Medium => (size_of::<Block<u64, 32, 64>>(), size_of::<u64>(), size_of::<u64>()),
        Shape::Wide => (size_of::<Block<u64, 64, 64>>(), size_of::<u64>(), size_of::<u64>()),
    };
    let rings = inputs * ring_depth(config, size.shortest) * size_of::<Slot>();
    // Two runs a port at most, along a ring and at its ends.
    let feeds = 2 * 2 * size.ports * (links + 1);
    block / LANES + rings + feeds + config.slots(size.link_cycles) * (mask + 3 * links + 1)
}
