//! VOQnet: a queue for each destination node on every side of every port.
//!
//! Paper:    `recn-mesh-2005` sections 3 and 3.1.
//! Acts:     when a packet joins a side.
//! Sees:     the packet's destination.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use super::fixed::{By, Fixed};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place, Route};
use tailback_network::Network;
use tailback_spec::{Entry, View};

/// Virtual output queues of the network.
pub static ENTRY: Entry = Entry {
    name: "voq_net",
    summary: "a queue for each destination node, with an equal part of the memory: no packet holds up one that goes elsewhere",
    paper: "recn-mesh-2005 sections 3 and 3.1",
    ideal: false,
    params: &[],
};

/// A queue a node of the network.
#[derive(Clone, Copy, Debug)]
pub struct VoqNet {
    nodes: u32,
}

impl Listed for VoqNet {
    fn build(_view: View, network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        Ok(VoqNet { nodes: network.nodes() as u32 })
    }
}

impl Discipline for VoqNet {
    type Queues = Fixed;

    fn queues(&self, _place: Place) -> Fixed {
        Fixed::new(By::Destination, self.nodes)
    }

    fn shares_memory(&self) -> bool {
        false
    }

    #[inline]
    fn credit_counter(&self, route: Route<'_>) -> usize {
        route.destination as usize
    }
}
