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

#[cfg(test)]
mod tests {
    use super::super::requests::Requests;
    use super::super::{Draws, allocate};
    use super::*;
    use tailback_base::rng::{self, Purpose};

    const PORTS: usize = 5;
    const CHANNELS: usize = 3;
    const ALL: u16 = (PORTS * CHANNELS) as u16;

    fn kinds() -> impl Iterator<Item = Allocator> {
        let of = |matching, stages, groups| Allocator { matching, rounds: 2, stages, groups };
        let plain =
            [Matching::Wavefront, Matching::SkippingWavefront, Matching::Drawn, Matching::Lonely, Matching::Maximum];
        let separable = [Matching::InputFirst, Matching::OutputFirst];
        let arbiters = [(Stages::Matrix, 1), (Stages::Matrix, 3), (Stages::RoundRobin, 5)];
        let plain = plain.into_iter().map(move |matching| of(matching, Stages::RoundRobin, 1));
        plain.chain(
            separable.into_iter().flat_map(move |kind| arbiters.map(|(stages, groups)| of(kind, stages, groups))),
        )
    }

    /// In most steps each port is asked for by one input at most; in the others inputs compete, for the allocator alone to say.
    #[test]
    fn who_is_alone_gets_what_the_allocator_gives() {
        for allocator in kinds() {
            assert!(passes(allocator), "{allocator:?}");
            let [mut turns, mut expected] = [0; 2].map(|_| Turns::new(allocator, vec![(ALL, ALL)]));
            let [mut requests, mut other] = [0; 2].map(|_| Requests::new(ALL.into(), ALL.into()));
            for step in 0..2000u64 {
                let dice = |number: u64, below: usize| {
                    rng::below(rng::draw_u64(7, Purpose::Pattern, number as u32, step), below as u64) as usize
                };
                let competes = dice(99, 4) == 0;
                let draws = Draws { seed: 3, entity: 2, step, waits: [true; 2] };
                let mut heads: Vec<(usize, u64)> = Vec::new();
                for port in (0..PORTS).filter(|&port| dice(port as u64, 2) == 0) {
                    let input = if competes {
                        dice(20 + port as u64, ALL.into())
                    } else {
                        port * CHANNELS + dice(40, CHANNELS)
                    };
                    let asked = 1 + dice(60 + port as u64, (1 << CHANNELS) - 1) as u64;
                    let to = if competes { dice(80, PORTS) } else { (port + dice(81, PORTS)) % PORTS };
                    if heads.iter().all(|(other, _)| *other != input) {
                        heads.push((input, asked << (to * CHANNELS)));
                    }
                }
                heads.sort_unstable();
                [&mut requests, &mut other].into_iter().for_each(|requests| {
                    requests.clear();
                    let all = heads.iter().flat_map(|&(input, asked)| ones(asked).map(move |output| (input, output)));
                    all.for_each(|(input, output)| requests.ask(input, output));
                });
                allocate(&mut expected, 0, &mut other, draws);
                if competes {
                    allocate(&mut turns, 0, &mut requests, draws);
                } else {
                    let mut pick = Pick::new(&turns, 0);
                    for &(input, asked) in &heads {
                        let output = pick.output(&mut turns, input, asked, draws);
                        requests.pair(input, output);
                    }
                    pick.end(&mut turns);
                }
                for input in 0..usize::from(ALL) {
                    assert_eq!(requests.output_of(input), other.output_of(input), "{allocator:?}, step {step}");
                }
            }
        }
    }
}
