//! Sets of the inputs, channels and outputs of a router: a word where they fit into one, many words elsewhere.

use crate::contract::arbiter::Askers;
use crate::mask::{Set, ones_below};
use crate::words::Words;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};
use tailback_base::bits::ones;
use tailback_base::state::State;

/// A set of inputs, channels or outputs of a router.
pub(super) trait Members:
    Copy
    + Default
    + PartialEq
    + Debug
    + Send
    + Sync
    + State
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// Words of 64 numbers.
    const WORDS: usize;

    /// The set of one number.
    fn one(n: usize) -> Self;

    /// The set of the numbers whose bits are set in these words.
    fn of_words(words: &[u64]) -> Self;

    /// So many numbers from `first` on.
    fn range(first: usize, count: usize) -> Self;

    /// The numbers whose bits are set, counted from `first` on.
    fn at(bits: u64, first: usize) -> Self;

    /// Whether it has a member.
    fn any(self) -> bool;

    /// Whether `n` is a member.
    fn has(self, n: usize) -> bool;

    /// The lowest member; there is one.
    fn lowest(self) -> usize;

    /// The members but the lowest; there is one.
    fn but_lowest(self) -> Self;

    /// Whether it has one member, or none.
    fn is_one_at_most(self) -> bool;

    /// How many they are.
    fn size(self) -> u32;

    /// The members, in order.
    fn each(self) -> impl Iterator<Item = usize>;

    /// The members among the 64 numbers from `first` on, as a mask.
    fn window(self, first: usize) -> u64;

    /// As those who ask for an output.
    fn askers(&self) -> impl Askers;

    /// The members for which `keep` holds.
    #[inline(always)]
    fn that(self, keep: impl Fn(usize) -> bool) -> Self {
        self.each().filter(|&n| keep(n)).fold(Self::default(), |kept, n| kept | Self::one(n))
    }
}

/// Numbers below 64; `first` of a window is 0.
impl Members for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn one(n: usize) -> Self {
        1 << n
    }

    #[inline(always)]
    fn of_words(words: &[u64]) -> Self {
        words[0]
    }

    #[inline(always)]
    fn range(first: usize, count: usize) -> Self {
        ones_below(count) << first
    }

    #[inline(always)]
    fn at(bits: u64, first: usize) -> Self {
        bits << first
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }

    #[inline(always)]
    fn has(self, n: usize) -> bool {
        self >> n & 1 == 1
    }

    #[inline(always)]
    fn lowest(self) -> usize {
        self.trailing_zeros() as usize
    }

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & (self - 1)
    }

    #[inline(always)]
    fn is_one_at_most(self) -> bool {
        self & self.wrapping_sub(1) == 0
    }

    #[inline(always)]
    fn size(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn each(self) -> impl Iterator<Item = usize> {
        ones(self)
    }

    #[inline(always)]
    fn window(self, _first: usize) -> u64 {
        self
    }

    #[inline(always)]
    fn askers(&self) -> impl Askers {
        *self
    }
}

impl Members for Words {
    const WORDS: usize = Words::COUNT;

    fn one(n: usize) -> Self {
        Words::between(n, n + 1)
    }

    fn of_words(words: &[u64]) -> Self {
        Words::of(words)
    }

    fn range(first: usize, count: usize) -> Self {
        Words::between(first, first + count)
    }

    fn at(bits: u64, first: usize) -> Self {
        Words::at(bits, first)
    }

    fn any(self) -> bool {
        !self.is_empty()
    }

    fn has(self, n: usize) -> bool {
        self.contains(n)
    }

    fn lowest(self) -> usize {
        self.members().next().expect("there is one")
    }

    fn but_lowest(self) -> Self {
        self & !Words::one(self.lowest())
    }

    fn is_one_at_most(self) -> bool {
        self.size() <= 1
    }

    fn size(self) -> u32 {
        (&self).count()
    }

    fn each(self) -> impl Iterator<Item = usize> {
        self.into_members()
    }

    fn window(self, first: usize) -> u64 {
        self.bits(first)
    }

    fn askers(&self) -> impl Askers {
        self
    }
}
