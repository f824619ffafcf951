//! The select allocator: iSLIP as BookSim 2 has it for requests with priorities; here all have the same. An output keeps its grant of a round
//! for the rounds after.

use super::islip::next;
use super::requests::{Requests, first_from, members};
use super::turns::Turns;

/// Matches inputs and outputs of a router.
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    let (inputs, outputs) = turns.size(router);
    let mut grants = vec![None; outputs];
    for round in 0..turns.allocator().rounds {
        let open: Vec<usize> =
            members(requests.asked()).filter(|&output| requests.input_of(output).is_none()).collect();
        for output in open {
            let from = usize::from(*turns.of_output(router, output));
            if let Some(input) = first_from(requests.inputs_of(output), requests.taken(), from) {
                grants[output] = Some(input);
            }
        }
        let asking: Vec<usize> = members(requests.asking()).collect();
        for input in asking {
            let from = usize::from(*turns.of_input(router, input));
            let granted = |&output: &usize| grants[output] == Some(input);
            let behind = |output: usize| (output + outputs - from) % outputs;
            let best = members(requests.outputs_of(input)).filter(granted).min_by_key(|&output| behind(output));
            let Some(output) = best else { continue };
            requests.pair(input, output);
            if round == 0 {
                *turns.of_output(router, output) = next(input, inputs);
                *turns.of_input(router, input) = next(output, outputs);
            }
        }
    }
}
