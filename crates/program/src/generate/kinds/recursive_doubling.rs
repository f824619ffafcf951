//! Recursive doubling: in round `s` every rank exchanges all its flits with the rank whose index differs in bit `s`.
//!
//! Where the ranks are no power of two, some fold: they send all their flits first and get the result last.

use crate::generate::fold::{Fold, Role};
use crate::generate::rounds::{Round, Rounds};

/// An all-reduce of few rounds and long messages.
#[derive(Debug)]
pub(crate) struct RecursiveDoubling {
    /// Who takes part.
    pub(crate) fold: Fold,
    /// Flits of every message.
    pub(crate) flits: u32,
}

impl Rounds for RecursiveDoubling {
    fn ranks(&self) -> u32 {
        self.fold.ranks()
    }

    fn rounds(&self) -> u32 {
        self.fold.rounds() + 2
    }

    fn round(&self, rank: u32, round: u32) -> Round {
        let message = |other: u32| Some((other, self.flits));
        let last = self.fold.rounds() + 1;
        match self.fold.role(rank) {
            Role::Core(_, odd) if round == 0 => Round { send: None, receive: odd.and_then(message) },
            Role::Core(_, odd) if round == last => Round { send: odd.and_then(message), receive: None },
            Role::Core(index, _) => {
                let partner = message(self.fold.rank(index ^ 1 << (round - 1)));
                Round { send: partner, receive: partner }
            }
            Role::Folded(into) if round == 0 => Round { send: message(into), receive: None },
            Role::Folded(into) if round == last => Round { send: None, receive: message(into) },
            Role::Folded(_) => Round::default(),
        }
    }

    fn name(&self, round: u32) -> String {
        match round {
            0 => "the fold before the rounds".to_owned(),
            round if round > self.fold.rounds() => "the fold behind the rounds".to_owned(),
            round => format!("round {} of the recursive doubling", round - 1),
        }
    }
}
