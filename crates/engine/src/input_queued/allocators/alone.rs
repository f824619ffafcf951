//! Requests that nobody competes with: each input that asks is matched, and turns go on as in the allocator.

use super::super::router::{Allocator, Matching, Stages};
use super::Draws;
use super::drawn::accept_from;
use super::islip::next;
use super::requests::first_bit_from;
use super::separable::{agree, winner_of_input};
use super::turns::Turns;
use tailback_base::bits::ones;

/// Whether [`Pick`] and [`pass`] do what an allocator does, where no request counts more than another.
pub(crate) fn passes(allocator: Allocator) -> bool {
    match allocator.matching {
        Matching::Wavefront | Matching::SkippingWavefront | Matching::Drawn | Matching::Lonely | Matching::Maximum => {
            true
        }
        Matching::InputFirst | Matching::OutputFirst => allocator.stages == Stages::Matrix || allocator.groups > 1,
        Matching::Islip | Matching::Select => false,
    }
}

/// Matches inputs of a router of at most 64 outputs with one of several outputs that nobody else asks for.
pub(crate) struct Pick {
    router: usize,
    /// The nearest diagonal with a pair, as far as there are diagonals.
    nearest: usize,
}

impl Pick {
    pub fn new(turns: &Turns, router: usize) -> Self {
        let (inputs, outputs) = turns.size(router);
        Pick { router, nearest: inputs.max(outputs) }
    }

    /// The output of an input that asks for these.
    pub fn output(&mut self, turns: &mut Turns, input: usize, asked: u64, draws: Draws) -> usize {
        let outputs = turns.size(self.router).1;
        match turns.allocator().matching {
            Matching::Maximum => asked.trailing_zeros() as usize,
            Matching::Drawn if asked.is_power_of_two() => asked.trailing_zeros() as usize,
            Matching::Drawn => first_bit_from(asked, accept_from(draws, outputs, 0, input)),
            Matching::Wavefront | Matching::SkippingWavefront => {
                let behind = |output: usize| behind(turns, self.router, (input, output));
                let output = ones(asked).min_by_key(|&output| behind(output)).expect("it asks");
                self.nearest = self.nearest.min(behind(output));
                output
            }
            Matching::Lonely => {
                let output = first_bit_from(asked, usize::from(*turns.of_input(self.router, input)));
                step(turns, self.router, (input, output));
                output
            }
            _ => {
                let output = winner_of_input(turns, self.router, input, &[asked]).expect("it asks");
                agree(turns, self.router, (input, output));
                output
            }
        }
    }

    /// The turn of the router goes on, where it has one.
    pub fn end(self, turns: &mut Turns) {
        let (inputs, outputs) = turns.size(self.router);
        if turns.allocator().matching == Matching::Maximum {
            let turn = turns.of_router(self.router);
            *turn = next((*turn).into(), inputs);
            return;
        }
        let (square, turn) = (inputs.max(outputs), usize::from(*turns.of_router(self.router)));
        let from = match turns.allocator().matching {
            Matching::SkippingWavefront => turn + self.nearest,
            Matching::Wavefront => turn,
            _ => return,
        };
        if self.nearest < square {
            *turns.of_router(self.router) = ((from + 1) % square) as u16;
        }
    }
}

/// All these pairs are matched. No two have an input or an output in common.
pub(crate) fn pass(turns: &mut Turns, router: usize, pairs: impl Iterator<Item = (usize, usize)>) {
    match turns.allocator().matching {
        Matching::Drawn => {}
        Matching::Maximum => Pick::new(turns, router).end(turns),
        Matching::Lonely => pairs.for_each(|pair| step(turns, router, pair)),
        Matching::Wavefront | Matching::SkippingWavefront => {
            let nearest = pairs.map(|pair| behind(turns, router, pair)).min();
            nearest.into_iter().for_each(|nearest| Pick { router, nearest }.end(turns));
        }
        _ => pairs.for_each(|pair| agree(turns, router, pair)),
    }
}

/// Both pointers of a pair of a lonely output allocator go on by one.
fn step(turns: &mut Turns, router: usize, (input, output): (usize, usize)) {
    let (inputs, outputs) = turns.size(router);
    let of_input = turns.of_input(router, input);
    *of_input = next((*of_input).into(), outputs);
    let of_output = turns.of_output(router, output);
    *of_output = next((*of_output).into(), inputs);
}

/// How far the diagonal of a pair is behind the one whose turn it is.
fn behind(turns: &Turns, router: usize, (input, output): (usize, usize)) -> usize {
    let (inputs, outputs) = turns.size(router);
    let (square, turn) = (inputs.max(outputs), turns.turn_of_router(router));
    (input + output + square - turn) % square
}
