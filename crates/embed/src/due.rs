//! The cycles in which messages under way can have been delivered at the earliest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A message: what the network calls it, and the how manyth of the host it is.
pub(crate) type Which = (u64, u64);

/// The messages under way, soonest first. Those that have come are left out when they are at the front, or when they are more than the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Due(BinaryHeap<Reverse<(u64, Which)>>);

/// Messages below which nobody tidies up.
const FEW: u64 = 64;

impl Due {
    /// A message that can be received once the clock stands at `cycle`; `under_way` are, with it.
    pub fn push(&mut self, cycle: u64, which: Which, under_way: u64, is_open: impl Fn(Which) -> bool) {
        if self.0.len() as u64 > 2 * under_way + FEW {
            self.0.retain(|&Reverse((_, which))| is_open(which));
        }
        self.0.push(Reverse((cycle, which)));
    }

    /// Some messages have come.
    pub fn settle(&mut self, is_open: impl Fn(Which) -> bool) {
        while self.0.peek().is_some_and(|&Reverse((_, which))| !is_open(which)) {
            self.0.pop();
        }
    }

    /// The first of these cycles.
    pub fn first(&self) -> Option<u64> {
        self.0.peek().map(|&Reverse((cycle, _))| cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_have_come_are_forgotten() {
        let mut due = Due::default();
        for number in 0..1000 {
            due.push(1000 - number, (number, number), 1, |(_, of)| of + 1 >= number);
        }
        assert!(due.0.len() < 200);
        due.settle(|(_, number)| number != 999);
        assert_eq!(due.first(), Some(2));
    }
}
