//! Maximum size: as many pairs as possible, by shortest augmenting paths.

use super::{Matching, Requests, cyclic};

/// A maximum size allocator.
#[derive(Clone, Debug, Default)]
pub struct MaxSize {
    /// The input from which paths are looked for first.
    first: usize,
}

impl MaxSize {
    /// The pairs of a step. The first input moves on with every step, be there requests or not.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let mut matching = Matching::new(requests);
        while self.augment(requests, &mut matching) {}
        self.first = (self.first + 1) % requests.inputs();
        matching
    }

    /// One more pair, along the first shortest path from an input without a partner to an output without one; whether
    /// there is one.
    fn augment(&self, requests: &Requests, matching: &mut Matching) -> bool {
        // By output: the input from which it was reached first.
        let mut reached_from = vec![None; requests.outputs()];
        let mut ends: Vec<usize> = cyclic(self.first, requests.inputs()).collect();
        ends.retain(|&input| matching.output_of[input].is_none());
        while !ends.is_empty() {
            let mut next = Vec::new();
            for input in ends {
                for output in 0..requests.outputs() {
                    let is_new = requests.has(input, output) && reached_from[output].is_none();
                    if !is_new || matching.output_of[input] == Some(output) {
                        continue;
                    }
                    reached_from[output] = Some(input);
                    match matching.input_of[output] {
                        Some(partner) => next.push(partner),
                        None => {
                            turn(&reached_from, output, matching);
                            return true;
                        }
                    }
                }
            }
            ends = next;
        }
        false
    }
}

/// Every input on the path that ends at an output gets the output after it, and leaves the one before it to the next.
fn turn(reached_from: &[Option<usize>], end: usize, matching: &mut Matching) {
    let mut output = Some(end);
    while let Some(new) = output {
        let input = reached_from[new].expect("it is on the path");
        output = matching.output_of[input];
        matching.pair(input, new);
    }
}
