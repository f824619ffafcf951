//! The lonely output allocator (Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004, chapter 19): every input
//! asks for the output that fewest inputs ask for, and every output grants one of those that chose it.

use super::islip::next;
use super::requests::{Requests, first_from, members, only};
use super::turns::Turns;
use tailback_base::bits::ones;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, outputs) = turns.size(router);
    requests.forget_grants();
    for word in 0..requests.asking().len() {
        for bit in ones(requests.asking()[word]) {
            let input = word * 64 + bit;
            let from = usize::from(*turns.of_input(router, input));
            let count = |output: usize| requests.inputs_of(output).iter().map(|word| word.count_ones()).sum::<u32>();
            let behind = |output: usize| if output < from { output + outputs - from } else { output - from };
            let asked = requests.outputs_of(input);
            let best = || members(asked).min_by_key(|&output| (count(output), behind(output))).expect("it asks");
            let best = only(asked).unwrap_or_else(best);
            requests.choose(input, best);
        }
    }
    for word in 0..requests.chosen().len() {
        for bit in ones(requests.chosen()[word]) {
            let output = word * 64 + bit;
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
}
