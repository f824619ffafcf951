//! Where packets may go that no head has asked for yet, from the routing of the run.

use crate::prepare::Prepared;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use tailback_engine::contract::routing::{Head, Routing, Variety};
use tailback_engine::packet::Packet;
use tailback_mechanisms::routing::{self, Any, Routes};
use tailback_probes::anatomy::{Links, Place, Ports, Queue, Standing, Ways};

/// The ports that a routing gives a packet at a router: all that any of its draws gives.
pub struct Routed<'a> {
    links: Links<'a>,
    routing: &'a Any,
    channels: u32,
    draws: Vec<u32>,
    known: bool,
    /// Whether nothing but its destination decides which ways a packet may go from a router.
    by_destination: bool,
    /// Whether there is one such way for every destination.
    single: bool,
    routers: usize,
    /// By router and destination's router, the ports of packets of which nothing else decides ([`Routing::memory`] is 0), those of all
    /// draws together; 0: nobody has asked. Empty where nothing is remembered.
    ///
    /// PERF: whoever stands in a tree is asked for his whole way in every look (`tailback bench --probes recn-1`).
    ports: Vec<Cell<u16>>,
    /// In a network without a grid the same of all draws together: those of a packet on its way are forgotten.
    of_pairs: RefCell<BTreeMap<(u32, u32), Ports>>,
}

/// The most pairs of routers that are remembered.
const PAIRS: usize = 1 << 20;

impl<'a> Routed<'a> {
    /// The ways of a point.
    pub fn new(prepared: &'a Prepared) -> Self {
        let variety = prepared.routing.variety();
        // Whether a packet has been where it was sent first, only its head knows.
        let detours = routing::routes(prepared.view("routing")) == Routes::Detours;
        let known = !detours && !variety.draws.is_empty();
        let draws = if known { variety.all_draws().collect() } else { vec![0] };
        // A routing of ports was built for as many as there can be.
        let channels = if prepared.router.is_queued() { 1 } else { prepared.router.channels() };
        let links = Links::new(&prepared.network);
        let routers = prepared.network.routers() as u32;
        let pairs = routers as usize * routers as usize;
        // The packet's number may decide, too.
        let alike = draws.len() == 1 || variety.indices == 1;
        let ports = if known && alike && pairs <= PAIRS && links.network_ports() <= 16 {
            vec![Cell::new(0); pairs]
        } else {
            Vec::new()
        };
        let forgets = |router, source| {
            let packet = Packet { source, ..Packet::default() };
            prepared.routing.memory(Head { router, input: None }, &packet) == 0
        };
        let firsts =
            || (0..routers).filter(|&at| links.network.nodes_at(at) > 0).map(|at| links.network.seats().node(at, 0));
        let forgets_all = !ports.is_empty() && (0..routers).all(|at| firsts().all(|from| forgets(at, from)));
        let by_destination = known && variety == Variety::default() && forgets_all;
        let of_pairs = RefCell::default();
        let (routing, single) = (&prepared.routing, by_destination && !prepared.routing.is_adaptive());
        let routers = routers as usize;
        Routed { links, routing, channels, draws, known, by_destination, single, routers, ports, of_pairs }
    }

    /// Whether they can be told.
    pub fn are_known(&self) -> bool {
        self.known
    }

    /// Calls `each` with the ports that a draw gives a packet at a router, and channels of each as a mask. Ports with their channels may be
    /// more than a mask of both has bits.
    fn drawn(&self, head: Head, packet: &Standing, draw: u32, each: &mut dyn FnMut(u32, u64)) {
        let mut routed = self.packet(packet);
        let mut word = self.routing.start(head.router, &mut routed, || draw);
        if self.routing.is_adaptive() {
            let all = self.routing.candidates(head, &routed, self.channels, &mut word).all();
            let outputs =
                tailback_base::bits::ones(all).map(|bit| (bit as u32 / self.channels, bit as u32 % self.channels));
            return outputs.for_each(|(port, channel)| each(port, 1 << channel));
        }
        let request = self.routing.request(head, &routed, &mut word);
        let channels = u64::from(request.channels) & ((1 << self.channels) - 1);
        // Where there are no virtual channels a port is all there is.
        let channels = if self.channels == 1 { 1 } else { channels };
        request.port.into_iter().for_each(|port| each(port.into(), channels));
    }

    fn packet(&self, packet: &Standing) -> Packet {
        let router = self.links.network.router_of(packet.destination);
        let (source, destination, index) = (packet.source, packet.destination, packet.index);
        Packet { source, destination, index, router, ..Packet::default() }
    }

    /// The ports that any draw gives a packet at a router.
    fn ports_of(&self, head: Head, packet: &Standing) -> Ports {
        let mut ports = 0;
        self.all(head, packet, &mut |port, channels| ports |= Ports::from(channels != 0) << port);
        ports
    }

    /// The ports that any draw gives a packet at a router without a grid, for another router.
    fn of_pair(&self, router: u32, to: u32, packet: &Standing) -> Ports {
        if let Some(&ports) = self.of_pairs.borrow().get(&(router, to)) {
            return ports;
        }
        let ports = self.draws.iter().fold(0, |all, &draw| all | self.port(router, packet, draw));
        if self.of_pairs.borrow().len() < PAIRS {
            self.of_pairs.borrow_mut().insert((router, to), ports);
        }
        ports
    }

    /// The port that a draw gives, as a mask: there may be more ports with channels than a mask of these has bits.
    fn port(&self, router: u32, packet: &Standing, draw: u32) -> Ports {
        let mut routed = self.packet(packet);
        let mut word = self.routing.start(router, &mut routed, || draw);
        let request = self.routing.request(Head { router, input: None }, &routed, &mut word);
        request.port.map_or(0, |port| 1 << port)
    }

    fn all(&self, head: Head, packet: &Standing, each: &mut dyn FnMut(u32, u64)) {
        self.draws.iter().for_each(|&draw| self.drawn(head, packet, draw, each));
    }
}

impl Ways for Routed<'_> {
    fn next(&self, router: u32, packet: &Standing) -> Ports {
        let to = self.links.network.router_of(packet.destination);
        if to == router {
            return 1 << self.links.to_node(packet.destination);
        }
        if self.links.network.grid().is_none() {
            return self.of_pair(router, to, packet);
        }
        let head = Head { router, input: None };
        let known = self.ports.get(router as usize * self.routers + to as usize);
        let known = known.filter(|_| self.by_destination || self.routing.memory(head, &self.packet(packet)) == 0);
        if let Some(ports) = known.map(Cell::get).filter(|&ports| ports != 0) {
            return ports.into();
        }
        let ports = self.ports_of(head, packet);
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
        // Which of the channels it may take in a network without a grid depends on the links behind it.
        if !self.known || self.links.network.grid().is_none() {
            return (1 << self.channels) - 1;
        }
        let input = if let Place::Input(port) = place { Some((port, number as u8)) } else { None };
        let mut of_port = 0;
        let mut each = |other: u32, channels: u64| of_port |= if other == u32::from(port) { channels } else { 0 };
        self.all(Head { router, input }, packet, &mut each);
        of_port
    }
}
