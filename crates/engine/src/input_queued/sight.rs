//! Routings that look at queues: a head decides when it has been routed, by what its router has sent and has no credit for. Without routing
//! cycles the head of a packet decides when it leaves its node, by what its router knew at the end of the cycle before; behind that, it has
//! decided.

use super::deliver::outcome;
use super::fabric::Fabric;
use super::layout::OPEN;
use super::mechanisms::Mechanisms;
use super::state::Doing;
use crate::contract::queues::Queues;
use crate::contract::routing::{Head, Request, Routing, asked_for};
use crate::outcome::{AuditError, expect};
use crate::packet::Packet;

/// When a router's queues are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// As they are.
    Now,
    /// Before the credits of this cycle came.
    Before,
}

/// The queues of a router.
struct Seen<'f, 'a, M: Mechanisms> {
    fabric: &'f Fabric<'a, M>,
    router: usize,
    when: When,
}

impl<M: Mechanisms> Queues for Seen<'_, '_, M> {
    fn owed(&self, port: u8, channel: u8) -> u32 {
        let f = self.fabric;
        let port = f.first(self.router) + f.layout.links(self.router).port(port);
        let at = port * f.layout.channels + usize::from(channel);
        let came = match self.when {
            When::Before if f.came[at].0 == f.cycle => u32::from(f.came[at].1),
            _ => 0,
        };
        f.config.buffer_flits - u32::from(f.outputs[at].credits) + came
    }

    fn owed_by_port(&self, port: u8) -> u32 {
        (0..self.fabric.layout.channels as u8).map(|channel| self.owed(port, channel)).sum()
    }

    fn free(&self, port: u8, channel: u8) -> u32 {
        self.fabric.config.buffer_flits - self.owed(port, channel)
    }

    fn waiting(&self, port: u8) -> u32 {
        let f = self.fabric;
        let first = f.first(self.router) * f.layout.channels;
        let port = f.layout.links(self.router).port(port);
        let for_port = |n: &usize| usize::from(f.inputs[first + n].port) == port;
        let flits = |n: usize| f.packets[f.front(first + n).packet].flits;
        f.asking.of(self.router).filter(for_port).map(flits).sum()
    }

    fn owed_at(&self, _router: u32, _port: u8, _channel: u8) -> u32 {
        unreachable!("the routing looks at its own router only")
    }

    fn signal(&self, _router: u32, _cycles: u32) -> u64 {
        unreachable!("the routing looks at its own router only")
    }

    fn carried(&self, _router: u32, _port: u8) -> bool {
        unreachable!("the routing looks at its own router only")
    }
}

