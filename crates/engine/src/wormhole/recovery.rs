//! The recovery lane: one more channel on every link, for packets that recovery has taken over.

use super::block::Block;
use super::common::Common;
use super::lanes::{LANES, Mask, add, lane};
use super::mechanisms::Mechanisms;
use crate::contract::probe::Probe;
use crate::contract::recovery::Recovery;
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Gives the lane's channels to packets in the lane, in ascending order of inputs; returns the other heads.
    pub(super) fn give_lane<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        heads: u64,
        now: u64,
        probe: &mut P,
    ) -> u64 {
        let l = lane(router);
        let in_lane = block.lane[l].get();
        for input in ones(heads & in_lane) {
            let channel = block.preferred[input & (NI - 1)][l].get().trailing_zeros() as usize;
            if block.free[l].get() >> channel & 1 == 1 {
                self.give(block, router, input, channel, now, probe);
                if self.speculative {
                    self.wires.ripe(self.times.able, router, input);
                }
            }
        }
        heads & !in_lane
    }

    /// The head of `input` asks for the lane's channel of `port` and for nothing else.
    pub(super) fn set_lane<const NN: usize, const NI: usize>(
        &self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        port: u8,
    ) {
        let (l, i) = (lane(router), input & (NI - 1));
        add(&mut block.lane[l], 1 << input);
        let channel = 1 << self.layout.lane_of(port);
        (block.preferred[i][l], block.wanted[i][l]) = (W::of(channel), W::Links::of(channel));
    }

    /// Keeps track of where heads at network inputs ask.
    pub(super) fn note_waiting<const NN: usize, const NI: usize>(&mut self, block: &Block<W, NN, NI>, number: usize) {
        for router in (0..self.network.routers()).skip(number * LANES).take(LANES) {
            match self.stranded(block, router as u32) {
                0 => self.waiting.remove(router),
                _ => self.waiting.insert(router),
            }
        }
    }

    /// Network inputs whose head asks and is not in the lane.
    pub(super) fn stranded<const NN: usize, const NI: usize>(&self, block: &Block<W, NN, NI>, router: u32) -> u64 {
        let l = lane(router);
        block.asking[l].get() & !block.lane[l].get() & self.layout.links
    }

    /// Asks recovery about every head that got no channel in this cycle, in ascending order of routers and inputs.
    pub(super) fn recover<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        blocks: &mut [Block<W, NN, NI>],
        now: u64,
        probe: &mut P,
    ) {
        for word in 0..self.waiting.word_count() {
            for bit in ones(self.waiting.word(word)) {
                let router = (64 * word + bit) as u32;
                let block = &mut blocks[router as usize / LANES];
                for input in ones(self.stranded(block, router)) {
                    self.fail(block, router, input, now, probe);
                }
            }
        }
    }

    /// The head of `input` has failed once more.
    fn fail<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
        probe: &mut P,
    ) {
        if block.preferred[input & (NI - 1)][lane(router)].get() >> self.layout.network != 0 {
            return;
        }
        let at = router as usize * self.layout.network + input;
        self.attempts[at] += 1;
        if !self.parts.recovery.takes_over(router, self.attempts[at]) {
            return;
        }
        probe.recovers(now, router);
        let port = self.parts.recovery.port(router, self.packet(block, router, input));
        self.set_lane(block, router, input, port);
        self.wires.wake(self.times.next, router);
    }
}
