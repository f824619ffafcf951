//! Admit and request: which heads may ask, and what each of them asks for.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::router::Requests;
use super::rules::{BEHIND, ELSEWHERE, NODE};
use super::state::{KINDS, Mask, RouterState, clear};
use super::window::First;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::routing::Request;
use crate::contract::selection::{Choice, Selection};
use crate::mask::ones_below;
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

/// The channels that fit a head, open or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fitting {
    /// The preferred channels that fit, of the head's window.
    pub preferred: u64,
    /// The fallback channels that fit, of the head's window.
    pub fallback: u64,
}

/// The channels of a plain router that are open and fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free<S> {
    /// Channels that fit as preferred channels, wherever a head comes from.
    preferred: S,
    /// Channels that fit as escape channels for heads that enter the ring.
    entered: S,
    /// Channels that fit as escape channels for heads from straight behind.
    followed: S,
}

impl<S: Members> Free<S> {
    /// What is free in a router.
    #[inline(always)]
    pub fn of<W: Mask<Set = S>, const NI: usize, const NO: usize>(state: &RouterState<W, NI, NO>) -> Self {
        let [open, any, entered, followed] =
            [state.open, state.fits[NODE], state.fits[NODE + 1], state.fits[BEHIND + 1]].map(W::get);
        Free { preferred: any & open, entered: entered & open, followed: followed & open }
    }

