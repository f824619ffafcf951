//! DAMQ, dynamically allocated multi-queue buffers: the queues of VOQsw in a memory that they share.
//!
//! Paper:    Tamir and Frazier 1992, cited in `recn-mesh-2005` section 1.
//! Acts:     when a packet joins a side.
//! Sees:     the packet's next output port.
//! State:    none; the memory is the engine's.
//! Differs from the paper: its buffers are at the inputs only; here both sides of the crossbar have them.

use super::Listed;
use super::fixed::{By, Fixed};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place, Side};
use tailback_network::Network;
use tailback_spec::{Entry, View};

/// Dynamically allocated multi-queue buffers.
pub static ENTRY: Entry = Entry {
    name: "damq",
    summary: "a queue for each port of the switch; all queues of a side share its memory",
    paper: "recn-mesh-2005 section 1",
    ideal: false,
    params: &[],
};

/// A queue a port, in one memory.
#[derive(Clone, Copy, Debug)]
pub struct Damq {
    ports: u32,
}

impl Listed for Damq {
    fn build(_view: View, network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        Ok(Damq { ports: super::ports(network) })
    }
}

impl Discipline for Damq {
    type Queues = Fixed;

    fn queues(&self, place: Place) -> Fixed {
        let to_node = place.side == Side::Egress && place.node;
        Fixed::new(if to_node { By::Nothing } else { By::Turn }, self.ports)
    }

    fn shares_memory(&self) -> bool {
        true
    }
}
