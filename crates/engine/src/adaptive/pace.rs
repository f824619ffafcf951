//! Pauses: outputs and inputs that send nothing for a while after a tail, and heads that ask again a while after a request in
//! vain. First come, first served is here too: it goes by the same times.

use super::events::Place;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::router::{Pace, Requests, Router};
use super::state::{Layout, Mask, RouterState, clear};
use crate::wheel::Wheel;
use tailback_base::bits::ones;
use tailback_base::state::{Unfit, ensure};

/// What pauses, and until when.
#[derive(Clone, Debug)]
pub(super) struct Pauses {
    /// Outputs that pause: channels between routers, then ejection channels.
    pub outputs: Wheel<Place>,
    /// Per input (`router * NI + input`), the cycle from which on it may send; empty where inputs do not pause.
    inputs: Vec<u64>,
    /// Per input, the cycle from which on the head at its front might ask; empty unless the first comes first.
    since: Vec<u64>,
}

tailback_base::state!([] Pauses { saved: outputs, inputs, since; });

/// Bytes of a router's pauses, for estimates.
pub(super) fn router_bytes(router: &Router, inputs: usize, outputs: usize) -> usize {
    let pace = &router.pace;
    let words = usize::from(pace.input_gap_cycles > 0) + usize::from(pace.first_come);
    let outputs = if pace.output_gap_cycles > 0 { outputs * size_of::<Place>() } else { 0 };
    words * inputs * size_of::<u64>() + outputs
}

impl Pauses {
    /// Nothing pauses.
    pub fn new(pace: &Pace, layout: &Layout, routers: usize, inputs: usize) -> Self {
        let all = routers * inputs;
        let most =
            if pace.output_gap_cycles > 0 { routers * (layout.network + layout.nodes * layout.ejection) } else { 0 };
        Pauses {
            outputs: Wheel::new(pace.output_gap_cycles.into(), most),
            inputs: vec![0; if pace.input_gap_cycles > 0 { all } else { 0 }],
            since: vec![0; if pace.first_come { all } else { 0 }],
        }
    }

    /// The cycle from which on a head that comes to the front of an input may ask, if that is `asks` without a pause.
    #[inline]
    pub fn asks_from(&mut self, input: usize, asks: u64) -> u64 {
        let asks = self.inputs.get(input).map_or(asks, |&rests| asks.max(rests));
        if let Some(since) = self.since.get_mut(input) {
            *since = asks;
        }
        asks
    }

    /// Those of the inputs of a router whose heads might ask first; the router's inputs begin with `first`.
    #[inline]
    pub fn first_come(&self, first: usize, inputs: u64) -> u64 {
        let since = |input: usize| self.since[first + input];
        let earliest = ones(inputs).map(since).min();
        ones(inputs).filter(|&input| Some(since(input)) == earliest).fold(0, |all, input| all | 1 << input)
    }
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// A tail has left by a channel, or by an ejection channel: its output and its input pause.
    #[inline]
    pub(super) fn pause(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        now: u64,
        (router, input): (u32, usize),
        (channel, ejection): (usize, bool),
    ) {
        if let Some(rests) = self.pauses.inputs.get_mut(router as usize * NI + (input & (NI - 1))) {
            *rests = now + u64::from(self.config.pace.input_gap_cycles);
        }
        let gap = self.config.pace.output_gap_cycles;
        if gap == 0 {
            return self.open_output::<false>(state, router, channel, ejection);
        }
        let number = if ejection { self.layout.network + channel } else { channel } as u8;
        self.pauses.outputs.push(now + u64::from(gap), Place { router, number });
    }

    /// Outputs that have paused may be granted again.
    #[inline]
    pub(super) fn end_pauses(&mut self, routers: &mut [RouterState<W, NI, NO>], now: u64) {
        if self.config.pace.output_gap_cycles == 0 {
            return;
        }
        let mut cursor = self.pauses.outputs.open(now);
        while let Some(Place { router, number }) = self.pauses.outputs.take(&mut cursor) {
            let number = usize::from(number);
            let ejection = number.checked_sub(self.layout.network);
            self.open_output::<false>(
                &mut routers[router as usize],
                router,
                ejection.unwrap_or(number),
                ejection.is_some(),
            );
            self.look.insert(router as usize);
        }
    }

    /// Heads that asked and were granted nothing ask again after a while.
    pub(super) fn refuse(&mut self, state: &mut RouterState<W, NI, NO>, router: u32, now: u64) {
        let refused = self.asked.tried & state.waiting.get();
        clear(&mut state.waiting, refused);
        let after = u64::from(self.config.pace.refusal_cycles);
        for input in ones(refused) {
            self.ripe.push(now + after, Place { router, number: input as u8 });
            if self.config.requests == Requests::InTurn {
                self.steps[router as usize * NI + (input & (NI - 1))] += after - 1;
            }
        }
    }

    /// The channels and ejection channels of a router that are closed because their outputs pause.
    pub(super) fn pausing(&self, router: u32) -> (u64, u64) {
        let here = self.pauses.outputs.iter().filter(|place| place.router == router);
        here.fold((0, 0), |(channels, ejection), place| {
            let number = usize::from(place.number);
            match number.checked_sub(self.layout.network) {
                Some(channel) => (channels, ejection | 1 << channel),
                None => (channels | self.layout.closes[number], ejection),
            }
        })
    }

    /// Pauses are those of outputs that are there, and no longer than they can be.
    pub(super) fn pauses_fit(&self) -> Result<(), Unfit> {
        let (l, routers) = (&self.layout, self.routers.len() as u32);
        let there =
            |place: &Place| place.router < routers && usize::from(place.number) < l.network + l.nodes * l.ejection;
        ensure(self.pauses.outputs.iter().all(there), "an output pauses that is not there")?;
        let latest = self.cycle + self.config.longest_pause();
        let soon = self.pauses.inputs.iter().chain(&self.pauses.since).all(|&at| at <= latest);
        ensure(soon, "an input pauses for longer than it can")
    }
}
