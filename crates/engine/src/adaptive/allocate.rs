//! Request and allocate: heads ask, and every output that is open and asked for picks one of them. A grant is visible
//! elsewhere in the next cycle at the earliest; only the bubble around a ring is seen at once, by the routers that follow.

use super::events::{Arrival, RouterPort};
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::requests::{Free, movable, near};
use super::router::{MAX_INPUTS, Requests};
use super::state::{KINDS, Mask, RouterState, add, clear};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Grant, Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use crate::packet::Slot;

/// So many heads are as quickly asked themselves as looked through for those that could be granted something.
const FEW: u32 = 3;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// The heads of a router ask, and its outputs grant. Returns whether there may be something to grant in the next cycle
    /// even if nothing else happens.
    #[inline(always)]
    pub(super) fn request_and_allocate<P: Probe, const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) -> bool {
        let waiting = state.waiting.get();
        let heads = if !PLAIN && self.throttled { waiting & !self.held_back(state, router) } else { waiting };
        let able = if PLAIN || self.rings.free.is_empty() {
            self.requests::<PLAIN>(state, router, heads, &state.fits, now)
        } else {
            self.requests::<PLAIN>(state, router, heads, &self.fits(state, router), now)
        };
        let mut outputs = self.asked.outputs;
        while outputs.any() {
            self.arbitrate::<P, PLAIN>(state, router, outputs.lowest(), now, probe);
            outputs = outputs.but_lowest();
        }
        if !PLAIN && self.refuses {
            self.refuse(state, router, now);
        }
        let left = state.waiting.get();
        if !left.any() {
            return false;
        }
        if PLAIN {
            return able && self.could_ask_plainly(state, left);
        }
        // What admission holds back, where the pointer of a head stands, and the bubble around a ring change with the time.
        self.throttled && (left & !self.layout.links::<W::Set>()).any()
            || self.config.requests == Requests::Smart
                && self.pointers_move(state, router, left & !state.ejecting.get())
            || (able || !self.rings.free.is_empty()) && self.could_ask(state, left, &state.fits)
    }

    /// Collects what the heads ask for. Returns whether some head could be granted something.
    #[inline(always)]
    fn requests<const PLAIN: bool>(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        heads: W::Set,
        fits: &[W; KINDS],
        now: u64,
    ) -> bool {
        let at_home = heads & state.ejecting.get();
        let finds_room = |input: usize| self.home.has_room(router, state.at(input).channel.into());
        let tried = if self.refuses { at_home.that(finds_room) } else { W::Set::default() };
        (self.asked.outputs, self.asked.tried) = (W::Set::default(), tried);
        let (ejecting, open) = (state.ejecting.get(), state.open.get());
        let mut local = heads & ejecting;
        while local.any() {
            let input = local.lowest();
            local = local.but_lowest();
            let channel = usize::from(state.at(input).channel);
            if state.open_ejection.has(channel) {
                self.asked.ask(input, self.layout.outputs + self.home.arbiter_of(channel));
            }
        }
        let network = heads & !ejecting;
        if PLAIN {
            return self.requests_between_routers(state, router, network, now) || self.asked.outputs.any();
        }
        let able = if self.config.requests == Requests::Smart {
            // A pointer moves whether what is asked for is open or not.
            let able = near(state, network, state.some.get());
            self.begin_again(router, network & !able);
            able
        } else if self.refuses {
            near(state, network, state.some.get())
        } else {
            near(state, network, movable(state))
        };
        for input in able.each() {
            let asks_for = self.request(state, router, input, fits, now);
            if self.refuses && self.tries(state, router, input, (fits, asks_for), now) {
                self.asked.tried = self.asked.tried | W::Set::one(input);
            }
            if let Some(channel) = asks_for {
                self.asked.channel[input & (NI - 1)] = channel as u16;
                if open.has(channel) {
                    self.asked.ask(input, usize::from(self.layout.output[channel & (MAX_INPUTS - 1)]));
                }
            }
        }
        able.any() || self.asked.outputs.any()
    }

    /// Collects what the heads of a plain router ask of links. Returns whether some head could be granted something.
    #[inline(always)]
    fn requests_between_routers(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        heads: W::Set,
        now: u64,
    ) -> bool {
        let free = Free::of(state);
        if free.is_empty() {
            return false;
        }
        let mut left = if heads.size() <= FEW { heads } else { near(state, heads, movable(state)) };
        let able = left.any();
        while left.any() {
            let input = left.lowest();
            left = left.but_lowest();
            if let Some(channel) = self.request_plainly(state, router, input, free, now) {
                self.asked.channel[input & (NI - 1)] = channel as u16;
                self.asked.ask(input, self.layout.port_of(channel));
            }
        }
        able
    }

    /// The short form of [`Fabric::could_ask`] for a plain router.
    #[inline(always)]
    fn could_ask_plainly(&self, state: &RouterState<W, NI, NO>, heads: W::Set) -> bool {
        let (ejecting, free) = (state.ejecting.get(), Free::of(state));
        let mut local = heads & ejecting;
        while local.any() {
            if state.open_ejection.has(state.at(local.lowest()).channel.into()) {
                return true;
            }
            local = local.but_lowest();
        }
        let mut left = heads & !ejecting;
        if free.is_empty() || !left.any() {
            return false;
        }
        if left.size() > FEW {
            left = near(state, left, movable(state));
        }
        while left.any() {
            let input = left.lowest();
            if free.preferred_of(state, input) | free.fallback_of(state, input) != 0 {
                return true;
            }
            left = left.but_lowest();
        }
        false
    }

    /// Whether one of the heads could be granted something now or, step by step, later, if the channels in `fits` fit. Where
    /// requests are refused, whether one could ask for something: that costs it time.
    #[inline(always)]
    pub(super) fn could_ask(&self, state: &RouterState<W, NI, NO>, heads: W::Set, fits: &[W; KINDS]) -> bool {
        let ejecting = state.ejecting.get();
        let ejects = |input: usize| state.open_ejection.has(state.at(input).channel.into());
        let open = if self.refuses { self.layout.links() } else { state.open.get() };
        let able = |input: usize| {
            let fit = self.fitting(state, fits, input);
            (fit.preferred | fit.fallback) & self.reach(state, input) & open.window(state.first(input)) != 0
        };
        (heads & ejecting).each().any(ejects)
            || near(state, heads & !ejecting, state.some.get() & open).each().any(able)
    }

    /// An output picks among the heads that ask for it, and grants.
    #[inline(always)]
    fn arbitrate<P: Probe, const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        output: usize,
        now: u64,
        probe: &mut P,
    ) {
        let o = output & (NO - 1);
        let mut inputs = self.asked.by[o];
        if !PLAIN && self.config.transit_first {
            let transit = inputs & self.layout.links();
            inputs = if transit.any() { transit } else { inputs };
        }
        if !PLAIN && self.config.pace.first_come {
            inputs = self.pauses.first_come(router as usize * NI, inputs);
        }
        let input = if self.single_wins && inputs.is_one_at_most() {
            inputs.lowest()
        } else {
            let number = router * W::stride(&self.layout) + output as u32;
            let contest = Contest { cycle: now, output: number, inputs: inputs.askers() };
            let mut pointer = state.pointer[o];
            let input = self.parts.arbiter.pick(contest, &mut pointer, |input| {
                let packet = self.front(state, input as usize);
                (packet.birth, packet.source)
            });
            self.parts.arbiter.served(number, input);
            state.pointer[o] = pointer;
            input as usize
        };
        clear(&mut state.waiting, W::Set::one(input));
        if output >= self.layout.outputs {
            let channel = usize::from(state.at(input).channel);
            if PLAIN {
                state.open_ejection = state.open_ejection & !W::Set::one(channel);
            } else {
                self.close_ejection(state, router, channel);
            }
            self.send::<P, PLAIN>(state, router, input, None, now, probe);
        } else {
            let channel = usize::from(self.asked.channel[input & (NI - 1)]);
            self.take::<P, PLAIN>(state, router, input, channel, now, probe);
        }
    }

    /// The head of `input` is granted a channel between routers.
    #[inline(always)]
    fn take<P: Probe, const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        channel: usize,
        now: u64,
        probe: &mut P,
    ) {
        let c = channel & (NI - 1);
        state.at_mut(input).channel = channel as u16;
        state.credits[c] -= self.config.packet_flits as i16;
        clear(&mut state.open, self.layout.closes(c));
        if self.rules.room_matters(state.credits[c]) {
            self.rules.book(state, c);
        }
        let prefers = state.preferred(input).has(c - state.first(input));
        let by = if prefers { TakenBy::Preference } else { TakenBy::Escape };
        probe.taken(Taken { cycle: now, router, port: self.layout.port[c], by });
        if !PLAIN && self.by_channel {
            add(&mut state.held, W::Set::one(c));
            state.at_mut(c).holder = input as u16;
        }
        if !PLAIN && !self.rings.free.is_empty() {
            let ring = self.rings.ring(router, channel);
            self.rings.free[ring] -= 1;
        }
        if PLAIN || !self.by_channel {
            self.send::<P, PLAIN>(state, router, input, Some(c), now, probe);
        }
    }

    /// The packet at the front of `input` is sent from this cycle on, by the channel that it holds; `None`: to a node here.
    #[inline(always)]
    pub(super) fn send<P: Probe, const PLAIN: bool>(
        &mut self,
        state: &RouterState<W, NI, NO>,
        router: u32,
        input: usize,
        channel: Option<usize>,
        now: u64,
        probe: &mut P,
    ) {
        let (slot, flits) = (state.at(input).slot, self.config.packet_flits);
        let injected = input >= self.layout.network;
        self.tails.push_at(self.due.tails, 0, RouterPort { router, number: input as u16 });
        if injected {
            self.enters(now, router, input, slot.packet, probe);
        }
        if let Some(channel) = channel {
            let port = self.layout.port_of(channel);
            let word = self.parts.routing.advance(port as u8, slot.word);
            let (to, entry) = self.ahead::<PLAIN>(state, router, channel);
            let arrival = Arrival { router: to, input: entry as u32, slot: Slot { packet: slot.packet, word } };
            match self.has_grid::<PLAIN>() {
                true => self.arrivals.push_at(self.due.arrivals, 0, arrival),
                false => self.arrivals.push(now + self.cycles(router, port), arrival),
            }
            self.packets[slot.packet].hops += 1;
            probe.sets_out(now, router, port as u8);
        }
        let name = channel.and_then(|channel| self.layout.name(channel));
        probe.granted(Grant { cycle: now, router, channel: name, flits, injected });
        if !PLAIN && self.occupancy.is_some() {
            self.track(now, router, state, input, channel);
        }
        if !PLAIN && self.counted.kept {
            self.count(now, router, input, name);
        }
    }

    /// Books what sending the packet at the front of `input` does to buffer levels.
    fn track(&mut self, now: u64, router: u32, state: &RouterState<W, NI, NO>, input: usize, channel: Option<usize>) {
        let ahead = channel.map(|channel| {
            let (to, entry) = self.ahead::<false>(state, router, channel);
            (to, entry, self.cycles(router, self.layout.port_of(channel)))
        });
        let Some(occupancy) = &mut self.occupancy else { return };
        if let Some((port, channel)) = self.layout.name(input) {
            let buffer = occupancy.index(router, usize::from(port), usize::from(channel));
            occupancy.departs(buffer, now, self.config.packet_flits, 1);
        }
        if let Some((to, entry, cycles)) = ahead
            && let Some((port, channel)) = self.layout.name(entry)
        {
            let buffer = occupancy.index(to, usize::from(port), usize::from(channel));
            occupancy.arrives(buffer, now + cycles, self.config.packet_flits, 1);
        }
    }

    /// A packet is sent from an input into a channel: flits go, and credits go back.
    fn count(&mut self, now: u64, router: u32, input: usize, channel: Option<(u8, u8)>) {
        let flits = self.config.packet_flits;
        if let Some((port, channel)) = self.layout.name(input) {
            let from = self.network.behind(router, port.into()).expect("it came by a link");
            let buffer = self.counted.flits.index(from.router, from.port as usize, channel.into());
            self.counted.flits.departs_at(buffer, now + u64::from(self.config.credit_cycles) - 1, flits);
        }
        if let Some((port, channel)) = channel {
            let buffer = self.counted.flits.index(router, port.into(), channel.into());
            self.counted.flits.arrives(buffer, now, flits, 1);
        }
    }
}
