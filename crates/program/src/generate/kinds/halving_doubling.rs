//! Halving and doubling: pairs of ranks exchange halves of what they have, then quarters, and back.
//!
//! Halving (reduce-scatter): in round `s` a rank keeps the half of its block in which its own chunk lies, and sends the other half to the rank whose
//! index differs in one bit, the highest first. Doubling (all-gather) goes the same way back, the lowest bit first. Where the ranks are no power
//! of two, some fold. A rank that folds sends all its flits first, or its own chunk where it gathers. Last it gets what it lacks: its own chunk of a
//! reduce-scatter, the other chunks of an all-gather, all of an all-reduce.

use super::ring::Half;
use crate::generate::chunks::Chunks;
use crate::generate::fold::{Fold, Role};
use crate::generate::rounds::{Round, Rounds};
use crate::generate::steps::Message;

/// Halving, doubling, or both.
#[derive(Debug)]
pub(crate) struct HalvingDoubling {
    fold: Fold,
    flits: u32,
    half: Half,
}

impl HalvingDoubling {
    /// Among so many ranks, with so many flits.
    pub(crate) fn new(ranks: u32, flits: u32, half: Half) -> HalvingDoubling {
        HalvingDoubling { fold: Fold::new(ranks), flits, half }
    }

    /// A chunk for each of the core of an all-reduce, otherwise one for each rank.
    fn chunks(&self) -> Chunks {
        let parts = if self.half == Half::Both { self.fold.core() } else { self.fold.ranks() };
        Chunks { flits: self.flits, parts }
    }

    /// The first chunk of an index of the core.
    fn first_chunk(&self, index: u32) -> u32 {
        if self.half == Half::Both { index } else { self.fold.rank(index) }
    }

    /// Flits of the block of so many indices in which this one lies.
    fn block(&self, index: u32, wide: u32) -> u32 {
        let first = index & !(wide - 1);
        // The chunk behind the last one of the core is the number of chunks.
        let end = if first + wide == self.fold.core() { self.chunks().parts } else { self.first_chunk(first + wide) };
        self.chunks().several(self.first_chunk(first), end)
    }

    /// What a rank that folds sends first, and what it gets last \[flits\].
    fn handed(&self, rank: u32) -> (u32, u32) {
        let own = || self.chunks().one(rank);
        match self.half {
            Half::Both => (self.flits, self.flits),
            Half::ReduceScatter => (self.flits, own()),
            Half::AllGather => (own(), self.flits.saturating_sub(own()).max(1)),
        }
    }

    /// Rounds of the core in which halves are made.
    fn halvings(&self) -> u32 {
        if self.half == Half::AllGather { 0 } else { self.fold.rounds() }
    }

    fn core_rounds(&self) -> u32 {
        self.fold.rounds() * if self.half == Half::Both { 2 } else { 1 }
    }

    fn exchange(&self, index: u32, round: u32) -> Round {
        let halving = round < self.halvings();
        let wide = if halving { self.fold.core() >> (round + 1) } else { 1 << (round - self.halvings()) };
        let partner = index ^ wide;
        let message = |flits: u32| -> Option<Message> { Some((self.fold.rank(partner), flits)) };
        let (own, other) = (self.block(index, wide), self.block(partner, wide));
        let (sent, received) = if halving { (other, own) } else { (own, other) };
        Round { send: message(sent), receive: message(received) }
    }
}

impl Rounds for HalvingDoubling {
    fn ranks(&self) -> u32 {
        self.fold.ranks()
    }

    fn rounds(&self) -> u32 {
        self.core_rounds() + 2
    }

    fn round(&self, rank: u32, round: u32) -> Round {
        let last = self.core_rounds() + 1;
        match self.fold.role(rank) {
            Role::Core(_, None) if round == 0 || round == last => Round::default(),
            Role::Core(_, Some(odd)) if round == 0 => {
                Round { receive: Some((odd, self.handed(odd).0)), ..Round::default() }
            }
            Role::Core(_, Some(odd)) if round == last => {
                Round { send: Some((odd, self.handed(odd).1)), ..Round::default() }
            }
            Role::Core(index, _) => self.exchange(index, round - 1),
            Role::Folded(into) if round == 0 => Round { send: Some((into, self.handed(rank).0)), ..Round::default() },
            Role::Folded(into) if round == last => {
                Round { receive: Some((into, self.handed(rank).1)), ..Round::default() }
            }
            Role::Folded(_) => Round::default(),
        }
    }

    fn name(&self, round: u32) -> String {
        if round == 0 {
            return "the fold before the rounds".to_owned();
        }
        match round - 1 {
            core if core >= self.core_rounds() => "the fold behind the rounds".to_owned(),
            core if core < self.halvings() => format!("round {core} of the halving"),
            core => format!("round {} of the doubling", core - self.halvings()),
        }
    }
}
