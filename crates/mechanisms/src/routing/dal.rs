//! DAL: the dimensions in any order, and a deroute at most in each of them.
//!
//! Paper:    Ahn, Binkert, Davis, McLaren and Schreiber, SC 2009 (DAL: dimensionally adaptive, load balanced).
//! Acts:     once at every router, when a head comes to the front of its buffer.
//! Sees:     what the own router owes to the channels of its outputs, and who waits for them.
//! State:    none.
//! Differs from the paper: instead of escape channels in dimension order there is a class of channels per hop, since what a head decides
//! at a router stands. The hop is chosen by queue times hops left.

use super::in_rows::{InRows, Leg, Move, Rule};
use tailback_spec::{Entry, View};

/// DAL.
pub static ENTRY: Entry = Entry {
    name: "dal",
    summary: "in a HyperX the dimensions in any order, with a deroute in each where queues are shorter; a class of channels per hop",
    paper: "Ahn et al., SC 2009",
    ideal: false,
    params: &[],
};

/// Any order, with a deroute per dimension.
#[derive(Clone, Copy, Debug)]
pub struct OneDeroute;

/// DAL.
pub type Dal = InRows<OneDeroute>;

/// The state: the dimensions that have had a deroute, as bits.
impl Rule for OneDeroute {
    const ENTRY: &'static Entry = &ENTRY;
    const FREE: &'static str = "packets take a higher class of channels with every hop";

    fn new(_view: View) -> Self {
        OneDeroute
    }

    fn classes(self, dimensions: u32) -> u32 {
        2 * dimensions
    }

    fn most_hops(self, dimensions: u32) -> u32 {
        2 * dimensions
    }

    fn moves(self, place: Leg<'_>, hops: u32, state: u32, mut each: impl FnMut(Move)) {
        let left = place.left();
        for port in place.open().flat_map(|dimension| place.aligning(dimension)) {
            each(Move { port, class: hops, left, state });
        }
        for dimension in place.open().filter(|dimension| state >> dimension & 1 == 0) {
            for port in place.deroutes(dimension) {
                each(Move { port, class: hops, left: left + 1, state: state | 1 << dimension });
            }
        }
    }

    fn can_be(self, place: Leg<'_>, state: u32) -> bool {
        state < 1 << place.dimensions()
    }
}
