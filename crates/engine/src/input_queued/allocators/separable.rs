//! Allocators in two stages of arbiters (Becker and Dally, "Allocator implementations for network-on-chip routers", SC 2009). Arbiters move on
//! only where both stages agree.

use super::super::router::Stages;
use super::islip::next;
use super::requests::{Requests, best_from, first_from, members, only};
use super::turns::Turns;

/// Whom an arbiter chooses.
macro_rules! winner {
    ($turns:ident, ($turn:ident, $matrix:ident, $trees:ident), $router:expr, $at:expr, $who:expr, $none:expr, $rank:expr) => {
        match ($turns.allocator().groups, $turns.allocator().stages) {
            (2.., _) => $turns.$trees.winner(($router, $at), $who, $rank),
            (_, Stages::RoundRobin) => {
                let from = usize::from(*$turns.$turn($router, $at));
                match $none {
                    Some(none) => first_from($who, none, from),
                    None => best_from(members($who), from, $rank),
                }
            }
            (_, Stages::Matrix) => match (only($who), $none) {
                (Some(one), _) => Some(one),
                (None, Some(_)) => $turns.$matrix($router, $at).first($who),
                (None, None) => $turns.$matrix($router, $at).winner($who, $rank),
            },
        }
    };
}

/// An empty set, where no request counts more than another.
#[inline(always)]
fn nobody<'r>(requests: &Requests, none: &'r [u64]) -> Option<&'r [u64]> {
    (!requests.are_ranked()).then_some(none)
}

/// Every input chooses one of its outputs, then every output one of these inputs.
pub(super) fn input_first(turns: &mut Turns, router: usize, requests: &mut Requests) {
    requests.forget_grants();
    for word in 0..requests.asking().len() {
        for bit in tailback_base::bits::ones(requests.asking()[word]) {
            let input = word * 64 + bit;
            let (who, none) = (requests.outputs_of(input), nobody(requests, requests.no_outputs()));
            let rank = |output: usize| requests.ranks(input, output).0;
            let output = winner!(turns, (of_input, input_matrix, input_trees), router, input, who, none, rank);
            requests.choose(input, output.expect("it asks"));
        }
    }
    for word in 0..requests.chosen().len() {
        for bit in tailback_base::bits::ones(requests.chosen()[word]) {
            let output = word * 64 + bit;
            let (who, none) = (requests.choosers_of(output), nobody(requests, requests.no_inputs()));
            let rank = |input: usize| requests.ranks(input, output).1;
            let input = winner!(turns, (of_output, output_matrix, output_trees), router, output, who, none, rank);
            let pair = (input.expect("it was chosen"), output);
            requests.pair(pair.0, pair.1);
            agree(turns, router, pair);
        }
    }
}

/// Every output chooses one of its inputs, then every input one of these outputs.
pub(super) fn output_first(turns: &mut Turns, router: usize, requests: &mut Requests) {
    requests.forget_grants();
    for word in 0..requests.asked().len() {
        for bit in tailback_base::bits::ones(requests.asked()[word]) {
            let output = word * 64 + bit;
            let (who, none) = (requests.inputs_of(output), nobody(requests, requests.no_inputs()));
            let rank = |input: usize| requests.ranks(input, output).1;
            let input = winner!(turns, (of_output, output_matrix, output_trees), router, output, who, none, rank);
            requests.grant(input.expect("it is asked for"), output);
        }
    }
    for word in 0..requests.granted().len() {
        for bit in tailback_base::bits::ones(requests.granted()[word]) {
            let input = word * 64 + bit;
            let (who, none) = (requests.granters_of(input), nobody(requests, requests.no_outputs()));
            let rank = |output: usize| requests.ranks(input, output).0;
            let output = winner!(turns, (of_input, input_matrix, input_trees), router, input, who, none, rank);
            let pair = (input, output.expect("it has a grant"));
            requests.pair(pair.0, pair.1);
            agree(turns, router, pair);
        }
    }
}

/// The output that an input chooses among some, where none counts more than another.
pub(super) fn winner_of_input(turns: &mut Turns, router: usize, input: usize, who: &[u64]) -> Option<usize> {
    winner!(turns, (of_input, input_matrix, input_trees), router, input, who, Some(&[0]), |_| 0)
}

/// An input and an output have chosen each other: their arbiters move on.
pub(super) fn agree(turns: &mut Turns, router: usize, (input, output): (usize, usize)) {
    let (inputs, outputs) = turns.size(router);
    match (turns.allocator().groups, turns.allocator().stages) {
        (2.., _) => {
            turns.input_trees.won((router, input), output);
            turns.output_trees.won((router, output), input);
        }
        (_, Stages::RoundRobin) => {
            *turns.of_input(router, input) = next(output, outputs);
            *turns.of_output(router, output) = next(input, inputs);
        }
        (_, Stages::Matrix) => {
            turns.input_matrix(router, input).won(output, outputs);
            turns.output_matrix(router, output).won(input, inputs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::router::{Allocator, Matching};
    use super::*;

    #[test]
    fn inputs_that_choose_alike_leave_an_output_idle() {
        for (matching, pairs) in [(Matching::InputFirst, 1), (Matching::OutputFirst, 2)] {
            for stages in [Stages::RoundRobin, Stages::Matrix] {
                let mut turns = Turns::new(Allocator { matching, rounds: 1, stages, groups: 1 }, vec![(2, 2)]);
                let mut requests = Requests::new(2, 2);
                [(0, 0), (0, 1), (1, 0)].iter().for_each(|&(input, output)| requests.ask(input, output));
                match matching {
                    Matching::InputFirst => input_first(&mut turns, 0, &mut requests),
                    _ => output_first(&mut turns, 0, &mut requests),
                }
                let matched = members(requests.taken()).count();
                // The matrix puts the last one first: input 0 wants output 1, and output 0 grants input 1.
                let all =
                    if stages == Stages::Matrix { 2 } else { pairs - usize::from(matching == Matching::OutputFirst) };
                assert_eq!(matched, all, "{matching:?} {stages:?}");
            }
        }
    }
}
