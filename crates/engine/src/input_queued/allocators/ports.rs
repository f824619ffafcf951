//! iSLIP where every input asks for outputs of one port, as heads that ask for channels of a link do. Ports have nothing to do with each
//! other then, and few of them are asked by more than one.

use super::islip::next;
use super::requests::{Requests, members};
use super::turns::Turns;
use tailback_base::bits::ones;

/// Who asks for which channels of which port. Made for the largest router, and used for one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Ports {
    /// Channels of a port: its outputs.
    channels: usize,
    /// Words of a set of inputs.
    words: usize,
    /// Per port the inputs that ask for its channels.
    askers: Vec<u64>,
    /// Ports that are asked.
    asked: Vec<u64>,
    /// Per input the channels that it asks for, and those that grant it in this round.
    wants: Vec<u16>,
    grants: Vec<u16>,
    /// Inputs with a grant, in the order of their first one.
    granted: Vec<u16>,
}

impl Ports {
    /// Nobody asks; at most `ports` ports of `channels` inputs and outputs each.
    pub fn new(ports: usize, channels: usize) -> Self {
        let (inputs, words) = (ports * channels, (ports * channels).div_ceil(64));
        Ports {
            channels,
            words,
            askers: vec![0; ports * words],
            asked: vec![0; ports.div_ceil(64)],
            wants: vec![0; inputs],
            grants: vec![0; inputs],
            granted: Vec::with_capacity(inputs),
        }
    }

    /// An input asks for channels of a port, of at least one.
    #[inline(always)]
    pub fn ask(&mut self, input: usize, port: usize, channels: u16) {
        debug_assert!(channels != 0, "nobody asks for nothing");
        self.wants[input] = channels;
        self.askers[port * self.words + (input >> 6)] |= 1 << (input & 63);
        self.asked[port >> 6] |= 1 << (port & 63);
    }

    /// Matches inputs and outputs of a router, and forgets who asked.
    #[inline(always)]
    pub fn allocate(&mut self, turns: &mut Turns, router: usize, matches: &mut Requests) {
        matches.forget_matches();
        for word in 0..self.asked.len() {
            for bit in ones(std::mem::take(&mut self.asked[word])) {
                let port = word * 64 + bit;
                match self.only(port) {
                    Some(input) => self.give(turns, router, matches, (input, port, self.wants[input])),
                    None => self.contest(turns, router, matches, port),
                }
                self.forget(port);
            }
        }
    }

    /// The one input that asks for a port, if no other does.
    #[inline(always)]
    fn only(&self, port: usize) -> Option<usize> {
        if self.words == 1 {
            let askers = self.askers[port];
            return askers.is_power_of_two().then(|| askers.trailing_zeros() as usize);
        }
        let mut askers = members(&self.askers[port * self.words..][..self.words]);
        let first = askers.next();
        if askers.next().is_some() { None } else { first }
    }

    #[inline(always)]
    fn forget(&mut self, port: usize) {
        if self.words == 1 {
            self.askers[port] = 0;
        } else {
            self.askers[port * self.words..][..self.words].fill(0);
        }
    }

    /// An input takes one of the channels that grant it, in the first round.
    #[inline(always)]
    pub fn give(
        &mut self,
        turns: &mut Turns,
        router: usize,
        matches: &mut Requests,
        (input, port, grants): (usize, usize, u16),
    ) {
        let output = self.accepts(turns, router, (input, port, grants));
        matches.pair(input, output);
        let (inputs, outputs) = turns.size(router);
        *turns.of_output(router, output) = next(input, inputs);
        *turns.of_input(router, input) = next(output, outputs);
    }

    /// The output that an input accepts: the first one from its pointer on, among those of a port.
    #[inline(always)]
    fn accepts(&self, turns: &mut Turns, router: usize, (input, port, grants): (usize, usize, u16)) -> usize {
        let (base, from) = (port * self.channels, usize::from(*turns.of_input(router, input)));
        base + first_of_port(grants, base, from)
    }

