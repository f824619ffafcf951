//! Halves of folded routers, which match on their own.

use super::requests::{Requests, members};
use std::ops::Range;

/// The inputs and the outputs of a half, among those of its router.
#[derive(Clone, Debug)]
pub(crate) struct Half {
    pub inputs: Range<usize>,
    pub outputs: Range<usize>,
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

    /// Routers, each with two halves.
    pub fn routers(&self) -> usize {
        self.all.len() / 2
    }

    /// Copies what the inputs of a half ask for.
    pub fn copy(&mut self, own: usize, from: &Requests) {
        let Half { inputs, outputs } = &self.all[own];
        self.requests.clear();
        for input in inputs.clone().filter(|&input| from.asks(input)) {
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
