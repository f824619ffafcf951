//! The largest numbers of things in a network: what is reserved, and what a checkpoint may say.

use super::router::Router;
use super::state::Layout;
use tailback_network::Network;

/// The largest numbers of things in a network.
pub(super) struct Bounds {
    /// Inputs.
    pub inputs: usize,
    /// Injection queues.
    pub injections: usize,
    /// Places in the rings of all buffers.
    pub queued: usize,
    /// Heads on links.
    pub arrivals: usize,
    /// Credits on their way.
    pub credits: usize,
}

impl Bounds {
    pub fn new(network: &Network, config: &Router, layout: &Layout) -> Self {
        let (routers, flits) = (network.routers(), config.packet_flits as usize);
        let (buffers, injections) = (routers * layout.network, routers * layout.nodes * layout.queues);
        Bounds {
            inputs: buffers + injections,
            injections,
            queued: buffers << layout.ring_bits,
            arrivals: routers * layout.ports * (2 + layout.link_cycles as usize / flits),
            credits: if config.credit_cycles == 1 { 0 } else { buffers * (2 + config.credit_cycles as usize / flits) },
        }
    }
}
