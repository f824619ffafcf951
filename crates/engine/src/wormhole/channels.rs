//! Channels: heads that ask are given output channels.

use super::block::Block;
use super::common::Common;
use super::lanes::{Mask, add, clear, lane};
use super::mechanisms::Mechanisms;
use super::router::{ChannelAllocator, MAX_PORTS, Sharing};
use crate::contract::arbiter::{Arbiter, Contest};
use crate::contract::probe::Probe;
use crate::contract::selection::{Choice, Selection};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Gives channels to the heads that ask, by the allocator.
    #[inline(always)]
    pub(super) fn allocate_channels<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) {
        let l = lane(router);
        let mut heads = block.look[l].get();
        if self.throttled {
            heads &= !self.held_back(block, router);
        }
        if self.lane {
            heads = self.give_lane(block, router, heads, now, probe);
        }
        if heads.is_power_of_two() && !self.speculative {
            return self.serve_one(block, router, heads.trailing_zeros() as usize, now, probe);
        }
        let mut eligible = 0;
        for input in ones(heads) {
            eligible |= u64::from(self.choice(block, router, input) != 0) << input;
        }
        // The others wait until something becomes free.
        clear(&mut block.look[l], heads & !eligible);
        if eligible == 0 {
            return;
        }
        match self.config.channel_allocator {
            ChannelAllocator::Central => self.central(block, router, eligible, now, probe),
            ChannelAllocator::InputFirst => self.heads_choose(block, router, eligible, now, probe),
            ChannelAllocator::OutputFirst => self.channels_choose(block, router, eligible, now, probe),
        }
    }

    /// The head of `input` is the only one: whatever the allocator, it takes a channel if it can.
    #[inline(always)]
    fn serve_one<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        input: usize,
        now: u64,
        probe: &mut P,
    ) {
        let choice = self.choice(block, router, input);
        if choice == 0 {
            // It waits until something becomes free.
            return clear(&mut block.look[lane(router)], 1 << input);
        }
        if self.config.channel_allocator == ChannelAllocator::Central {
            return self.central(block, router, 1 << input, now, probe);
        }
        let channel = self.select(block, router, input, choice, now);
        let (_, pointer) = self.ask_channel(block, router, channel, 1 << input, now);
        self.serve_channel(block, router, channel, input, pointer);
        self.give(block, router, input, channel, now, probe);
    }

    /// The free channels that the head of `input` may take now.
    #[inline(always)]
    pub(super) fn choice<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        input: usize,
    ) -> u64 {
        let (l, i) = (lane(router), input & (NI - 1));
        let preferred = block.preferred[i][l].get();
        let wanted = preferred | block.wanted[i][l].get();
        let mut free = block.free[l].get();
        if self.config.sharing == Sharing::SharedWhole && wanted != preferred {
            let whole = block.after(input, l) + 1;
            for channel in ones(free & preferred) {
                let whole = whole.min(self.layout.buffer[channel & (MAX_PORTS - 1)].into());
                free &= !(u64::from(block.credit(channel, l) < whole) << channel);
            }
        }
        if preferred & free != 0 { preferred & free } else { wanted & free }
    }

    /// One head a cycle.
    #[inline(always)]
    fn central<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let l = lane(router);
        let mut pointer = block.central[l];
        let input =
            self.pick_head(block, router, Contest { cycle: now, output: router, inputs: eligible }, &mut pointer);
        block.central[l] = pointer;
        self.parts.channel_arbiter.served(router, input as u32);
        let channel = self.select(block, router, input, self.choice(block, router, input), now);
        self.give(block, router, input, channel, now, probe);
    }

    /// Input first: heads select a channel each, then channels pick.
    #[inline(always)]
    fn heads_choose<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let (mut wanted, mut by) = (0u64, [W::default(); NI]);
        for input in ones(eligible) {
            let channel = self.select(block, router, input, self.choice(block, router, input), now);
            wanted |= 1 << channel;
            add(&mut by[channel & (NI - 1)], 1 << input);
            if self.speculative {
                self.tried[lane(router)].channel[input & (MAX_PORTS - 1)] = channel as u8;
            }
        }
        for channel in ones(wanted) {
            let (input, pointer) = self.ask_channel(block, router, channel, by[channel & (NI - 1)].get(), now);
            self.serve_channel(block, router, channel, input, pointer);
            self.give(block, router, input, channel, now, probe);
            self.tried[lane(router)].given |= u64::from(self.speculative) << input;
        }
        if self.speculative {
            self.tried[lane(router)].heads = eligible;
        }
    }

    /// Output first: free channels pick a head each, then heads select.
    #[inline(always)]
    fn channels_choose<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        eligible: u64,
        now: u64,
        probe: &mut P,
    ) {
        let (mut wanted, mut by) = (0u64, [W::default(); NI]);
        for input in ones(eligible) {
            let choice = self.choice(block, router, input);
            wanted |= choice;
            ones(choice).for_each(|channel| add(&mut by[channel & (NI - 1)], 1 << input));
        }
        let (mut winners, mut won, mut pointers) = (0u64, [W::default(); NI], [0u8; NI]);
        for channel in ones(wanted) {
            let (input, pointer) = self.ask_channel(block, router, channel, by[channel & (NI - 1)].get(), now);
            pointers[channel & (NI - 1)] = pointer;
            winners |= 1 << input;
            add(&mut won[input & (NI - 1)], 1 << channel);
        }
        for input in ones(winners) {
            let channel = self.select(block, router, input, won[input & (NI - 1)].get(), now);
            self.serve_channel(block, router, channel, input, pointers[channel & (NI - 1)]);
            self.give(block, router, input, channel, now, probe);
        }
    }

    /// Which of `inputs` the arbiter of `channel` picks, and its byte if that comes to something.
    #[inline(always)]
    fn ask_channel<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        channel: usize,
        inputs: u64,
        cycle: u64,
    ) -> (usize, u8) {
        let l = lane(router);
        let mut pointer = block.channel_pointer[channel & (NI - 1)][l];
        let contest = Contest { cycle, output: super::arbiter(router, channel), inputs };
        (self.pick_head(block, router, contest, &mut pointer), pointer)
    }

    #[inline(always)]
    fn serve_channel<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        router: u32,
        channel: usize,
        input: usize,
        pointer: u8,
    ) {
        block.channel_pointer[channel & (NI - 1)][lane(router)] = pointer;
        self.parts.channel_arbiter.served(super::arbiter(router, channel), input as u32);
    }

    #[inline(always)]
    fn pick_head<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        contest: Contest,
        pointer: &mut u8,
    ) -> usize {
        let age = |input: u32| {
            let packet = self.packet(block, router, input as usize);
            (packet.birth, packet.source)
        };
        self.parts.channel_arbiter.pick(contest, pointer, age) as usize
    }

    /// Which of the free channels the head of `input` takes.
    #[inline(always)]
    fn select<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        input: usize,
        free: u64,
        cycle: u64,
    ) -> usize {
        if free.is_power_of_two() {
            return free.trailing_zeros() as usize;
        }
        // Selection knows the ordinary channels only, in routing's numbers.
        let layout = &self.layout;
        let numbered = layout.unnumbered(free);
        if let Some(pick) = self.parts.selection.pick_by_free(numbered, self.config.channels) {
            return layout.numbered(1 << pick).trailing_zeros() as usize;
        }
        let levels;
        let credits = match self.sees_credits {
            true => {
                levels = self.levels(block, router, free, numbered);
                &levels
            }
            false => &[0; MAX_PORTS],
        };
        let choice = Choice {
            cycle,
            input: super::arbiter(router, input),
            from: layout.name(input).map(|(port, _)| port),
            packet: self.packet(block, router, input),
            free: numbered,
            channels: self.config.channels,
            credits,
        };
        layout.numbered(1 << self.parts.selection.pick(choice)).trailing_zeros() as usize
    }

    /// Credits of the channels `free`, by their numbers in `numbered`.
    fn levels<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        free: u64,
        numbered: u64,
    ) -> [i16; MAX_PORTS] {
        let mut credits = [0; MAX_PORTS];
        for (channel, number) in ones(free).zip(ones(numbered)) {
            credits[number & (MAX_PORTS - 1)] = block.credit(channel, lane(router)) as i16;
        }
        credits
    }
}
