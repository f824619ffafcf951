//! Packets at the front of their admittance queue and in the network, with their routes.

use super::queues::NONE;
use crate::contract::queueing::Route;
use crate::packet::Packet;

/// What a packet carries through the network.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Carried {
    /// The packet behind it in its queue.
    pub next: u32,
    /// Destination node.
    pub destination: u32,
    /// First cycle in which it may ask for the crossbar, while it is in an ingress side.
    pub asks: u64,
    /// Ports of its route that are behind it.
    pub at: u16,
    /// Ports of its route.
    pub length: u16,
}

/// All packets, with ids that are reused.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    packets: Vec<Packet>,
    carried: Vec<Carried>,
    /// Places for the route of every packet.
    routes: Vec<u8>,
    stride: usize,
    free: Vec<u32>,
}

impl Pool {
    /// No packets; memory is reserved for `packets` with routes of at most `longest` ports.
    pub fn new(packets: usize, longest: usize) -> Self {
        assert!(longest <= usize::from(u16::MAX), "the spec was checked for networks that are not as large");
        Pool {
            packets: Vec::with_capacity(packets),
            carried: Vec::with_capacity(packets),
            routes: Vec::with_capacity(packets * longest),
            stride: longest,
            free: Vec::with_capacity(packets),
        }
    }

    /// Takes in a packet with this route.
    pub fn insert(&mut self, packet: Packet, route: &[u8]) -> u32 {
        assert!(route.len() <= self.stride, "no routing goes further than twice across the network");
        let carried =
            Carried { next: NONE, destination: packet.destination, asks: 0, at: 0, length: route.len() as u16 };
        let id = match self.free.pop() {
            Some(id) => {
                self.packets[id as usize] = packet;
                self.carried[id as usize] = carried;
                id
            }
            None => {
                self.packets.push(packet);
                self.carried.push(carried);
                self.routes.resize(self.packets.len() * self.stride, 0);
                (self.packets.len() - 1) as u32
            }
        };
        self.routes[id as usize * self.stride..][..route.len()].copy_from_slice(route);
        id
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
        let carried = &self.carried[id as usize];
        let route = &self.routes[id as usize * self.stride..][..usize::from(carried.length)];
        Route { turns: &route[usize::from(carried.at)..], destination: carried.destination }
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
        let at = usize::from(self.carried[id as usize].at);
        usize::from(self.routes[id as usize * self.stride + at])
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
}
