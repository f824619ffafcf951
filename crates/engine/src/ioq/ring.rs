//! Sets by cycle: what is known to happen, where a number is busy with one thing at a time.

use crate::mask::are_below;

/// A set of small numbers for every cycle ahead.
///
/// PERF: most links fall idle with nothing else to do, and 64 of them cost an operation on a word; as events of a wheel they
/// cost 40 instructions each, twice a hop (`tailback bench recn-1`).
#[derive(Clone, Debug)]
pub(super) struct Ring {
    words: usize,
    mask: u64,
    sets: Vec<u64>,
}

tailback_base::state!([] Ring { saved: sets; rebuilt: words, mask; });

impl Ring {
    /// For numbers below `bound` and times up to `horizon` cycles ahead.
    pub fn new(horizon: u64, bound: usize) -> Self {
        let (times, words) = ((horizon + 1).next_power_of_two(), bound.div_ceil(64));
        Ring { words, mask: times - 1, sets: vec![0; times as usize * words] }
    }

    /// Adds a number to the set of a cycle, which is ahead of the current one and within the horizon.
    #[inline]
    pub fn insert(&mut self, time: u64, number: usize) {
        self.sets[(time & self.mask) as usize * self.words + number / 64] |= 1 << (number % 64);
    }

    /// Adds numbers `64 * word ..` of a mask to the set of a cycle.
    #[inline]
    pub fn insert_all(&mut self, time: u64, word: usize, mask: u64) {
        self.sets[(time & self.mask) as usize * self.words + word] |= mask;
    }

    /// Empties a word of the set of a cycle and returns what it held.
    #[inline]
    pub fn take_word(&mut self, time: u64, word: usize) -> u64 {
        std::mem::take(&mut self.sets[(time & self.mask) as usize * self.words + word])
    }

    /// Whether all numbers are below `bound`.
    pub fn is_bounded(&self, bound: usize) -> bool {
        self.sets.chunks(self.words.max(1)).all(|set| are_below(set.iter().copied(), bound))
    }

    /// Numbers in all sets.
    pub fn count(&self) -> usize {
        self.sets.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// When a number is due that is in some set, from cycle `now` on.
    pub fn due(&self, now: u64, number: usize) -> Option<u64> {
        let at =
            |time: &u64| self.sets[(time & self.mask) as usize * self.words + number / 64] >> (number % 64) & 1 == 1;
        (now..=now + self.mask).find(at)
    }

    /// Whether a number is in some set.
    pub fn contains(&self, number: usize) -> bool {
        self.sets.iter().skip(number / 64).step_by(self.words).any(|word| word >> (number % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_in_their_cycle() {
        let mut ring = Ring::new(5, 130);
        for time in 1..=5 {
            (0..130).step_by(time as usize + 1).for_each(|number| ring.insert(time, number));
        }
        assert_eq!(ring.count(), 65 + 44 + 33 + 26 + 22);
        assert!(ring.contains(128) && ring.contains(126) && !ring.contains(127));
        for time in 1..=5 {
            let numbers = |ring: &mut Ring| -> Vec<usize> {
                let words: Vec<u64> = (0..3).map(|word| ring.take_word(time, word)).collect();
                (0..192).filter(|n| words[n / 64] >> (n % 64) & 1 == 1).collect()
            };
            assert_eq!(numbers(&mut ring), (0..130).step_by(time as usize + 1).collect::<Vec<_>>());
            assert!(numbers(&mut ring).is_empty());
            ring.insert_all(time + 5, 0, 1 << time);
        }
        assert_eq!(ring.count(), 5);
    }
}
