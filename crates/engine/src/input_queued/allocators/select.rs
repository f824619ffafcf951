//! The select allocator: iSLIP as BookSim 2 has it for requests with priorities. An output keeps its grant of a round for the rounds after.

use super::islip::next;
use super::requests::{Requests, best_from, first_from, members};
use super::turns::Turns;

/// Nobody.
const NOBODY: u32 = u32::MAX;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    // By output, the input that it grants.
    let mut grants = requests.list(1);
    grants.resize(turns.size(router).1, NOBODY);
    for round in 0..turns.allocator().rounds {
        for output in members(requests.asked()).filter(|&output| requests.input_of(output).is_none()) {
            let from = usize::from(*turns.of_output(router, output));
            if let Some(input) = offer(requests, output, from) {
                grants[output] = input as u32;
            }
        }
        accept(turns, router, requests, &grants, round == 0);
    }
    requests.keep(1, grants);
}

/// Whom an output grants: the first input at its pointer.
fn offer(requests: &Requests, output: usize, from: usize) -> Option<usize> {
    if !requests.are_ranked() {
        return first_from(requests.inputs_of(output), requests.taken(), from);
    }
    let free = members(requests.inputs_of(output)).filter(|&input| requests.output_of(input).is_none());
    best_from(free, from, |input| requests.ranks(input, output).1)
}

/// Inputs accept the grant that is the first at their pointers.
fn accept(turns: &mut Turns, router: usize, requests: &mut Requests, grants: &[u32], first: bool) {
    let (inputs, outputs) = turns.size(router);
    for input in 0..inputs {
        if !requests.asks(input) {
            continue;
        }
        let from = usize::from(*turns.of_input(router, input));
        let granted = members(requests.outputs_of(input)).filter(|&output| grants[output] == input as u32);
        let Some(output) = best_from(granted, from, |output| requests.ranks(input, output).0) else { continue };
        requests.pair(input, output);
        if first {
            *turns.of_output(router, output) = next(input, inputs);
            *turns.of_input(router, input) = next(output, outputs);
        }
    }
}
