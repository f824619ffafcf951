//! Matchings with as many pairs as can be, by shortest augmenting paths (Ford and Fulkerson). The input at which the search begins moves on in every
//! step, whether anybody asks or not.

use super::islip::next;
use super::requests::{Requests, members};
use super::turns::Turns;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, _) = turns.size(router);
    let turn = usize::from(*turns.of_router(router));
    while !requests.are_none() && augment(requests, inputs, turn) {}
    *turns.of_router(router) = next(turn, inputs);
}

/// Finds a shortest path that ends at an output without a match, and turns the pairs along it over. Returns whether there was one.
fn augment(requests: &mut Requests, inputs: usize, turn: usize) -> bool {
    let free = |input: &usize| requests.output_of(*input).is_none();
    let mut front: Vec<usize> = (0..inputs).map(|n| (n + turn) % inputs).filter(free).collect();
    let mut from: Vec<Option<usize>> = Vec::new();
    while !front.is_empty() {
        let mut behind = Vec::new();
        for &input in &front {
            for output in members(requests.outputs_of(input)).collect::<Vec<_>>() {
                if from.len() <= output {
                    from.resize(output + 1, None);
                }
                if requests.output_of(input) == Some(output) || from[output].is_some() {
                    continue;
                }
                from[output] = Some(input);
                match requests.input_of(output) {
                    Some(other) => behind.push(other),
                    None => {
                        turn_over(requests, &from, output);
                        return true;
                    }
                }
            }
        }
        front = behind;
    }
    false
}

fn turn_over(requests: &mut Requests, from: &[Option<usize>], end: usize) {
    let mut output = end;
    loop {
        let input = from[output].expect("the path comes from an input");
        let before = requests.output_of(input);
        requests.pair(input, output);
        match before {
            Some(other) => output = other,
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::router::{Allocator, Matching, Stages};
    use super::*;

    #[test]
    fn a_pair_is_turned_over_where_that_makes_room() {
        let allocator = Allocator { matching: Matching::Maximum, rounds: 1, stages: Stages::RoundRobin };
        let (mut turns, mut requests) = (Turns::new(allocator, vec![(3, 3)]), Requests::new(3, 3));
        [(0, 0), (0, 1), (1, 0), (2, 1), (2, 2)].iter().for_each(|&(input, output)| requests.ask(input, output));
        allocate(&mut turns, 0, &mut requests);
        assert_eq!([0, 1, 2].map(|input| requests.output_of(input)), [Some(1), Some(0), Some(2)]);
        assert_eq!(*turns.of_router(0), 1);
    }
}
