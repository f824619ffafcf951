//! Arbitration: which of the heads that ask for an output gets it.

use crate::mask::ones_below;
use std::ops::Range;
use tailback_base::bits::ones;
use tailback_base::state::State;

/// A set of inputs of a router, never empty.
pub trait Askers: Copy {
    /// The first of them from `input` on, or the first of all if there is none.
    fn next(self, input: usize) -> u32;

    /// The last of them below `input`; one is.
    fn last_below(self, input: usize) -> u32;

    /// How many they are.
    fn count(self) -> u32;

    /// Number `n` of them, counted from 0.
    fn nth(self, n: u32) -> u32;

    /// All of them, in order.
    fn iter(self) -> impl Iterator<Item = u32>;

    /// Those among the first 64 inputs, as a mask.
    fn low(self) -> u64;
}

/// Routers with at most 64 inputs.
impl Askers for u64 {
    #[inline(always)]
    fn next(self, input: usize) -> u32 {
        let behind = self & (u64::MAX << input);
        let pool = if behind != 0 { behind } else { self };
        pool.trailing_zeros()
    }

    #[inline]
    fn last_below(self, input: usize) -> u32 {
        63 - (self & ones_below(input.min(64))).leading_zeros()
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn nth(self, n: u32) -> u32 {
        let mut left = self;
        for _ in 0..n {
            left &= left - 1;
        }
        left.trailing_zeros()
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = u32> {
        ones(self).map(|input| input as u32)
    }

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }
}

/// Where the next turn of an output begins.
pub trait Turn: Copy {
    /// The input.
    fn get(self) -> usize;

    /// An input, or the number after the last one's.
    fn of(input: usize) -> Self;
}

/// Routers with at most 64 inputs: the number after input 63 is 0.
impl Turn for u8 {
    #[inline(always)]
    fn get(self) -> usize {
        self.into()
    }

    #[inline(always)]
    fn of(input: usize) -> Self {
        (input & 63) as u8
    }
}

impl Turn for u16 {
    #[inline(always)]
    fn get(self) -> usize {
        self.into()
    }

    #[inline(always)]
    fn of(input: usize) -> Self {
        input as u16
    }
}

/// One arbitration.
#[derive(Clone, Copy, Debug)]
pub struct Contest<S = u64> {
    /// The current cycle.
    pub cycle: u64,
    /// A number unique to the output in the network.
    pub output: u32,
    /// The inputs that ask and could go. Inputs are numbered by port, then virtual channel, then the router's injection queues.
    pub inputs: S,
}

/// Picks winners. Its usual state is a number for each output, kept by the engine.
pub trait Arbiter: State {
    /// The winning input. `pointer` is the output's number, 0 at the start; `age(input)` orders packets, lower is older.
    fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, age: impl Fn(u32) -> (u64, u32)) -> u32;

    /// `winner` has really been served by `output`: what an arbiter with more state than that number learns from. (Where a
    /// pick can come to nothing, the engine keeps the old `pointer` then, and does not call this.)
    #[inline]
    fn served(&mut self, _output: u32, _winner: u32) {}

    /// Takes over what the arbiters of a part of the network have learned, whose numbers these are.
    fn join(&mut self, _part: &Self, _outputs: Range<u32>) {}

    /// Whether a contest with one asker leaves no trace: it wins, `pointer` stays, and [`Arbiter::served`] changes nothing. An
    /// engine may then grant it without asking.
    #[inline]
    fn forgets_single_askers(&self) -> bool {
        false
    }

    /// Whether it is plain round robin: the first input from `pointer` on wins, or the first of all if there is none, and
    /// `pointer` goes to the number after the winner's ([`Turn`]). An engine may then do it without asking.
    fn is_round_robin(&self) -> bool {
        false
    }
}
