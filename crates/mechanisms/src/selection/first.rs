//! First: a fixed order of channels.
//!
//! Paper:    that of FlexSim, the simulator of `self-tuned-2001`; the paper itself does not say.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free.
//! State:    none.
//! Differs from the paper: nothing known.

use std::cmp::Reverse;
use tailback_base::bits::ones;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::Entry;

/// First.
pub static ENTRY: Entry = Entry {
    name: "first",
    summary: "the lowest channel number; then the highest dimension; then towards higher coordinates",
    paper: "",
    ideal: false,
    params: &[],
};

/// The fixed order.
#[derive(Clone, Copy, Debug)]
pub struct First;

/// Where bit `bit` is in the order, lower first: channel, highest dimension, plus before minus.
pub(super) fn rank(bit: u32, channels: u32) -> (u32, Reverse<u32>, u32) {
    let (port, channel) = (bit / channels, bit % channels);
    (channel, Reverse(port / 2), port % 2)
}

/// The first of the channels in `free`.
pub(super) fn first(free: u64, channels: u32) -> u32 {
    ones(free).map(|bit| bit as u32).min_by_key(|&bit| rank(bit, channels)).expect("some channel is free")
}

impl Selection for First {
    fn pick(&self, choice: Choice<'_>) -> u32 {
        first(choice.free, choice.channels)
    }
}
