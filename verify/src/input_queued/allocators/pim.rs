//! Parallel iterative matching: free outputs offer themselves at random, and inputs accept at random.

use super::{Matching, Requests, Turn, cyclic};
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
    pub fn allocate(&mut self, requests: &Requests, turn: Turn) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let mut matching = Matching::new(requests);
        for round in 0..self.iterations {
            let offer = |output: usize| {
                let wanted = |&input: &usize| requests.has(input, output) && matching.are_free(input, output);
                cyclic(self.draw(turn, round, Who::Output(output), inputs), inputs).find(wanted)
            };
            let mut offered = vec![None; outputs];
            requests.wanted().for_each(|output| offered[output] = offer(output));
            for input in requests.asking() {
                let first = self.draw(turn, round, Who::Input(input), outputs);
                let mut mine = cyclic(first, outputs).filter(|&output| offered[output] == Some(input));
                if let Some(output) = mine.next() {
                    matching.pair(input, output);
                }
            }
        }
        matching
    }

    /// With whom somebody begins to look, out of so many.
    fn draw(&self, turn: Turn, round: u32, who: Who, many: usize) -> usize {
        let place = match who {
            Who::Output(output) => output,
            Who::Input(input) => (1 << 15) + input,
        };
        let number = (((turn.step << 6) + u64::from(round)) << 16) + place as u64;
        let bits = rng::draw(self.seed, Purpose::Arbiter, turn.allocator, number)[0];
        ((u64::from(bits) * many as u64) >> 32) as usize
    }
}
