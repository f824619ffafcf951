//! Parallel iterative matching: free outputs offer themselves at random, and inputs accept at random.

use super::{Matching, Requests, When, cyclic};
use tailback_base::rng::{self, Purpose};

/// A parallel iterative matcher.
#[derive(Clone, Debug)]
pub struct Pim {
    seed: u64,
    iterations: u32,
}

/// Who draws.
#[derive(Clone, Copy, Debug)]
enum Who {
    Output(usize),
    Input(usize),
}

impl Pim {
    /// One that draws from a seed.
    pub fn new(seed: u64, iterations: u32) -> Self {
        Pim { seed, iterations }
    }

    /// The pairs of a step.
    pub fn allocate(&mut self, requests: &Requests, when: When) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        for round in 0..self.iterations {
            let offer = |output: usize| {
                let wanted = |&input: &usize| requests.has(input, output) && matching.are_free(input, output);
                cyclic(self.draw(when, round, Who::Output(output), inputs), inputs).find(wanted)
            };
            let offered: Vec<Option<usize>> = (0..outputs).map(offer).collect();
            for input in 0..inputs {
                let first = self.draw(when, round, Who::Input(input), outputs);
                let mut mine = cyclic(first, outputs).filter(|&output| offered[output] == Some(input));
                if let Some(output) = mine.next() {
                    matching.pair(input, output);
                }
            }
        }
        matching
    }

    /// With whom somebody begins to look, out of so many.
    fn draw(&self, (router, cycle): When, round: u32, who: Who, many: usize) -> usize {
        let place = match who {
            Who::Output(output) => 2 * output,
            Who::Input(input) => 2 * input + 1,
        };
        let number = (cycle << 20) + (u64::from(round) << 13) + place as u64;
        let bits = rng::draw_u64(self.seed, Purpose::Arbiter, router as u32, number);
        rng::below(bits, many as u64) as usize
    }
}
