//! Congested points by the turns to them (`recn-mesh-2005` section 2: the CAM that the turns in a packet's header are looked
//! up in).

use serde::{Deserialize, Serialize};
use tailback_base::bits::ones;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};
use tailback_engine::contract::queueing::{Packing, Route, Turns};

/// What a lookup compares: the first turns, packed, and their bits.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Key {
    packed: u64,
    mask: u64,
}

/// Lines that there may be.
const LINES: usize = 32;

/// The turns of all lines, four in a cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Keys([Key; LINES]);

/// Lines with turns, all different. PERF: keys are apart from turns, which are longer than a cache line, and need no length.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Cam {
    /// Lines in use.
    used: u64,
    keys: Box<Keys>,
    turns: Box<Store>,
}

/// What is only looked at where keys are equal.
#[derive(Clone, Debug)]
struct Store {
    lines: usize,
    /// One more, which stays empty.
    turns: Box<[Turns]>,
}

tailback_base::plain!(Key);
tailback_base::state!([] Store { saved: turns; rebuilt: lines; });
tailback_base::state!([] Cam { saved: used, keys, turns; });

impl State for Keys {
    fn save(&self, to: &mut Writer) {
        self.0.save(to);
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.0.restore(from)
    }
}

impl Cam {
    /// So many lines, at most 32.
    pub fn new(lines: u8) -> Self {
        let lines = usize::from(lines);
        assert!(lines <= LINES, "the spec was checked for so few");
        let turns = Store { lines, turns: vec![Turns::default(); lines + 1].into() };
        Cam { used: 0, keys: Box::new(Keys([Key::default(); LINES])), turns: Box::new(turns) }
    }

    /// Lines in use, as a mask.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The turns of a line in use, or none.
    #[inline]
    pub fn turns(&self, line: usize) -> &Turns {
        &self.turns.turns[line]
    }

    /// The lowest line that is not in use.
    pub fn free(&self) -> Option<usize> {
        Some(self.used.trailing_ones() as usize).filter(|&line| line < self.turns.lines)
    }

    /// The line with exactly these turns.
    pub fn exact(&self, turns: &Turns) -> Option<usize> {
        ones(self.used).find(|&line| self.turns.turns[line] == *turns)
    }

    /// The line with the longest turns that a way begins with.
    #[inline(always)]
    pub fn longest(&self, way: Route<'_>) -> Option<usize> {
        if self.used == 0 {
            return None;
        }
        // PERF: loops without branches over the lowest lines, which are used first: nearly always one; few ways begin with
        // any turns.
        let lowest = (u64::BITS - self.used.leading_zeros()) as usize;
        let (fours, _) = self.keys.0.as_chunks::<4>();
        let begins = |key: &Key| u64::from((way.packed ^ key.packed) & key.mask == 0);
        let of_four = |four: &[Key; 4]| four.iter().rev().fold(0, |hits, key| hits << 1 | begins(key));
        let mut hits = of_four(&fours[0]);
        for n in 1..lowest.div_ceil(4) {
            hits |= of_four(&fours[n % (LINES / 4)]) << (4 * n);
        }
        let hits = hits & self.used;
        if hits == 0 { None } else { self.longest_of(hits, way) }
    }

    /// Of lines whose first turns a way begins with. PERF: of two keys the longer one has the larger mask; turns are looked
    /// at only where a word has no place for more.
    #[inline(always)]
    fn longest_of(&self, hits: u64, way: Route<'_>) -> Option<usize> {
        let all = way.packing.mask(way.packing.turns());
        let longest = ones(hits).max_by_key(|&line| self.keys.0[line % LINES].mask)?;
        if self.keys.0[longest % LINES].mask == all { self.longest_beyond(hits, way) } else { Some(longest) }
    }

    /// The same where the turns of a line fill a word, or are more.
    #[cold]
    fn longest_beyond(&self, hits: u64, way: Route<'_>) -> Option<usize> {
        let (packed, turns) = (way.packing.turns(), |line: usize| self.turns.turns[line].as_slice());
        let fits =
            |&line: &usize| turns(line).len() <= packed || way.long.is_some_and(|way| way.starts_with(turns(line)));
        ones(hits).filter(fits).max_by_key(|&line| turns(line).len())
    }

    /// That lines in use are there, have turns through switches of `ports` ports, each its own, and are found by them.
    ///
    /// # Errors
    /// Where it is not so.
    pub fn fits(&self, ports: u8, packing: Packing) -> Result<(), Unfit> {
        ensure(self.used.unbounded_shr(self.turns.lines as u32) == 0, "a line is in use that is not there")?;
        ones(self.used).try_for_each(|line| {
            let turns = &self.turns.turns[line];
            turns.lead_through(ports)?;
            let Key { packed, mask } = self.keys.0[line % LINES];
            let (same, len) = (packed == packing.pack(turns.as_slice()), usize::from(turns.len));
            let found = same && mask == packing.mask(len) && len > 0 && self.exact(turns) == Some(line);
            ensure(found, "a congested point is known by other turns than its own")
        })
    }

    /// A line that is not in use has these turns from now on.
    pub fn insert(&mut self, line: usize, turns: Turns, packing: Packing) {
        let (packed, mask) = (packing.pack(turns.as_slice()), packing.mask(usize::from(turns.len)));
        self.keys.0[line] = Key { packed, mask };
        self.turns.turns[line] = turns;
        self.used |= 1 << line;
    }

    /// A line is not in use any more; its turns.
    pub fn remove(&mut self, line: usize) -> Turns {
        self.used &= !(1 << line);
        self.turns.turns[line]
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
    fn every_line_is_looked_at() {
        let packing = Packing::new(5);
        for line in 0..LINES {
            let mut cam = Cam::new(LINES as u8);
            cam.insert(line, Turns::new(&[1, 2]), packing);
            assert_eq!((found(&cam, &[1, 2, 3], packing), found(&cam, &[2, 1], packing)), (Some(line), None));
        }
    }

    #[test]
    fn a_short_line_is_found_where_a_long_one_differs_beyond_a_word() {
        let packing = Packing::new(5);
        let way: Vec<u8> = (0..60).map(|n| n % 5).collect();
        let word = packing.turns();
        let mut other = way.clone();
        other[word] ^= 1;
        let mut cam = Cam::new(2);
        cam.insert(0, Turns::new(&way[..1]), packing);
        cam.insert(1, Turns::new(&other[..=word]), packing);
        assert_eq!((found(&cam, &way, packing), found(&cam, &other, packing)), (Some(0), Some(1)));
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
