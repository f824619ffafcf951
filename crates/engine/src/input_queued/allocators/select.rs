//! The select allocator: iSLIP as BookSim 2 has it for requests with priorities. An output keeps its grant of a round for the rounds after.

use super::islip::next;
use super::requests::{Requests, first_from, members};
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
    let free = |&input: &usize| requests.output_of(input).is_none();
    let key = |&input: &usize| (requests.is_low_at_output(input, output), input < from, input);
    members(requests.inputs_of(output)).filter(free).min_by_key(key)
}

/// Inputs accept the grant that is the first at their pointers.
fn accept(turns: &mut Turns, router: usize, requests: &mut Requests, grants: &[u32], first: bool) {
    let (inputs, outputs) = turns.size(router);
    for input in 0..inputs {
        if !requests.asks(input) {
            continue;
        }
        let from = usize::from(*turns.of_input(router, input));
        let granted = |&output: &usize| grants[output] == input as u32;
        let behind = |output: usize| (output + outputs - from) % outputs;
        let best = members(requests.outputs_of(input))
            .filter(granted)
            .min_by_key(|&output| (requests.is_low_at_input(input, output), behind(output)));
        let Some(output) = best else { continue };
        requests.pair(input, output);
        if first {
            *turns.of_output(router, output) = next(input, inputs);
            *turns.of_input(router, input) = next(output, outputs);
        }
    }
}
