//! Minimal adaptive routing in a HyperX: the dimensions in any order, whichever link owes least.
//!
//! Paper:    Ahn et al., SC 2009; Dally and Towles, section 10.1.
//! Acts:     once at every router, when a head comes to the front of its buffer.
//! Sees:     what the own router owes to the channels of its outputs, and who waits for them.
//! State:    none.

use super::in_rows::{InRows, Leg, Move, Rule};
use tailback_spec::{Entry, View};

/// Minimal adaptive routing.
pub static ENTRY: Entry = Entry {
    name: "minimal_adaptive",
    summary: "minimal in a HyperX, the dimensions in the order in which links owe least; a class of channels per hop",
    paper: "Ahn et al., SC 2009",
    ideal: false,
    params: &[],
};

/// Any order of dimensions.
#[derive(Clone, Copy, Debug)]
pub struct AnyOrder;

/// Minimal adaptive routing.
pub type MinimalAdaptive = InRows<AnyOrder>;

impl Rule for AnyOrder {
    const ENTRY: &'static Entry = &ENTRY;
    const FREE: &'static str = "packets take a higher class of channels with every hop";

    fn new(_view: View) -> Self {
        AnyOrder
    }

    fn classes(self, dimensions: u32) -> u32 {
        dimensions
    }

    fn most_hops(self, dimensions: u32) -> u32 {
        dimensions
    }

    fn moves(self, place: Leg<'_>, hops: u32, _state: u32, mut each: impl FnMut(Move)) {
        let left = place.left();
        for port in place.open().flat_map(|dimension| place.aligning(dimension)) {
            each(Move { port, class: hops, left, state: 0 });
        }
    }

    fn can_be(self, _place: Leg<'_>, state: u32) -> bool {
        state == 0
    }
}
