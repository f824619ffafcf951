//! The lonely output allocator (Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, chapter 19): every input
//! asks for the output that fewest inputs ask for, and every output grants one of those that chose it.

use super::islip::next;
use super::requests::{Requests, first_from, members};
use super::turns::Turns;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, outputs) = turns.size(router);
    requests.forget_grants();
    let asking: Vec<usize> = members(requests.asking()).collect();
    for input in asking {
        let from = usize::from(*turns.of_input(router, input));
        let count = |output: usize| members(requests.inputs_of(output)).count();
        let behind = |output: usize| (output + outputs - from) % outputs;
        let best = members(requests.outputs_of(input)).min_by_key(|&output| (count(output), behind(output)));
        requests.choose(input, best.expect("it asks"));
    }
    let chosen: Vec<usize> = members(requests.chosen()).collect();
    for output in chosen {
        let from = usize::from(*turns.of_output(router, output));
        let input = first_from(requests.choosers_of(output), requests.no_inputs(), from).expect("it was chosen");
        requests.pair(input, output);
        // Pointers go on by one, whoever won.
        let (at_input, at_output) = (*turns.of_input(router, input), from);
        *turns.of_input(router, input) = next(at_input.into(), outputs);
        *turns.of_output(router, output) = next(at_output, inputs);
    }
}
