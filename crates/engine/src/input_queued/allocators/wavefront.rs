//! The wavefront allocator (Tamir and Chi, "Symmetric crossbar arbiters for VLSI communication switches", IEEE Transactions on Parallel and
//! Distributed Systems 4(1), 1993): requests are granted diagonal by diagonal of the matrix of requests.

use super::super::router::Matching;
use super::requests::{Requests, first_from, members};
use super::turns::Turns;
use tailback_base::bits::ones;

/// Matches inputs and outputs of a router, some of which ask.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, outputs) = turns.size(router);
    let square = inputs.max(outputs);
    let turn = usize::from(*turns.of_router(router));
    let first = match requests.only() {
        Some((input, output)) => {
            requests.pair(input, output);
            input + output
        }
        None if requests.are_ranked() => {
            let (mut first, mut below) = (None, None);
            while let Some(ranks) = next_ranks(requests, below) {
                let of_these = |requests: &Requests, at: (usize, usize)| at_output_first(requests, at) == ranks;
                let found = diagonals(requests, square, turn, of_these);
                (first, below) = (first.or(found), Some(ranks));
            }
            first.expect("some ask")
        }
        None => nearest_first(requests, square, turn).expect("some ask"),
    };
    let from = match turns.allocator().matching {
        Matching::SkippingWavefront => first,
        _ => turn,
    };
    *turns.of_router(router) = ((from + 1) % square) as u16;
}

/// How much a request counts at its output, and then at its input.
fn at_output_first(requests: &Requests, (input, output): (usize, usize)) -> (u64, u64) {
    let (at_input, at_output) = requests.ranks(input, output);
    (at_output, at_input)
}

/// The highest ranks of a request that may still be granted, below some.
fn next_ranks(requests: &Requests, below: Option<(u64, u64)>) -> Option<(u64, u64)> {
    let of = |output: usize| {
        let free = members(requests.inputs_of(output)).filter(move |&input| requests.may_pair(input, output));
        free.map(move |input| at_output_first(requests, (input, output)))
    };
    let all = members(requests.asked()).flat_map(of);
    all.filter(|&ranks| below.is_none_or(|below| ranks < below)).max()
}

/// As [`diagonals`] for all requests: the one on the nearest diagonal is granted, over and over. Those on one diagonal have no input or output in common.
///
/// PERF: where few ask, most diagonals have no request (`tailback booksim` with `sw_allocator = wavefront`).
fn nearest_first(requests: &mut Requests, square: usize, turn: usize) -> Option<usize> {
    let mut first = None;
    loop {
        let mut nearest = (square, 0, 0);
        for word in 0..requests.asked().len() {
            for bit in ones(requests.asked()[word] & !requests.given()[word]) {
                let output = word * 64 + bit;
                // The input on the diagonal from which one looks, and how far behind it the first one that asks is.
                let from = if turn < output { turn + square - output } else { turn - output };
                let place = if from < requests.inputs_of(output).len() * 64 { from } else { 0 };
                let Some(input) = first_from(requests.inputs_of(output), requests.taken(), place) else { continue };
                let behind = if input < from { input + square - from } else { input - from };
                nearest = nearest.min((behind, input, output));
            }
        }
        let (behind, input, output) = nearest;
        if behind == square {
            return first;
        }
        requests.pair(input, output);
        first = first.or(Some(input + output));
    }
}

/// Goes along the diagonals from `turn` on, for requests that count; returns the sum of the first input and output matched.
fn diagonals(
    requests: &mut Requests,
    square: usize,
    turn: usize,
    counts: impl Fn(&Requests, (usize, usize)) -> bool,
) -> Option<usize> {
    let mut first = None;
    for sum in turn..turn + square {
        for word in 0..requests.asked().len() {
            for bit in ones(requests.asked()[word] & !requests.given()[word]) {
                let output = word * 64 + bit;
                let input = (sum + square - output) % square;
                if requests.may_pair(input, output) && counts(requests, (input, output)) {
                    requests.pair(input, output);
                    first = first.or(Some(input + output));
                }
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::super::super::router::{Allocator, Stages};
    use super::*;

    #[test]
    fn the_first_diagonal_moves_on() {
        let matched = |matching| {
            let mut turns =
                Turns::new(Allocator { matching, rounds: 1, stages: Stages::RoundRobin, groups: 1 }, vec![(3, 3)]);
            let mut step = || {
                let mut requests = Requests::new(3, 3);
                (0..2).for_each(|n| (0..3).for_each(|m| requests.ask(n, m)));
                allocate(&mut turns, 0, &mut requests);
                (requests.output_of(0), requests.output_of(1))
            };
            [step(), step(), step()]
        };
        let plain = [(Some(0), Some(2)), (Some(1), Some(0)), (Some(2), Some(1))];
        assert_eq!(matched(Matching::Wavefront), plain);
        assert_eq!(matched(Matching::SkippingWavefront), plain);
    }
}