    /// The inputs that ask for a port compete for its channels.
    fn contest(&mut self, turns: &mut Turns, router: usize, matches: &mut Requests, port: usize) {
        for round in 0..turns.allocator().rounds {
            self.grant(turns, router, matches, port);
            if self.granted.is_empty() {
                break;
            }
            while let Some(input) = self.granted.pop() {
                let input = usize::from(input);
                let grants = std::mem::take(&mut self.grants[input]);
                if round == 0 {
                    self.give(turns, router, matches, (input, port, grants));
                } else {
                    matches.pair(input, self.accepts(turns, router, (input, port, grants)));
                }
            }
        }
    }

    /// Every channel of a port that is not given grants the first input from its pointer on that asks for it.
    fn grant(&mut self, turns: &mut Turns, router: usize, matches: &Requests, port: usize) {
        let askers = &self.askers[port * self.words..][..self.words];
        for channel in 0..self.channels {
            let output = port * self.channels + channel;
            if matches.input_of(output).is_some() {
                continue;
            }
            let from = usize::from(*turns.of_output(router, output));
            let asks = |&input: &usize| self.wants[input] >> channel & 1 == 1 && matches.output_of(input).is_none();
            let mut all = members(askers).filter(asks);
            let Some(first) = all.next() else { continue };
            let late = if first >= from { Some(first) } else { all.find(|&input| input >= from) };
            let input = late.unwrap_or(first);
            if self.grants[input] == 0 {
                self.granted.push(input as u16);
            }
            self.grants[input] |= 1 << channel;
        }
    }
}

/// The first of some channels of a port whose outputs are numbered from `base` on: at or behind output `from`, if there is one.
#[inline(always)]
pub(crate) fn first_of_port(channels: u16, base: usize, from: usize) -> usize {
    let late = match from.saturating_sub(base) {
        behind @ 0..16 => channels & u16::MAX << behind,
        _ => 0,
    };
    if late != 0 { late } else { channels }.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::super::super::router::{Allocator, Matching, Stages};
    use super::super::islip;
    use super::*;

    /// A number that looks drawn.
    fn drawn(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *state >> 33
    }

    #[test]
    fn ports_apart_are_as_all_outputs_at_once() {
        for (ports, channels, rounds) in [(1, 1, 1), (5, 4, 1), (5, 4, 3), (9, 16, 2), (70, 2, 1)] {
            let size = ports * channels;
            let allocator = Allocator { matching: Matching::Islip, rounds, stages: Stages::RoundRobin, groups: 1 };
            let mut turns = [0; 2].map(|_| Turns::new(allocator, vec![(size as u16, size as u16)]));
            let mut matches = [0; 2].map(|_| Requests::new(size, size));
            let (mut apart, mut state) = (Ports::new(ports, channels), 7);
            for step in 0..500 {
                matches[1].clear();
                for input in 0..size {
                    let wanted = (drawn(&mut state) & ((1 << channels) - 1)) as u16;
                    if wanted == 0 || drawn(&mut state) % 8 >= step % 9 {
                        continue;
                    }
                    let port = drawn(&mut state) as usize % ports;
                    apart.ask(input, port, wanted);
                    ones(wanted.into()).for_each(|channel| matches[1].ask(input, port * channels + channel));
                }
                apart.allocate(&mut turns[0], 0, &mut matches[0]);
                islip::allocate(&mut turns[1], 0, &mut matches[1]);
                for n in 0..size {
                    assert_eq!(matches[0].output_of(n), matches[1].output_of(n));
                    let [inputs, outputs] =
                        [turns.each_mut().map(|of| *of.of_input(0, n)), turns.each_mut().map(|of| *of.of_output(0, n))];
                    assert!(inputs[0] == inputs[1] && outputs[0] == outputs[1], "pointers after step {step}");
                }
            }
        }
    }
}
