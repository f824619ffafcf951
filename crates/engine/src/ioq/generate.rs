//! Generate: nodes make packets when they are due, and a packet that comes to the front of its admittance queue gets its route.

use super::admittance::Waiting;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::NONE;
use super::shape::Shape;
use crate::contract::probe::Probe;
use crate::contract::routing::{Head, Routing};
use crate::contract::sources::Sources;
use crate::packet::Packet;
use tailback_base::bits::ones;
use tailback_base::rng::{self, Purpose};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Nodes whose next packet is due, or whose queue has room again, make what is due, until a queue is full.
    #[inline(always)]
    pub(super) fn generate<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.makers.open(now);
        while let Some(node) = self.makers.take(&mut cursor, now) {
            self.make(now, node, probe);
        }
    }

    fn make<P: Probe>(&mut self, now: u64, node: u32, probe: &mut P) {
        while self.makers.is_due(node, now) && self.make_packet(now, node, probe) {}
    }

    /// Makes the next packet of a node, unless its queue is full.
    fn make_packet<P: Probe>(&mut self, now: u64, node: u32, probe: &mut P) -> bool {
        let (n, destination) = (node as usize, self.makers.nodes[node as usize].next.destination);
        let count = self.admittance.count(n, destination as usize);
        if count >= self.admittance.limit {
            self.makers.stall(node, 0);
            return false;
        }
        let (index, message) = self.makers.make(node, now);
        let waiting = Waiting { birth: now, index, message, next: NONE };
        if count > 0 {
            self.admittance.wait(n, destination as usize, waiting);
        } else {
            let id = self.start(node, destination, waiting, probe);
            self.admittance.begin(n, destination as usize, id);
        }
        true
    }

    /// A packet comes to the front of its admittance queue, and its route is fixed.
    pub(super) fn start<P: Probe>(&mut self, node: u32, destination: u32, made: Waiting, probe: &mut P) -> u32 {
        let mut packet = Packet {
            birth: made.birth,
            index: made.index,
            source: node,
            destination,
            router: self.network.router_of(destination),
            flits: self.config.packet_flits,
            mark: self.makers.sources.mark(node, self.makers.messages.number(made.message, made.index)),
            ..Packet::default()
        };
        self.walk(&mut packet);
        packet.hops = self.route.len() as u32 - 1;
        let id = self.pool.insert(packet, &self.route);
        self.makers.messages.carries(id, made.message);
        self.counters.started += 1;
        probe.started(&packet);
        id
    }

    /// The route of a packet.
    fn walk(&mut self, packet: &mut Packet) {
        let (routing, route) = (&self.parts.routing, &mut self.route);
        route.clear();
        let mut router = self.network.router_of(packet.source);
        let (node, index, seed) = (packet.source, packet.index, self.config.seed);
        let mut word = routing.start(router, packet, || rng::draw(seed, Purpose::Tie, node, index)[0]);
        let mut input = None;
        loop {
            let head = Head { router, input };
            let port = if routing.is_adaptive() {
                let ports = routing.candidates(head, packet, 1, &mut word);
                // An escape is for those who wait, and nobody waits here.
                let ports = if ports.preferred != 0 { ports.preferred } else { ports.fallback };
                let draw = || rng::draw_u64(seed, Purpose::Request, node, index * 256 + route.len() as u64);
                one_of(ports, draw)
            } else {
                routing.request(head, packet, &mut word).port
            };
            let Some(port) = port else { break };
            let hops;
            (hops, word) =
                if routing.is_adaptive() { (1, routing.advance(port, word)) } else { routing.straight(port, word) };
            route.push(port, hops);
            router = self.network.along(router, usize::from(port), hops);
            input = Some((port, 0));
        }
        route.push((self.layout.network + self.layout.seats.seat(packet.destination) as usize) as u8, 1);
    }
}

/// One of the ports of a mask by a draw; `None` where there is none.
#[inline]
fn one_of(ports: u64, draw: impl FnOnce() -> u64) -> Option<u8> {
    match ports.count_ones() {
        0 => None,
        1 => Some(ports.trailing_zeros() as u8),
        n => ones(ports).nth(rng::below(draw(), u64::from(n)) as usize).map(|port| port as u8),
    }
}
