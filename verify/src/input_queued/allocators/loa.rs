//! Lonely output allocation: every input asks for the output that has the fewest requests, and outputs serve in turns.

use super::{Matching, Requests, cyclic};

/// A lonely output allocator.
#[derive(Clone, Debug)]
pub struct Loa {
    /// By input: the output with which it begins to look.
    begins: Vec<usize>,
    /// By output: the input that is next.
    serves: Vec<usize>,
}

impl Loa {
    /// One without a past.
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Loa { begins: vec![0; inputs], serves: vec![0; outputs] }
    }

    /// The pairs of a step. The pointers of a pair move on by one.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        let rivals = |output: usize| (0..inputs).filter(|&input| requests.has(input, output)).count();
        let lonely = |input: usize| {
            let wanted = cyclic(self.begins[input], outputs).filter(|&output| requests.has(input, output));
            wanted.min_by_key(|&output| rivals(output))
        };
        let mut asked = vec![None; inputs];
        requests.asking().for_each(|input| asked[input] = lonely(input));
        for output in requests.wanted() {
            let mut order = cyclic(self.serves[output], inputs).filter(|&input| asked[input] == Some(output));
            let Some(input) = order.next() else { continue };
            matching.pair(input, output);
            self.begins[input] = (self.begins[input] + 1) % outputs;
            self.serves[output] = (self.serves[output] + 1) % inputs;
        }
        matching
    }
}
