//! Select: as iSLIP, and of all offers an input accepts one that it asked for with the highest priority.
//!
//! An offer that was not accepted stands until the output makes another one. An input that has an output already may
//! accept such an old offer in a later round; then nobody has the output that it had before.

use super::{Matching, Requests, cyclic};

/// A select allocator.
#[derive(Clone, Debug)]
pub struct Select {
    iterations: u32,
    /// By output: the input that is next.
    offers: Vec<usize>,
    /// By input: the output that is next.
    accepts: Vec<usize>,
}

impl Select {
    /// One without a past.
    pub fn new(inputs: usize, outputs: usize, iterations: u32) -> Self {
        Select { iterations, offers: vec![0; outputs], accepts: vec![0; inputs] }
    }

    /// The pairs of a step. Turns pass on only for pairs of the first round.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        let mut offered = vec![None; outputs];
        for round in 0..self.iterations {
            for output in requests.wanted() {
                let wanted = |&input: &usize| requests.has(input, output) && matching.are_free(input, output);
                let order = cyclic(self.offers[output], inputs).filter(wanted);
                let new = first_of_highest(order, |input| requests.at_output(input, output));
                offered[output] = new.or(offered[output]);
            }
            for input in requests.asking() {
                let order = cyclic(self.accepts[input], outputs).filter(|&output| offered[output] == Some(input));
                let best = first_of_highest(order, |output| requests.at_input(input, output));
                let Some(output) = best else { continue };
                matching.pair(input, output);
                if round == 0 {
                    self.offers[output] = (input + 1) % inputs;
                    self.accepts[input] = (output + 1) % outputs;
                }
            }
        }
        matching
    }
}

/// The first of those that have the highest rank.
fn first_of_highest(order: impl Iterator<Item = usize>, rank: impl Fn(usize) -> Option<u64>) -> Option<usize> {
    let all: Vec<usize> = order.collect();
    let highest = all.iter().map(|&one| rank(one)).max()?;
    all.into_iter().find(|&one| rank(one) == highest)
}
