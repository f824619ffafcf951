//! Operations of which some requirement is met, and how many are not.
//!
//! PERF: mostly they are a few, which stand side by side: a table has each of them on lines of its own (`docs/benchmarks.md`, all-to-all).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tailback_base::hash::Map;

/// How many are looked at one after the other.
const FEW: usize = 24;

/// Operations by number, with how much they wait for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unmet {
    /// In any order.
    few: Vec<(u32, u32)>,
    /// All others.
    many: Map<u32, u32>,
}

impl Unmet {
    /// A requirement of an operation is met, of which it has `all`. Returns whether no other one is open.
    #[inline]
    pub fn meet(&mut self, number: u32, all: impl FnOnce() -> u32) -> bool {
        if let Some(at) = self.few.iter().position(|of| of.0 == number) {
            self.few[at].1 -= 1;
            let is_met = self.few[at].1 == 0;
            if is_met {
                self.few.swap_remove(at);
            }
            return is_met;
        }
        if !self.many.is_empty()
            && let Some(left) = self.many.get_mut(&number)
        {
            *left -= 1;
            let is_met = *left == 0;
            if is_met {
                self.many.remove(&number);
            }
            return is_met;
        }
        let left = all().saturating_sub(1);
        if left > 0 {
            self.insert(number, left);
        }
        left == 0
    }

    /// An operation that is not there waits for so many.
    fn insert(&mut self, number: u32, left: u32) {
        if self.few.len() < FEW {
            self.few.push((number, left));
        } else {
            self.many.insert(number, left);
        }
    }

    /// All of them, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        self.few.iter().copied().chain(self.many.iter().map(|(&number, &left)| (number, left)))
    }

    /// Those by rising number.
    fn sorted(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> = self.iter().collect();
        all.sort_unstable();
        all
    }
}

impl Serialize for Unmet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.sorted().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Unmet {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut unmet = Unmet::default();
        Vec::<(u32, u32)>::deserialize(from)?.into_iter().for_each(|(number, left)| unmet.insert(number, left));
        Ok(unmet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tailback_base::rng::{self, Purpose};
    use tailback_base::state::{Reader, Writer};

    #[test]
    fn an_operation_is_ready_when_all_of_it_is_met() {
        let mut draws = (0_u64..).map(|index| rng::draw(9, Purpose::Tie, 0, index)[0]);
        for numbers in [8, 200] {
            let (mut unmet, mut plain) = (Unmet::default(), BTreeMap::<u32, u32>::new());
            for _ in 0..5_000 {
                let number = draws.next().unwrap() % numbers;
                let all = 1 + number % 4;
                let left = plain.get(&number).copied().unwrap_or(all) - 1;
                assert_eq!(unmet.meet(number, || all), left == 0);
                plain.insert(number, left);
                plain.retain(|_, left| *left > 0);
                assert_eq!(unmet.iter().count(), plain.len());
            }
            assert_eq!(unmet.sorted(), plain.into_iter().collect::<Vec<_>>());
            let mut saved = Writer::default();
            saved.put(&unmet);
            let again: Unmet = Reader::new(&saved.into_bytes(), &[]).take().unwrap();
            assert_eq!(again.sorted(), unmet.sorted());
        }
    }
}
