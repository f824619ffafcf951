//! Sets of the inputs of a wide router.

use crate::contract::arbiter::Askers;
use crate::mask::{Set, ones_below};
use serde::{Deserialize, Serialize};
use std::array::from_fn;
use std::ops::{BitAnd, BitOr, Not};
use tailback_base::bits::ones;

/// Numbers are below this.
pub(crate) const MOST: usize = 64 * WORDS;

const WORDS: usize = 32;

/// A set of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Words([u64; WORDS]);

impl Set for Words {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[inline]
    fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(word, &bits)| ones(bits).map(move |bit| word * 64 + bit))
    }
}

impl Words {
    /// How many words it has.
    pub const COUNT: usize = WORDS;

    /// The set of the numbers whose bits are set in as many words.
    pub fn of(words: &[u64]) -> Self {
        Words(words.try_into().expect("they are as many"))
    }

    /// The numbers from `first` on that are below `end`.
    pub fn between(first: usize, end: usize) -> Self {
        let below = |n: usize, word: usize| ones_below(n.saturating_sub(64 * word).min(64));
        Words(from_fn(|word| below(end, word) & !below(first, word)))
    }

    /// The numbers whose bits are set, counted from `first` on.
    pub fn at(bits: u64, first: usize) -> Self {
        let (word, bit) = (first / 64, first % 64);
        let mut set = Words::default();
        set.0[word] = bits << bit;
        if let Some(next) = set.0.get_mut(word + 1).filter(|_| bit > 0) {
            *next = bits >> (64 - bit);
        }
        set
    }

    /// Whether `n` is a member.
    #[inline]
    pub fn contains(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    /// The members among the 64 numbers from `first` on, as a mask.
    #[inline]
    pub fn bits(&self, first: usize) -> u64 {
        let (word, bit) = (first / 64, first % 64);
        let above = if bit == 0 { 0 } else { self.0.get(word + 1).map_or(0, |next| next << (64 - bit)) };
        self.0[word] >> bit | above
    }

    /// The members, in order.
    pub fn into_members(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| ones(bits).map(move |bit| word * 64 + bit))
    }
}

impl BitAnd for Words {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Words(from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Words {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Words(from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl Not for Words {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Words(self.0.map(|word| !word))
    }
}

tailback_base::plain!(Words);

impl Askers for &Words {
    fn next(self, input: usize) -> u32 {
        let (word, bit) = (input / 64, input % 64);
        let behind = |w: usize| if w == word { self.0[w] & (u64::MAX << bit) } else { self.0[w] };
        let mut words = (word..WORDS).map(|w| (w, behind(w))).chain((0..WORDS).map(|w| (w, self.0[w])));
        let (word, bits) = words.find(|(_, bits)| *bits != 0).expect("somebody asks");
        (word * 64) as u32 + bits.trailing_zeros()
    }

    fn last_below(self, input: usize) -> u32 {
        self.members().take_while(|&n| n < input).last().expect("one is below") as u32
    }

    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn nth(self, n: u32) -> u32 {
        self.members().nth(n as usize).expect("they are as many") as u32
    }

    fn iter(self) -> impl Iterator<Item = u32> {
        self.members().map(|n| n as u32)
    }

    fn low(self) -> u64 {
        self.0[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[usize]) -> Words {
        let mut set = Words::default();
        numbers.iter().for_each(|&n| set.insert(n));
        set
    }

    #[test]
    fn turns_go_over_all_words() {
        let set = of(&[0, 70, 500, MOST - 1]);
        let next = |input| (&set).next(input) as usize;
        assert_eq!([0, 1, 71, 501, MOST - 1].map(next), [0, 70, 500, MOST - 1, MOST - 1]);
        assert_eq!(((&set).next(MOST), (&set).last_below(500), (&set).count(), (&set).nth(2)), (0, 70, 4, 500));
    }

    #[test]
    fn ranges_and_windows_cross_words() {
        let range = Words::between(60, 70);
        assert_eq!(range.into_members().collect::<Vec<_>>(), (60..70).collect::<Vec<_>>());
        assert_eq!((range.bits(60), range.bits(64), range.bits(0)), (0x3FF, 0x3F, 0xF << 60));
        assert_eq!((of(&[MOST - 1]).bits(MOST - 64), of(&[MOST - 1]).bits(MOST - 1)), (1 << 63, 1));
        assert_eq!((range & !of(&[64])) | of(&[64]), range);
        assert_eq!((Words::at(0x3FF, 60), Words::at(1, MOST - 1)), (range, of(&[MOST - 1])));
        assert_eq!((Words::at(u64::MAX, 64), Words::at(0b101, 63)), (Words::between(64, 128), of(&[63, 65])));
        assert!(range.contains(69) && !range.contains(70) && Words::between(5, 5).is_empty());
    }
}
