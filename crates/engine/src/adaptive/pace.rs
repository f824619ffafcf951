//! Pauses: outputs and inputs that send nothing for a while after a tail, and heads that ask again a while after a request in
//! vain. First come, first served is here too: it goes by the same times.

use super::events::{Output, RouterPort};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::Requests;
use super::state::{Layout, Mask, RouterState, clear};
use tailback_base::state::{Unfit, ensure};

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// A tail has left by a channel, or by an ejection channel: its output and its input pause.
    #[inline]
    pub(super) fn pause(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        (router, input): (u32, usize),
        output: Output,
    ) {
        if let Some(rests) = self.pauses.inputs.get_mut(router as usize * NI + (input & (NI - 1))) {
            *rests = now + u64::from(self.config.pace.input_gap_cycles);
        }
        let gap = self.config.pace.output_gap_cycles;
        if gap == 0 {
            return self.open_output::<false>(state, router, output);
        }
        let number = self.layout.number(output);
        self.pauses.outputs.push(now + u64::from(gap), RouterPort { router, number });
    }

    /// Outputs that have paused may be granted again.
    #[inline]
    pub(super) fn end_pauses(&mut self, routers: &mut [RouterState<W, NI, NO>], now: u64) {
        if self.config.pace.output_gap_cycles == 0 {
            return;
        }
        let mut cursor = self.pauses.outputs.open(now);
        while let Some(RouterPort { router, number }) = self.pauses.outputs.take(&mut cursor) {
            self.open_output::<false>(&mut routers[router as usize], router, self.layout.output(number));
            self.look.insert(router as usize);
        }
    }

    /// Heads that asked and were granted nothing ask again after a while.
    pub(super) fn refuse(&mut self, state: &mut RouterState<W, NI, NO>, router: u32, now: u64) {
        let refused = self.asked.tried & state.waiting.get();
        clear(&mut state.waiting, refused);
        let after = u64::from(self.config.pace.refusal_cycles);
        for input in refused.each() {
            self.ripe.push(now + after, RouterPort { router, number: input as u16 });
            if self.config.requests == Requests::InTurn {
                self.steps[router as usize * NI + (input & (NI - 1))] += after - 1;
            }
        }
    }

    /// The channels and ejection channels of a router that are closed because their outputs pause.
    pub(super) fn pausing(&self, router: u32) -> (W::Set, W::Set) {
        let here = self.pauses.outputs.iter().filter(|place| place.router == router);
        here.fold(Default::default(), |(channels, ejection), place| match self.layout.output(place.number) {
            Output::Ejection(channel) => (channels, ejection | W::Set::one(channel)),
            Output::Channel(channel) => (channels | self.layout.closes(channel), ejection),
        })
    }

    /// Pauses are those of outputs that are there, and no longer than they can be.
    pub(super) fn pauses_fit(&self) -> Result<(), Unfit> {
        let (l, routers) = (&self.layout, self.routers.len() as u32);
        let there =
            |place: &RouterPort| place.router < routers && usize::from(place.number) < l.network + l.nodes * l.ejection;
        ensure(self.pauses.outputs.iter().all(there), "an output pauses that is not there")?;
        let latest = self.cycle + self.config.longest_pause();
        let soon = self.pauses.inputs.iter().chain(&self.pauses.since).all(|&at| at <= latest);
        ensure(soon, "an input pauses for longer than it can")
    }
}

impl Layout {
    /// The number of an output of a router: channels, then ejection channels.
    fn number(&self, output: Output) -> u16 {
        match output {
            Output::Channel(channel) => channel as u16,
            Output::Ejection(channel) => (self.network + channel) as u16,
        }
    }

    fn output(&self, number: u16) -> Output {
        let number = usize::from(number);
        number.checked_sub(self.network).map_or(Output::Channel(number), Output::Ejection)
    }
}
