//! Single: one queue a side, first come, first served.
//!
//! Paper:    none; the queue that the others are to be better than.
//! Acts:     when a packet joins a side.
//! Sees:     nothing.
//! State:    none.
//! Differs from the paper: there is none.

use super::Listed;
use super::fixed::{By, Fixed, in_class};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place, Route};
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

/// One queue a side, or one for each message class.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    classes: u32,
}

impl Single {
    /// The same for each of `classes` message classes.
    pub(super) fn in_classes(self, classes: u32) -> Self {
        Single { classes }
    }
}

impl Listed for Single {
    fn build(_view: View, _network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        Ok(Single { classes: 1 })
    }
}

impl Discipline for Single {
    type Queues = Fixed;

    fn queues(&self, _place: Place) -> Fixed {
        Fixed::new(By::Nothing, 1).in_classes(self.classes)
    }

    fn shares_memory(&self) -> bool {
        self.classes == 1
    }

    #[inline]
    fn credit_counter(&self, route: Route<'_>) -> usize {
        in_class(0, route.destination, 1, self.classes)
    }
}
