//! Wavefront: diagonal by diagonal of the square matrix of requests; those on one diagonal have no input or output in
//! common.

use super::{Matching, Requests, cyclic};

/// How the first diagonal moves after a step with requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// To the next.
    ByOne,
    /// To the one after that of the first grant.
    PastFirstGrant,
}

/// A wavefront allocator.
#[derive(Clone, Debug)]
pub struct Wavefront {
    moves: Moves,
    first: usize,
}

impl Wavefront {
    /// One without a past.
    pub fn new(moves: Moves) -> Self {
        Wavefront { moves, first: 0 }
    }

    /// The pairs of a step: of the requests with the highest ranks first, then of the next.
    pub fn allocate(&mut self, requests: &Requests) -> Matching {
        let (inputs, outputs) = (requests.inputs(), requests.outputs());
        let side = inputs.max(outputs);
        let mut matching = Matching::new(requests);
        let mut first_grant = None;
        for (at_output, at_input) in requests.ranks() {
            for diagonal in cyclic(self.first, side) {
                for (input, output) in on_diagonal(diagonal, side) {
                    let asks = input < inputs
                        && output < outputs
                        && requests.at_output(input, output) == Some(at_output)
                        && requests.at_input(input, output) == Some(at_input)
                        && matching.are_free(input, output);
                    if asks {
                        matching.pair(input, output);
                        first_grant.get_or_insert(diagonal);
                    }
                }
            }
        }
        if let Some(granted) = first_grant {
            let from = if self.moves == Moves::ByOne { self.first } else { granted };
            self.first = (from + 1) % side;
        }
        matching
    }
}

/// All places of a square matrix whose numbers add up to that of the diagonal, or to that and the length of a side.
fn on_diagonal(diagonal: usize, side: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..side).map(move |output| ((diagonal + side - output) % side, output))
}
