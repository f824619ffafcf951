//! The numbers of a switch and of an adapter.

use tailback_network::Network;

/// The numbers of a switch and of an adapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Length of every packet \[flits\], at least 1. Messages are multiples of it.
    pub packet_flits: u32,
    /// Length of every packet \[bytes\].
    pub packet_bytes: u32,
    /// Packets that the memory of an ingress side holds, at least 1 a queue.
    pub ingress_packets: u32,
    /// Packets that the memory of an egress or adapter side holds, at least 1 a queue.
    pub egress_packets: u32,
    /// Cycles on a link between a node and its switch, at least 1. In a grid they are those of all links.
    pub adapter_cycles: u32,
    /// Cycles that a packet takes through the crossbar, at least 1.
    pub transfer_cycles: u32,
    /// Cycles a head spends in an ingress side before it may ask for the crossbar, at least.
    pub header_cycles: u32,
    /// Length of a control packet \[flits\], at least 1.
    pub control_flits: u32,
    /// Credits of one counter that make a control packet due, at least 1.
    pub credit_batch_packets: u32,
    /// Packets an admittance queue holds, at least 1; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Seed of all random streams.
    pub seed: u64,
}

impl Router {
    /// Cycles from the arrival of a head until it may ask for the crossbar: behind it the packet must not run dry.
    pub(super) fn delay(&self) -> u64 {
        u64::from(self.header_cycles.max(self.packet_flits.saturating_sub(self.transfer_cycles)))
    }
}

/// The largest number of ports of a switch: one bit each in a mask.
pub const MAX_PORTS: usize = 64;

/// The most output ports of a route: its steps are numbered in a byte.
pub const ROUTE_MAX: u64 = 255;

/// Ports of a switch: those to its neighbours, and one for every node.
pub fn port_count(network: &Network) -> usize {
    network.most_ports() + network.most_nodes() as usize
}
