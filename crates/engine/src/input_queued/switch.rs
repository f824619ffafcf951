//! Flits get through the switch.

use super::allocators::allocate;
use super::allocators::islip::next;
use super::allocators::requests::Requests;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::priority::WITH_CHANNEL;
use crate::contract::probe::Probe;
use std::cmp::Reverse;
use tailback_base::bits::ones;

/// A channel asks for an output for its input of the crossbar. Out of the channels that do, the one with the highest rank stands for the input; among
/// equals the one that is the least behind the channel whose turn it is. `label` is the channel that stands for it.
#[inline(always)]
pub(super) fn stand_for(
    requests: &mut Requests,
    (input, output): (usize, usize),
    label: &mut u8,
    (channel, rank): (usize, u64),
    behind: impl Fn(usize) -> usize,
) {
    if requests.is_asked(input, output) {
        let other = requests.ranks(input, output).0;
        if (Reverse(rank), behind(channel)) >= (Reverse(other), behind(usize::from(*label))) {
            return;
        }
    } else {
        requests.ask(input, output);
    }
    *label = channel as u8;
    if requests.are_ranked() {
        requests.rank(input, output, (rank, rank));
    }
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// Crossbar input and output of an input channel that has a channel.
    #[inline(always)]
    pub(super) fn crosspoint(&self, router: usize, n: usize) -> (usize, usize) {
        let to = self.inputs[self.first(router) * self.layout.channels + n].port;
        self.crosspoint_to(n, to.into())
    }

    /// The same for a port that it may go to.
    #[inline(always)]
    pub(super) fn crosspoint_to(&self, n: usize, to: usize) -> (usize, usize) {
        let (port, channel) = self.layout.places[n];
        let (ins, outs) = self.layout.speedup;
        let port = usize::from(port);
        if ins == 1 && outs == 1 {
            return (port, to);
        }
        (port * ins + usize::from(channel) % ins, to * outs + port % outs)
    }

    /// Finds out which flits go.
    #[inline(always)]
    pub(super) fn match_switch(&mut self, router: usize) {
        if let Some(n) = self.lone(router) {
            self.match_lone(router, n);
            return;
        }
        self.match_rivals(router);
    }

    /// Finds out which flits go, whoever competes.
    #[inline(always)]
    pub(super) fn match_rivals(&mut self, router: usize) {
        self.ask_for_switch(router);
        let draws = self.draws(router, router as u32 * 2 + 1, [&self.going; 2]);
        allocate(&mut self.switch_turns, router, &mut self.switch_requests, draws);
    }

    /// The one input channel that asks for the switch, where its turns go on as in iSLIP.
    #[inline(always)]
    fn lone(&self, router: usize) -> Option<usize> {
        let ready = if self.ready.words() == 1 { self.ready.word(router, 0) } else { 0 };
        let lone = self.turns_follow && ready.is_power_of_two() && !self.config.holds_switch;
        let lone = lone.then(|| ready.trailing_zeros() as usize)?;
        if self.config.output_queue_flits.is_none() {
            return Some(lone);
        }
        let to = self.inputs[self.first(router) * self.layout.channels + lone].port;
        (!self.is_full(to.into())).then_some(lone)
    }

    /// Nobody competes with an input channel.
    #[inline(always)]
    fn match_lone(&mut self, router: usize, n: usize) {
        let (input, output) = self.crosspoint(router, n);
        self.labels[input * self.layout.most * self.layout.speedup.1 + output] = self.layout.places[n].1;
        self.switch_requests.forget_matches();
        self.switch_requests.pair(input, output);
        let (inputs, outputs) = self.switch_turns.size(router);
        *self.switch_turns.of_output(router, output) = next(input, inputs);
        *self.switch_turns.of_input(router, input) = next(output, outputs);
    }

    /// Flits that have a channel and a credit ask for the switch.
    #[inline(always)]
    pub(super) fn ask_for_switch(&mut self, router: usize) {
        self.switch_requests.clear();
        let (channels, ins) = (self.layout.channels, self.layout.most * self.layout.speedup.0);
        let outs = self.layout.most * self.layout.speedup.1;
        for word in 0..self.ready.words() {
            for bit in ones(self.ready.word(router, word)) {
                let n = word * 64 + bit;
                let (input, output) = self.crosspoint(router, n);
                // PERF: no division where queues have no end (`tailback bench booksim-mesh8`).
                if self.config.output_queue_flits.is_some() && self.is_full(output / self.layout.speedup.1) {
                    continue;
                }
                if self.config.holds_switch
                    && (self.held.0.contains(router, input) || self.held.1.contains(router, output))
                {
                    continue;
                }
                let channel = usize::from(self.layout.places[n].1);
                let ranked = self.switch_requests.are_ranked();
                let rank = if ranked { self.priority(router, n) | WITH_CHANNEL } else { 0 };
                let label = &mut self.labels[input * outs + output];
                let behind = |channel: usize| {
                    let turn = usize::from(self.offsets[router * ins + input]);
                    if channel < turn { channel + channels - turn } else { channel - turn }
                };
                stand_for(&mut self.switch_requests, (input, output), label, (channel, rank), behind);
            }
        }
    }

    /// The flits that were found go.
    #[inline(always)]
    pub(super) fn send_granted<P: Probe>(&mut self, router: usize, now: u64, next: u64, probe: &mut P) {
        let (channels, speedup) = (self.layout.channels, self.layout.speedup.0);
        let (ins, outs) = (self.layout.most * speedup, self.layout.most * self.layout.speedup.1);
        for word in 0..self.switch_requests.taken().len() {
            for bit in ones(self.switch_requests.taken()[word]) {
                let input = word * 64 + bit;
                let output = self.switch_requests.output_of(input).expect("it is matched");
                let channel = usize::from(self.labels[input * outs + output]);
                let turn = channel + speedup;
                self.offsets[router * ins + input] = if turn < channels { turn } else { turn % channels } as u8;
                self.go(router, input / speedup * channels + channel, now, next, probe);
            }
        }
    }

    /// The first flit of a channel goes. Where packets keep their way, this one does if it has another flit.
    #[inline(always)]
    pub(super) fn go<P: Probe>(&mut self, router: usize, n: usize, now: u64, next: u64, probe: &mut P) {
        self.send(router, n, now, next, probe);
        if self.config.holds_switch && self.going.contains(router, n) {
            self.hold(router, n);
        }
    }

    /// A packet keeps its way through the switch.
    fn hold(&mut self, router: usize, n: usize) {
        let (input, output) = self.crosspoint(router, n);
        self.going.remove(router, n);
        self.ready.remove(router, n);
        self.holding.insert(router, n);
        self.held.0.insert(router, input);
        self.held.1.insert(router, output);
        let at = self.first(router) * self.layout.channels + n;
        self.inputs[at].holds = true;
    }

    /// A packet gives its way through the switch back; what is left of it asks as others do.
    fn let_go(&mut self, router: usize, n: usize) {
        let (input, output) = self.crosspoint(router, n);
        self.holding.remove(router, n);
        self.held.0.remove(router, input);
        self.held.1.remove(router, output);
        let at = self.first(router) * self.layout.channels + n;
        self.inputs[at].holds = false;
    }

    /// Packets that keep their way send their next flit, or lose it where they have no credit, or no room behind the crossbar.
    pub(super) fn send_held<P: Probe>(&mut self, router: usize, now: u64, next: u64, probe: &mut P) {
        let (first, channels) = (self.first(router), self.layout.channels);
        for word in 0..self.holding.words() {
            for bit in ones(self.holding.word(router, word)) {
                let n = word * 64 + bit;
                let input = &self.inputs[first * channels + n];
                let output = (first + usize::from(input.port)) * channels + usize::from(input.channel);
                let (credit, last) = (self.outputs[output].credits > 0, input.left == 1 || input.level == 1);
                let goes = credit && !self.is_full(input.port.into());
                if !goes || last {
                    self.let_go(router, n);
                    self.going.insert(router, n);
                    if credit {
                        self.ready.insert(router, n);
                    }
                }
                if goes {
                    self.send(router, n, now, next, probe);
                }
            }
        }
    }
}
