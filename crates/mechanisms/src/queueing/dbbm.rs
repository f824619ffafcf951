//! DBBM, destination-based buffer management: destinations that are equal modulo the number of queues share one.
//!
//! Paper:    named in `recn-mesh-2005` section 1 (Nachiondo, Flich and Duato).
//! Acts:     when a packet joins a side.
//! Sees:     the packet's destination.
//! State:    none.
//! Differs from the paper: the paper here only names it; the modulo mapping is the plain one.

use super::Listed;
use super::fixed::{By, Fixed, by_destination};
use crate::Refusal;
use tailback_engine::contract::queueing::{Discipline, Place, Route};
use tailback_network::Network;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Destination-based buffer management.
pub static ENTRY: Entry = Entry {
    name: "dbbm",
    summary: "a few queues, by destination modulo their number, each with an equal part of the memory",
    paper: "recn-mesh-2005 section 1",
    ideal: false,
    params: &[Param {
        name: "queues",
        kind: Kind::Integer { min: 1, max: 4096 },
        unit: "queues",
        fallback: Fallback::Integer(8),
        doc: "Queues of a side, for each message class.",
    }],
};

/// A fixed number of queues, which destinations share.
#[derive(Clone, Copy, Debug)]
pub struct Dbbm {
    queues: u32,
    classes: u32,
}

impl Dbbm {
    /// The same for each of `classes` message classes.
    pub(super) fn in_classes(self, classes: u32) -> Self {
        Dbbm { classes, ..self }
    }
}

impl Listed for Dbbm {
    const SMALL: &'static str = "queues = 2";

    fn build(view: View, _network: &Network, _packet_bytes: u32) -> Result<Self, Refusal> {
        Ok(Dbbm { queues: view.u32("queues"), classes: 1 })
    }
}

impl Discipline for Dbbm {
    type Queues = Fixed;

    fn queues(&self, _place: Place) -> Fixed {
        Fixed::new(By::Destination, self.queues).in_classes(self.classes)
    }

    fn shares_memory(&self) -> bool {
        false
    }

    #[inline]
    fn credit_counter(&self, route: Route<'_>) -> usize {
        by_destination(route.destination, self.queues, self.classes)
    }
}
