//! Random: every free channel is as likely as any other.
//!
//! Paper:    none of the five.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free.
//! State:    none; the draw is a function of (seed, input, cycle).
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_base::rng::{self, Purpose};
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Entry, View};

/// Random.
pub static ENTRY: Entry = Entry {
    name: "random",
    summary: "any free channel with the same probability",
    paper: "",
    ideal: false,
    params: &[],
};

/// A uniform choice.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    seed: u64,
}

impl Listed for Random {
    fn build(_view: View, seed: u64) -> Self {
        Random { seed }
    }
}

impl Selection for Random {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        let mut free = choice.free;
        let draw = rng::draw_u64(self.seed, Purpose::Selection, choice.input, choice.cycle);
        for _ in 0..rng::below(draw, u64::from(free.count_ones())) {
            free &= free - 1;
        }
        free.trailing_zeros()
    }
}
