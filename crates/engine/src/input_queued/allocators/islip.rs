//! iSLIP (McKeown, "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM Transactions on Networking 7(2), 1999): every
//! output grants the next input at its pointer, every input accepts the next output at its own. Pointers move behind what was accepted in
//! the first round.

use super::requests::{Requests, first_bit_from, first_from};
use super::turns::Turns;
use tailback_base::bits::ones;

/// Matches inputs and outputs of a router.
#[inline(always)]
pub(super) fn allocate(turns: &mut Turns, router: usize, requests: &mut Requests) {
    for round in 0..turns.allocator().rounds {
        let any = match requests.are_narrow() {
            true => narrow_round(turns, router, requests, round == 0),
            false => self::round(turns, router, requests, round == 0),
        };
        if !any {
            break;
        }
    }
}

/// As [`round`], of at most 64 inputs and outputs.
///
/// PERF: grants stay in registers and on the stack (`tailback bench booksim-mesh8`).
#[inline(always)]
fn narrow_round(turns: &mut Turns, router: usize, requests: &mut Requests, first: bool) -> bool {
    let (mut granted, mut granters) = (0u64, [0u64; 64]);
    for output in ones(requests.asked()[0] & !requests.given()[0]) {
        let inputs = requests.inputs_of(output)[0] & !requests.taken()[0];
        if inputs != 0 {
            let input = first_bit_from(inputs, (*turns.of_output(router, output)).into());
            granters[input & 63] |= 1 << output;
            granted |= 1 << input;
        }
    }
    let (inputs, outputs) = turns.size(router);
    for input in ones(granted) {
        let output = first_bit_from(granters[input & 63], (*turns.of_input(router, input)).into());
        requests.pair(input, output);
        if first {
            *turns.of_output(router, output) = next(input, inputs);
            *turns.of_input(router, input) = next(output, outputs);
        }
    }
    granted != 0
}

/// Returns whether anything was matched.
#[inline(always)]
fn round(turns: &mut Turns, router: usize, requests: &mut Requests, first: bool) -> bool {
    requests.forget_grants();
    for word in 0..requests.asked().len() {
        for bit in ones(requests.asked()[word] & !requests.given()[word]) {
            let output = word * 64 + bit;
            let from = usize::from(*turns.of_output(router, output));
            if let Some(input) = first_from(requests.inputs_of(output), requests.taken(), from) {
                requests.grant(input, output);
            }
        }
    }
    let (inputs, outputs) = turns.size(router);
    let mut any = false;
    for word in 0..requests.granted().len() {
        for bit in ones(requests.granted()[word]) {
            let input = word * 64 + bit;
            let from = usize::from(*turns.of_input(router, input));
            let output = requests.accepts(input, from);
            requests.pair(input, output);
            any = true;
            if first {
                *turns.of_output(router, output) = next(input, inputs);
                *turns.of_input(router, input) = next(output, outputs);
            }
        }
    }
    any
}

/// The number behind `n`, of `all`.
#[inline(always)]
pub(crate) fn next(n: usize, all: usize) -> u16 {
    if n + 1 >= all { 0 } else { n as u16 + 1 }
}
