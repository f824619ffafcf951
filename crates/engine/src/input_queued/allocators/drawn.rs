//! Parallel iterative matching (Anderson, Owicki, Saxe and Thacker, "High-speed switch scheduling for local-area networks", ACM Transactions on
//! Computer Systems 11(4), 1993): outputs grant and inputs accept from a place that they draw.

use super::Draws;
use super::requests::{Requests, first_from_any};
use super::turns::Turns;
use tailback_base::bits::ones;

/// More than inputs or outputs of any router: its ports with their channels, or with the inputs of the crossbar.
const MOST: usize = 1 << 15;

/// From which output on an input accepts, in a round.
pub(super) fn accept_from(draws: Draws, outputs: usize, round: u32, input: usize) -> usize {
    draws.below(outputs, round, MOST + input)
}

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests, draws: Draws) {
    let (inputs, outputs) = turns.size(router);
    for round in 0..turns.allocator().rounds {
        requests.forget_grants();
        for word in 0..requests.asked().len() {
            for bit in ones(requests.asked()[word] & !requests.given()[word]) {
                let output = word * 64 + bit;
                let from = || draws.below(inputs, round, output);
                if let Some(input) = first_from_any(requests.inputs_of(output), requests.taken(), from) {
                    requests.grant(input, output);
                }
            }
        }
        for word in 0..requests.granted().len() {
            for bit in ones(requests.granted()[word]) {
                let input = word * 64 + bit;
                let output = requests.accepts_any(input, || accept_from(draws, outputs, round, input));
                requests.pair(input, output);
            }
        }
    }
}
