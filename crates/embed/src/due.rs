//! The cycles in which messages under way can have been delivered at the earliest.

use crate::messages::{Message, Messages};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tailback_sim::{Prepared, Soonest};

/// A message: what the network calls it, and the how manyth of the host it is.
pub(crate) type Which = (u64, u64);

/// What a host may expect of the messages under way. It is kept from the first question on: most hosts never ask.
#[derive(Debug)]
pub(crate) struct Expected {
    soonest: Soonest,
    classes: u32,
    due: Due,
}

impl Expected {
    /// What may be expected of all messages that are under way.
    pub fn of(prepared: &Prepared, classes: u32, messages: &Messages) -> Expected {
        let soonest = Soonest::new(prepared).expect("a host steps this network");
        let mut expected = Expected { soonest, classes, due: Due::default() };
        messages.each_open().for_each(|(which, of, sent)| expected.send(which, of, sent, messages));
        expected
    }

    /// A message has been sent.
    pub fn send(&mut self, which: Which, of: &Message, sent: u64, messages: &Messages) {
        // To the engine, each class has a node of its own.
        let port = |node| node * self.classes + of.class;
        let at = sent + self.soonest.cycles(port(of.source), port(of.destination), of.flits) + 1;
        self.due.push(at, which, messages.under_way(), |which| messages.is_open(which));
    }

    /// Some messages have come.
    pub fn settle(&mut self, messages: &Messages) {
        self.due.settle(|which| messages.is_open(which));
    }

    /// The first cycle in which the clock can stand when a message can be received.
    pub fn first(&self) -> Option<u64> {
        self.due.first()
    }
}

/// The messages under way, soonest first. Those that have come are left out when they are at the front, or when they are more than the others.
#[derive(Clone, Debug, Default)]
struct Due(BinaryHeap<Reverse<(u64, Which)>>);

/// Messages below which nobody tidies up.
const FEW: u64 = 64;

impl Due {
    /// A message that can be received once the clock stands at `cycle`; `under_way` are, with it.
    fn push(&mut self, cycle: u64, which: Which, under_way: u64, is_open: impl Fn(Which) -> bool) {
        if self.0.len() as u64 > 2 * under_way + FEW {
            self.0.retain(|&Reverse((_, which))| is_open(which));
        }
        self.0.push(Reverse((cycle, which)));
    }

    /// Some messages have come.
    fn settle(&mut self, is_open: impl Fn(Which) -> bool) {
        while self.0.peek().is_some_and(|&Reverse((_, which))| !is_open(which)) {
            self.0.pop();
        }
    }

    /// The first of these cycles.
    fn first(&self) -> Option<u64> {
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
