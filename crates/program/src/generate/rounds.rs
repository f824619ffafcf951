//! Generators of few rounds, in which a rank sends, receives, does both, or does nothing.
//!
//! An operation waits for the last receive of the rounds before. Operations are numbered by round, the send before the receive; the tag is the round.

use super::shape::{Shape, extremes};
use super::steps::Message;
use crate::contract::{Upon, Work};
use std::fmt::Debug;

/// What a rank does in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    /// What it sends, and to whom.
    pub(crate) send: Option<Message>,
    /// What it receives, and from whom.
    pub(crate) receive: Option<Message>,
}

/// A generator of few rounds, of the order of the logarithm of the ranks.
pub(crate) trait Rounds: Debug + Send + Sync {
    /// How many ranks take part.
    fn ranks(&self) -> u32;
    /// How many rounds there are, for all ranks the same.
    fn rounds(&self) -> u32;
    /// What a rank does in a round.
    fn round(&self, rank: u32, round: u32) -> Round;
    /// A round in words.
    fn name(&self, round: u32) -> String;
}

/// The program of such a generator.
#[derive(Debug)]
pub(crate) struct RoundByRound<R>(pub(crate) R);

/// An operation with its round.
#[derive(Clone, Copy)]
struct Found {
    round: u32,
    work: Work,
}

impl<R: Rounds> RoundByRound<R> {
    /// Operations of a rank in their order.
    fn all(&self, rank: u32) -> impl Iterator<Item = Found> {
        (0..self.0.rounds()).flat_map(move |round| {
            let Round { send, receive } = self.0.round(rank, round);
            let send = send.map(|(to, flits)| Work::Send { to, flits, tag: round });
            let receive = receive.map(|(from, flits)| Work::Receive { from: Some(from), tag: Some(round), flits });
            send.into_iter().chain(receive).map(move |work| Found { round, work })
        })
    }

    fn find(&self, rank: u32, number: u32) -> Found {
        self.all(rank).nth(number as usize).expect("the operation is one of the rank")
    }
}

fn receives(work: Work) -> bool {
    matches!(work, Work::Receive { .. })
}

impl<R: Rounds> Shape for RoundByRound<R> {
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    fn operations(&self, rank: u32) -> u64 {
        self.all(rank).count() as u64
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        self.find(rank, number).work
    }

    fn waits_for(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        // The receive of the same round comes behind the send, so it is not before it in this order either.
        let before = self.all(rank).take(number as usize).zip(0..);
        if let Some((_, last)) = before.filter(|(found, _)| receives(found.work)).last() {
            each(last, Upon::Finish);
        }
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let mut rest = self.all(rank).zip(0..).skip(number as usize);
        if !rest.next().is_some_and(|(found, _)| receives(found.work)) {
            return;
        }
        for (found, number) in rest {
            each(number, Upon::Finish);
            if receives(found.work) {
                return;
            }
        }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        for (found, number) in self.all(rank).zip(0..) {
            each(number);
            if receives(found.work) {
                return;
            }
        }
    }

    fn place(&self, rank: u32, number: u32) -> String {
        self.0.name(self.find(rank, number).round)
    }

    fn lengths(&self) -> (u32, u32) {
        let sent = |found: Found| match found.work {
            Work::Send { flits, .. } => Some(flits),
            Work::Receive { .. } | Work::Compute { .. } => None,
        };
        extremes((0..self.0.ranks()).flat_map(|rank| self.all(rank).filter_map(sent)))
    }
}
