//! A fixed-size set of small integers, one bit each.

use crate::state::{Unfit, ensure};

/// A set of integers below a bound fixed at construction.
#[derive(Clone, Debug)]
pub struct BitSet {
    words: Vec<u64>,
    bound: usize,
}

crate::state!([] BitSet { saved: words; rebuilt: bound; } [fits]);

impl BitSet {
    /// An empty set able to hold `0..bound`.
    pub fn new(bound: usize) -> Self {
        BitSet { words: vec![0; bound.div_ceil(64)], bound }
    }

    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.iter().last().is_none_or(|last| last < self.bound), "a set has a member that is not there")
    }

    /// Adds `index`.
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.words[index >> 6] |= 1 << (index & 63);
    }

    /// Adds `index` if `bit` is 1, and leaves the set as it is if 0.
    #[inline]
    pub fn insert_if(&mut self, index: usize, bit: u64) {
        self.words[index >> 6] |= bit << (index & 63);
    }

    /// Adds members `64 * word ..` of a mask.
    #[inline]
    pub fn insert_all(&mut self, word: usize, mask: u64) {
        self.words[word] |= mask;
    }

    /// Removes members `64 * word ..` of a mask.
    #[inline]
    pub fn remove_all(&mut self, word: usize, mask: u64) {
        self.words[word] &= !mask;
    }

    /// Removes `index`.
    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.words[index >> 6] &= !(1 << (index & 63));
    }

    /// Whether `index` is in the set.
    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.words[index >> 6] >> (index & 63) & 1 == 1
    }

    /// The number of 64-bit words.
    #[inline]
    pub fn word_count(&self) -> usize {
        self.words.len()
    }

    /// Members `64 * word ..` as a mask.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    /// Empties one word and returns what it held.
    #[inline]
    pub fn take_word(&mut self, word: usize) -> u64 {
        std::mem::take(&mut self.words[word])
    }

    /// Members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(w, &bits)| ones(bits).map(move |b| w * 64 + b))
    }

    /// The number of members.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }
}

/// The positions of the one bits of `bits`, ascending.
#[inline]
pub fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let b = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(b)
    })
}

/// Members of sets, one after the other.
///
/// PERF: a loop over the bits of a word ends after as many turns as nobody can predict; here that happens where it is one of
/// a few in four, and whoever goes through the list has one end in all (`tailback bench recn-1`).
#[derive(Clone, Debug, Default)]
pub struct Members {
    list: Vec<u32>,
    len: usize,
}

/// Members that are listed at a time.
const AT_A_TIME: usize = 4;

impl Members {
    /// An empty set, which holds at most `bound` members at a time.
    pub fn new(bound: usize) -> Self {
        Members { list: vec![0; bound + AT_A_TIME], len: 0 }
    }

    /// Forgets them.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Lists members `64 * word ..` of a mask, in ascending order.
    #[inline(always)]
    pub fn add(&mut self, word: usize, mut mask: u64) {
        let end = self.len + mask.count_ones() as usize;
        let mut at = self.len;
        loop {
            // Those behind the last one are overwritten by the next.
            for place in &mut self.list[at..at + AT_A_TIME] {
                *place = word as u32 * 64 + mask.trailing_zeros();
                mask &= mask.wrapping_sub(1);
            }
            at += AT_A_TIME;
            if at >= end {
                break;
            }
        }
        self.len = end;
    }

    /// All that are listed.
    #[inline(always)]
    pub fn as_slice(&self) -> &[u32] {
        &self.list[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_listed_in_order() {
        let (sets, mut members) = ([0, 1 << 63 | 1, 0b1111, u64::MAX, 0b1_1111, 0], Members::new(6 * 64));
        for _ in 0..2 {
            members.clear();
            assert!(members.as_slice().is_empty());
            sets.iter().enumerate().for_each(|(word, &mask)| members.add(word, mask));
            let expected =
                sets.iter().enumerate().flat_map(|(word, &mask)| ones(mask).map(move |b| (word * 64 + b) as u32));
            assert_eq!(members.as_slice(), expected.collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_restored_set_has_no_member_beyond_its_bound() {
        let restored = |last: usize| {
            let mut set = BitSet::new(200);
            set.insert(last);
            let mut to = crate::state::Writer::default();
            crate::state::State::save(&set, &mut to);
            let bytes = to.into_bytes();
            crate::state::State::restore(&mut BitSet::new(199), &mut crate::state::Reader::new(&bytes, &[]))
        };
        assert!(restored(198).is_ok() && restored(199).is_err());
    }

    #[test]
    fn insert_remove_iterate() {
        let mut s = BitSet::new(200);
        for i in [0, 63, 64, 199] {
            s.insert(i);
        }
        s.remove(63);
        assert_eq!(s.iter().collect::<Vec<_>>(), [0, 64, 199]);
        assert_eq!(s.count(), 3);
        assert!(s.contains(199) && !s.contains(63) && !s.is_empty());
        assert_eq!(s.take_word(0), 1);
        assert_eq!(s.count(), 2);
        s.insert_all(1, 0b110);
        s.remove_all(1, 0b101);
        assert_eq!(s.iter().collect::<Vec<_>>(), [65, 199]);
    }
}
