//! What a checkpoint holds of an adaptive cut-through network.

use super::events::{Arrival, RouterPort};
use super::fabric::Fabric;
use super::interface::{Channel, Made, NEVER};
use super::mechanisms::{Mechanisms, Parts};
use super::members::Members;
use super::router::MAX_INPUTS;
use super::state::{Input, Mask};
use super::{Adaptive, Shaped};
use crate::contract::arbiter::Turn;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::data_paths::checkpoint;
use crate::occupancy::levels;
use crate::packet::{Slot, are_known};
use crate::sources::makers::Maker;
use tailback_base::state::{MOST, Reader, State, Unfit, Writer, ensure};

tailback_base::plain!(Arrival, RouterPort);

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, selection: _, arbiter, flow_control: _, admission, injection } = self;
        arbiter.save(to);
        injection.save(to);
        to.section("admission", |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.arbiter.restore(from)?;
        self.injection.restore(from)?;
        from.section("admission", |from| self.admission.restore(from)).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, W: Mask, const NI: usize, const NO: usize] Fabric<'a, M, W, NI, NO> {
    saved: cycle, routers, look, queues, rings, steps, pauses, packets, interface, arrivals, tails, credits, ripe, counted, home, counters, parts;
    by levels: occupancy;
    rebuilt: network, ends, follows_packets, config, layout, rules, throttled, by_channel, plain, single_wins, bit_instructions, refuses,
        at_once, escape,
        due, asked;
} [settle]);

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Every router looks at its heads again: another admission may have held them.
    fn settle(&mut self) -> Result<(), Unfit> {
        are_known(self.packets.all(), (self.network.seats(), self.longest()), self.cycle)?;
        self.events_fit()?;
        (0..self.routers.len()).try_for_each(|router| self.router_fits(router))?;
        self.interface_fits()?;
        (0..self.routers.len()).for_each(|router| self.look.insert(router));
        Ok(())
    }

    /// What is known to happen happens at inputs and channels that are there.
    fn events_fit(&self) -> Result<(), Unfit> {
        let (routers, inputs, network) = (self.routers.len() as u32, self.inputs(), self.layout.network);
        for arrival in self.arrivals.iter() {
            let there = arrival.router < routers && (arrival.input as usize) < network;
            ensure(there, "a head comes by a link that is not there")?;
            self.slot_fits(arrival.router, arrival.slot)?;
        }
        let at = |place: &RouterPort, numbers: usize| place.router < routers && usize::from(place.number) < numbers;
        let heads = self.tails.iter().chain(self.ripe.iter()).all(|place| at(place, inputs));
        let credits = self.credits.iter().all(|place| at(place, network));
        ensure(heads && credits, "something happens where nothing is")?;
        self.pauses_fit()?;
        self.home_fits()?;
        let steps = self.steps.iter().all(|&step| step <= self.cycle + self.config.longest_pause());
        ensure(steps, "a head takes its turn before it has come")?;
        let queues = self.interface.queues.len();
        let owed = self.interface.credits.iter().all(|&at| (at as usize) < queues);
        ensure(owed, "a credit comes to a queue that is not there")?;
        let freed = self.interface.freed.iter().all(|&node| (node as usize) < self.network.nodes());
        ensure(freed, "a node is free that is not there")
    }

    /// Inputs of a router, of links and of nodes.
    fn inputs(&self) -> usize {
        self.layout.network + self.layout.nodes * self.layout.queues
    }

    fn slot_fits(&self, router: u32, slot: Slot) -> Result<(), Unfit> {
        self.packets.know([slot.packet].into_iter())?;
        let fits = self.parts.routing.fits(router, &self.packets[slot.packet], slot.word);
        ensure(fits, "a packet is on no way to its destination")
    }

    fn router_fits(&self, number: usize) -> Result<(), Unfit> {
        let (state, l, router) = (&self.routers[number], &self.layout, number as u32);
        let (inputs, network) = (W::Set::range(0, self.inputs()), l.links::<W::Set>());
        let within = |masks: &[W], all: W::Set| masks.iter().all(|mask| !(mask.get() & !all).any());
        let heads = within(&[state.waiting, state.fronted, state.ejecting], inputs);
        let links = within(&[state.open, state.held, state.idle, state.some], network);
        ensure(heads && links, "a router has inputs or channels that are not there")?;
        let pointers = state.pointer.iter().all(|&pointer| Turn::get(pointer) <= NI.max(64));
        let turns = pointers && state.turn.iter().all(|&turn| turn < 64);
        ensure(turns, "it is the turn of nobody")?;
        let most = (self.config.buffer_packets * self.config.packet_flits) as i16;
        let booked = (0..l.network).all(|c| {
            let (free, kinds, Input { count, .. }) = (state.credits[c], state.kinds[c], *state.at(c));
            let few = (0..=most).contains(&free) && u32::from(count) <= self.config.buffer_packets;
            few && kinds == self.rules.kinds(free, count)
        });
        ensure(booked, "a channel is taken for one that has more room, or less")?;
        for input in 0..self.inputs() {
            let Input { slot, count, front, channel, holder, .. } = *state.at(input);
            let window = state.first(input);
            let asked = window < MAX_INPUTS && state.candidates(input) & !network.window(window) == 0;
            let few = input >= l.network || u32::from(count) <= self.config.buffer_packets;
            let inside = input >= l.network || front <= l.ring_mask;
            let channels = (l.nodes * l.ejection).max(l.network);
            let there = usize::from(channel) < channels && usize::from(holder) < self.inputs() && inside;
            ensure(asked && few && there, "an input asks for what is not there")?;
            let step = self.steps.get(number * NI + input).copied().unwrap_or(0);
            let waits = state.waiting.get().has(input);
            ensure(!waits || step <= self.cycle, "a head takes its turn before it has come")?;
            if state.fronted.get().has(input) {
                self.slot_fits(router, slot)?;
                let home = self.packets[slot.packet].router == router;
                let leads = state.ejects(input) || state.candidates(input) != 0;
                ensure(leads && (home || !state.ejects(input)), "a head leaves the network where it does not belong")?;
            }
            for n in (1..count).filter(|_| input < l.network) {
                let queued = &self.queues[self.place(router, input, front.wrapping_add(n))];
                ensure(queued.arrived <= self.cycle, "a packet is in a queue that has not arrived")?;
                self.slot_fits(router, queued.slot)?;
            }
        }
        Ok(())
    }

    /// Packets that wait at nodes are those of the nodes, and messages are as long as their packets.
    fn interface_fits(&self) -> Result<(), Unfit> {
        let (interface, l, flits) = (&self.interface, &self.layout, self.config.packet_flits);
        let waiting = || interface.queues.iter().flat_map(|queue| &queue.waiting);
        are_known(waiting().map(|made| &made.packet), (self.network.seats(), self.longest()), self.cycle)?;
        for (n, queue) in interface.queues.iter().enumerate() {
            let router = self.network.router_of((n / l.queues) as u32);
            let way = |made: &Made| {
                self.parts.routing.fits(router, &made.packet, made.word)
                    && made.since <= self.cycle + u64::from(self.config.injection_link_cycles())
            };
            ensure(queue.waiting.iter().all(way), "a packet is on no way to its destination")?;
            let sent = self.cycle.saturating_sub(queue.sent);
            let sending =
                queue.sent == NEVER || sent <= u64::from(flits).min(u64::from(interface.counts[n]) * u64::from(flits));
            ensure(sending, "a queue has sent more than it had")?;
        }
        let queue_there = |node: &Maker| node.stalled.is_none_or(|queue| usize::from(queue) < l.queues);
        ensure(interface.makers.nodes.iter().all(queue_there), "a node waits for a queue that is not there")?;
        let turn_there = |of: &Channel| usize::from(of.turn) <= l.queues && (of.free_at == NEVER || of.free_at <= MOST);
        ensure(interface.channels.iter().all(turn_there), "it is the turn of nobody")?;
        let others = waiting().map(|made| (made.message, made.packet.flits)).chain(interface.makers.begun());
        let live = self.packets.live().map(|(id, packet)| (id, packet.flits));
        interface.makers.messages.cover(self.cycle, live, others)
    }

    /// The longest message that occurs \[flits\].
    fn longest(&self) -> u32 {
        self.interface.makers.sources.max_flits()
    }
}

checkpoint!(Adaptive, each);
