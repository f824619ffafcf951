//! Conservation, derived from scratch: every flit, every credit and every packet is somewhere, exactly once, and every set says what the
//! channels say.

use super::fabric::Fabric;
use super::layout::{End, NONE};
use super::mechanisms::Mechanisms;
use super::state::{Doing, NOBODY, Output};
use crate::books::{packets_are_found, sources_hold};
use crate::contract::sources::Sources;
use crate::outcome::{AuditError, expect};
use tailback_traffic::Generated;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Re-derives the books between two cycles.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        let found = Found::of(self);
        for router in 0..self.layout.routers() {
            self.audit_sets(router)?;
            self.audit_inputs(router)?;
            self.audit_outputs(router, &found)?;
        }
        self.audit_flow()?;
        self.audit_early()?;
        self.audit_wires()?;
        self.audit_nodes(&found)?;
        self.audit_ejection()?;
        self.audit_packets(&found)
    }

    fn audit_sets(&self, router: usize) -> Result<(), AuditError> {
        let (first, channels) = (self.first(router), self.layout.channels);
        let all = self.layout.ports(router) * channels;
        let sets = [&self.unrouted, &self.routed, &self.asking, &self.going, &self.ready, &self.holding];
        let inside = sets.iter().all(|set| set.of(router).all(|n| n < all));
        expect(inside, || format!("router {router}: a channel is in a set that is not there"))?;
        for n in 0..all {
            let input = &self.inputs[first * channels + n];
            let is = |set: &super::sets::Sets| set.contains(router, n);
            let routing = input.doing == Doing::Routing;
            let going = input.doing == Doing::Going && input.level > 0;
            let output = (first + usize::from(input.port)) * channels + usize::from(input.channel);
            let credit = going && self.outputs[output].credits > 0;
            let right = (is(&self.unrouted) != is(&self.routed)) == routing
                && (routing || !is(&self.unrouted))
                && is(&self.asking) == (input.doing == Doing::Asking)
                && is(&self.going) == (going && !input.holds)
                && is(&self.holding) == input.holds
                && (!input.holds || going)
                && is(&self.ready) == (credit && !input.holds);
            expect(right, || format!("router {router}, channel {n}: it is in the wrong sets: {input:?}"))?;
        }
        let (mut ins, mut outs) = (Vec::new(), Vec::new());
        for n in self.holding.of(router) {
            let (input, output) = self.crosspoint(router, n);
            ins.push(input);
            outs.push(output);
        }
        ins.sort_unstable();
        outs.sort_unstable();
        let right = self.held.0.of(router).eq(ins) && self.held.1.of(router).eq(outs);
        expect(right, || format!("router {router}: crossbar inputs or outputs are held by nobody"))
    }

    /// Packets in buffers are as long as their flits.
    fn audit_inputs(&self, router: usize) -> Result<(), AuditError> {
        let (first, channels) = (self.first(router), self.layout.channels);
        for n in 0..self.layout.ports(router) * channels {
            let at = first * channels + n;
            let input = &self.inputs[at];
            let mut flits = 0u64;
            for position in 0..input.packets {
                let place = usize::from(input.front.wrapping_add(position) & self.layout.ring_mask);
                let all = self.packets[self.rings[at * self.layout.ring + place].packet].flits;
                let left = if position == 0 { input.left } else { all };
                let whole = position > 0 || (input.whole == (left == all) && left <= all);
                expect(whole && left > 0, || format!("router {router}, channel {n}: a packet has another length"))?;
                // All but the last one are there to their tails, and of the last one a part.
                let last = position + 1 == input.packets;
                flits += if last { 0 } else { u64::from(left) };
                let level = u64::from(input.level);
                let rest = level.checked_sub(flits).is_some_and(|rest| !last || rest <= u64::from(left));
                let some = position == 0 && !input.whole || !last || level > flits;
                expect(rest && some, || format!("router {router}, channel {n}: {level} flits are in the buffer"))?;
            }
            let idle = input.packets > 0 || input.level == 0;
            let own = input.doing != Doing::Going
                || self.outputs[(first + usize::from(input.port)) * channels + usize::from(input.channel)].user
                    == n as u16;
            let heads = input.doing == Doing::Going || input.doing == Doing::Nothing || input.whole;
            expect(idle && own && heads && (!input.whole || input.level > 0), || {
                format!("router {router}, channel {n}: its packet is not there, or its channel is not its own")
            })?;
        }
        Ok(())
    }

    fn audit_outputs(&self, router: usize, found: &Found) -> Result<(), AuditError> {
        let (first, channels) = (self.first(router), self.layout.channels);
        for port in first..first + self.layout.ports(router) {
            for channel in 0..channels {
                let at = port * channels + channel;
                let output = &self.outputs[at];
                let level = match self.layout.ahead[port].end {
                    End::Port(far) => {
                        found.flits[far as usize * channels + channel]
                            + u64::from(self.inputs[far as usize * channels + channel].level)
                    }
                    End::Node(_) | End::Nowhere => 0,
                };
                let all = u64::from(output.credits) + found.credits[at] + found.crossing[at] + level;
                let buffer = u64::from(self.config.buffer_flits);
                expect(all == buffer, || {
                    format!("router {router}, output channel {at}: {all} flits and credits for a buffer of {buffer}")
                })?;
                let open = self.open[port] >> channel & 1 == 1;
                expect(open == (output.credits > 0), || format!("output channel {at}: its credits are not known"))?;
                self.audit_free(output, self.free[port] >> channel & 1 == 1, at)?;
                let user = usize::from(output.user);
                let used = output.user == NOBODY || {
                    let input = &self.inputs[first * channels + user];
                    let to = (first + usize::from(input.port)) * channels + usize::from(input.channel);
                    input.doing == Doing::Going && to == at
                };
                expect(used, || format!("output channel {at}: who has it does not use it"))?;
            }
        }
        Ok(())
    }

    /// A channel is free, or somebody's, or waits for the credit of its tail.
    fn audit_free(&self, output: &Output, free: bool, at: usize) -> Result<(), AuditError> {
        let full = u32::from(output.credits) == self.config.buffer_flits;
        let has = output.user != NOBODY;
        let right = match (free, has, output.ends) {
            (true, false, false) => self.is_shared() || full,
            (false, true, false) => true,
            (false, false, true) => !self.is_shared() && !full,
            _ => false,
        };
        expect(right, || format!("output channel {at}: free {free}, {output:?}"))
    }

    fn audit_nodes(&self, found: &Found) -> Result<(), AuditError> {
        let channels = self.layout.channels;
        for wire in 0..self.layout.of_node.len() {
            let number = self.layout.node(wire);
            for channel in 0..channels {
                let (at, to) = (wire * channels + channel, self.layout.of_node[wire] as usize * channels + channel);
                let mut output = self.node_outputs[at];
                let level = found.flits[to] + u64::from(self.inputs[to].level);
                let all = u64::from(output.credits) + found.node_credits[at] + level;
                let buffer = u64::from(self.config.buffer_flits);
                expect(all == buffer && output.user == NOBODY, || {
                    format!("node {number}, channel {channel}: {all} flits and credits for a buffer of {buffer}")
                })?;
                let users = self.layout.ports_of(number).filter(|&port| self.sends_into(port, wire, channel)).count();
                expect(users <= 1, || format!("node {number}, channel {channel}: it has {users} packets at once"))?;
                output.user = if users > 0 { 0 } else { NOBODY };
                self.audit_free(&output, self.node_free[wire] >> channel & 1 == 1, to)?;
            }
            let could = self.layout.ports_of(number).any(|port| self.could_send(port));
            let awake = self.sending.contains(number) || !could;
            expect(awake, || format!("node {number} sleeps and could send"))?;
        }
        self.audit_sources()
    }

    /// Whether a port sends a packet into a channel of a wire.
    pub(super) fn sends_into(&self, port: usize, wire: usize, channel: usize) -> bool {
        let node = &self.nodes[port];
        node.packet != NONE && node.sends && self.wire_of(port) == wire && usize::from(node.channel) == channel
    }

    /// Every place of an ejection buffer that is taken is that of a packet on its way there, or is held by its node.
    fn audit_ejection(&self) -> Result<(), AuditError> {
        if !self.ejection.is_finite() {
            return Ok(());
        }
        let channels = self.layout.channels;
        let mut coming = vec![0u32; self.nodes.len()];
        let mut comes = |id: u32| {
            let packet = &self.packets[id];
            coming[packet.destination as usize] += packet.flits;
        };
        for (at, input) in self.inputs.iter().enumerate().filter(|(_, input)| input.doing == Doing::Going) {
            let router = self.layout.router[at / channels] as usize;
            if !self.layout.links(router).has(input.port.into()) {
                comes(self.rings[at * self.layout.ring + usize::from(input.front)].packet);
            }
        }
        let home = |channel: u32| matches!(self.layout.ahead[channel as usize / channels].end, End::Node(_));
        let crossing = self.crossing.iter().chain(&self.waiting).flatten().filter(|flit| home(flit.channel));
        crossing.map(|flit| flit.tail).filter(|&id| id != NONE).for_each(&mut comes);
        self.deliveries.iter().copied().for_each(&mut comes);
        for (node, coming) in (0u32..).zip(coming) {
            let (taken, held) = (self.ejection.taken(node), self.sources.packets().holds(node));
            expect(taken == coming + held, || {
                format!(
                    "node {node}: {taken} flits of its ejection buffer are taken, {coming} come and {held} are held"
                )
            })?;
        }
        Ok(())
    }

    fn audit_sources(&self) -> Result<(), AuditError> {
        let busy = |node: usize| {
            let has = self.nodes[node].packet != NONE;
            (u64::from(has), usize::from(has && self.packets[self.nodes[node].packet].source as usize == node))
        };
        let started = self.sources.audit(self.cycle, busy).map_err(AuditError)?;
        let counted = self.counters.started;
        expect(started == counted, || format!("{started} packets have started, the counters say {counted}"))
    }

    /// Every packet known is somewhere, with one head or none and one tail to come.
    fn audit_packets(&self, found: &Found) -> Result<(), AuditError> {
        let waiting = self.nodes.iter().filter(|node| node.packet != NONE && !node.sends).count();
        sources_hold(waiting as u64, &self.counters)?;
        let mut seen = 0;
        for (id, packet) in self.packets.live() {
            seen += usize::from(found.seen[id as usize]);
            let made = self.sources.packets().makes(packet.source, &Generated::from(packet));
            let heads = found.heads[id as usize] <= 1 && found.tails[id as usize] <= 1;
            expect(made && heads, || format!("{packet:?} has {} heads", found.heads[id as usize]))?;
        }
        packets_are_found(self.packets.len(), seen, &self.counters)
    }
}

