//! A fixed-size set of small integers, one bit each.

/// A set of integers below a bound fixed at construction.
#[derive(Clone, Debug)]
pub struct BitSet {
    words: Vec<u64>,
}

crate::state!([] BitSet { saved: words; });

impl BitSet {
    /// An empty set able to hold `0..bound`.
    pub fn new(bound: usize) -> Self {
        BitSet { words: vec![0; bound.div_ceil(64)] }
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

#[cfg(test)]
mod tests {
    use super::*;

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
