//! What a packet takes that nobody is in the way of, beside its wires and its flits.

use crate::router::Router;
use tailback_engine::{input_queued, wormhole};

/// Times of a packet alone in the network, by data path \[cycles\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Alone {
    /// Of each link that it takes, with the router behind it.
    pub link: u32,
    /// Of the first router and of both ends.
    pub ends: u32,
}

impl Alone {
    /// Those of a router. Turns, and flits that fall behind a head, come on top.
    pub fn of(router: &Router) -> Alone {
        match router {
            Router::CutThrough(router) => Alone { link: router.header_cycles, ends: router.header_cycles },
            Router::Wormhole(router) => Alone { link: head_cycles(router), ends: head_cycles(router) },
            Router::Adaptive(router) => Alone {
                link: router.header_cycles,
                ends: router.header_cycles + router.consumption_cycles + router.node_link_cycles(),
            },
            // Each router takes a cycle for each allocation, and a flit is received in the cycle after it has left the wire.
            Router::InputQueued(router) => {
                // A head that speculates asks for both at once.
                let allocations = if router.speculation == input_queued::Speculation::Off { 2 } else { 1 };
                let each = router.routing_cycles + router.crossbar_cycles + allocations;
                Alone { link: each, ends: each + 2 * input_queued::NODE_LINK as u32 }
            }
            Router::Queued(router) => {
                let wait = router.header_cycles.max(router.packet_flits.saturating_sub(router.transfer_cycles));
                Alone { link: 1 + wait, ends: 2 + wait + 2 * router.adapter_cycles }
            }
        }
    }
}

/// Cycles from a head's coming to the front of a buffer until it is through the crossbar, when nobody is in its way.
pub(crate) fn head_cycles(router: &wormhole::Router) -> u32 {
    let allocation = if router.speculative { 0 } else { router.vc_allocation_cycles };
    router.routing_cycles + allocation + router.switch_allocation_cycles + router.crossbar_cycles
}
