//! Separable allocators: every input picks one of its requests and then every output one of those, or the other way
//! round.

use super::super::arbiters::{Arbiter, Contest};
use super::{Matching, Requests};

/// Who picks first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Inputs.
    Inputs,
    /// Outputs.
    Outputs,
}

/// A separable allocator.
#[derive(Clone, Debug)]
pub struct Separable {
    first: First,
    inputs: Vec<Contest>,
    outputs: Vec<Contest>,
}

impl Separable {
    /// One without a past.
    pub fn new(first: First, inputs: usize, outputs: usize, arbiter: Arbiter) -> Self {
        let contests = |many, rivals| vec![Contest::new(arbiter, rivals); many];
        Separable { first, inputs: contests(inputs, outputs), outputs: contests(outputs, inputs) }
    }

    /// The pairs of a step. A win counts for both arbiters of a pair, and only then.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        let picks_of_input = |contest: &Contest, input: usize, open: &dyn Fn(usize) -> bool| {
            let rivals = (0..outputs).filter(|&output| open(output));
            contest.pick(&rivals.filter_map(|o| Some((o, requests.at_input(input, o)?))).collect::<Vec<_>>())
        };
        let picks_of_output = |contest: &Contest, output: usize, open: &dyn Fn(usize) -> bool| {
            let rivals = (0..inputs).filter(|&input| open(input));
            contest.pick(&rivals.filter_map(|i| Some((i, requests.at_output(i, output)?))).collect::<Vec<_>>())
        };
        let mut pairs = Vec::new();
        match self.first {
            First::Inputs => {
                let mut picked = vec![None; inputs];
                for input in requests.asking() {
                    picked[input] = picks_of_input(&self.inputs[input], input, &|_| true);
                }
                for output in requests.wanted() {
                    let open = |input: usize| picked[input] == Some(output);
                    let winner = picks_of_output(&self.outputs[output], output, &open);
                    pairs.extend(winner.map(|input| (input, output)));
                }
            }
            First::Outputs => {
                let mut picked = vec![None; outputs];
                for output in requests.wanted() {
                    picked[output] = picks_of_output(&self.outputs[output], output, &|_| true);
                }
                for input in requests.asking() {
                    let open = |output: usize| picked[output] == Some(input);
                    let winner = picks_of_input(&self.inputs[input], input, &open);
                    pairs.extend(winner.map(|output| (input, output)));
                }
            }
        }
        for (input, output) in pairs {
            matching.pair(input, output);
            self.inputs[input].count(output);
            self.outputs[output].count(input);
        }
        matching
    }
}
