//! What was seen of one line of links, cycle by cycle, while somebody looks at it: the space-time strips.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::RangeBounds;
use std::sync::Arc;

/// States of a line that are remembered: the newest.
const MOST_ROWS: usize = 32_768;

/// A line of links, and its states by the cycles in which they were seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    links: Arc<[u32]>,
    /// Cycles since the state before, and a level of 255 for each link.
    rows: BTreeMap<u64, (u64, Box<[u8]>)>,
}

impl Seen {
    /// Looks at other links from here on.
    pub fn watch(&mut self, links: &Arc<[u32]>) {
        if self.links != *links {
            *self = Seen { links: Arc::clone(links), rows: BTreeMap::new() };
        }
    }

    /// The links; empty where nobody looks.
    pub fn links(&self) -> &Arc<[u32]> {
        &self.links
    }

    /// Adds the states after a cycle, one every so many cycles.
    pub fn add(&mut self, after: u64, every: u64, levels: &[u8]) {
        let first = (after / every + 1) * every;
        for (row, levels) in levels.chunks(self.links.len().max(1)).enumerate() {
            self.rows.insert(first + every * row as u64, (every, levels.into()));
        }
        while self.rows.len() > MOST_ROWS {
            self.rows.pop_first();
        }
    }

    /// Forgets what is later than a cycle.
    pub fn cut(&mut self, cycle: u64) {
        self.rows.split_off(&(cycle + 1));
    }

    /// The states of some cycles: runs of equal steps as the first cycle, the step and their number, then all levels as hexadecimal digits.
    pub fn told(&self, cycles: impl RangeBounds<u64>) -> Value {
        let (mut runs, mut digits): (Vec<[u64; 3]>, _) = (Vec::new(), String::new());
        for (&cycle, (every, levels)) in self.rows.range(cycles) {
            match runs.last_mut() {
                Some([first, step, count]) if step == every && cycle == *first + *step * *count => *count += 1,
                _ => runs.push([cycle, *every, 1]),
            }
            let digit = |&level: &u8| char::from_digit(u32::from(level >> 4), 16).expect("it is less than 16");
            digits.extend(levels.iter().map(digit));
        }
        json!({ "runs": runs, "levels": digits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_in_runs_and_forgotten_where_time_goes_another_way() {
        let mut seen = Seen::default();
        seen.watch(&[3, 4].into());
        seen.add(0, 1, &[0, 255, 16, 32]);
        seen.add(2, 4, &[255, 0, 240, 0]);
        assert_eq!(seen.told(..), json!({ "runs": [[1, 1, 2], [4, 4, 2]], "levels": "0f12f0f0" }));
        assert_eq!(seen.told(3..=4), json!({ "runs": [[4, 4, 1]], "levels": "f0" }));
        seen.cut(2);
        seen.add(2, 1, &[16, 16]);
        assert_eq!(seen.told(..), json!({ "runs": [[1, 1, 3]], "levels": "0f1211" }));
        seen.watch(&[3, 4].into());
        assert_ne!(seen.told(..), json!({ "runs": [], "levels": "" }), "the same line stays known");
        seen.watch(&[3].into());
        assert_eq!(seen.told(..), json!({ "runs": [], "levels": "" }));
    }

    #[test]
    fn only_the_newest_states_are_remembered() {
        let mut seen = Seen::default();
        seen.watch(&[0].into());
        (0..MOST_ROWS as u64 + 9).for_each(|cycle| seen.add(cycle, 1, &[16]));
        assert_eq!(seen.told(..)["runs"], json!([[10, 1, MOST_ROWS]]));
    }
}
