//! Most credits: the channel with the most free flits in the buffer downstream.
//!
//! Paper:    none of the five; the usual congestion-aware selection of the field.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free, and their credits.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use super::first::rank;
use std::cmp::Reverse;
use tailback_base::bits::ones;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Entry, View};

/// Most credits.
pub static ENTRY: Entry = Entry {
    name: "most_credits",
    summary: "the channel with the most free flits downstream; ties as `first`",
    paper: "",
    ideal: false,
    params: &[],
};

/// The emptiest buffer.
#[derive(Clone, Copy, Debug)]
pub struct MostCredits;

impl Listed for MostCredits {
    fn build(_view: View, _seed: u64) -> Self {
        MostCredits
    }
}

impl Selection for MostCredits {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        let order = |&bit: &u32| (Reverse(choice.credits[bit as usize]), rank(bit, choice.channels));
        ones(choice.free).map(|bit| bit as u32).min_by_key(order).expect("some channel is free")
    }

    #[inline]
    fn sees_credits(&self) -> bool {
        true
    }
}
