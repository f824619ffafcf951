//! Matchings with as many pairs as can be, by shortest augmenting paths (Ford and Fulkerson). The input at which the search begins moves on in
//! every step in which a head or flit waits, whether it can ask or not.

use super::islip::next;
use super::requests::{Requests, members};
use super::turns::Turns;

/// Nobody.
const NONE: u32 = u32::MAX;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let size = turns.size(router);
    let turn = turns.of_router(router);
    while !requests.are_none() && augment(requests, size.1, (*turn).into()) {}
    *turn = next((*turn).into(), size.0);
}

/// Finds a shortest path that ends at an output without a match, and turns the pairs along it over. Returns whether there was one.
fn augment(requests: &mut Requests, outputs: usize, turn: usize) -> bool {
    let [mut queue, mut from] = [0, 1].map(|number| requests.list(number));
    let free = |&input: &u32| requests.output_of(input as usize).is_none();
    // Who asks for nothing is on no path.
    let asking = || members(requests.asking()).map(|input| input as u32);
    queue.extend(asking().filter(|&input| input as usize >= turn).filter(free));
    queue.extend(asking().filter(|&input| (input as usize) < turn).filter(free));
    from.resize(outputs, NONE);
    let end = search(requests, &mut queue, &mut from);
    if let Some(output) = end {
        turn_over(requests, &from, output);
    }
    requests.keep(0, queue);
    requests.keep(1, from);
    end.is_some()
}

/// Goes through inputs in the order of their distance. An output is reached once, so the queue has room for all.
fn search(requests: &Requests, queue: &mut Vec<u32>, from: &mut [u32]) -> Option<usize> {
    let mut at = 0;
    while let Some(&input) = queue.get(at) {
        at += 1;
        for output in members(requests.outputs_of(input as usize)) {
            if requests.output_of(input as usize) == Some(output) || from[output] != NONE {
                continue;
            }
            from[output] = input;
            match requests.input_of(output) {
                Some(other) => queue.push(other as u32),
                None => return Some(output),
            }
        }
    }
    None
}

fn turn_over(requests: &mut Requests, from: &[u32], end: usize) {
    let mut output = end;
    loop {
        let input = from[output] as usize;
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
        let allocator = Allocator { matching: Matching::Maximum, rounds: 1, stages: Stages::RoundRobin, groups: 1 };
        let (mut turns, mut requests) = (Turns::new(allocator, vec![(3, 3)]), Requests::new(3, 3));
        [(0, 0), (0, 1), (1, 0), (2, 1), (2, 2)].iter().for_each(|&(input, output)| requests.ask(input, output));
        allocate(&mut turns, 0, &mut requests);
        assert_eq!([0, 1, 2].map(|input| requests.output_of(input)), [Some(1), Some(0), Some(2)]);
        assert_eq!(*turns.of_router(0), 1);
    }
}
