//! The lonely output allocator (Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, chapter 19): every input
//! asks for the output that fewest inputs ask for, and every output grants one of those that chose it.

use super::islip::next;
use super::requests::{Requests, first_from, members};
use super::turns::Turns;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, outputs) = turns.size(router);
    requests.forget_grants();
    for input in 0..inputs {
        if !requests.asks(input) {
            continue;
        }
        let from = usize::from(*turns.of_input(router, input));
        let count = |output: usize| members(requests.inputs_of(output)).count();
        let behind = |output: usize| (output + outputs - from) % outputs;
        let best = members(requests.outputs_of(input)).min_by_key(|&output| (count(output), behind(output)));
        requests.choose(input, best.expect("it asks"));
    }
    for output in 0..outputs {
        if !requests.is_chosen(output) {
            continue;
        }
        let from = *turns.of_output(router, output);
        let choosers = requests.choosers_of(output);
        let input = first_from(choosers, requests.no_inputs(), from.into()).expect("it was chosen");
        requests.pair(input, output);
        // Pointers go on by one, whoever won.
        let turn = turns.of_input(router, input);
        *turn = next((*turn).into(), outputs);
        *turns.of_output(router, output) = next(from.into(), inputs);
    }
}
