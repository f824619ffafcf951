//! Binomial trees: a broadcast doubles the ranks that know in every round, a reduce halves those that have not handed over.
//!
//! Ranks are counted from the root on. In round `s` of a broadcast rank `i`, which is below `2^s`, sends all flits to rank `i + 2^s`. In
//! round `s` of a reduce the ranks that are odd multiples of `2^s` send all flits to rank `i - 2^s`.

use crate::generate::rounds::{Round, Rounds};

/// Away from the root, or towards it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// A broadcast.
    Broadcast,
    /// A reduce.
    Reduce,
}

/// A binomial tree.
#[derive(Debug)]
pub(crate) struct Binomial {
    /// Where it goes.
    pub(crate) direction: Direction,
    /// All ranks.
    pub(crate) ranks: u32,
    /// The rank that sends first, or receives last.
    pub(crate) root: u32,
    /// Flits of every message.
    pub(crate) flits: u32,
}

/// Rounds until a doubling reaches so many ranks.
pub(crate) fn rounds(ranks: u32) -> u32 {
    ranks.next_power_of_two().ilog2()
}

impl Binomial {
    /// The rank that is `place` behind the root.
    fn message(&self, place: u32) -> Option<(u32, u32)> {
        let rank = (u64::from(place) + u64::from(self.root)) % u64::from(self.ranks);
        Some((rank as u32, self.flits))
    }

    /// The one that has not heard of it before, and who tells it: `place` and the one `far` behind it.
    fn pair(&self, place: u32, far: u32) -> Round {
        if place < far && place + far < self.ranks {
            return Round { send: self.message(place + far), receive: None };
        }
        match place >= far && place < 2 * far {
            true => Round { send: None, receive: self.message(place - far) },
            false => Round::default(),
        }
    }

    fn reduced(&self, place: u32, far: u32) -> Round {
        if !place.is_multiple_of(far) {
            return Round::default();
        }
        match place & far {
            0 if place + far < self.ranks => Round { send: None, receive: self.message(place + far) },
            0 => Round::default(),
            _ => Round { send: self.message(place - far), receive: None },
        }
    }
}

impl Rounds for Binomial {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn rounds(&self) -> u32 {
        rounds(self.ranks)
    }

    fn round(&self, rank: u32, round: u32) -> Round {
        let place = if rank >= self.root { rank - self.root } else { rank + self.ranks - self.root };
        match self.direction {
            Direction::Broadcast => self.pair(place, 1 << round),
            Direction::Reduce => self.reduced(place, 1 << round),
        }
    }

    fn name(&self, round: u32) -> String {
        match self.direction {
            Direction::Broadcast => format!("round {round} of the broadcast"),
            Direction::Reduce => format!("round {round} of the reduce"),
        }
    }
}
