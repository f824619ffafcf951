//! Generate: nodes have packets, and send a flit a cycle.

use super::fabric::Fabric;
use super::layout::NONE;
use super::mechanisms::Mechanisms;
use super::router::{EntryChannel, NODE_LINK, Priority};
use super::state::{Flit, NO_CHANNEL};
use crate::contract::probe::Probe;
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::packet::Packet;
use crate::sources::queues::Started;
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

impl<M: Mechanisms> Fabric<'_, M> {
    pub(super) fn generate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.sources.open(now);
        while let Some(started) = self.sources.take(&mut cursor, now) {
            self.start(started, probe);
        }
        for word in 0..self.sending.word_count() {
            for bit in ones(self.sending.word(word)) {
                self.send_from(word * 64 + bit, now, probe);
            }
        }
    }

    /// A node sends a flit in each plane, where it can.
    #[inline(always)]
    fn send_from<P: Probe>(&mut self, node: usize, now: u64, probe: &mut P) {
        if self.layout.classes == 1 {
            self.try_to_send(node, now, probe);
        } else {
            (0..self.config.planes as u8).for_each(|plane| self.take_turns(plane, node, now, probe));
        }
        if !self.layout.ports_of(node).any(|port| self.could_send(port)) {
            self.sending.remove(node);
        }
    }

    /// Classes take turns at a wire, flit by flit. With `holds_switch` the class of the last flit goes on with its packet, if it can.
    #[cold]
    fn take_turns<P: Probe>(&mut self, plane: u8, node: usize, now: u64, probe: &mut P) {
        let (wire, ports) =
            (self.layout.wire(plane.into(), self.layout.ports_of(node).start), self.layout.ports_of(node));
        let last = usize::from(self.turns[wire]);
        let keeps = self.config.holds_switch && self.nodes[ports.start + last].sends;
        let first = keeps.then_some(last);
        let order = first.into_iter().chain((1..=ports.len()).map(|step| (last + step) % ports.len()));
        if self.config.priority != Priority::None {
            if let Some(class) = self.highest(plane, ports.start, order, now) {
                self.try_to_send(ports.start + class, now, probe);
                self.turns[wire] = class as u8;
            }
            return;
        }
        for class in order {
            let port = ports.start + class;
            let here = self.nodes[port].packet != NONE && self.nodes[port].plane == plane;
            if here && self.try_to_send(port, now, probe) {
                self.turns[wire] = class as u8;
                return;
            }
        }
    }

    /// The class with the highest priority out of those that can send a flit in a plane, the first one in this order. Heads that do not come
    /// behind another look for a channel, and keep to what they find.
    fn highest(&mut self, plane: u8, first: usize, order: impl Iterator<Item = usize>, now: u64) -> Option<usize> {
        let mut best: Option<(u64, usize)> = None;
        for class in order {
            let at = &self.nodes[first + class];
            if at.packet == NONE || at.plane != plane {
                continue;
            }
            let priority = self.config.priority.of_packet(&self.packets[at.packet], self.layout.classes);
            if best.is_none_or(|(highest, _)| priority > highest) && self.finds_channel(first + class, now) {
                best = Some((priority, class));
            }
        }
        best.map(|(_, class)| class)
    }

    /// Whether a port could send a flit of its packet. Its head remembers the channel that it finds.
    fn finds_channel(&mut self, node: usize, now: u64) -> bool {
        if self.nodes[node].sends {
            return self.could_send(node);
        }
        let found = self.choose(node, now);
        if let Some(channel) = found {
            self.picked[node] = channel as u8;
        }
        found.is_some()
    }

    /// The channel that the head at a node found while another class sent.
    #[inline(always)]
    fn picked(&self, node: usize) -> Option<usize> {
        if self.picked.is_empty() {
            return None;
        }
        Some(self.picked[node]).filter(|&picked| picked != NO_CHANNEL).map(usize::from)
    }

    /// A node has its next packet.
    fn start<P: Probe>(&mut self, started: Started, probe: &mut P) {
        let Started { node, channel, packet: made } = started;
        let mut packet = Packet::made(node, &made, self.network.router_of(made.destination));
        packet.mark = self.sources.packets().mark(node, made.index);
        let plane = self.plane_of(&packet);
        let draw = || rng::draw(self.config.seed, Purpose::Tie, node, made.index)[0];
        let word = self.parts.routing.start(self.network.router_of(node), &mut packet, draw);
        // The links that it takes are counted.
        packet.hops = if self.looks { packet.hops } else { 0 };
        probe.started(&packet);
        self.counters.started += 1;
        let id = self.packets.insert(packet);
        self.sources.carries(id, node, channel);
        let at = &mut self.nodes[node as usize];
        (at.packet, at.word, at.left, at.sends, at.plane) = (id, word, made.flits, false, plane);
        self.sending.insert(self.layout.node_of(node as usize));
    }

    /// The plane in which a packet travels.
    pub(super) fn plane_of(&self, packet: &Packet) -> u8 {
        if let Some(plane) = self.config.types.plane(packet.mark) {
            return plane;
        }
        match self.config.planes {
            1 => 0,
            planes => {
                let drawn = rng::draw(self.config.seed, Purpose::Tie, packet.source, packet.index)[1];
                ((u64::from(drawn) * u64::from(planes)) >> 32) as u8
            }
        }
    }

    /// The wire that the packet of a port takes.
    #[inline(always)]
    pub(super) fn wire_of(&self, node: usize) -> usize {
        self.layout.wire(self.nodes[node].plane.into(), node)
    }

    /// A port sends a flit of its packet, if it can.
    #[inline(always)]
    fn try_to_send<P: Probe>(&mut self, node: usize, now: u64, probe: &mut P) -> bool {
        let channels = self.layout.channels;
        let head = !self.nodes[node].sends;
        if head {
            let Some(channel) = self.choose(node, now) else { return false };
            self.enter(node, channel, now, probe);
            if self.looks && self.config.routing_cycles == 0 {
                self.decide_early(node);
            }
        }
        let wire = self.wire_of(node);
        let at = &mut self.nodes[node];
        let channel = usize::from(at.channel);
        let output = &mut self.node_outputs[wire * channels + channel];
        if output.credits == 0 {
            return false;
        }
        output.credits -= 1;
        let id = at.packet;
        at.left -= 1;
        let to = self.layout.of_node[wire] as usize * channels + channel;
        if probe.times_flits() {
            probe.flit_left(now, id);
        }
        let packet = if head { id } else { NONE };
        self.flits.push(now + NODE_LINK + 1, Flit { to: to as u32, packet, word: at.word });
        if at.left == 0 {
            self.finish(node, channel, now);
        }
        true
    }

    /// The channel that the head at a node takes in a cycle.
    #[inline(always)]
    fn choose(&self, node: usize, now: u64) -> Option<usize> {
        let (channels, wire) = (self.layout.channels, self.wire_of(node));
        let good = |&channel: &usize| self.is_open_to(wire, channel);
        if let Some(picked) = self.picked(node) {
            return Some(picked).filter(good);
        }
        match self.config.entry_channel {
            EntryChannel::Next => self.next_channels(node).find(good),
            EntryChannel::Drawn => {
                let [drawn, ..] = rng::draw(self.config.seed, Purpose::Selection, node as u32, now);
                Some(((u64::from(drawn) * channels as u64) >> 32) as usize).filter(good)
            }
        }
    }

    /// Whether a channel of a node's wire is free and has a credit.
    #[inline(always)]
    fn is_open_to(&self, wire: usize, channel: usize) -> bool {
        self.node_free[wire] >> channel & 1 == 1 && self.node_outputs[wire * self.layout.channels + channel].credits > 0
    }

    /// Whether the head at a node could take a channel in some cycle, if all stays as it is.
    pub(super) fn has_channel(&self, node: usize) -> bool {
        let wire = self.wire_of(node);
        if let Some(picked) = self.picked(node) {
            return self.is_open_to(wire, picked);
        }
        match self.config.entry_channel {
            EntryChannel::Next => self.next_channels(node).any(|channel| self.is_open_to(wire, channel)),
            EntryChannel::Drawn => (0..self.layout.channels).any(|channel| self.is_open_to(wire, channel)),
        }
    }

    /// The channels that the head at a node may take, in the order in which it tries them: those of its type behind the last that was taken,
    /// and then the others. Where that is none of its type, and at first, it tries the first one alone.
    #[inline(always)]
    fn next_channels(&self, node: usize) -> impl Iterator<Item = usize> + use<M> {
        let last = usize::from(self.lasts[self.last_of(node)]);
        let (first, end) = match self.config.types.channels {
            None => (0, self.layout.channels),
            Some(_) => self.config.types.range(self.packets[self.nodes[node].packet].mark, self.layout.channels),
        };
        if (first..end).contains(&last) {
            (last + 1..end).chain(first..last + 1)
        } else {
            (first..first + 1).chain(0..0)
        }
    }

    /// Where the last channel stands that a port took in the plane of its packet.
    #[inline(always)]
    fn last_of(&self, node: usize) -> usize {
        self.layout.in_plane(self.nodes[node].plane.into(), node)
    }

    /// The head of a packet leaves its source.
    fn enter<P: Probe>(&mut self, node: usize, channel: usize, now: u64, probe: &mut P) {
        let wire = self.wire_of(node);
        let last = self.last_of(node);
        self.lasts[last] = channel as u8;
        if let Some(picked) = self.picked.get_mut(node) {
            *picked = NO_CHANNEL;
        }
        let at = &mut self.nodes[node];
        (at.channel, at.sends) = (channel as u8, true);
        self.node_free[wire] &= !(1 << channel);
        let packet = &mut self.packets[at.packet];
        packet.entered = now;
        self.counters.entered += 1;
        probe.entered(now, packet);
        if self.sources.follows_packets {
            let packet = self.packets[self.nodes[node].packet];
            self.sources.entered(now, &packet);
        }
    }

    /// The tail of a packet has left its source.
    fn finish(&mut self, node: usize, channel: usize, now: u64) {
        let wire = self.wire_of(node);
        let at = &mut self.nodes[node];
        let id = std::mem::replace(&mut at.packet, NONE);
        at.sends = false;
        if self.is_shared() {
            self.node_free[wire] |= 1 << channel;
        } else {
            self.node_outputs[wire * self.layout.channels + channel].ends = true;
        }
        self.sources.freed(node as u32, 0, now + 1);
        if self.sources.follows_packets {
            let packet = self.packets[id];
            self.sources.left(now + 1, &packet);
        }
    }

    /// Whether a node could send a flit.
    pub(super) fn could_send(&self, node: usize) -> bool {
        let (at, wire) = (&self.nodes[node], self.wire_of(node));
        let credits = |channel: u8| self.node_outputs[wire * self.layout.channels + usize::from(channel)].credits;
        at.packet != NONE && if at.sends { credits(at.channel) > 0 } else { self.has_channel(node) }
    }
}
