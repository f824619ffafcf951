//! Admit and request: which heads may ask, and what each of them asks for.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::router::{MAX_PORTS, Requests};
use super::rules::{BEHIND, ELSEWHERE, NODE};
use super::state::{KINDS, Mask, RouterState, clear};
use crate::contract::admission::{Admission, LocalView};
use crate::contract::routing::Request;
use crate::contract::selection::{Choice, Selection};
use crate::mask::ones_below;
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

/// The channels that fit a head, open or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fitting {
    /// The preferred channels that fit.
    pub preferred: u64,
    /// The fallback channels that fit.
    pub fallback: u64,
}

/// The channels of a plain router that are open and fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free {
    /// Channels that fit as preferred channels, wherever a head comes from.
    pub preferred: u64,
    /// Channels that fit as escape channels for heads that enter the ring.
    entered: u64,
    /// Channels that fit as escape channels for heads from straight behind.
    followed: u64,
}

impl Free {
    /// What is free in a router.
    #[inline(always)]
    pub fn of<W: Mask, const NI: usize, const NO: usize>(state: &RouterState<W, NI, NO>) -> Self {
        let [open, any, entered, followed] =
            [state.open, state.fits[NODE], state.fits[NODE + 1], state.fits[BEHIND + 1]].map(W::get);
        Free { preferred: any & open, entered: entered & open, followed: followed & open }
    }

