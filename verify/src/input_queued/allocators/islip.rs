//! iSLIP: every free output offers itself to the next input in turn, and every input accepts the next output in turn.

use super::{Matching, Requests, cyclic};

/// An iSLIP allocator.
#[derive(Clone, Debug)]
pub struct Islip {
    iterations: u32,
    /// By output: the input that is next.
    offers: Vec<usize>,
    /// By input: the output that is next.
    accepts: Vec<usize>,
}

impl Islip {
    /// One without a past.
    pub fn new(inputs: usize, outputs: usize, iterations: u32) -> Self {
        Islip { iterations, offers: vec![0; outputs], accepts: vec![0; inputs] }
    }

    /// The pairs of a step. Turns pass on only for pairs of the first round.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        for round in 0..self.iterations {
            let offer = |output: usize| {
                let wanted = |&input: &usize| requests.has(input, output) && matching.are_free(input, output);
                cyclic(self.offers[output], inputs).find(wanted)
            };
            let mut offered = vec![None; outputs];
            requests.wanted().for_each(|output| offered[output] = offer(output));
            for input in requests.asking() {
                let mut mine = cyclic(self.accepts[input], outputs).filter(|&output| offered[output] == Some(input));
                let Some(output) = mine.next() else { continue };
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