    /// Whether there is none for anybody.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        !(self.preferred | self.entered | self.followed).any()
    }

    /// The preferred channels that the head of `input` may take, of its window.
    #[inline(always)]
    pub fn preferred_of<W: Mask<Set = S>, const NI: usize, const NO: usize>(
        self,
        state: &RouterState<W, NI, NO>,
        input: usize,
    ) -> u64 {
        state.preferred(input) & self.preferred.window(state.first(input))
    }

    /// The escape channels that the head of `input` may take, of its window.
    #[inline(always)]
    pub fn fallback_of<W: Mask<Set = S>, const NI: usize, const NO: usize>(
        self,
        state: &RouterState<W, NI, NO>,
        input: usize,
    ) -> u64 {
        let (own, first) = (state.own(input), state.first(input));
        state.fallback(input) & (self.entered.window(first) & !own | self.followed.window(first) & own)
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
                    clear(fits, W::Set::at(u64::from(free < needed), channel));
                }
            }
        }
        fits
    }

    /// Which of the channels in `fits` the head of `input` may take.
    #[inline(always)]
    pub(super) fn fitting(&self, state: &RouterState<W, NI, NO>, fits: &[W; KINDS], input: usize) -> Fitting {
        // Straight ahead is what a head of a network input goes to by the channel of the same number.
        let network = input < self.layout.network;
        let (own, enters) = if network { (state.own(input), ELSEWHERE) } else { (0, NODE) };
        let of = |escape: usize| {
            let [enters, behind] = [enters, BEHIND].map(|kind| state.window(fits[kind + (escape & 1)], input));
            enters & !own | behind & own
        };
        let (preferred, fallback) = (state.preferred(input), state.fallback(input));
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
        let (fit, first) = (self.fitting(state, fits, input), state.first(input));
        let absolute = |channel: usize| first + channel;
        match self.config.requests {
            Requests::Parallel => self.parallel(state, router, input, fit, now),
            Requests::InTurn => {
                match self.step_in_turn(state, router, input, fit, now) & state.window(state.open, input) {
                    0 => None,
                    free => Some(self.select(state, router, input, free, now)),
                }
            }
            Requests::Smart => self.smart(state, router, input, fit, now),
            Requests::Stay => self.stay(state, router, input, fit, now),
            Requests::Random if fit.preferred != 0 => {
                let draw = rng::low_u64(self.draw(router, input, now));
                let number = rng::below(draw, u64::from(fit.preferred.count_ones()));
                ones(fit.preferred).nth(number as usize).map(absolute)
            }
            Requests::Shortest if fit.preferred != 0 => {
                let room = |&channel: &usize| (-state.credits[channel & (NI - 1)], channel);
                ones(fit.preferred).map(absolute).min_by_key(room)
            }
            Requests::ShortestFlits if fit.preferred != 0 => {
                let behind = |&channel: &usize| {
                    (self.layout.name(channel).map(|name| self.counted.behind(router, name)), channel)
                };
                ones(fit.preferred).map(absolute).min_by_key(behind)
            }
            Requests::Random | Requests::Shortest | Requests::ShortestFlits => lowest(fit.fallback).map(absolute),
        }
    }

    /// The short form of [`Fabric::request`] for a plain router.
    #[inline(always)]
    pub(super) fn request_plainly(
        &self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        free: Free<W::Set>,
        now: u64,
    ) -> Option<usize> {
        match free.preferred_of(state, input) {
            0 => lowest(free.fallback_of(state, input)).map(|channel| state.first(input) + channel),
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
        let open = state.window(state.open, input);
        let (preferred, fallback) = (fit.preferred & open, fit.fallback & open);
        if preferred == 0 || self.config.escape_first && fallback != 0 {
            return lowest(fallback).map(|channel| state.first(input) + channel);
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

    /// The channels that fit of a head's step, of its window, which is a function of the time that it could ask.
    fn step_in_turn(&self, state: &RouterState<W, NI, NO>, router: u32, input: usize, fit: Fitting, now: u64) -> u64 {
        let i = input & (NI - 1);
        let (preferred, fallback, first) = (state.preferred(input), state.fallback(input), state.first(input));
        let dimension = |d: usize| self.layout.dimension::<W::Set>(d).window(first);
        let steps = self.dimensions(input).map(dimension).filter(|&mask| preferred & mask != 0);
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
        rng::draw(self.config.seed, Purpose::Request, router * W::stride(&self.layout) + input as u32, now)
    }

    /// Which of several channels of its window the head of `input` picks.
    #[inline(always)]
    fn select(&self, state: &RouterState<W, NI, NO>, router: u32, input: usize, free: u64, cycle: u64) -> usize {
        let first = state.first(input);
        if free.is_power_of_two() {
            return first + free.trailing_zeros() as usize;
        }
        if let Some(channel) = self.parts.selection.pick_by_free(free, self.config.channels) {
            return first + channel as usize;
        }
        let straight = |(port, _): (u8, u8)| state.first[input & (NI - 1)].port(port, self.config.channels);
        let choice = Choice {
            cycle,
            input: router * W::stride(&self.layout) + input as u32,
            from: self.layout.name(input).and_then(straight),
            packet: self.front(state, input),
            free,
            channels: self.config.channels,
            credits: &state.credits[first..],
        };
        first + self.parts.selection.pick(choice) as usize
    }

    /// Heads of new packets that admission does not let ask in this cycle.
    pub(super) fn held_back(&self, state: &RouterState<W, NI, NO>, router: u32) -> W::Set {
        if !self.throttled {
            return W::Set::default();
        }
        let l = &self.layout;
        let new = state.waiting.get() & !l.links::<W::Set>();
        if !new.any() {
            return W::Set::default();
        }
        let all = ones_below(l.channels) as u16;
        let has_room = |c: &usize| state.credits[c & (NI - 1)] >= self.config.packet_flits as i16;
        let room = (0..l.network).filter(has_room).fold(0u64, |m, c| m | 1 << c);
        let ports: [u16; 16] =
            std::array::from_fn(|p| if p < l.ports { (room >> (p * l.channels)) as u16 & all } else { 0 });
        let is_idle = |&p: &usize| state.open.get() & l.link(p) == l.link(p);
        let idle = (0..l.ports).filter(is_idle).fold(0u64, |m, p| m | 1 << p);
        // Ejection channels above what 64 bits hold are of no interest to anybody.
        let idle = idle | state.open_ejection.window(0) << l.ports;
        let view = LocalView { router, idle, room: &ports[..l.ports], all };
        new.that(|input| !self.admits(state, view, input))
    }

    fn admits(&self, state: &RouterState<W, NI, NO>, view: LocalView<'_>, input: usize) -> bool {
        let l = &self.layout;
        let candidates = state.candidates(input);
        let useful = (0..l.ports).filter(|&p| candidates & l.link::<u64>(p) != 0).fold(0u16, |m, p| m | 1 << p);
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
pub(super) fn movable<W: Mask, const NI: usize, const NO: usize>(state: &RouterState<W, NI, NO>) -> W::Set {
    state.open.get() & state.some.get()
}

/// Those of the heads that have a candidate among these channels. The others need no look.
#[inline(always)]
pub(super) fn near<W: Mask, const NI: usize, const NO: usize>(
    state: &RouterState<W, NI, NO>,
    heads: W::Set,
    channels: W::Set,
) -> W::Set {
    if heads.is_one_at_most() {
        // A single one is as quickly asked itself.
        return if channels.any() { heads } else { W::Set::default() };
    }
    W::touching(heads, [&state.preferred, &state.fallback], &state.first, channels)
}
