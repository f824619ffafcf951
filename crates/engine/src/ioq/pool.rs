//! Packets at the front of their admittance queue and in the network, with their routes.

use super::queues::NONE;
use crate::contract::queueing::Route;
use crate::packet::Packet;
use tailback_base::prefetch::prefetch;

/// Ports of a route that are kept with the packet. PERF: what a hop needs of a packet is one cache line.
const SHORT: usize = 44;

/// What a packet carries through the network.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Carried {
    /// First cycle in which it may ask for the crossbar, while it is in an ingress side.
    pub asks: u64,
    /// The packet behind it in its queue.
    pub next: u32,
    /// Destination node.
    destination: u32,
    /// Ports of its route that are behind it.
    pub at: u16,
    /// Ports of its route.
    length: u16,
    /// Its route, if that is no longer.
    route: [u8; SHORT],
}

/// All packets, with ids that are reused.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    packets: Vec<Packet>,
    carried: Vec<Carried>,
    /// Places for the routes of packets that are longer than [`SHORT`].
    routes: Vec<u8>,
    /// Places for each; 0 where no route is longer.
    stride: usize,
    free: Vec<u32>,
}

impl Pool {
    /// No packets; memory is reserved for `packets` with routes of at most `longest` ports.
    pub fn new(packets: usize, longest: usize) -> Self {
        assert!(longest <= usize::from(u16::MAX), "the spec was checked for networks that are not as large");
        let stride = if longest > SHORT { longest } else { 0 };
        Pool {
            packets: Vec::with_capacity(packets),
            carried: Vec::with_capacity(packets),
            routes: Vec::with_capacity(packets * stride),
            stride,
            free: Vec::with_capacity(packets),
        }
    }

    /// Takes in a packet with this route.
    pub fn insert(&mut self, packet: Packet, route: &[u8]) -> u32 {
        let (destination, length) = (packet.destination, route.len() as u16);
        let mut carried = Carried { asks: 0, next: NONE, destination, at: 0, length, route: [0; SHORT] };
        if let Some(short) = carried.route.get_mut(..route.len()) {
            short.copy_from_slice(route);
        }
        let id = match self.free.pop() {
            Some(id) => {
                self.packets[id as usize] = packet;
                self.carried[id as usize] = carried;
                id
            }
            None => {
                self.packets.push(packet);
                self.carried.push(carried);
                (self.packets.len() - 1) as u32
            }
        };
        if route.len() > SHORT {
            self.keep_long(id, route);
        }
        id
    }

    #[cold]
    fn keep_long(&mut self, id: u32, route: &[u8]) {
        assert!(route.len() <= self.stride, "no routing goes further than twice across the network");
        let from = id as usize * self.stride;
        if self.routes.len() < from + self.stride {
            self.routes.resize(from + self.stride, 0);
        }
        self.routes[from..][..route.len()].copy_from_slice(route);
    }

    /// Gives an id back.
    #[inline]
    pub fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    /// Packets taken in and not given back.
    pub fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// What is left of the route of a packet.
    #[inline]
    pub fn route(&self, id: u32) -> Route<'_> {
        let Carried { destination, at, length, ref route, .. } = self.carried[id as usize];
        let turns = match route.get(usize::from(at)..usize::from(length)) {
            Some(turns) => turns,
            None => &self.routes[id as usize * self.stride..][usize::from(at)..usize::from(length)],
        };
        Route { turns, destination }
    }

    /// What is left of the route of a packet behind the next port.
    #[inline]
    pub fn route_behind(&self, id: u32) -> Route<'_> {
        let Route { turns, destination } = self.route(id);
        Route { turns: &turns[1..], destination }
    }

    /// The next port of a packet in an ingress side.
    #[inline]
    pub fn port(&self, id: u32) -> usize {
        usize::from(self.route(id).turns[0])
    }

    /// The packet.
    #[inline]
    pub fn packet(&self, id: u32) -> &Packet {
        &self.packets[id as usize]
    }

    /// The packet, to be changed.
    #[inline]
    pub fn packet_mut(&mut self, id: u32) -> &mut Packet {
        &mut self.packets[id as usize]
    }

    /// What a packet carries.
    #[inline]
    pub fn carried(&self, id: u32) -> &Carried {
        &self.carried[id as usize]
    }

    /// What a packet carries, to be changed.
    #[inline]
    pub fn carried_mut(&mut self, id: u32) -> &mut Carried {
        &mut self.carried[id as usize]
    }

    /// What a packet carries will be needed soon.
    #[inline]
    pub fn prefetch(&self, id: u32) {
        // PERF: most packets in a network are in long queues and out of the caches (`tailback bench recn-1`).
        prefetch(&self.carried, id as usize, 0, 1);
    }
}
