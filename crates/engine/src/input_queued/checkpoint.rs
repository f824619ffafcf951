//! What a checkpoint holds of a network of input-queued routers.

use super::InputQueued;
use super::deliver::asks;
use super::fabric::Fabric;
use super::layout::{End, NONE};
use super::mechanisms::{Mechanisms, Parts};
use super::state::{Crossing, Doing, NO_CHANNEL, NOBODY};
use crate::contract::routing::{Routing, asked_for};
use crate::contract::sources::Sources;
use crate::data_paths::checkpoint;
use crate::occupancy::levels;
use crate::packet::are_known;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure, restore_grown, save_grown};

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, _to: &mut Writer) {
        let Self { routing: _ } = self;
    }

    fn restore(&mut self, _from: &mut Reader<'_>) -> Result<(), Unfit> {
        Ok(())
    }
}

/// Flits in crossbars that take more than a cycle.
mod lists {
    use super::{Crossing, Reader, Unfit, Writer, ensure, restore_grown, save_grown};

    pub fn save(lists: &[Vec<Crossing>], to: &mut Writer) {
        lists.iter().for_each(|list| save_grown(list, to));
    }

    pub fn restore(lists: &mut [Vec<Crossing>], from: &mut Reader<'_>) -> Result<(), Unfit> {
        lists.iter_mut().try_for_each(|list| {
            let room = list.capacity();
            restore_grown(list, from)?;
            ensure(list.len() <= room, "a crossbar carries more flits than it has inputs")
        })
    }
}

/// Cycles and steps of links back.
mod pairs {
    use super::{Reader, State, Unfit, Writer};

    pub fn save(pairs: &[(u64, u64)], to: &mut Writer) {
        pairs.iter().for_each(|(a, b)| [*a, *b].save(to));
    }

    pub fn restore(pairs: &mut [(u64, u64)], from: &mut Reader<'_>) -> Result<(), Unfit> {
        pairs.iter_mut().try_for_each(|pair| {
            let mut both = [0; 2];
            both.restore(from)?;
            *pair = (both[0], both[1]);
            Ok(())
        })
    }
}

/// What packets decided on at their nodes.
mod asked {
    use super::super::layout::OPEN;
    use super::{Reader, Unfit, Writer, ensure};

    pub fn save(asked: &[(u16, u16)], to: &mut Writer) {
        let mut decided: Vec<u64> = Vec::new();
        let all = asked.iter().enumerate().filter(|(_, one)| **one != OPEN);
        all.for_each(|(id, &(port, channels))| {
            decided.push((id as u64) << 32 | u64::from(port) << 16 | u64::from(channels));
        });
        super::save_grown(&decided, to);
    }

    pub fn restore(asked: &mut Vec<(u16, u16)>, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let mut decided: Vec<u64> = Vec::new();
        super::restore_grown(&mut decided, from)?;
        asked.fill(OPEN);
        ensure(decided.is_empty() || !asked.is_empty(), "packets do not decide at their nodes")?;
        decided.into_iter().try_for_each(|one| {
            let id = (one >> 32) as usize;
            ensure(id < 1 << 28, "there are not so many packets")?;
            asked.resize(asked.len().max(id + 1), OPEN);
            asked[id] = ((one >> 16) as u16, one as u16);
            Ok(())
        })
    }
}

/// Two kinds of sets.
mod both {
    use super::super::sets::Sets;
    use super::{Reader, State, Unfit, Writer};

    pub fn save((ins, outs): &(Sets, Sets), to: &mut Writer) {
        ins.save(to);
        outs.save(to);
    }

    pub fn restore((ins, outs): &mut (Sets, Sets), from: &mut Reader<'_>) -> Result<(), Unfit> {
        ins.restore(from)?;
        outs.restore(from)
    }
}

