//! Generators that go step by step, with one send and one receive of a rank in every step.
//!
//! The operations of a step wait for the receive of the step before. The send of step `s` has number `2 s`, the receive `2 s + 1`; the tag
//! is the step.

use super::shape::Shape;
use crate::contract::{Upon, Work};
use std::fmt::Debug;

/// Another rank, and the length of a message to it or from it \[flits\].
pub(crate) type Message = (u32, u32);

/// A generator whose ranks all take the same number of steps.
pub(crate) trait Steps: Debug + Send + Sync {
    /// How many ranks take part.
    fn ranks(&self) -> u32;
    /// How many steps there are.
    fn steps(&self) -> u64;
    /// What a rank sends in a step.
    fn sends(&self, rank: u32, step: u32) -> Message;
    /// What a rank receives in a step.
    fn receives(&self, rank: u32, step: u32) -> Message;
    /// Whether it is known that no rank sends more than one message to another one.
    fn meets_once(&self) -> bool {
        false
    }
    /// A step in words.
    fn name(&self, step: u32) -> String;
    /// The longest and the shortest message \[flits\].
    fn lengths(&self) -> (u32, u32);
}

/// The program of such a generator.
#[derive(Debug)]
pub(crate) struct StepByStep<S>(pub(crate) S);

impl<S: Steps> Shape for StepByStep<S> {
    fn ranks(&self) -> u32 {
        self.0.ranks()
    }

    fn operations(&self, _: u32) -> u64 {
        2 * self.0.steps()
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        let step = number / 2;
        if number.is_multiple_of(2) {
            let (to, flits) = self.0.sends(rank, step);
            return Work::Send { to, flits, tag: step };
        }
        let (from, flits) = self.0.receives(rank, step);
        Work::Receive { from: Some(from), tag: Some(step), flits }
    }

    fn waits_for(&self, _: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        if number >= 2 {
            each(2 * (number / 2) - 1, Upon::Finish);
        }
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let receives = !number.is_multiple_of(2);
        if receives && u64::from(number) + 1 < self.operations(rank) {
            each(number + 1, Upon::Finish);
            each(number + 2, Upon::Finish);
        }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        (0..self.operations(rank).min(2) as u32).for_each(each);
    }

    fn meets_once(&self) -> bool {
        self.0.meets_once()
    }

    fn place(&self, _: u32, number: u32) -> String {
        self.0.name(number / 2)
    }

    fn lengths(&self) -> (u32, u32) {
        self.0.lengths()
    }
}
