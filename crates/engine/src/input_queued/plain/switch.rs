//! Flits get through the switch.

use super::super::allocators::requests::first_bit_from;
use super::super::fabric::Fabric;
use super::super::mechanisms::Mechanisms;
use super::super::table::Place;
use super::found::Flits;
use crate::mask::ones_below;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// The input channels whose flits go, of those that are ready.
    #[inline(always)]
    pub(super) fn find_flits(&mut self, place: Place, router: usize, ready: u64) -> Flits {
        let alone = Flits { go: ready, turn: true };
        if self.turns_follow && ready.is_power_of_two() {
            return alone;
        }
        let inputs = self.inputs.at(place);
        let (mut ins, mut outs, mut rivals) = (0u64, 0u64, 0);
        for n in ones(ready) {
            let (input, output) = (1 << self.layout.place(n).0, 1 << inputs[n].port);
            rivals |= ins & input | outs & output;
            ins |= input;
            outs |= output;
        }
        if rivals == 0 && self.goes_alone {
            self.go_alone(place, router, ready);
            return Flits { go: ready, turn: false };
        }
        if !self.turns_follow || rivals != 0 && !self.one_round {
            return Flits { go: self.contest(router), turn: false };
        }
        if rivals == 0 { alone } else { Flits { go: self.contest_by_islip(place, router, ready, outs), turn: true } }
    }

    /// As [`Fabric::contest`], by one round of iSLIP; these are the outputs that are asked for.
    #[inline(always)]
    fn contest_by_islip(&mut self, place: Place, router: usize, ready: u64, outs: u64) -> u64 {
        let (of_inputs, of_outputs, _) = self.switch_turns.of(router);
        let inputs = self.inputs.at(place);
        ones(outs).for_each(|output| self.askers[output] = 0);
        for n in ones(ready) {
            self.askers[usize::from(inputs[n].port) & 63] |= 1 << self.layout.place(n).0;
        }
        let mut granted = 0u64;
        for output in ones(outs) {
            let input = first_bit_from(self.askers[output], of_outputs[output].into()) & 63;
            let others = if granted >> input & 1 == 0 { 0 } else { self.granters[input] };
            self.granters[input] = others | 1 << output;
            granted |= 1 << input;
        }
        let (mut go, channels) = (0, self.layout.channels);
        for input in ones(granted) {
            let output = first_bit_from(self.granters[input], of_inputs[input].into()) & 63;
            // The first channel of the input for that output, from its turn on.
            let own = ready >> (input * channels) & ones_below(channels);
            let turn = usize::from(self.offsets[router * self.layout.most + input]);
            let asks = |channel: &usize| usize::from(inputs[(input * channels + channel) & 63].port) == output;
            let late = ones(own & u64::MAX << turn).find(asks);
            let channel = late.or_else(|| ones(own).find(asks)).expect("one of them asks");
            go |= 1 << (input * channels + channel);
        }
        go
    }

    /// No flit can go, and the turns of the allocator may go on.
    #[cold]
    pub(super) fn pass_by(&mut self, router: usize) -> Flits {
        if self.going.first_word(router) != 0 {
            self.match_rivals(router);
        }
        Flits::default()
    }

    /// Flits compete for the switch. Returns the channels of those that go.
    fn contest(&mut self, router: usize) -> u64 {
        self.match_rivals(router);
        let mut go = 0;
        for input in ones(self.switch_requests.taken()[0]) {
            let output = self.switch_requests.output_of(input).expect("it is matched");
            let channel = usize::from(self.labels[input * self.layout.most + output]);
            go |= 1 << (input * self.layout.channels + channel);
        }
        go
    }
}
