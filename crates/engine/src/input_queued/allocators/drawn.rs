//! Parallel iterative matching (Anderson, Owicki, Saxe and Thacker, "High-speed switch scheduling for local-area networks", ACM Transactions on
//! Computer Systems 11(4), 1993): outputs grant and inputs accept from a place that they draw.

use super::Draws;
use super::requests::{Requests, first_from};
use super::turns::Turns;

/// More than inputs or outputs of any router: its ports with their channels, or with the inputs of the crossbar.
const MOST: usize = 1 << 15;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests, draws: Draws) {
    let (inputs, outputs) = turns.size(router);
    for round in 0..turns.allocator().rounds {
        requests.forget_grants();
        for output in 0..outputs {
            if !requests.is_asked_for(output) || requests.input_of(output).is_some() {
                continue;
            }
            let from = draws.below(inputs, round, output);
            if let Some(input) = first_from(requests.inputs_of(output), requests.taken(), from) {
                requests.grant(input, output);
            }
        }
        for input in 0..inputs {
            if requests.has_grant(input) {
                let from = draws.below(outputs, round, MOST + input);
                let output = requests.accepts(input, from);
                requests.pair(input, output);
            }
        }
    }
}
