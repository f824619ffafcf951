//! Turn: the channels of other dimensions, so that packets use up all of their dimensions alike.
//!
//! Paper:    none of the five; the opposite of `straight`, for the question what a preference for the same ring is worth.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free; the port that the head came by.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use super::first::first;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Entry, View};

/// Turn.
pub static ENTRY: Entry = Entry {
    name: "turn",
    summary: "a channel of another dimension, as `first`; where there is none, and for new packets, as `first`",
    paper: "",
    ideal: false,
    params: &[],
};

/// A turn where there can be one.
#[derive(Clone, Copy, Debug)]
pub struct Turn;

impl Listed for Turn {
    const GOES_BY_DIMENSION: bool = true;

    fn build(_view: View, _seed: u64) -> Self {
        Turn
    }
}

impl Selection for Turn {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        let both = (1 << (2 * choice.channels)) - 1;
        let dimension = |from: u8| both << (u32::from(from) / 2 * 2 * choice.channels);
        let other = choice.free & !choice.from.map_or(0, dimension);
        first(if other != 0 { other } else { choice.free }, choice.channels)
    }
}
