//! Heads that ask for the switch in the step in which they ask for a channel: what they are granted counts only if they get a channel of the
//! same port, with a credit.

use super::allocators::{Draws, allocate};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::priority::{WITH_CHANNEL, Wish};
use super::router::{Needs, Speculation, Yields};
use super::switch::stand_for;
use crate::contract::probe::Probe;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Finds out which flits go, those of heads without a channel among them.
    pub(super) fn match_with_hopes(&mut self, router: usize, needs: Needs) {
        self.ask_for_switch(router);
        if self.config.speculation.allocator().is_some() {
            self.hopes.requests.clear();
        }
        // PERF: a word is set, not filled by a call (`tailback booksim` with `speculative = 1`).
        match &mut self.hopes.vain[..] {
            [word] => *word = 0,
            words => words.fill(0),
        }
        for word in 0..self.asking.words() {
            for bit in ones(self.asking.word(router, word)) {
                self.hope(router, word * 64 + bit, needs);
            }
        }
        let draws = self.draws(router, router as u32 * 2 + 1, [&self.going, &self.asking]);
        allocate(&mut self.switch_turns, router, &mut self.switch_requests, draws);
        if self.config.speculation.allocator().is_some() {
            let entity = 2 * self.layout.routers() as u32 + router as u32;
            allocate(&mut self.hope_turns, router, &mut self.hopes.requests, Draws { entity, ..draws });
        }
        self.find_granted(router);
    }

    /// A head without a channel asks for the switch, where it finds what it needs: among the channels that it would rather have, and among
    /// the rest.
    fn hope(&mut self, router: usize, n: usize, needs: Needs) {
        for wish in self.wishes(router, n) {
            if wish.channels != 0 {
                self.hope_by(router, n, wish, needs);
            }
        }
    }

    fn hope_by(&mut self, router: usize, n: usize, wish: Wish, needs: Needs) {
        let to = wish.port;
        let port = self.first(router) + to;
        let free = self.free[port] & wish.channels;
        let takes = || !self.is_shut(port) && !self.is_full(to);
        let suffices = match needs {
            Needs::Nothing => true,
            Needs::Channel => free != 0 && takes(),
            Needs::Credit => free & self.open[port] != 0 && takes(),
        };
        if suffices {
            self.hope_for(router, n, to);
        } else {
            self.hopes.vain[n >> 6] |= 1 << (n & 63);
        }
    }

    /// A head without a channel asks for a way to a port.
    fn hope_for(&mut self, router: usize, n: usize, to: usize) {
        let (input, output) = self.crosspoint_to(n, to);
        if self.config.holds_switch && (self.held.0.contains(router, input) || self.held.1.contains(router, output)) {
            return;
        }
        let (ins, outs) = (self.layout.most * self.layout.speedup.0, self.layout.most * self.layout.speedup.1);
        let turn = usize::from(self.offsets[router * ins + input]);
        let rank = self.priority(router, n);
        let (requests, labels) = match self.config.speculation.allocator().is_some() {
            true => (&mut self.hopes.requests, &mut self.hopes.labels),
            false => (&mut self.switch_requests, &mut self.labels),
        };
        let (channel, channels) = (usize::from(self.layout.places[n].1), self.layout.channels);
        let behind = |channel: usize| if channel < turn { channel + channels - turn } else { channel - turn };
        stand_for(requests, (input, output), &mut labels[input * outs + output], (channel, rank), behind);
    }

    /// Lists the channels whose flits go.
    fn find_granted(&mut self, router: usize) {
        self.hopes.granted.clear();
        let outs = self.layout.most * self.layout.speedup.1;
        let shared = matches!(self.config.speculation, Speculation::Shared(_));
        for word in 0..self.switch_requests.taken().len() {
            for bit in ones(self.switch_requests.taken()[word]) {
                let input = word * 64 + bit;
                let output = self.switch_requests.output_of(input).expect("it is matched");
                let channel = usize::from(self.labels[input * outs + output]);
                let hope = shared && self.switch_requests.ranks(input, output).0 < WITH_CHANNEL;
                self.grant(router, (input, output), channel, hope);
            }
        }
        let Speculation::Separate { yields, .. } = self.config.speculation else {
            self.hopes.granted.sort_unstable();
            return;
        };
        for word in 0..self.hopes.requests.taken().len() {
            for bit in ones(self.hopes.requests.taken()[word]) {
                let input = word * 64 + bit;
                let output = self.hopes.requests.output_of(input).expect("it is matched");
                let taken = match yields {
                    Yields::Grants => self.switch_requests.input_of(output).is_some(),
                    Yields::Requests => self.switch_requests.is_asked_for(output),
                };
                if !taken && self.switch_requests.output_of(input).is_none() {
                    let channel = usize::from(self.hopes.labels[input * outs + output]);
                    self.grant(router, (input, output), channel, true);
                }
            }
        }
        self.hopes.granted.sort_unstable();
    }

    /// A channel is granted a way. One that only hopes goes if it gets a channel of that port with a credit.
    fn grant(&mut self, router: usize, (input, output): (usize, usize), channel: usize, hope: bool) {
        let (speedup, channels) = (self.layout.speedup.0, self.layout.channels);
        let n = input / speedup * channels + channel;
        if hope && self.hopes.vain[n >> 6] >> (n & 63) & 1 == 1 {
            return;
        }
        self.offsets[router * self.layout.most * speedup + input] = ((channel + speedup) % channels) as u8;
        if !hope || self.gets(router, n, output) {
            self.hopes.granted.push(n as u16);
        }
    }

    /// Whether a head gets a channel of the port of a crossbar output in this step, with a credit.
    fn gets(&self, router: usize, n: usize, output: usize) -> bool {
        self.channel_requests.output_of(self.asker(router, n)).is_some_and(|got| {
            let to = usize::from(self.layout.places[got].0);
            let credits = self.outputs[self.first(router) * self.layout.channels + got].credits;
            self.crosspoint_to(n, to).1 == output && credits > 0
        })
    }

    /// The flits that were found go.
    pub(super) fn send_with_hopes<P: Probe>(&mut self, router: usize, now: u64, next: u64, probe: &mut P) {
        let granted = std::mem::take(&mut self.hopes.granted);
        for &n in &granted {
            self.go(router, n.into(), now, next, probe);
        }
        self.hopes.granted = granted;
    }
}
