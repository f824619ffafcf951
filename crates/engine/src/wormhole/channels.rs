//! Channels: heads that ask are given output channels.

use super::fabric::Common;
use super::state::{Mask, RouterState, add, clear};
use super::{ChannelAllocator, MAX_PORTS, Mechanisms, Sharing};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::{Probe, Taken, TakenBy};
use crate::contract::routing::Routing;
use crate::contract::selection::{Choice, Selection};
use crate::packet::Slot;
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Gives channels to the heads that ask, by the allocator.
    #[inline(always)]
    pub(super) fn allocate_channels<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) {
        let mut heads = state.look.get();
        if self.throttled {
            heads &= !self.held_back(state, router);
        }
        if self.lane {
            heads = self.give_lane(state, router, heads, now, probe);
        }
        let mut eligible = 0;
        for input in ones(heads) {
            eligible |= u64::from(self.choice(state, input) != 0) << input;
        }
        // The others wait until something becomes free.
        clear(&mut state.look, heads & !eligible);
        if eligible == 0 {
            return;
        }
        match self.config.channel_allocator {
            ChannelAllocator::Central => self.central(state, router, eligible, now, probe),
            ChannelAllocator::InputFirst => self.heads_choose(state, router, eligible, now, probe),
            ChannelAllocator::OutputFirst => self.channels_choose(state, router, eligible, now, probe),
        }
    }

    /// The free channels that the head of `input` may take now.
    #[inline(always)]
    pub(super) fn choice<const NN: usize, const NI: usize>(&self, state: &RouterState<W, NN, NI>, input: usize) -> u64 {
        let i = input & (NI - 1);
        let (free, fallback) = (state.free.get(), state.fallback[i].get());
        let mut preferred = state.preferred[i].get() & free;
        if self.config.sharing == Sharing::SharedWhole && fallback != 0 {
            let whole = (u32::from(state.after[i]) + 1).min(self.config.buffer_flits) as i16;
            for channel in ones(preferred) {
                preferred &= !(u64::from(state.credits[channel & (NN - 1)] < whole) << channel);
            }
        }
        if preferred != 0 { preferred } else { fallback & free }
    }

    /// One head a cycle.
    #[inline(always)]
    fn central<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let mut pointer = state.central;
        let input =
            self.pick_head(state, router, Contest { cycle: now, output: router, inputs: eligible }, &mut pointer);
        state.central = pointer;
        self.parts.channel_arbiter.served(router, input as u32);
        let channel = self.select(state, router, input, self.choice(state, input), now);
        self.give(state, router, input, channel, now, probe);
    }

    /// Input first: heads select a channel each, then channels pick.
    #[inline(always)]
    fn heads_choose<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let (mut wanted, mut by) = (0u64, [W::default(); NI]);
        for input in ones(eligible) {
            let channel = self.select(state, router, input, self.choice(state, input), now);
            wanted |= 1 << channel;
            add(&mut by[channel & (NI - 1)], 1 << input);
            if self.speculative {
                self.tried.channel[input & (MAX_PORTS - 1)] = channel as u8;
            }
        }
        for channel in ones(wanted) {
            let (input, pointer) = self.ask_channel(state, router, channel, by[channel & (NI - 1)].get(), now);
            self.serve_channel(state, router, channel, input, pointer);
            self.give(state, router, input, channel, now, probe);
            self.tried.given |= u64::from(self.speculative) << input;
        }
        if self.speculative {
            self.tried.heads = eligible;
        }
    }

    /// Output first: free channels pick a head each, then heads select.
    #[inline(always)]
    fn channels_choose<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let (mut wanted, mut by) = (0u64, [W::default(); NI]);
        for input in ones(eligible) {
            let choice = self.choice(state, input);
            wanted |= choice;
            ones(choice).for_each(|channel| add(&mut by[channel & (NI - 1)], 1 << input));
        }
        let (mut winners, mut won, mut pointers) = (0u64, [W::default(); NI], [0u8; NI]);
        for channel in ones(wanted) {
            let (input, pointer) = self.ask_channel(state, router, channel, by[channel & (NI - 1)].get(), now);
            pointers[channel & (NI - 1)] = pointer;
            winners |= 1 << input;
            add(&mut won[input & (NI - 1)], 1 << channel);
        }
        for input in ones(winners) {
            let channel = self.select(state, router, input, won[input & (NI - 1)].get(), now);
            self.serve_channel(state, router, channel, input, pointers[channel & (NI - 1)]);
            self.give(state, router, input, channel, now, probe);
        }
    }

    /// Which of `inputs` the arbiter of `channel` picks, and its byte if that comes to something.
    #[inline(always)]
    fn ask_channel<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        channel: usize,
        inputs: u64,
        cycle: u64,
    ) -> (usize, u8) {
        let mut pointer = state.channel_pointer[channel & (NI - 1)];
        let contest = Contest { cycle, output: super::arbiter(router, channel), inputs };
        (self.pick_head(state, router, contest, &mut pointer), pointer)
    }

    #[inline(always)]
    fn serve_channel<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        channel: usize,
        input: usize,
        pointer: u8,
    ) {
        state.channel_pointer[channel & (NI - 1)] = pointer;
        self.parts.channel_arbiter.served(super::arbiter(router, channel), input as u32);
    }

    #[inline(always)]
    fn pick_head<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        contest: Contest,
        pointer: &mut u8,
    ) -> usize {
        let age = |input: u32| {
            let packet = self.packet(state, router, input as usize);
            (packet.birth, packet.source)
        };
        self.parts.channel_arbiter.pick(contest, pointer, age) as usize
    }

    /// Which of the free channels the head of `input` takes.
    #[inline(always)]
    fn select<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        free: u64,
        cycle: u64,
    ) -> usize {
        if free.is_power_of_two() {
            return free.trailing_zeros() as usize;
        }
        let l = &self.layout;
        let mut choice = Choice {
            cycle,
            input: super::arbiter(router, input),
            from: l.name(input).map(|(port, _)| port),
            packet: self.packet(state, router, input),
            free,
            channels: self.config.channels,
            credits: &state.credits,
        };
        if !self.lane {
            return self.parts.selection.pick(choice) as usize;
        }
        // The lane is not among the channels that selection knows.
        let mut credits = [0; MAX_PORTS];
        let ordinary = (0..l.network).filter(|&c| l.lane >> c & 1 == 0);
        ordinary.zip(&mut credits).for_each(|(channel, credit)| *credit = state.credits[channel]);
        (choice.free, choice.credits) = (l.unnumbered(free), &credits);
        l.numbered(1 << self.parts.selection.pick(choice)).trailing_zeros() as usize
    }

    /// The head of `input` has `channel` from now on.
    #[inline(always)]
    pub(super) fn give<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        channel: usize,
        now: u64,
        probe: &mut P,
    ) {
        let (i, bit) = (input & (NI - 1), 1 << input);
        clear(&mut state.asking, bit);
        clear(&mut state.look, bit);
        clear(&mut state.free, 1 << channel);
        add(&mut state.holding, bit);
        state.held[i] = channel as u8;
        state.owner[channel & (NI - 1)] = input as u8;
        let port = self.layout.port[channel & (MAX_PORTS - 1)];
        state.port[i] = port;
        add(&mut state.users[usize::from(port) & (NI - 1)], bit);
        clear(&mut state.credited, bit);
        add(&mut state.credited, (state.open.get() >> channel & 1) << input);
        if channel < self.layout.network {
            self.announce(state, router, input, channel);
            let by = if self.layout.lane >> channel & 1 == 1 {
                TakenBy::Lane
            } else if state.preferred[i].get() >> channel & 1 == 1 {
                TakenBy::Preference
            } else {
                TakenBy::Escape
            };
            probe.taken(Taken { cycle: now, router, port, by });
        }
        if self.config.vc_allocation_cycles == 0 {
            add(&mut state.able, bit);
        } else if !self.speculative {
            self.wires.ripe(self.times.able, router, input);
        }
    }

    /// Tells the buffer behind a link channel which packet comes next.
    #[inline(always)]
    fn announce<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        channel: usize,
    ) {
        let Slot { packet, word } = self.front(state, router, input);
        let port = self.layout.port[channel & (MAX_PORTS - 1)];
        let in_lane = self.layout.lane >> channel & 1 == 1;
        let word = if in_lane { word } else { self.parts.routing.advance(port, word) };
        let peer = state.peer[usize::from(port) & (NI - 1)];
        let back = &mut state.back[channel & (NN - 1)];
        let at = self.ring(peer, channel, *back);
        *back = (*back + 1) & self.layout.ring_mask;
        self.rings[at] = Slot { packet, word };
        self.packets[packet].hops += 1;
        self.counters.packet_hops += 1;
    }
}