tailback_base::state!(['a, M: Mechanisms] Fabric<'a, M> {
    saved: cycle, step, part, inputs, rings, outputs, free, open, departs, unrouted, routed, routes_until, asking, going, ready,
        holding, offsets, channel_turns, switch_turns, hope_turns, crosses_until, nodes, node_outputs, node_free, lasts, picked, turns, sending, sources, ejection, packets, flits,
        credits, node_credits, homing, deliveries, counters, parts;
    by pairs: returns;
    by pairs: taken_before;
    by both: held;
    by lists: waiting;
    by lists: crossing;
    by asked: early;
    by levels: occupancy;
    rebuilt: network, bit_instructions, config, layout, queues_at_outputs, plain, turns_follow, one_round, gives_alone, goes_alone, gives_at_once, gives_in_one_round, grants, askers, granters, counts_steps, routes_by_halves, looks, has_lesser, came, awake, full, channel_requests, switch_requests, channel_ports, labels, hopes;
} [settle]);

impl<M: Mechanisms> Fabric<'_, M> {
    /// Checks what was restored as far as the cycle relies on it, and wakes all routers; the audit does the rest.
    fn settle(&mut self) -> Result<(), Unfit> {
        are_known(self.packets.all(), (self.network.seats(), self.sources.packets().max_flits()), self.cycle)?;
        self.sources.cover(self.cycle, self.packets.live().map(|(id, packet)| (id, packet.flits)))?;
        self.packets.know(self.deliveries.iter().chain(self.homing.iter()).copied())?;
        ensure(self.part < super::router::STEP, "a cycle has no such part")?;
        ensure(self.step <= self.cycle.saturating_add(1).saturating_mul(64), "there were not so many steps")?;
        let channels = self.channels();
        let heads = self.flits.iter().map(|flit| flit.packet).filter(|&id| id != NONE);
        self.packets.know(heads)?;
        ensure(self.flits.iter().all(|flit| (flit.to as usize) < channels), "a flit flies to no buffer")?;
        for flit in self.flits.iter().filter(|flit| flit.packet != NONE) {
            let router = self.layout.router[flit.to as usize / self.layout.channels];
            ensure(self.is_there(router, flit.packet, flit.word), LOST)?;
        }
        ensure(self.credits.iter().all(|&to| (to as usize) < channels), "a credit comes back nowhere")?;
        let of_nodes = self.node_outputs.len();
        ensure(self.node_credits.iter().all(|&to| (to as usize) < of_nodes), "a credit comes back nowhere")?;
        let all = self.layout.channels;
        ensure(self.offsets.iter().all(|&turn| usize::from(turn) < all), "it is the turn of nobody")?;
        let masks = self.free.iter().chain(self.open.iter()).chain(&self.node_free);
        ensure(masks.copied().all(|mask| u32::from(mask) >> all == 0), "there are no such channels")?;
        self.nodes_fit()?;
        let lasts = self.lasts.iter().all(|&last| last == NO_CHANNEL || usize::from(last) < all);
        ensure(lasts, "a node has sent into no channel")?;
        let picked = self.picked.iter().enumerate().filter(|&(_, &picked)| picked != NO_CHANNEL);
        let waits = |port: usize| self.nodes[port].packet != NONE && !self.nodes[port].sends;
        let right = picked.fold(true, |right, (port, &picked)| right && usize::from(picked) < all && waits(port));
        ensure(right, "a node has found no channel")?;
        let turns = self.turns.iter().all(|&turn| usize::from(turn) < self.layout.classes);
        ensure(turns, "a node has sent a flit of no class")?;
        (0..self.layout.routers()).try_for_each(|router| self.router_fits(router))?;
        (0..self.layout.routers()).for_each(|router| self.awake.insert(router));
        Ok(())
    }

    /// The same at a router of a plane, in which the packet must be.
    fn is_there(&self, router: u32, packet: u32, word: u32) -> bool {
        let of = &self.packets[packet];
        let plane = usize::from(self.plane_of(of));
        plane == self.layout.plane(router as usize)
            && self.is_on_its_way(self.layout.own(router as usize), packet, word)
    }

    /// Whether the head of a packet may be at a router of the network with this word.
    fn is_on_its_way(&self, router: u32, packet: u32, word: u32) -> bool {
        let packet = &self.packets[packet];
        let open = self.looks && word == 0 && self.network.router_of(packet.source) == router;
        open || self.parts.routing.fits(router, packet, word)
    }

    fn nodes_fit(&self) -> Result<(), Unfit> {
        self.packets.know(self.nodes.iter().map(|node| node.packet).filter(|&id| id != NONE))?;
        for (number, node) in self.nodes.iter().enumerate() {
            ensure(usize::from(node.channel) < self.layout.channels, "a node sends into no channel")?;
            ensure(u32::from(node.plane) < self.config.planes, "a packet is in no network")?;
            if node.packet == NONE {
                continue;
            }
            let (packet, router) = (&self.packets[node.packet], self.network.router_of(number as u32));
            // Its head may have decided already on another way than its node thought.
            let fits = packet.source as usize == number
                && node.plane == self.plane_of(packet)
                && (1..=packet.flits).contains(&node.left)
                && (node.sends || node.left == packet.flits)
                && (self.looks && node.sends || self.is_on_its_way(router, node.packet, node.word));
            ensure(fits, "a node sends a packet that is not its own")?;
        }
        let has = |node: usize| self.layout.ports_of(node).any(|port| self.nodes[port].packet != NONE);
        ensure(self.sending.iter().all(has), "a node sends no packet")
    }

    fn router_fits(&self, router: usize) -> Result<(), Unfit> {
        let (first, channels, ports) = (self.first(router), self.layout.channels, self.layout.ports(router));
        for n in 0..ports * channels {
            let at = first * channels + n;
            let input = &self.inputs[at];
            let small = usize::from(input.packets) <= self.layout.ring && input.front <= self.layout.ring_mask;
            let there = usize::from(input.port) < ports && usize::from(input.channel) < channels;
            let level = u32::from(input.level) <= self.config.buffer_flits;
            ensure(small && there && level, "a buffer is none of this network")?;
            let open = self.looks && input.doing == Doing::Routing;
            let leads = open || self.layout.ahead[first + usize::from(input.port)].end != End::Nowhere;
            let idle = (input.doing == Doing::Nothing) == (input.packets == 0);
            ensure(idle && (input.packets == 0 || leads && input.left > 0), "a packet leads nowhere")?;
            ensure(u32::from(input.channels) >> channels == 0, "there are no such channels")?;
            for position in 0..input.packets {
                let place = usize::from(input.front.wrapping_add(position) & self.layout.ring_mask);
                let slot = self.rings[at * self.layout.ring + place];
                self.packets.know([slot.packet].into_iter())?;
                // A head that has a channel carries what it will at the next router.
                let there = match self.layout.ahead[first + usize::from(input.port)].end {
                    End::Port(far) if position == 0 && input.doing == Doing::Going => self.layout.router[far as usize],
                    _ => router as u32,
                };
                let gone = position == 0 && !input.whole;
                ensure(gone || self.is_there(there, slot.packet, slot.word), LOST)?;
                if position == 0 && matches!(input.doing, Doing::Asking | Doing::Routing) {
                    let packet = &self.packets[slot.packet];
                    let ask = |word: &mut u32| asks(&self.parts.routing, &self.layout, (router, n), packet, word);
                    let right = match self.looks {
                        true => self.may_ask(router, n, packet, slot.word),
                        false => asked_for(slot.word, ask, (input.port, input.channels)),
                    };
                    ensure(right, "a head asks for what does not lead it on")?;
                }
            }
            let output = &self.outputs[at];
            let user = output.user == NOBODY || usize::from(output.user) < ports * channels;
            ensure(user && u32::from(output.credits) <= self.config.buffer_flits, "a channel has no such user")?;
        }
        for list in self.crossbars(router).flat_map(|at| [&self.waiting[at], &self.crossing[at]]) {
            let inside = |channel: u32| (first * channels..(first + ports) * channels).contains(&(channel as usize));
            let leads = |channel: u32| self.layout.ahead[channel as usize / channels].end != End::Nowhere;
            let right = list.iter().all(|flit| inside(flit.channel) && leads(flit.channel));
            ensure(right, "a flit crosses to no output")?;
            let ids = list.iter().flat_map(|flit| [flit.packet, flit.tail]).filter(|&id| id != NONE);
            self.packets.know(ids)?;
            for flit in list.iter().filter(|flit| flit.packet != NONE) {
                if let End::Port(far) = self.layout.ahead[flit.channel as usize / channels].end {
                    let there = self.layout.router[far as usize];
                    ensure(self.is_there(there, flit.packet, flit.word), LOST)?;
                }
            }
        }
        Ok(())
    }
}

const LOST: &str = "a packet is on no way to its destination";

checkpoint!(InputQueued, each);
