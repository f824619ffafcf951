//! Pipeline: microbatches pass stage after stage, each of which computes and sends the result on.
//!
//! Ranks are cut into stages, runs of ranks of the same number. The rank at a position of a stage hears from the rank at that position of the stage
//! before. A stage takes one microbatch after the other: a computation waits for its receive and for the computation before.

use crate::contract::{Upon, Work};
use crate::generate::shape::Shape;

/// Microbatches on their way.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Ranks of a stage.
    pub(crate) width: u32,
    /// How many stages there are.
    pub(crate) stages: u32,
    /// How many microbatches pass.
    pub(crate) microbatches: u32,
    /// Flits of every message.
    pub(crate) flits: u32,
    /// Cycles of every computation.
    pub(crate) cycles: u64,
}

/// What a rank does for a microbatch, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Receive,
    Compute,
    Send,
}

impl Pipeline {
    fn stage(&self, rank: u32) -> u32 {
        rank / self.width
    }

    /// Operations for one microbatch: the first stage receives none, the last one sends none.
    fn each(&self, rank: u32) -> u32 {
        3 - u32::from(self.is_first(rank)) - u32::from(self.is_last(rank))
    }

    fn is_first(&self, rank: u32) -> bool {
        self.stage(rank) == 0
    }

    fn is_last(&self, rank: u32) -> bool {
        self.stage(rank) + 1 == self.stages
    }

    fn act(&self, rank: u32, number: u32) -> Act {
        match number % self.each(rank) + u32::from(self.is_first(rank)) {
            0 => Act::Receive,
            1 => Act::Compute,
            _ => Act::Send,
        }
    }
}

impl Shape for Pipeline {
    fn ranks(&self) -> u32 {
        self.width * self.stages
    }

    fn operations(&self, rank: u32) -> u64 {
        u64::from(self.microbatches) * u64::from(self.each(rank))
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        match self.act(rank, number) {
            Act::Receive => Work::Receive { from: Some(rank - self.width), tag: Some(0), flits: self.flits },
            Act::Compute => Work::Compute { cycles: self.cycles, on: 0 },
            Act::Send => Work::Send { to: rank + self.width, flits: self.flits, tag: 0 },
        }
    }

    fn waits_for(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let act = self.act(rank, number);
        if let Some(earlier) = number.checked_sub(self.each(rank)).filter(|_| act != Act::Send) {
            each(earlier, Upon::Finish);
        }
        if act == Act::Send || act == Act::Compute && !self.is_first(rank) {
            each(number - 1, Upon::Finish);
        }
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let act = self.act(rank, number);
        if act == Act::Receive || act == Act::Compute && !self.is_last(rank) {
            each(number + 1, Upon::Finish);
        }
        let later = u64::from(number) + u64::from(self.each(rank));
        if act != Act::Send && later < self.operations(rank) {
            each(later as u32, Upon::Finish);
        }
    }

    fn roots(&self, _: u32, each: &mut dyn FnMut(u32)) {
        each(0);
    }

    fn place(&self, rank: u32, number: u32) -> String {
        format!("microbatch {} in stage {}", number / self.each(rank), self.stage(rank))
    }

    fn lengths(&self) -> (u32, u32) {
        (self.flits, self.flits)
    }
}
