//! Dissemination barrier: in round `s` rank `i` tells rank `i + 2^s` and hears from rank `i - 2^s`, one flit each.
//!
//! After as many rounds as the logarithm of the ranks, rounded up, every rank has heard of every other one.

use super::binomial::rounds;
use crate::generate::steps::{Message, Steps};

/// A barrier.
#[derive(Debug)]
pub(crate) struct Dissemination {
    /// All ranks.
    pub(crate) ranks: u32,
}

impl Steps for Dissemination {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn steps(&self) -> u64 {
        u64::from(rounds(self.ranks))
    }

    fn sends(&self, rank: u32, step: u32) -> Message {
        ((rank + (1 << step)) % self.ranks, 1)
    }

    fn receives(&self, rank: u32, step: u32) -> Message {
        ((rank + self.ranks - (1 << step)) % self.ranks, 1)
    }

    fn name(&self, step: u32) -> String {
        format!("round {step} of the barrier")
    }

    fn lengths(&self) -> (u32, u32) {
        (1, 1)
    }
}
