//! Requests under `stay`: straight on the channel that a head is in, at a turn any of those that it prefers.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::requests::{Fitting, lowest};
use super::state::{Mask, RouterState};
use tailback_base::bits::ones;
use tailback_base::rng;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// The channel is drawn anew in every cycle, among those that fit and those that do not.
    pub(super) fn stay(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        fit: Fitting,
        now: u64,
    ) -> Option<usize> {
        let preferred = state.preferred(input);
        let channel = match self.stays_in(state, input) {
            Some(own) => lowest(own),
            None if preferred == 0 => None,
            None => {
                let draw = rng::low_u64(self.draw(router, input, now));
                ones(preferred).nth(rng::below(draw, u64::from(preferred.count_ones())) as usize)
            }
        };
        let fits = channel.filter(|&channel| fit.preferred.has(channel));
        fits.or_else(|| lowest(fit.fallback)).map(|channel| state.first(input) + channel)
    }

    /// The channel that the head of `input` is in, as a mask of its window, if it prefers that straight on.
    pub(super) fn stays_in(&self, state: &RouterState<W, NI, NO>, input: usize) -> Option<u64> {
        let own = state.own(input);
        (input < self.layout.network && state.preferred(input) & own != 0).then_some(own)
    }
}