impl<M: Mechanisms> Fabric<'_, M> {
    /// Heads that have been routed decide, all by the same queues.
    #[cold]
    pub(super) fn decide_routed(&mut self, router: usize, mask: impl Fn(usize) -> u64) {
        for word in 0..self.routed.words() {
            for bit in tailback_base::bits::ones(self.routed.word(router, word) & mask(word)) {
                self.decide(router, word * 64 + bit);
            }
        }
    }

    fn decide(&mut self, router: usize, n: usize) {
        let at = self.first(router) * self.layout.channels + n;
        let mut slot = self.front(at);
        let mut packet = self.packets[slot.packet];
        let head = self.head_at(router, n);
        let seen = Seen { fabric: self, router, when: When::Now };
        let request = self.parts.routing.decide(head, &mut packet, &mut slot.word, &seen);
        self.packets[slot.packet] = packet;
        let place = at * self.layout.ring + usize::from(self.inputs[at].front);
        self.rings[place] = slot;
        let asked = outcome(&self.layout, router, &packet, request);
        (self.inputs[at].port, self.inputs[at].channels) = asked;
    }

    /// The head of a packet decides that leaves its node.
    #[cold]
    pub(super) fn decide_early(&mut self, node: usize) {
        let (id, own) = (self.nodes[node].packet, self.network.router_of(node as u32));
        let router = self.layout.router_in(self.nodes[node].plane.into(), own);
        let (mut packet, mut word) = (self.packets[id], self.nodes[node].word);
        let seen = Seen { fabric: self, router, when: When::Before };
        let request = self.parts.routing.decide(Head { router: own, input: None }, &mut packet, &mut word, &seen);
        self.packets[id] = packet;
        self.nodes[node].word = word;
        if self.early.len() <= id as usize {
            self.early.resize(id as usize + 1, OPEN);
        }
        self.early[id as usize] = outcome(&self.layout, router, &packet, request);
    }

    /// What a head at the front asks for that has decided already, or will when it has been routed.
    #[cold]
    pub(super) fn asks_already(&mut self, router: usize, n: usize) -> (u16, u16) {
        let at = self.first(router) * self.layout.channels + n;
        let mut slot = self.front(at);
        let head = self.head_at(router, n);
        let early = match self.early.get_mut(slot.packet as usize) {
            Some(early) if head.input.is_none() => std::mem::replace(early, OPEN),
            _ => OPEN,
        };
        if early != OPEN || self.config.routing_cycles > 0 {
            return if early == OPEN { (0, 0) } else { early };
        }
        let packet = &self.packets[slot.packet];
        let request = self.parts.routing.request(head, packet, &mut slot.word);
        let asked = outcome(&self.layout, router, packet, request);
        let place = at * self.layout.ring + usize::from(self.inputs[at].front);
        self.rings[place] = slot;
        asked
    }

    /// A credit came back in this cycle.
    #[cold]
    pub(super) fn came_back(&mut self, channel: usize) {
        let came = &mut self.came[channel];
        *came = if came.0 == self.cycle { (came.0, came.1 + 1) } else { (self.cycle, 1) };
    }

    /// The packet at the front of an input channel.
    pub(super) fn front(&self, at: usize) -> crate::packet::Slot {
        self.rings[at * self.layout.ring + usize::from(self.inputs[at].front)]
    }

    pub(super) fn head_at(&self, router: usize, n: usize) -> Head {
        Head { router: self.layout.own(router), input: self.layout.entry(router, n) }
    }

    /// Whether the head at the front of an input channel may ask for what it does: queues may have led to that.
    pub(super) fn may_ask(&self, router: usize, n: usize, packet: &Packet, word: u32) -> bool {
        let input = &self.inputs[self.first(router) * self.layout.channels + n];
        if input.doing == Doing::Routing {
            return (input.port, input.channels) == (0, 0);
        }
        let kept = (input.port, input.channels);
        self.is_option(router, self.head_at(router, n), packet, word, kept)
    }

    fn is_option(&self, router: usize, head: Head, packet: &Packet, word: u32, kept: (u16, u16)) -> bool {
        let routing = &self.parts.routing;
        let ask = |option: u32| {
            move |word: &mut u32| -> (u16, u16) {
                let request: Request = routing.option(head, packet, word, option);
                outcome(&self.layout, router, packet, request)
            }
        };
        // Before the first decision the word is 0.
        (0..routing.options(head, packet, word).max(routing.options(head, packet, 0)))
            .any(|option| asked_for(word, ask(option), kept))
    }

    /// What packets decided at their nodes leads them on.
    pub(super) fn audit_early(&self) -> Result<(), AuditError> {
        let decided = self.early.iter().enumerate().filter(|(_, early)| **early != OPEN);
        for (id, &kept) in decided {
            let packet = self.packets.live().find(|&(live, _)| live as usize == id).map(|(_, packet)| packet);
            let right = packet.is_some_and(|packet| {
                let router = self.network.router_of(packet.source);
                let plane = self.plane_of(packet);
                let at = self.layout.router_in(plane.into(), router);
                usize::from(kept.0) < self.layout.ports(at)
                    && u32::from(kept.1) >> self.layout.channels == 0
                    && (0..self.parts.routing.options(Head { router, input: None }, packet, 0)).any(|option| {
                        let request = self.parts.routing.option(Head { router, input: None }, packet, &mut 0, option);
                        outcome(&self.layout, at, packet, request) == kept
                    })
            });
            expect(right, || format!("packet {id} has decided on what leads it nowhere"))?;
        }
        Ok(())
    }
}
