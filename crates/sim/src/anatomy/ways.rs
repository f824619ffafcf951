//! Where packets may go that no head has asked for yet, from the routing of the run.

use crate::prepare::Prepared;
use std::cell::Cell;
use tailback_engine::contract::routing::{Head, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_mechanisms::routing::{self, Any, Routes};
use tailback_network::Grid;
use tailback_probes::anatomy::{Links, Place, Ports, Queue, Standing, Ways};

/// The ports that a routing gives a packet at a router: all that any of its draws gives.
pub struct Routed<'a> {
    grid: &'a Grid,
    routing: &'a Any,
    channels: u32,
    draws: Vec<u32>,
    known: bool,
    /// Whether nothing but its destination decides which ways a packet may go from a router.
    by_destination: bool,
    /// Whether there is one such way for every destination.
    single: bool,
    routers: usize,
    /// By router and destination's router, the ports of packets of which nothing else decides ([`Routing::memory`] is 0); 0: nobody has
    /// asked. Empty where draws decide.
    ///
    /// PERF: whoever stands in a tree is asked for his whole way in every look (`tailback bench --probes recn-1`).
    ports: Vec<Cell<u16>>,
}

/// The most pairs of routers that are remembered.
const PAIRS: usize = 1 << 20;

impl<'a> Routed<'a> {
    /// The ways of a point.
    pub fn new(prepared: &'a Prepared) -> Self {
        // Whether a packet has been where it was sent first, only its head knows.
        let known = routing::routes(prepared.view("routing")) != Routes::Detours;
        let draws = if known { prepared.routing.variety().all_draws().collect() } else { vec![0] };
        // A routing of ports was built for as many as there can be.
        let channels = if prepared.router.is_queued() { 1 } else { prepared.router.channels() };
        let grid = prepared.grid();
        let pairs = grid.routers() * grid.routers();
        let ports = if known && draws.len() == 1 && pairs <= PAIRS && grid.ports() <= 16 {
            vec![Cell::new(0); pairs]
        } else {
            Vec::new()
        };
        let forgets = |router, source| {
            let packet = Packet { source: source * grid.nodes_per_router(), ..Packet::default() };
            prepared.routing.memory(Head { router, input: None }, &packet) == 0
        };
        let routers = 0..grid.routers() as u32;
        let forgets_all = !ports.is_empty() && routers.clone().all(|at| routers.clone().all(|from| forgets(at, from)));
        let by_destination = known && prepared.routing.variety() == Variety::default() && forgets_all;
        let (routing, single) = (&prepared.routing, by_destination && !prepared.routing.is_adaptive());
        Routed { grid, routing, channels, draws, known, by_destination, single, routers: grid.routers(), ports }
    }

    /// Whether they can be told.
    pub fn are_known(&self) -> bool {
        self.known
    }

    /// The output channels, bit `port * channels + channel`, that a draw gives a packet at a router.
    fn drawn(&self, head: Head, packet: &Standing, draw: u32) -> u64 {
        let mut routed = self.packet(packet);
        let mut word = self.routing.start(head.router, &mut routed, || draw);
        if self.routing.is_adaptive() {
            return self.routing.candidates(head, &routed, self.channels, &mut word).all();
        }
        let request = self.routing.request(head, &routed, &mut word);
        let channels = u64::from(request.channels) & ((1 << self.channels) - 1);
        // Where there are no virtual channels a port is all there is.
        let channels = if self.channels == 1 { 1 } else { channels };
        request.port.map_or(0, |port| channels << (u32::from(port) * self.channels))
    }

    fn packet(&self, packet: &Standing) -> Packet {
        let router = self.grid.router_of(packet.destination);
        let (source, destination, index) = (packet.source, packet.destination, packet.index);
        Packet { source, destination, index, router, ..Packet::default() }
    }

    fn all(&self, head: Head, packet: &Standing) -> u64 {
        self.draws.iter().fold(0, |all, &draw| all | self.drawn(head, packet, draw))
    }
}

impl Ways for Routed<'_> {
    fn next(&self, router: u32, packet: &Standing) -> Ports {
        if self.grid.router_of(packet.destination) == router {
            return 1 << Links { grid: self.grid }.to_node(packet.destination);
        }
        let (head, to) = (Head { router, input: None }, self.grid.router_of(packet.destination));
        let known = self.ports.get(router as usize * self.routers + to as usize);
        let known = known.filter(|_| self.by_destination || self.routing.memory(head, &self.packet(packet)) == 0);
        if let Some(ports) = known.map(Cell::get).filter(|&ports| ports != 0) {
            return ports.into();
        }
        let channels = self.all(head, packet);
        let ports = tailback_base::bits::ones(channels).fold(0, |ports, c| ports | 1 << (c as u32 / self.channels));
        known.into_iter().for_each(|known| known.set(ports as u16));
        ports
    }

    fn are_by_destination(&self) -> bool {
        self.by_destination
    }

    fn are_single(&self) -> bool {
        self.single
    }

    fn channels(&self, packet: &Standing, port: u8) -> u64 {
        let Queue { router, place, number } = packet.queue;
        if !self.known {
            return (1 << self.channels) - 1;
        }
        let input = if let Place::Input(port) = place { Some((port, number as u8)) } else { None };
        self.all(Head { router, input }, packet) >> (u32::from(port) * self.channels) & ((1 << self.channels) - 1)
    }
}
