//! The recovery lane: one more channel on every link, for packets that recovery has taken over.

use super::Mechanisms;
use super::fabric::Common;
use super::state::{Mask, RouterState, add, clear};
use crate::contract::probe::Probe;
use crate::contract::recovery::Recovery;
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Gives the lane's channels to packets in the lane, in ascending order of inputs; returns the other heads.
    pub(super) fn give_lane<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        heads: u64,
        now: u64,
        probe: &mut P,
    ) -> u64 {
        let lane = state.lane.get();
        for input in ones(heads & lane) {
            let channel = state.preferred[input & (NI - 1)].get().trailing_zeros() as usize;
            if state.free.get() >> channel & 1 == 1 {
                self.give(state, router, input, channel, now, probe);
                if self.speculative {
                    self.wires.ripe(self.times.able, router, input);
                }
            } else {
                // It waits until the channel becomes free.
                clear(&mut state.look, 1 << input);
            }
        }
        heads & !lane
    }

    /// The head of `input` asks for the lane's channel of `port` and for nothing else.
    pub(super) fn set_lane<const NN: usize, const NI: usize>(
        &self,
        state: &mut RouterState<W, NN, NI>,
        input: usize,
        port: u8,
    ) {
        let i = input & (NI - 1);
        add(&mut state.lane, 1 << input);
        state.preferred[i] = W::of(1 << self.layout.lane_of(port));
        state.fallback[i] = W::default();
    }

    /// Keeps track of where heads at network inputs ask.
    pub(super) fn note_waiting<const NN: usize, const NI: usize>(
        &mut self,
        state: &RouterState<W, NN, NI>,
        router: u32,
    ) {
        match self.stranded(state) {
            0 => self.waiting.remove(router as usize),
            _ => self.waiting.insert(router as usize),
        }
    }

    /// Network inputs whose head asks and is not in the lane.
    fn stranded<const NN: usize, const NI: usize>(&self, state: &RouterState<W, NN, NI>) -> u64 {
        state.asking.get() & !state.lane.get() & self.layout.links
    }

    /// Asks recovery about every head that got no channel in this cycle, in ascending order of routers and inputs.
    pub(super) fn recover<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        routers: &mut [RouterState<W, NN, NI>],
        now: u64,
        probe: &mut P,
    ) {
        for word in 0..self.waiting.word_count() {
            for bit in ones(self.waiting.word(word)) {
                let router = (64 * word + bit) as u32;
                let state = &mut routers[router as usize];
                for input in ones(self.stranded(state)) {
                    self.fail(state, router, input, now, probe);
                }
            }
        }
    }

    /// The head of `input` has failed once more.
    fn fail<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
        probe: &mut P,
    ) {
        let i = input & (NI - 1);
        if state.preferred[i].get() >> self.layout.network != 0 {
            return;
        }
        let at = router as usize * self.layout.network + input;
        self.attempts[at] += 1;
        if !self.parts.recovery.takes_over(router, self.attempts[at]) {
            return;
        }
        probe.recovers(now, router);
        let port = self.parts.recovery.port(router, self.packet(state, router, input));
        self.set_lane(state, input, port);
        add(&mut state.look, 1 << input);
        self.wires.wake(self.times.next, router);
    }
}
