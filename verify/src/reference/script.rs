//! Nodes whose packets depend on what becomes of packets, and who may hold places of their ejection buffers.

use tailback_traffic::Generated;

/// A packet by its source and its number there.
pub type Name = (u32, u64);

/// What nodes do.
pub trait Script {
    /// In cycle `now` these packets have been delivered, and the tails of those have left their nodes.
    fn hears(&mut self, now: u64, delivered: &[Name], left: &[Name]);

    /// The heads of these packets have left their nodes in cycle `now`.
    fn entered(&mut self, now: u64, packets: &[Name]);

    /// The next packet of a node that has none, in cycle `now`.
    fn next(&mut self, node: u32, now: u64) -> Option<Generated>;

    /// What the last packet is that a node was given, where packets are of several kinds.
    fn kind(&self, _node: u32) -> usize {
        0
    }

    /// Places of the node's ejection buffer that delivered packets keep in cycle `now`.
    fn holds(&mut self, node: u32, now: u64) -> u32;
}
