//! Halves of folded routers, which match on their own.

use super::requests::{Requests, members};
use std::ops::Range;

/// The inputs and the outputs of a half, among those of its router.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub inputs: Range<usize>,
    pub outputs: Range<usize>,
}

/// Inputs and outputs of a router that are matched by themselves.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Whose turns count: a router, or behind all of these a second half.
    pub own: usize,
    /// The inputs; outputs are numbered from the first one on.
    pub inputs: Range<usize>,
    pub first_output: usize,
    /// What its allocator is behind that of the router, for the numbers that it draws.
    pub entity: u32,
}

impl Part {
    /// A whole router.
    pub fn whole(router: usize) -> Part {
        Part { own: router, inputs: 0..usize::MAX, first_output: 0, entity: 0 }
    }
}

/// First halves of all routers, then second ones, and room for the requests of one.
#[derive(Clone, Debug)]
pub(crate) struct Halves {
    all: Vec<Half>,
    pub requests: Requests,
}

impl Halves {
    /// `requests` is like those of a router, and empty.
    pub fn new(all: Vec<Half>, requests: Requests) -> Self {
        Halves { all, requests }
    }

    fn routers(&self) -> usize {
        self.all.len() / 2
    }

    /// A half of a router.
    pub fn part(&self, router: usize, half: usize) -> Part {
        let own = router + half * self.routers();
        let Half { inputs, outputs } = &self.all[own];
        // Behind the three allocators that every router has.
        let entity = (half * 3 * self.routers()) as u32;
        Part { own, inputs: inputs.clone(), first_output: outputs.start, entity }
    }

    /// Copies what the inputs of a half ask for.
    pub fn copy(&mut self, own: usize, from: &Requests) {
        let Half { inputs, outputs } = &self.all[own];
        self.requests.clear();
        for input in members(from.asking()).filter(|input| inputs.contains(input)) {
            for output in members(from.outputs_of(input)) {
                assert!(outputs.contains(&output), "halves of a router share nothing");
                let (to_input, to_output) = (input - inputs.start, output - outputs.start);
                self.requests.ask(to_input, to_output);
                if from.are_ranked() {
                    self.requests.rank(to_input, to_output, from.ranks(input, output));
                }
            }
        }
    }

    /// Matches in the router what is matched in a half.
    pub fn pair(&self, own: usize, to: &mut Requests) {
        let Half { inputs, outputs } = &self.all[own];
        for input in members(self.requests.taken()) {
            let output = self.requests.output_of(input).expect("it is matched");
            to.pair(inputs.start + input, outputs.start + output);
        }
    }
}
