//! First: a fixed order of channels.
//!
//! Paper:    that of FlexSim, the simulator of `self-tuned-2001`; the paper itself does not say.
//! Acts:     `allocate`, once per head that finds several channels free.
//! Sees:     which channels are free.
//! State:    none.
//! Differs from the paper: nothing known.

use super::Listed;
use std::cmp::Reverse;
use tailback_engine::contract::selection::{Choice, Selection};
use tailback_spec::{Entry, View};

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

/// By channels a port: channel 0 of every port, and of every second, which leads towards higher coordinates.
static PORTS: [(u64, u64); 65] = ports();

const fn ports() -> [(u64, u64); 65] {
    let mut all = [(0, 0); 65];
    let mut channels = 1;
    while channels <= 64 {
        let mut bit = 0;
        while bit < 64 {
            all[channels].0 |= 1 << bit;
            all[channels].1 |= ((bit / channels + 1) as u64 & 1) << bit;
            bit += channels;
        }
        channels += 1;
    }
    all
}

/// The first of the channels in `free`, the one with the least [`rank`].
// PERF: asked for most heads, and a rank costs a division a channel.
#[inline]
pub(super) fn first(free: u64, channels: u32) -> u32 {
    let (ports, plus) = PORTS[channels as usize];
    let channel = (0..channels).find(|channel| free >> channel & ports != 0).expect("some channel is free");
    let there = free >> channel & ports;
    let last = 63 - there.leading_zeros();
    let other = last.wrapping_sub(channels);
    let is_plus = plus >> last & 1 == 1;
    channel + if is_plus || there >> other & 1 == 0 { last } else { other }
}

impl Listed for First {
    fn build(_view: View, _seed: u64) -> Self {
        First
    }
}

impl Selection for First {
    #[inline]
    fn pick(&self, choice: Choice<'_>) -> u32 {
        first(choice.free, choice.channels)
    }

    #[inline]
    fn pick_by_free(&self, free: u64, channels: u32) -> Option<u32> {
        Some(first(free, channels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::bits::ones;

    #[test]
    fn the_first_is_the_one_with_the_least_rank() {
        let mut free = 1u64;
        for round in 0..20_000u32 {
            free = free.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let channels = 1 + round % 64;
            // Whole ports, some of them quite empty.
            let all = u64::MAX >> (64 % channels);
            for free in [free & all, free & free >> 7 & free >> 21 & all, 1 << (free >> 58) & all] {
                let least = ones(free).map(|bit| bit as u32).min_by_key(|&bit| rank(bit, channels));
                if let Some(least) = least {
                    assert_eq!(first(free, channels), least, "{free:b} {channels}");
                }
            }
        }
    }
}
