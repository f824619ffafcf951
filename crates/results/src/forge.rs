//! Checkpoints that were tampered with and have a right sum, for tests: whoever goes on from a checkpoint must not rely on the
//! sum.
//!
//! A state is a row of numbers as long as they must be (LEB128), lists with their lengths in front, and sections with a name
//! and a length in front. Damage is blind to what the numbers mean, and keeps the lengths of sections right, so that it gets
//! past them.

use crate::Checkpoint;

/// Numbers at the ends of what types hold.
const EXTREME: [u64; 14] = [0, 1, 2, 63, 64, 127, 128, 255, 1 << 15, 0xffff, 1 << 31, 0xffff_ffff, 1 << 63, u64::MAX];

/// The checkpoint with one to three damages to its state; the same for the same `seed`. Written to a file it has a right sum.
pub fn forged(good: &Checkpoint, seed: u64) -> Checkpoint {
    let mut draw = Draw(seed);
    let mut state = good.state.clone();
    for _ in 0..1 + draw.below(3) {
        damage(&mut state, &mut draw);
    }
    Checkpoint { head: good.head.clone(), state }
}

/// Numbers that look random (SplitMix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Below `bound`, or 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn damage(state: &mut Vec<u8>, draw: &mut Draw) {
    if state.is_empty() {
        return;
    }
    let at = draw.below(state.len());
    let number = number_around(state, at);
    match draw.below(9) {
        0 => state[at] ^= 1 << draw.below(8),
        1 => state[at] = draw.next() as u8,
        2 => replace(state, number.at, number.bytes, &encoded(EXTREME[draw.below(EXTREME.len())])),
        3 => replace(state, number.at, number.bytes, &encoded(number.value.wrapping_add(1))),
        4 => replace(state, number.at, number.bytes, &encoded(number.value.wrapping_sub(1))),
        5 => replace(state, number.at, number.bytes, &encoded(draw.next() >> draw.below(64))),
        6 => {
            let there = draw.below(state.len());
            let other = number_around(state, there);
            let (one, two) = (encoded(number.value), encoded(other.value));
            let (first, last) =
                if number.at < other.at { ((number, two), (other, one)) } else { ((other, one), (number, two)) };
            if first.0.at + first.0.bytes <= last.0.at {
                replace(state, last.0.at, last.0.bytes, &last.1);
                replace(state, first.0.at, first.0.bytes, &first.1);
            }
        }
        7 => {
            let length = (1 + draw.below(16)).min(state.len() - at);
            replace(state, at, length, &[]);
        }
        _ => {
            let (from, length) = (draw.below(state.len()), 1 + draw.below(16));
            let copied = state[from..(from + length).min(state.len())].to_vec();
            replace(state, at, copied.len().min(state.len() - at), &copied);
        }
    }
}

/// A number in a state.
#[derive(Clone, Copy)]
struct Number {
    at: usize,
    bytes: usize,
    value: u64,
}

/// The number that the byte at `at` is part of, if it is part of one.
fn number_around(state: &[u8], at: usize) -> Number {
    let goes_on = |at: usize| state[at] & 128 != 0;
    let mut from = at;
    while from > 0 && at - from < 9 && goes_on(from - 1) {
        from -= 1;
    }
    let mut bytes = 1;
    while bytes < 10 && goes_on(from + bytes - 1) && from + bytes < state.len() {
        bytes += 1;
    }
    let value = (0..bytes).fold(0, |value, n| value | u64::from(state[from + n] & 127).wrapping_shl(7 * n as u32));
    Number { at: from, bytes, value }
}

fn encoded(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// Puts `new` in the place of some bytes, and makes the lengths right of all sections that they are in.
fn replace(state: &mut Vec<u8>, at: usize, bytes: usize, new: &[u8]) {
    let mut around: Vec<Section> =
        sections(state).into_iter().filter(|section| section.from <= at && at + bytes <= section.end).collect();
    // The innermost first, whose length may get longer by itself.
    around.sort_by_key(|section| std::cmp::Reverse(section.from));
    state.splice(at..at + bytes, new.iter().copied());
    let mut longer = new.len() as i64 - bytes as i64;
    for section in around {
        let length = encoded(((section.end - section.from) as i64 + longer) as u64);
        longer += length.len() as i64 - section.length.bytes as i64;
        state.splice(section.length.at..section.length.at + section.length.bytes, length);
    }
}

/// A section of a state: where its length stands, and where its inside begins and ends.
struct Section {
    length: Number,
    from: usize,
    end: usize,
}

/// What looks like a section: a word in small letters with its length in front, and a length behind that fits.
fn sections(state: &[u8]) -> Vec<Section> {
    let section = |at: usize| {
        let letters = usize::from(state[at]);
        let word = state.get(at + 1..at + 1 + letters)?;
        let length_at = at + 1 + letters;
        if !(4..=20).contains(&letters) || !word.iter().all(u8::is_ascii_lowercase) || length_at >= state.len() {
            return None;
        }
        let length = number_around(state, length_at);
        let from = length_at + length.bytes;
        let end = from.checked_add(usize::try_from(length.value).ok()?)?;
        (end <= state.len()).then_some(Section { length, from, end })
    };
    (0..state.len()).filter_map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Head;

    /// A section of 130 bytes within one of 140, between other bytes.
    fn state() -> Vec<u8> {
        let inner = [&[9][..], b"admission", &encoded(130), &[1; 130]].concat();
        [&[1, 200, 3][..], &[7], b"network", &encoded(inner.len() as u64), &inner, &[5, 5]].concat()
    }

    #[test]
    fn lengths_of_sections_stay_right() {
        let (mut bad, at) = (state(), state().iter().rposition(|&byte| byte == 1).unwrap());
        replace(&mut bad, at, 1, &encoded(u64::MAX));
        let lengths: Vec<usize> = sections(&bad).iter().map(|section| section.end - section.from).collect();
        assert_eq!((lengths, bad.len()), (vec![12 + 139, 139], state().len() + 9));
        replace(&mut bad, at - 100, 100, &[]);
        let lengths: Vec<usize> = sections(&bad).iter().map(|section| section.end - section.from).collect();
        assert_eq!(lengths, [11 + 39, 39], "a length that takes a byte less counts, too");
    }

    #[test]
    fn numbers_are_found_from_any_of_their_bytes() {
        let bytes = [&[5][..], &encoded(300), &[6]].concat();
        for at in [1, 2] {
            let number = number_around(&bytes, at);
            assert_eq!((number.at, number.bytes, number.value), (1, 2, 300));
        }
        assert_eq!(number_around(&bytes, 3).value, 6);
        assert_eq!(number_around(&[255; 30], 20).bytes, 10);
    }

    #[test]
    fn a_forged_checkpoint_is_read_and_is_another_one() {
        let head = Head {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spec_toml: String::new(),
            point_id: String::new(),
            spec_id: String::new(),
            swept_toml: String::new(),
            forks: vec![],
            cycle: 7,
        };
        let good = Checkpoint { head, state: state() };
        let others = (0..1000).filter(|&seed| {
            let bad = forged(&good, seed);
            assert_eq!(Checkpoint::parse(&bad.to_bytes()).as_ref(), Ok(&bad));
            assert_eq!(bad, forged(&good, seed));
            bad != good
        });
        assert!(others.count() > 850);
        assert!(forged(&Checkpoint { state: vec![], ..good }, 1).state.is_empty());
    }
}
