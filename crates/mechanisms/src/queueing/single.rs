//! Single: one queue a side, first come, first served.
//!
//! Paper:    none; the queue that the others are to be better than.
//! Acts:     when a packet joins a side.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: there is none.

use super::Listed;
use super::fixed::{By, Fixed};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place};
use tailback_network::Network;
use tailback_spec::{Entry, View};

/// Single queue.
pub static ENTRY: Entry = Entry {
    name: "single",
    summary: "one queue per side of a port: the packet at its front holds up all packets behind it",
    paper: "",
    ideal: false,
    params: &[],
};

/// One queue a side.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Listed for Single {
    fn build(_view: View, _network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        Ok(Single)
    }
}

impl Discipline for Single {
    type Queues = Fixed;

    fn queues(&self, _place: Place) -> Fixed {
        Fixed::new(By::Nothing, 1)
    }

    fn shares_memory(&self) -> bool {
        true
    }
}
