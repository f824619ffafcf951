//! Ring: every rank sends to the next one, chunk after chunk.
//!
//! In step `s` of a reduce-scatter or an all-gather, rank `i` sends chunk `i - s`. An all-reduce is both, one behind the other: the reduce-scatter
//! leaves chunk `i + 1` whole at rank `i`, and the all-gather begins with it.

use crate::generate::chunks::Chunks;
use crate::generate::steps::{Message, Steps};

/// Which halves of an all-reduce there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// Every rank ends with a chunk that all have added to.
    ReduceScatter,
    /// Every rank ends with the chunks of all.
    AllGather,
    /// The first, then the second.
    Both,
}

/// The chunk that the rank at `position` of a ring sends in a step, if it begins with chunk `position + ahead`.
pub(crate) fn chunk(position: u32, ahead: u32, step: u32, parts: u32) -> u32 {
    let (sum, parts) = (u64::from(position) + u64::from(ahead) + u64::from(parts) - u64::from(step), u64::from(parts));
    // PERF: it is mostly less than two rounds, and a division costs as much as all else of an operation.
    let chunk = match sum.checked_sub(parts) {
        None => sum,
        Some(less) if less < parts => less,
        Some(less) => less % parts,
    };
    chunk as u32
}

/// The next one of a ring.
pub(crate) fn next(position: u32, parts: u32) -> u32 {
    if position + 1 == parts { 0 } else { position + 1 }
}

/// The one before in a ring.
pub(crate) fn before(position: u32, parts: u32) -> u32 {
    if position == 0 { parts - 1 } else { position - 1 }
}

/// A ring over all ranks.
#[derive(Debug)]
pub(crate) struct Ring {
    /// What is cut: a chunk for each rank.
    pub(crate) chunks: Chunks,
    /// What is done.
    pub(crate) half: Half,
}

impl Ring {
    /// Steps of one half.
    fn half_steps(&self) -> u32 {
        self.chunks.parts - 1
    }

    /// Length of what a rank sends.
    fn flits(&self, rank: u32, step: u32) -> u32 {
        let second = step >= self.half_steps();
        let (ahead, step) = if second { (1, step - self.half_steps()) } else { (0, step) };
        self.chunks.one(chunk(rank, ahead, step, self.chunks.parts))
    }
}

impl Steps for Ring {
    fn ranks(&self) -> u32 {
        self.chunks.parts
    }

    fn steps(&self) -> u64 {
        u64::from(self.half_steps()) * if self.half == Half::Both { 2 } else { 1 }
    }

    fn sends(&self, rank: u32, step: u32) -> Message {
        (next(rank, self.chunks.parts), self.flits(rank, step))
    }

    fn receives(&self, rank: u32, step: u32) -> Message {
        let from = before(rank, self.chunks.parts);
        (from, self.flits(from, step))
    }

    fn name(&self, step: u32) -> String {
        match self.half {
            Half::AllGather => format!("step {step} of the all-gather"),
            Half::Both if step >= self.half_steps() => format!("step {} of the all-gather", step - self.half_steps()),
            Half::ReduceScatter | Half::Both => format!("step {step} of the reduce-scatter"),
        }
    }

    fn lengths(&self) -> (u32, u32) {
        self.chunks.lengths()
    }
}
