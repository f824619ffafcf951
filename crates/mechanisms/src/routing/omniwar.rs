//! OmniWAR: the dimensions in any order, and some deroutes in all where direct links owe too much.
//!
//! Paper:    McDonald, Isaev, Flores, Davis and Kim, SC 2019 (OmniWAR: omni-dimensional weighted adaptive routing).
//! Acts:     once at every router, when a head comes to the front of its buffer.
//! Sees:     what the own router owes to the channels of its outputs, and who waits for them.
//! State:    none.
//! Differs from the paper: what a head decides at a router stands, however long it then waits.

use super::in_rows::{InRows, Leg, Move, Rule};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// OmniWAR.
pub static ENTRY: Entry = Entry {
    name: "omniwar",
    summary: "in a HyperX the dimensions in any order, with some deroutes where queues are shorter; a class of channels per hop",
    paper: "McDonald et al., SC 2019",
    ideal: false,
    params: &[Param {
        name: "deroutes",
        kind: Kind::Integer { min: 1, max: 8 },
        unit: "hops",
        fallback: Fallback::Integer(1),
        doc: "The most hops of a packet that do not align a dimension. There are as many classes of channels as dimensions and deroutes.",
    }],
};

/// Any order, with deroutes.
#[derive(Clone, Copy, Debug)]
pub struct WithDeroutes {
    most: u32,
}

/// OmniWAR.
pub type OmniWar = InRows<WithDeroutes>;

/// The state: deroutes made.
impl Rule for WithDeroutes {
    const ENTRY: &'static Entry = &ENTRY;
    const FREE: &'static str = "packets take a higher class of channels with every hop";

    fn new(view: View) -> Self {
        WithDeroutes { most: view.u32("deroutes") }
    }

    fn classes(self, dimensions: u32) -> u32 {
        dimensions + self.most
    }

    fn most_hops(self, dimensions: u32) -> u32 {
        dimensions + self.most
    }

    fn moves(self, place: Leg<'_>, hops: u32, state: u32, mut each: impl FnMut(Move)) {
        let left = place.left();
        for port in place.open().flat_map(|dimension| place.aligning(dimension)) {
            each(Move { port, class: hops, left, state });
        }
        if state < self.most {
            for port in place.open().flat_map(|dimension| place.deroutes(dimension)) {
                each(Move { port, class: hops, left: left + 1, state: state + 1 });
            }
        }
    }

    fn can_be(self, _place: Leg<'_>, state: u32) -> bool {
        state <= self.most
    }
}
