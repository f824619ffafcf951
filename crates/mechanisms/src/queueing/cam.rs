//! Congested points by the turns to them (`recn-mesh-2005` section 2: the CAM that the turns in a packet's header are looked
//! up in).

use serde::{Deserialize, Serialize};
use tailback_base::bits::ones;
use tailback_engine::contract::queueing::{Packing, Route, Turns};

/// What a lookup compares: the first turns, packed, and their bits.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Key {
    packed: u64,
    mask: u64,
}

/// Lines with turns, all different. PERF: keys are apart from turns, which are longer than a cache line.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Cam {
    /// Lines in use.
    used: u64,
    keys: Box<[Key]>,
    /// One more, which stays empty.
    turns: Box<[Turns]>,
}

tailback_base::plain!(Key);
tailback_base::state!([] Cam { saved: used, keys, turns; });

impl Cam {
    /// So many lines, less than 64.
    pub fn new(lines: u8) -> Self {
        let lines = usize::from(lines);
        Cam { used: 0, keys: vec![Key::default(); lines].into(), turns: vec![Turns::default(); lines + 1].into() }
    }

    /// Lines in use, as a mask.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The turns of a line in use, or none.
    #[inline]
    pub fn turns(&self, line: usize) -> &Turns {
        &self.turns[line]
    }

    /// The lowest line that is not in use.
    pub fn free(&self) -> Option<usize> {
        Some(self.used.trailing_ones() as usize).filter(|&line| line < self.keys.len())
    }

    /// The line with exactly these turns.
    pub fn exact(&self, turns: &Turns) -> Option<usize> {
        ones(self.used).find(|&line| self.turns[line] == *turns)
    }

    /// The line with the longest turns that a way begins with.
    #[inline(always)]
    pub fn longest(&self, way: Route<'_>) -> Option<usize> {
        if self.used == 0 {
            return None;
        }
        // PERF: one loop without branches over the lowest lines, which are used first; few ways begin with any turns.
        let lowest = &self.keys[..(u64::BITS - self.used.leading_zeros()) as usize];
        let begins = |key: &Key| u64::from((way.packed ^ key.packed) & key.mask == 0);
        let hits = lowest.iter().rev().fold(0, |hits, key| hits << 1 | begins(key)) & self.used;
        if hits == 0 { None } else { self.longest_of(hits, way) }
    }

    /// Of lines whose first turns a way begins with.
    fn longest_of(&self, hits: u64, way: Route<'_>) -> Option<usize> {
        let (packed, length) = (way.packing.turns(), |line: usize| usize::from(self.turns[line].len));
        let fits = |&line: &usize| {
            length(line) <= packed || way.long.is_some_and(|way| way.starts_with(self.turns[line].as_slice()))
        };
        if hits & (hits - 1) == 0 {
            return Some(hits.trailing_zeros() as usize).filter(fits);
        }
        ones(hits).filter(fits).max_by_key(|&line| length(line))
    }

    /// A line that is not in use has these turns from now on.
    pub fn insert(&mut self, line: usize, turns: Turns, packing: Packing) {
        let (packed, mask) = (packing.pack(turns.as_slice()), packing.mask(usize::from(turns.len)));
        self.keys[line] = Key { packed, mask };
        self.turns[line] = turns;
        self.used |= 1 << line;
    }

    /// A line is not in use any more; its turns.
    pub fn remove(&mut self, line: usize) -> Turns {
        self.used &= !(1 << line);
        self.turns[line]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line that a way finds.
    fn found(cam: &Cam, way: &[u8], packing: Packing) -> Option<usize> {
        cam.longest(Route::new(packing, way, 0))
    }

    #[test]
    fn the_longest_turns_win() {
        let (mut cam, packing) = (Cam::new(4), Packing::new(5));
        for (line, turns) in [(0, &[1, 2][..]), (1, &[1]), (3, &[1, 2, 3, 0])] {
            cam.insert(line, Turns::new(turns), packing);
        }
        let ways: [&[u8]; 5] = [&[1, 2, 3, 4], &[1, 2, 3, 0], &[1, 0], &[1], &[2, 1]];
        assert_eq!(ways.map(|way| found(&cam, way, packing)), [Some(0), Some(3), Some(1), Some(1), None]);
        assert_eq!((cam.free(), cam.used(), cam.exact(&Turns::new(&[1]))), (Some(2), 0b1011, Some(1)));
        assert_eq!(cam.remove(0), Turns::new(&[1, 2]));
        assert_eq!((found(&cam, &[1, 2, 3, 4], packing), cam.free(), cam.used()), (Some(1), Some(0), 0b1010));
        assert_eq!(found(&cam, &[], packing), None);
    }

    #[test]
    fn turns_longer_than_a_word_are_compared_to_the_end() {
        for ports in [2, 5, 64] {
            let (mut cam, packing) = (Cam::new(3), Packing::new(usize::from(ports)));
            let way: Vec<u8> = (0..60).map(|n| n % ports).collect();
            let word = packing.turns();
            let mut other = way.clone();
            other[word] ^= 1;
            cam.insert(0, Turns::new(&other[..=word]), packing);
            assert_eq!(found(&cam, &way, packing), None, "{ports} ports: {word} turns are equal, the next is not");
            cam.insert(1, Turns::new(&way[..=word]), packing);
            cam.insert(2, Turns::new(&way[..word]), packing);
            assert_eq!((found(&cam, &way, packing), found(&cam, &other, packing)), (Some(1), Some(0)));
            assert_eq!(found(&cam, &way[..word], packing), Some(2));
        }
    }
}
