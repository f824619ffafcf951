//! A flit goes: what that sets in motion for later cycles.

use super::fabric::Common;
use super::state::{Mask, RouterState, add, clear};
use super::{MAX_PORTS, Mechanisms};
use crate::contract::admission::Admission;
use crate::contract::probe::{Grant, Probe};
use tailback_base::bits::ones;

/// What a router has sent in this cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Burst {
    /// Inputs that sent a flit.
    pub left: u64,
    /// Of those, the inputs that sent a tail.
    pub tails: u64,
    /// Output channels that a flit went into.
    pub sent: u64,
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// The first flit of `input` goes into the channel that its packet holds. What the input and the channel need after a
    /// tail is left to [`Common::settle`].
    ///
    /// PERF: without a branch; where a flit comes from and whether it is the last one is not predictable
    /// (`tailback bench wormhole-16`).
    #[inline(always)]
    pub(super) fn send<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        burst: &mut Burst,
        now: u64,
        probe: &mut P,
    ) {
        let i = input & (NI - 1);
        let (channel, port) = (usize::from(state.held[i]), usize::from(state.port[i]));
        let links = self.layout.links;
        let (from_link, to_link) = (links >> input & 1, links >> channel & 1);

        let after = state.after[i];
        state.after[i] = after.wrapping_sub(1);
        burst.tails |= u64::from(after == 0) << input;
        burst.left |= 1 << input;
        burst.sent |= 1 << channel;

        let count = &mut state.count[i & (NN - 1)];
        *count -= from_link as i16;
        clear(&mut state.filled, (u64::from(*count == 0) & from_link) << input);
        let credits = &mut state.credits[channel & (NN - 1)];
        *credits -= to_link as i16;
        let none = u64::from(*credits == 0) & to_link;
        clear(&mut state.open, none << channel);
        clear(&mut state.credited, none << input);

        let downstream = state.peer[port & (NI - 1)];
        add(&mut self.wires.at(self.times.flit, downstream).flits, to_link << channel);
        let upstream = state.peer[usize::from(self.layout.back[input & (MAX_PORTS - 1)]) & (NI - 1)];
        add(&mut self.wires.at(self.times.credit, upstream).credits, from_link << input);
        self.tell(state, router, input, channel, now, probe);
    }

    /// Tells those who watch every flit.
    #[inline(always)]
    fn tell<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        channel: usize,
        now: u64,
        probe: &mut P,
    ) {
        if self.layout.lane >> channel & 1 == 1 {
            return;
        }
        let injected = state.whole.get() >> input & 1 == 1;
        let name = self.layout.name(channel);
        probe.granted(Grant { cycle: now, router, channel: name, flits: 1, injected });
        if let (true, Some((port, _))) = (self.watches_flits, name) {
            self.parts.admission.sent(router, port, self.layout.name(input));
        }
    }

    /// The rest of what was sent in this cycle.
    #[inline(always)]
    pub(super) fn settle<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        burst: Burst,
        now: u64,
        probe: &mut P,
    ) {
        self.counters.flit_hops += u64::from((burst.sent & self.layout.links).count_ones());
        for input in ones(burst.left & state.whole.get()) {
            clear(&mut state.whole, 1 << input);
            let id = self.front(state, router, input).packet;
            self.packets[id].entered = now;
            probe.entered(now, &self.packets[id]);
            self.counters.entered += 1;
        }
        if self.occupancy.is_some() {
            ones(burst.left & self.layout.links).for_each(|input| self.fill(router, input, -1));
        }
        if self.throttled {
            ones(burst.sent & !self.layout.links)
                .for_each(|_| self.received.push(now + self.config.receive_cycles(), router));
        }
        for input in ones(burst.tails) {
            self.finish(state, router, input, now);
        }
    }

    /// `input` has sent a tail: what its packet held is free, and what is behind it comes to the front.
    #[inline]
    fn finish<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
    ) {
        let (i, bit) = (input & (NI - 1), 1 << input);
        let (channel, port) = (usize::from(state.held[i]), usize::from(state.port[i]));
        for mask in [&mut state.fronted, &mut state.holding, &mut state.able, &mut state.lane] {
            clear(mask, bit);
        }
        clear(&mut state.users[port & (NI - 1)], bit);
        if channel >= self.layout.network {
            let id = self.front(state, router, input).packet;
            self.deliveries.push(now + self.config.receive_cycles(), id);
        }
        // Nobody is given a channel between now and the next cycle.
        if self.layout.owned >> channel & 1 == 0 {
            add(&mut state.free, 1 << channel);
            add(&mut state.look, state.asking.get());
        }
        if input < self.layout.network {
            let upstream = state.peer[usize::from(self.layout.back[input & (MAX_PORTS - 1)]) & (NI - 1)];
            add(&mut self.wires.at(self.times.credit, upstream).freed, self.layout.owned & bit);
            let front = &mut state.front[input & (NN - 1)];
            *front = (*front + 1) & self.layout.ring_mask;
            if state.count[input & (NN - 1)] > 0 {
                self.come_to_front(state, router, input);
                self.wires.ripe(self.times.asks_behind, router, input);
            }
        } else {
            clear(&mut state.filled, bit);
            self.vacate(router, input, now);
        }
    }

    /// An injection channel is free.
    fn vacate(&mut self, router: u32, input: usize, now: u64) {
        let injection = input - self.layout.network;
        let (local, channel) = (injection / self.layout.injection, injection % self.layout.injection);
        let node = router as usize * self.layout.nodes + local;
        self.sources.freed(node as u32, channel, now + 1);
    }
}
