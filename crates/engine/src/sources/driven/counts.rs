//! Counts by number: how often something has happened with each rank.
//!
//! PERF: these are looked at for every message (`tailback workload all-to-all`). Ranks that are next to each other stand next to each other, so a
//! rank that goes from one to the next finds most of them in the cache.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tailback_base::hash::Map;

/// Numbers that stand together: with the number of their line they are half a cache line.
const LINE: u32 = 7;

/// A count by number; 0 where there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    lines: Map<u32, [u32; LINE as usize]>,
}

impl Counts {
    /// The count of a number, to be changed.
    #[inline]
    pub fn of(&mut self, number: u32) -> &mut u32 {
        &mut self.lines.entry(number / LINE).or_default()[(number % LINE) as usize]
    }

    /// Those by rising number.
    fn sorted(&self) -> Vec<(u32, u32)> {
        let of_line = |(&line, counts): (&u32, &[u32; LINE as usize])| {
            let numbers = (0..LINE).map(move |place| (line * LINE).wrapping_add(place));
            numbers.zip(*counts).filter(|&(_, count)| count > 0)
        };
        let mut all: Vec<(u32, u32)> = self.lines.iter().flat_map(of_line).collect();
        all.sort_unstable();
        all
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.sorted().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut counts = Counts::default();
        Vec::<(u32, u32)>::deserialize(from)?.into_iter().for_each(|(number, count)| *counts.of(number) = count);
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tailback_base::rng::{self, Purpose};
    use tailback_base::state::{Reader, Writer};

    #[test]
    fn it_counts_and_is_saved_in_order() {
        let mut draws = (0_u64..).map(|index| rng::draw(9, Purpose::Tie, 0, index)[0]);
        let (mut counts, mut plain) = (Counts::default(), BTreeMap::<u32, u32>::new());
        for _ in 0..3_000 {
            let number = [draws.next().unwrap() % 40, u32::MAX - draws.next().unwrap() % 40, draws.next().unwrap()];
            let number = number[draws.next().unwrap() as usize % 3];
            *counts.of(number) += 1;
            *plain.entry(number).or_default() += 1;
            assert_eq!(*counts.of(number), plain[&number]);
        }
        _ = counts.of(77);
        let sorted = counts.sorted();
        assert_eq!(sorted, plain.into_iter().collect::<Vec<_>>(), "what was only looked at is not there");
        let mut saved = Writer::default();
        saved.put(&counts);
        let again: Counts = Reader::new(&saved.into_bytes(), &[]).take().unwrap();
        assert_eq!(again.sorted(), sorted);
    }
}
