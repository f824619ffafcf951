//! Straight: the channels of the port ahead, so that packets make few turns.
//!
//! Paper:    none of the five; `injection-2005` prefers the same ring in this way, after Puente et al.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free; the port that the head came by.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use super::first::first;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Entry, View};

/// Straight.
pub static ENTRY: Entry = Entry {
    name: "straight",
    summary: "a channel of the port straight ahead, the lowest; else, and for new packets, as `first`",
    paper: "",
    ideal: false,
    params: &[],
};

/// No turn where none is needed.
#[derive(Clone, Copy, Debug)]
pub struct Straight;

impl Listed for Straight {
    const GOES_BY_DIMENSION: bool = true;

    fn build(_view: View, _seed: u64) -> Self {
        Straight
    }
}

impl Selection for Straight {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        let port = |from: u8| ((1 << choice.channels) - 1) << (u32::from(from) * choice.channels);
        let ahead = choice.free & choice.from.map_or(0, port);
        if ahead != 0 { ahead.trailing_zeros() } else { first(choice.free, choice.channels) }
    }
}
