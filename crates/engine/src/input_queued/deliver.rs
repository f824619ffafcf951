//! Deliver: what was due in this cycle is there.

use super::fabric::Fabric;
use super::layout::{Layout, NONE};
use super::mechanisms::Mechanisms;
use super::router::Sharing;
use super::state::{Doing, Flit, NOBODY};
use crate::contract::probe::{Delivery, Message, Probe};
use crate::contract::routing::{Head, Request, Routing};
use crate::mask::ones_below;
use crate::packet::{Packet, Slot};
use crate::sources::messages::Done;
use crate::wheel::CHUNK;

impl<M: Mechanisms> Fabric<'_, M> {
    pub(super) fn deliver<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let (mut cursor, mut batch) = (self.credits.open(now), [0; CHUNK]);
        while let some @ [_, ..] = self.credits.take_chunk(&mut cursor, &mut batch) {
            some.iter().for_each(|&channel| self.credit(channel as usize));
        }
        let (mut cursor, mut batch) = (self.flits.open(now), [Flit::default(); CHUNK]);
        while let some @ [_, ..] = self.flits.take_chunk(&mut cursor, &mut batch) {
            if self.plain {
                some.iter().for_each(|&flit| self.arrive_plain(flit));
            } else {
                some.iter().for_each(|&flit| self.arrive(flit));
            }
        }
        let mut cursor = self.homing.open(now);
        while self.homing.take(&mut cursor).is_some() {}
        let mut cursor = self.node_credits.open(now);
        while let Some(channel) = self.node_credits.take(&mut cursor) {
            self.credit_node(channel as usize);
        }
        let mut cursor = self.deliveries.open(now);
        while let Some(id) = self.deliveries.take(&mut cursor) {
            let packet = &self.packets[id];
            probe.delivered(Delivery { cycle: now, packet });
            self.counters.delivered += 1;
            self.counters.delivered_flits += u64::from(packet.flits);
            let done = self.sources.delivered(now, id, packet);
            if let Some(Done { birth, flits, .. }) = done.filter(|_| self.config.packet_flits.is_some()) {
                let Packet { source, destination, .. } = *packet;
                probe.message_delivered(Message { cycle: now, birth, source, destination, flits });
            }
            let node = packet.destination;
            self.packets.remove(id);
            if self.ejection.is_finite() {
                self.give_back(node, now);
            }
        }
    }

    /// Places of the ejection buffer of a node are free from this cycle on.
    #[cold]
    pub(super) fn give_back(&mut self, node: u32, now: u64) {
        while let Some(of) = self.sources.frees(node, now) {
            if self.ejection.give_back(of) {
                self.awake.insert(self.network.router_of(of) as usize);
            }
        }
    }

    /// A credit is back at a router.
    #[inline(always)]
    fn credit(&mut self, channel: usize) {
        if !self.came.is_empty() {
            self.came_back(channel);
        }
        let output = &mut self.outputs[channel];
        output.credits += 1;
        let first = output.credits == 1;
        let last = output.ends && u32::from(output.credits) == self.config.buffer_flits;
        // PERF: whoever uses a channel is ready while it has a credit, and knows of no further one (`tailback bench booksim-mesh8`).
        if !first && !last {
            return;
        }
        let (port, channel) = self.layout.split(channel);
        let router = self.layout.router[port] as usize;
        let user = usize::from(output.user);
        let wakes = if last {
            output.ends = false;
            self.free[port] |= 1 << channel;
            true
        } else {
            output.user != NOBODY && self.going.contains(router, user)
        };
        if first {
            self.open[port] |= 1 << channel;
        }
        if first && wakes && !last {
            self.ready.insert(router, user);
        }
        if wakes || self.config.needs_credit {
            self.awake.insert(router);
        }
    }

    /// A credit is back at a node.
    #[inline(always)]
    fn credit_node(&mut self, channel: usize) {
        let (wire, number) = self.layout.split(channel);
        let node = self.layout.node(wire);
        let output = &mut self.node_outputs[channel];
        output.credits += 1;
        if output.ends && u32::from(output.credits) == self.config.buffer_flits {
            output.ends = false;
            self.node_free[wire] |= 1 << number;
        }
        if self.layout.ports_of(node).any(|port| self.nodes[port].packet != NONE) {
            self.sending.insert(node);
        }
    }

    /// A flit comes into its buffer.
    #[inline(always)]
    fn arrive(&mut self, flit: Flit) {
        let at = flit.to as usize;
        let input = &mut self.inputs[at];
        input.level += 1;
        // PERF: a flit behind others of its packet changes nothing, and nobody needs to know its router (`tailback bench booksim-mesh8`).
        if flit.packet == NONE && (input.level > 1 || input.doing != Doing::Going || input.holds) {
            return;
        }
        let router = self.layout.router[self.layout.split(at).0] as usize;
        let first = self.layout.first[router] as usize;
        let n = at - first * self.layout.channels;
        if flit.packet != NONE {
            let place =
                at * self.layout.ring + usize::from(input.front.wrapping_add(input.packets) & self.layout.ring_mask);
            input.packets += 1;
            self.rings[place] = Slot { packet: flit.packet, word: flit.word };
            if input.doing == Doing::Nothing {
                self.come_to_front(router, n);
            }
        } else {
            let output = self.layout.channels * (first + usize::from(input.port)) + usize::from(input.channel);
            self.going.insert(router, n);
            if self.outputs[output].credits > 0 {
                self.ready.insert(router, n);
            }
            self.awake.insert(router);
        }
    }

    /// The packet at the front of an input channel is a new one, whose head is there: where may it go?
    #[inline(always)]
    pub(super) fn come_to_front(&mut self, router: usize, n: usize) {
        let at = self.first(router) * self.layout.channels + n;
        let decided = self.looks.then(|| self.asks_already(router, n));
        let input = &mut self.inputs[at];
        let slot = &mut self.rings[at * self.layout.ring + usize::from(input.front)];
        let packet = &self.packets[slot.packet];
        (input.left, input.whole) = (packet.flits, true);
        (input.port, input.channels) = match decided {
            Some(decided) => decided,
            None => asks(&self.parts.routing, &self.layout, (router, n), packet, &mut slot.word),
        };
        if self.config.routing_cycles == 0 {
            input.doing = Doing::Asking;
            self.asking.insert(router, n);
        } else {
            input.doing = Doing::Routing;
            self.unrouted.insert(router, n);
        }
        self.awake.insert(router);
    }

    /// Whether a channel is free once its tail has been sent, and not only when the credit of that is back.
    #[inline(always)]
    pub(super) fn is_shared(&self) -> bool {
        self.config.sharing == Sharing::Shared
    }
}

/// The output port that a head at the front of an input channel of a router asks for, and the channels of it.
#[inline(always)]
pub(super) fn asks<R: Routing>(
    routing: &R,
    layout: &Layout,
    (router, n): (usize, usize),
    packet: &Packet,
    word: &mut u32,
) -> (u16, u16) {
    let head = Head { router: layout.own(router), input: layout.entry(router, n) };
    outcome(layout, router, packet, routing.request(head, packet, word))
}

/// The output port that a packet asks for at a router, and the channels of it.
#[inline(always)]
pub(super) fn outcome(layout: &Layout, router: usize, packet: &Packet, request: Request) -> (u16, u16) {
    match request.port {
        Some(name) => (layout.links(router).port(name) as u16, request.channels),
        None => {
            let wire = layout.wire(layout.plane(router), packet.destination as usize);
            let port = layout.of_node[wire] - layout.first[router];
            let all = ones_below(layout.channels) as u16;
            (port as u16, if request.channels == 0 { all } else { request.channels & all })
        }
    }
}
