//! Pairwise all-to-all: in every step each rank sends a chunk to one rank and receives one, and all ranks are met in turn.
//!
//! Where the ranks are a power of two, rank `i` meets rank `i XOR s` in step `s`, which counts from 1. Otherwise it sends to rank `i + s` and
//! receives from rank `i - s`. The chunk that a rank sends is the chunk of its receiver.

use crate::generate::chunks::Chunks;
use crate::generate::steps::{Message, Steps};

/// An all-to-all whose steps follow each other.
#[derive(Debug)]
pub(crate) struct Pairwise {
    /// A chunk for each rank.
    pub(crate) chunks: Chunks,
}

impl Pairwise {
    /// The ranks that a rank sends to and receives from, `step` counted from 0.
    fn peers(&self, rank: u32, step: u32) -> (u32, u32) {
        let (ranks, far) = (self.chunks.parts, step + 1);
        if ranks.is_power_of_two() {
            return (rank ^ far, rank ^ far);
        }
        // Both are below the number of ranks, which is far below the largest number.
        ((rank + far) % ranks, (rank + ranks - far) % ranks)
    }
}

impl Steps for Pairwise {
    fn ranks(&self) -> u32 {
        self.chunks.parts
    }

    fn steps(&self) -> u64 {
        u64::from(self.chunks.parts - 1)
    }

    fn sends(&self, rank: u32, step: u32) -> Message {
        let (to, _) = self.peers(rank, step);
        (to, self.chunks.one(to))
    }

    fn receives(&self, rank: u32, step: u32) -> Message {
        (self.peers(rank, step).1, self.chunks.one(rank))
    }

    fn meets_once(&self) -> bool {
        true
    }

    fn name(&self, step: u32) -> String {
        format!("step {step} of the all-to-all")
    }

    fn lengths(&self) -> (u32, u32) {
        self.chunks.lengths()
    }
}