/// What is on wires, counted.
struct Found {
    /// Flits on the way to input channels.
    flits: Vec<u64>,
    /// Credits on the way to output channels, and to nodes.
    credits: Vec<u64>,
    node_credits: Vec<u64>,
    /// Flits in crossbars on the way to output channels.
    crossing: Vec<u64>,
    /// By packet: heads, tails on the way to nodes, and whether it was seen.
    heads: Vec<u32>,
    tails: Vec<u32>,
    seen: Vec<bool>,
}

impl Found {
    fn of<M: Mechanisms>(fabric: &Fabric<'_, M>) -> Self {
        let (channels, packets) = (fabric.channels(), fabric.packets.all().len());
        let mut found = Found {
            flits: vec![0; channels],
            credits: vec![0; channels],
            node_credits: vec![0; fabric.node_outputs.len()],
            crossing: vec![0; channels],
            heads: vec![0; packets],
            tails: vec![0; packets],
            seen: vec![false; packets],
        };
        for flit in fabric.flits.iter() {
            found.flits[flit.to as usize] += 1;
            found.head(flit.packet);
        }
        fabric.credits.iter().for_each(|&to| found.credits[to as usize] += 1);
        fabric.node_credits.iter().for_each(|&to| found.node_credits[to as usize] += 1);
        for flit in fabric.waiting.iter().chain(&fabric.crossing).flatten() {
            found.crossing[flit.channel as usize] += 1;
            found.head(flit.packet);
            found.tail(flit.tail);
        }
        for &id in fabric.deliveries.iter() {
            found.tail(id);
        }
        for node in fabric.nodes.iter().filter(|node| node.packet != NONE) {
            found.seen[node.packet as usize] = true;
            found.heads[node.packet as usize] += u32::from(!node.sends);
        }
        for (at, input) in fabric.inputs.iter().enumerate() {
            for position in 0..input.packets {
                let place = usize::from(input.front.wrapping_add(position) & fabric.layout.ring_mask);
                let id = fabric.rings[at * fabric.layout.ring + place].packet;
                found.seen[id as usize] = true;
                found.heads[id as usize] += u32::from(position > 0 || input.whole);
            }
        }
        found
    }

    fn head(&mut self, id: u32) {
        if id != NONE {
            self.seen[id as usize] = true;
            self.heads[id as usize] += 1;
        }
    }

    fn tail(&mut self, id: u32) {
        if id != NONE {
            self.seen[id as usize] = true;
            self.tails[id as usize] += 1;
        }
    }
}
