//! Spread all-to-all: the steps of the pairwise one, of which several are open at once.
//!
//! A step is open until its message has left and its receive is done. The operations of a step wait for both operations of the step that is `window`
//! steps before it.

use super::pairwise::Pairwise;
use crate::contract::{Upon, Work};
use crate::generate::shape::Shape;
use crate::generate::steps::{StepByStep, Steps};

/// An all-to-all with a window.
#[derive(Debug)]
pub(crate) struct Spread {
    steps: StepByStep<Pairwise>,
    window: u32,
}

impl Spread {
    /// With so many steps open at once, at least 1.
    pub(crate) fn new(pairwise: Pairwise, window: u32) -> Spread {
        Spread { steps: StepByStep(pairwise), window }
    }

    /// The two operations of a step.
    fn both(step: u32, each: &mut dyn FnMut(u32, Upon)) {
        each(2 * step, Upon::Finish);
        each(2 * step + 1, Upon::Finish);
    }
}

impl Shape for Spread {
    fn ranks(&self) -> u32 {
        self.steps.ranks()
    }

    fn operations(&self, rank: u32) -> u64 {
        self.steps.operations(rank)
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        self.steps.work(rank, number)
    }

    fn waits_for(&self, _: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        if let Some(step) = (number / 2).checked_sub(self.window) {
            Spread::both(step, each);
        }
    }

    fn dependants(&self, _: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let step = u64::from(number / 2) + u64::from(self.window);
        if step < self.steps.0.steps() {
            Spread::both(step as u32, each);
        }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        (0..self.operations(rank).min(2 * u64::from(self.window)) as u32).for_each(each);
    }

    fn meets_once(&self) -> bool {
        self.steps.meets_once()
    }

    fn place(&self, rank: u32, number: u32) -> String {
        self.steps.place(rank, number)
    }

    fn lengths(&self) -> (u32, u32) {
        self.steps.lengths()
    }
}
