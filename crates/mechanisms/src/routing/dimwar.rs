//! DimWAR: one dimension after the other, and in each a deroute at most where the direct link owes too much.
//!
//! Paper:    McDonald, Isaev, Flores, Davis and Kim, SC 2019 (DimWAR: dimensionally-ordered weighted adaptive routing).
//! Acts:     once at every router, when a head comes to the front of its buffer.
//! Sees:     what the own router owes to the channels of its outputs, and who waits for them.
//! State:    none.
//! Differs from the paper: what a head decides at a router stands, however long it then waits.

use super::in_rows::{InRows, Leg, Move, Rule};
use tailback_spec::{Entry, View};

/// DimWAR.
pub static ENTRY: Entry = Entry {
    name: "dimwar",
    summary: "in a HyperX one dimension after the other, with a deroute in each where queues are shorter; 2 classes of channels",
    paper: "McDonald et al., SC 2019",
    ideal: false,
    params: &[],
};

/// One dimension after the other.
#[derive(Clone, Copy, Debug)]
pub struct InOrder;

/// DimWAR.
pub type DimWar = InRows<InOrder>;

/// The state: the dimension of the last hop, from 1.
impl Rule for InOrder {
    const ENTRY: &'static Entry = &ENTRY;
    const FREE: &'static str =
        "packets go through the dimensions in order, and in each take the class of deroutes first";

    fn new(_view: View) -> Self {
        InOrder
    }

    fn classes(self, _dimensions: u32) -> u32 {
        2
    }

    fn most_hops(self, dimensions: u32) -> u32 {
        2 * dimensions
    }

    fn moves(self, place: Leg<'_>, _hops: u32, state: u32, mut each: impl FnMut(Move)) {
        let Some(dimension) = place.open().next() else { return };
        let next = dimension as u32 + 1;
        // A dimension that a hop went in and that is open yet has had its deroute.
        let derouted = state == next;
        for port in place.aligning(dimension) {
            each(Move { port, class: u32::from(derouted), left: place.left(), state: next });
        }
        if !derouted {
            for port in place.deroutes(dimension) {
                each(Move { port, class: 0, left: place.left() + 1, state: next });
            }
        }
    }

    fn can_be(self, place: Leg<'_>, state: u32) -> bool {
        place.open().next().is_some_and(|open| state <= open as u32 + 1)
    }
}
