//! Requests under `smart`: one step a cycle from where a head's pointer stands.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::requests::{Fitting, lowest, near};
use super::router::Requests;
use super::state::{Mask, RouterState};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// The step is where the pointer stands, or the first after it that fits. Answers nothing, too, where all that the head
    /// could ask for in a step is closed.
    pub(super) fn smart(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        fit: Fitting,
        now: u64,
    ) -> Option<usize> {
        let i = input & (NI - 1);
        let (pointer, first) = (router as usize * NI + i, state.first(input));
        let absolute = |channel: usize| first + channel;
        if fit.preferred == 0 {
            self.steps[pointer] = 0;
            return lowest(fit.fallback).map(absolute);
        }
        let from = self.steps[pointer] as usize;
        let own = if input < self.layout.network { state.own(input) } else { 0 };
        let mut draw = None;
        for (step, d) in self.dimensions(input).enumerate().skip(from) {
            let mask = state.preferred(input) & self.layout.dimension::<W::Set>(d).window(first);
            let fits = fit.preferred & mask;
            if fits == 0 {
                continue;
            }
            // PERF: drawn only where it matters which of several channels it is.
            let channel = if mask & own != 0 {
                lowest(own)
            } else if !self.refuses && fits == mask && mask & state.window(state.open, input) == 0 {
                None
            } else {
                let draw = *draw.get_or_insert_with(|| self.draw(router, input, now));
                let bits = draw[step / 2] >> (16 * (step % 2)) & 0xFFFF;
                ones(mask).nth(((bits * mask.count_ones()) >> 16) as usize)
            };
            if channel.is_none_or(|channel| fits.has(channel)) {
                self.steps[pointer] = step as u64 + 1;
                return channel.map(absolute);
            }
        }
        self.steps[pointer] = 0;
        lowest(fit.fallback).map(absolute)
    }

    /// Under `smart`: these heads, none of whose candidates fits anybody, are at their first step again.
    #[inline(always)]
    pub(super) fn begin_again(&mut self, router: u32, heads: W::Set) {
        for input in heads.each() {
            self.steps[router as usize * NI + (input & (NI - 1))] = 0;
        }
    }

    /// Under `smart`: whether the pointer of one of the heads may move though nothing else happens. One at its beginning
    /// stays there while nothing fits that the head prefers.
    pub(super) fn pointers_move(&self, state: &RouterState<W, NI, NO>, router: u32, heads: W::Set) -> bool {
        let first = router as usize * NI;
        let prefers = |input: usize| self.fitting(state, &state.fits, input).preferred & self.reach(state, input) != 0;
        heads.each().any(|input| self.steps[first + (input & (NI - 1))] != 0)
            || near(state, heads, state.some.get()).each().any(prefers)
    }

    /// The candidates of the head of `input` that it will ask for some day, while they fit, of its window.
    #[inline(always)]
    pub(super) fn reach(&self, state: &RouterState<W, NI, NO>, input: usize) -> u64 {
        let (preferred, fallback) = (state.preferred(input), state.fallback(input));
        match (self.config.requests, self.stays_in(state, input)) {
            (Requests::Smart, Some(own)) => {
                let straight = self.layout.dimension::<W::Set>(self.layout.dimension_of(input));
                preferred & !(straight.window(state.first(input)) & !own) | fallback
            }
            (Requests::Stay, Some(own)) => own | fallback,
            _ => preferred | fallback,
        }
    }
}