    /// Whether there is none for anybody.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.preferred | self.entered | self.followed == 0
    }

    /// The escape channels that the head of `input` may take.
    #[inline(always)]
    pub fn fallback_of<W: Mask, const NI: usize, const NO: usize>(
        self,
        state: &RouterState<W, NI, NO>,
        input: usize,
    ) -> u64 {
        let own = 1 << input;
        state.fallback[input & (NI - 1)].get() & (self.entered & !own | self.followed & own)
    }
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// By kind of step, the channels of a router that fit in this moment, bubbles around rings among it.
    #[inline(always)]
    pub(super) fn fits(&self, state: &RouterState<W, NI, NO>, router: u32) -> [W; KINDS] {
        let mut fits = state.fits;
        if !self.rings.free.is_empty() {
            for channel in 0..self.layout.network {
                let free = self.rings.free[self.rings.ring(router, channel)];
                for (fits, &needed) in fits.iter_mut().zip(&self.rules.ring) {
                    clear(fits, u64::from(free < needed) << channel);
                }
            }
        }
        fits
    }

    /// Which of the channels in `fits` the head of `input` may take.
    #[inline(always)]
    pub(super) fn fitting(&self, state: &RouterState<W, NI, NO>, fits: &[W; KINDS], input: usize) -> Fitting {
        // Straight ahead is what a head of a network input goes to by the channel of the same number.
        let own = 1 << input & self.layout.links;
        let enters = if own == 0 { NODE } else { ELSEWHERE };
        let of = |escape: usize| {
            let (enters, behind) = (fits[enters + (escape & 1)].get(), fits[BEHIND + (escape & 1)].get());
            enters & !own | behind & own
        };
        let i = input & (NI - 1);
        let (preferred, fallback) = (state.preferred[i].get(), state.fallback[i].get());
        Fitting { preferred: preferred & of(self.escape), fallback: if fallback == 0 { 0 } else { fallback & of(1) } }
    }

    /// The channel that the head of `input` asks for. It may not be open, except under `parallel` and `in_turn`.
    #[inline(always)]
    pub(super) fn request(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        fits: &[W; KINDS],
        now: u64,
    ) -> Option<usize> {
        let fit = self.fitting(state, fits, input);
        match self.config.requests {
            Requests::Parallel => self.parallel(state, router, input, fit, now),
            Requests::InTurn => match self.step_in_turn(state, router, input, fit, now) & state.open.get() {
                0 => None,
                free => Some(self.select(state, router, input, free, now)),
            },
            Requests::Smart => self.smart(state, router, input, fit, now),
            Requests::Stay => self.stay(state, router, input, fit, now),
            Requests::Random if fit.preferred != 0 => {
                let draw = rng::low_u64(self.draw(router, input, now));
                let number = rng::below(draw, u64::from(fit.preferred.count_ones()));
                ones(fit.preferred).nth(number as usize)
            }
            Requests::Shortest if fit.preferred != 0 => {
                let room = |&channel: &usize| (-state.credits[channel & (NI - 1)], channel);
                ones(fit.preferred).min_by_key(room)
            }
            Requests::ShortestFlits if fit.preferred != 0 => {
                let behind = |&channel: &usize| {
                    (self.layout.name(channel).map(|name| self.counted.behind(router, name)), channel)
                };
                ones(fit.preferred).min_by_key(behind)
            }
            Requests::Random | Requests::Shortest | Requests::ShortestFlits => lowest(fit.fallback),
        }
    }

    /// The short form of [`Fabric::request`] for a plain router.
    #[inline(always)]
    pub(super) fn request_plainly(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        free: Free,
        now: u64,
    ) -> Option<usize> {
        match state.preferred[input & (NI - 1)].get() & free.preferred {
            0 => lowest(free.fallback_of(state, input)),
            preferred => Some(self.select(state, router, input, preferred, now)),
        }
    }

    #[inline(always)]
    fn parallel(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        fit: Fitting,
        now: u64,
    ) -> Option<usize> {
        let open = state.open.get();
        let (preferred, fallback) = (fit.preferred & open, fit.fallback & open);
        if preferred == 0 || self.config.escape_first && fallback != 0 {
            return lowest(fallback);
        }
        Some(self.select(state, router, input, preferred, now))
    }

    /// Whether the head of `input`, which asks for `channel`, asks for something that fits, open or not.
    pub(super) fn tries(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        (fits, channel): (&[W; KINDS], Option<usize>),
        now: u64,
    ) -> bool {
        let fit = || self.fitting(state, fits, input);
        match self.config.requests {
            Requests::Parallel => fit().preferred | fit().fallback != 0,
            Requests::InTurn => self.step_in_turn(state, router, input, fit(), now) != 0,
            _ => channel.is_some(),
        }
    }

    /// The channels that fit of a head's step, which is a function of the time that it could ask.
    fn step_in_turn(&self, state: &RouterState<W, NI, NO>, router: u32, input: usize, fit: Fitting, now: u64) -> u64 {
        let i = input & (NI - 1);
        let (preferred, fallback) = (state.preferred[i].get(), state.fallback[i].get());
        let steps = self.dimensions(input).map(|d| self.layout.dimension[d]).filter(|&mask| preferred & mask != 0);
        let count = steps.clone().count() as u64 + u64::from(fallback != 0);
        let step = (now - self.steps[router as usize * NI + i]) % count;
        match steps.into_iter().nth(step as usize) {
            Some(dimension) => fit.preferred & dimension,
            None => fit.fallback,
        }
    }

    /// All dimensions from the one that heads of `input` come by.
    pub(super) fn dimensions(&self, input: usize) -> impl Iterator<Item = usize> + Clone + use<M, W, NI, NO> {
        let (first, all) = (self.layout.dimension_of(input), self.layout.dimensions);
        (0..all).map(move |step| if first + step < all { first + step } else { first + step - all })
    }

    /// The random bits of an input in a cycle.
    pub(super) fn draw(&self, router: u32, input: usize, now: u64) -> [u32; 4] {
        rng::draw(self.config.seed, Purpose::Request, router * MAX_PORTS as u32 + input as u32, now)
    }

    /// Which of several channels the head of `input` picks.
    #[inline(always)]
    fn select(&self, state: &RouterState<W, NI, NO>, router: u32, input: usize, free: u64, cycle: u64) -> usize {
        if free.is_power_of_two() {
            return free.trailing_zeros() as usize;
        }
        if let Some(channel) = self.parts.selection.pick_by_free(free, self.config.channels) {
            return channel as usize;
        }
        let choice = Choice {
            cycle,
            input: router * MAX_PORTS as u32 + input as u32,
            from: self.layout.name(input).map(|name| name.0),
            packet: self.front(state, input),
            free,
            channels: self.config.channels,
            credits: &state.credits,
        };
        self.parts.selection.pick(choice) as usize
    }

    /// Heads of new packets that admission does not let ask in this cycle.
    pub(super) fn held_back(&self, state: &RouterState<W, NI, NO>, router: u32) -> u64 {
        let new = state.waiting.get() >> self.layout.network << self.layout.network;
        if !self.throttled || new == 0 {
            return 0;
        }
        let l = &self.layout;
        let all = ones_below(l.channels) as u16;
        let has_room = |c: &usize| state.credits[c & (NI - 1)] >= self.config.packet_flits as i16;
        let room = (0..l.network).filter(has_room).fold(0u64, |m, c| m | 1 << c);
        let ports: [u16; 16] =
            std::array::from_fn(|p| if p < l.ports { (room >> (p * l.channels)) as u16 & all } else { 0 });
        let idle = (0..l.ports).filter(|&p| state.open.get() & l.link[p] == l.link[p]).fold(0u64, |m, p| m | 1 << p);
        // Ejection channels above what 64 bits hold are of no interest to anybody.
        let idle = idle | state.open_ejection << l.ports;
        let view = LocalView { router, idle, room: &ports[..l.ports], all };
        ones(new).filter(|&input| !self.admits(state, view, input)).fold(0, |held, input| held | 1 << input)
    }

    fn admits(&self, state: &RouterState<W, NI, NO>, view: LocalView<'_>, input: usize) -> bool {
        let l = &self.layout;
        let candidates = state.candidates(input);
        let useful = (0..l.ports).filter(|&p| candidates & l.link[p] != 0).fold(0u16, |m, p| m | 1 << p);
        let request = match useful {
            0 => Request { port: None, channels: 1 },
            _ => {
                let port = useful.trailing_zeros() as usize;
                let channels = (candidates >> (port * l.channels)) as u16 & view.all;
                Request { port: Some(port as u8), channels }
            }
        };
        self.parts.admission.admits_by_any(view, request, useful)
    }
}

/// The lowest of the channels.
#[inline(always)]
pub(super) fn lowest(channels: u64) -> Option<usize> {
    (channels != 0).then(|| channels.trailing_zeros() as usize)
}

/// The channels that are open and fit somebody.
#[inline(always)]
pub(super) fn movable<W: Mask, const NI: usize, const NO: usize>(state: &RouterState<W, NI, NO>) -> u64 {
    state.open.get() & state.some.get()
}

/// Those of the heads that have a candidate among these channels. The others need no look.
#[inline(always)]
pub(super) fn near<W: Mask, const NI: usize, const NO: usize>(
    state: &RouterState<W, NI, NO>,
    heads: u64,
    channels: u64,
) -> u64 {
    if heads & heads.wrapping_sub(1) == 0 {
        // A single one is as quickly asked itself.
        return if channels == 0 { 0 } else { heads };
    }
    heads & W::touching(&state.preferred, &state.fallback, W::of(channels))
}
