//! Request and allocate: heads ask, and every output that is open and asked for picks one of them. A grant is visible
//! elsewhere in the next cycle at the earliest; only the bubble around a ring is seen at once, by the routers that follow.

use super::fabric::{Arrival, Fabric, Place};
use super::state::{Input, KINDS, Mask, RouterState, add, clear};
use super::{MAX_PORTS, Mechanisms, Requests};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Grant, Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use crate::cut_through::ones_below;
use crate::packet::Slot;
use tailback_base::bits::ones;

/// What the heads of a router ask for.
#[derive(Clone, Debug)]
pub(super) struct Asked<const NI: usize, const NO: usize> {
    /// Outputs that are asked for and open.
    outputs: u64,
    /// Who asks for each of them; means nothing for others.
    by: [u64; NO],
    /// The channel that each head asks for.
    channel: [u8; NI],
}

impl<const NI: usize, const NO: usize> Default for Asked<NI, NO> {
    fn default() -> Self {
        Asked { outputs: 0, by: [0; NO], channel: [0; NI] }
    }
}

impl<const NI: usize, const NO: usize> Asked<NI, NO> {
    #[inline(always)]
    fn ask(&mut self, input: usize, output: usize) {
        let (bit, o) = (1u64 << output, output & (NO - 1));
        let others = if self.outputs & bit == 0 { 0 } else { self.by[o] };
        self.by[o] = others | 1 << input;
        self.outputs |= bit;
    }
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// The heads of a router ask, and its outputs grant. Returns whether there may be something to grant in the next cycle
    /// even if nothing else happens.
    #[inline(always)]
    pub(super) fn request_and_allocate<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) -> bool {
        let waiting = state.waiting.get();
        let heads = if self.throttled { waiting & !self.held_back(state, router) } else { waiting };
        let able = if self.rings.free.is_empty() {
            self.requests(state, router, heads, &state.fits, now)
        } else {
            self.requests(state, router, heads, &self.fits(state, router), now)
        };
        for output in ones(self.asked.outputs) {
            self.arbitrate(state, router, output, now, probe);
        }
        let left = state.waiting.get();
        if left == 0 {
            return false;
        }
        // What admission holds back, where the pointer of a head stands, and the bubble around a ring change with the time.
        self.throttled && left >> self.layout.network != 0
            || self.config.requests == Requests::Smart && left & !state.ejecting.get() != 0
            || (able || !self.rings.free.is_empty()) && self.could_ask(state, left, &state.fits)
    }

    /// Collects what the heads ask for. Returns whether some head could be granted something.
    #[inline(always)]
    fn requests(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        heads: u64,
        fits: &[W; KINDS],
        now: u64,
    ) -> bool {
        self.asked.outputs = 0;
        let (ejecting, open) = (state.ejecting.get(), state.open.get());
        for input in ones(heads & ejecting) {
            let channel = usize::from(state.at(input).channel);
            if state.open_ejection >> channel & 1 == 1 {
                self.asked.ask(input, self.layout.outputs + channel);
            }
        }
        let network = heads & !ejecting;
        // Under `smart` the pointer moves whatever happens.
        let able = if self.config.requests == Requests::Smart { network } else { near(state, network) };
        for input in ones(able) {
            if let Some(channel) = self.request(state, router, input, fits, now) {
                self.asked.channel[input & (NI - 1)] = channel as u8;
                if open >> channel & 1 == 1 {
                    self.asked.ask(input, usize::from(self.layout.output[channel & (MAX_PORTS - 1)]));
                }
            }
        }
        able != 0 || self.asked.outputs != 0
    }

    /// Whether one of the heads could be granted something now or, step by step, later, if the channels in `fits` fit.
    #[inline(always)]
    pub(super) fn could_ask(&self, state: &RouterState<W, NI, NO>, heads: u64, fits: &[W; KINDS]) -> bool {
        let ejecting = state.ejecting.get();
        let ejects = |input: usize| state.open_ejection >> state.at(input).channel & 1 == 1;
        let able = |input: usize| {
            let fit = self.fitting(state, fits, input);
            (fit.preferred | fit.fallback) & state.open.get() != 0
        };
        ones(heads & ejecting).any(ejects) || ones(near(state, heads & !ejecting)).any(able)
    }

    /// An output picks among the heads that ask for it, and grants.
    #[inline(always)]
    fn arbitrate<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        output: usize,
        now: u64,
        probe: &mut P,
    ) {
        let o = output & (NO - 1);
        let mut inputs = self.asked.by[o];
        let transit = inputs & ones_below(self.layout.network);
        if self.config.transit_first && transit != 0 {
            inputs = transit;
        }
        let contest = Contest { cycle: now, output: router * MAX_PORTS as u32 + output as u32, inputs };
        let mut pointer = state.pointer[o];
        let input = self.parts.arbiter.pick(contest, &mut pointer, |input| {
            let packet = self.front(state, input as usize);
            (packet.birth, packet.source)
        });
        self.parts.arbiter.served(contest.output, input);
        let input = input as usize;
        state.pointer[o] = pointer;
        clear(&mut state.waiting, 1 << input);
        if let Some(ejection) = output.checked_sub(self.layout.outputs) {
            state.open_ejection &= !(1 << ejection);
            self.send(state, router, input, now, probe);
        } else {
            let channel = usize::from(self.asked.channel[input & (NI - 1)]);
            self.take(state, router, input, channel, now, probe);
        }
    }

    /// The head of `input` is granted a channel between routers.
    #[inline(always)]
    fn take<P: Probe>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        channel: usize,
        now: u64,
        probe: &mut P,
    ) {
        let c = channel & (NI - 1);
        state.at_mut(input).channel = channel as u8;
        state.credits[c] -= self.config.packet_flits as i16;
        clear(&mut state.open, self.layout.closes[c]);
        ones(state.candidates(input)).for_each(|c| clear(&mut state.wanted[c & (NI - 1)], 1 << input));
        self.rules.book(state, c);
        let prefers = state.preferred[input & (NI - 1)].get() >> c & 1 == 1;
        let by = if prefers { TakenBy::Preference } else { TakenBy::Escape };
        probe.taken(Taken { cycle: now, router, port: self.layout.port[c], by });
        if self.by_channel {
            add(&mut state.held, 1 << c);
            state.at_mut(c).holder = input as u8;
        }
        if !self.rings.free.is_empty() {
            let ring = self.rings.ring(router, channel);
            self.rings.free[ring] -= 1;
        }
        if !self.by_channel {
            self.send(state, router, input, now, probe);
        }
    }

    /// The packet at the front of `input` is sent from this cycle on, by the output that it holds.
    #[inline(always)]
    pub(super) fn send<P: Probe>(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        now: u64,
        probe: &mut P,
    ) {
        let Input { slot, channel, .. } = *state.at(input);
        let (channel, flits) = (usize::from(channel), self.config.packet_flits);
        let name = if state.ejects(input) { None } else { self.layout.name(channel) };
        let injected = input >= self.layout.network;
        self.tails.push(now + u64::from(flits), Place { router, number: input as u8 });
        if injected {
            self.enters(now, router, input, slot.packet, probe);
        }
        if let Some((port, _)) = name {
            let word = self.parts.routing.advance(port, slot.word);
            let arrival = Arrival {
                router: state.peer(usize::from(port)),
                input: channel as u32,
                slot: Slot { packet: slot.packet, word },
            };
            self.arrivals.push(now + u64::from(self.grid.link_cycles()), arrival);
            self.packets[slot.packet].hops += 1;
            self.counters.packet_hops += 1;
            self.counters.flit_hops += u64::from(flits);
        }
        probe.granted(Grant { cycle: now, router, channel: name, flits, injected });
        if self.occupancy.is_some() {
            self.track(now, router, input, name);
        }
    }

    /// Books what sending the packet at the front of `input` does to buffer levels.
    fn track(&mut self, now: u64, router: u32, input: usize, channel: Option<(u8, u8)>) {
        let Some(occupancy) = &mut self.occupancy else { return };
        if let Some((port, channel)) = self.layout.name(input) {
            let buffer = occupancy.index(router, usize::from(port), usize::from(channel));
            occupancy.departs(buffer, now, self.config.packet_flits);
        }
        if let Some((port, channel)) = channel {
            let peer = self.grid.peer(router, usize::from(port));
            let buffer = occupancy.index(peer, usize::from(port), usize::from(channel));
            occupancy.arrives(buffer, now + u64::from(self.grid.link_cycles()), self.config.packet_flits);
        }
    }
}

/// Those of the heads that have a candidate which is open and fits somebody. The others need no look.
#[inline(always)]
fn near<W: Mask, const NI: usize, const NO: usize>(state: &RouterState<W, NI, NO>, heads: u64) -> u64 {
    let movable = state.open.get() & state.some.get();
    if heads & heads.wrapping_sub(1) == 0 {
        // A single one is as quickly asked itself.
        return if movable == 0 { 0 } else { heads };
    }
    heads & ones(movable).fold(0, |near, c| near | state.wanted[c & (NI - 1)].get())
}
