//! Packets at the front of their admittance queue and in the network, with their routes.

use super::queues::NONE;
use crate::contract::queueing::{Packing, Route};
use crate::packet::{Packet, are_free};
use serde::{Deserialize, Serialize};
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Unfit, ensure};

/// What a hop needs of a packet. PERF: most packets in a network are in long queues; four of them share a cache line.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[repr(C, align(16))]
pub(super) struct Hop {
    /// The first ports of what is left of its route.
    packed: u64,
    /// The packet behind it in its queue.
    pub next: u32,
    /// Its destination, and [`LONG`].
    to: u32,
}

/// More ports are left of the route of a packet than a word has.
const LONG: u32 = 1 << 31;

/// All packets, with ids that are reused.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    packets: Vec<Packet>,
    hops: Vec<Hop>,
    /// First cycle in which a packet may ask for the crossbar, while it is in an ingress side; not kept where it may at once.
    asks: Vec<u64>,
    /// Ports that are left of long routes.
    left: Vec<u16>,
    /// Routes, each at the end of its `stride` places.
    routes: Vec<u8>,
    stride: usize,
    packing: Packing,
    free: Vec<u32>,
}

tailback_base::plain!(Hop);
tailback_base::state!([] Pool {
    saved: ; grown: packets, hops, asks, left, routes, free; rebuilt: stride, packing;
} [fits]);

impl Pool {
    /// No packets; memory is reserved for `packets` with routes of at most `longest` ports, all below `ports`.
    pub fn new(packets: usize, longest: usize, ports: usize) -> Self {
        assert!(longest <= usize::from(u16::MAX), "the spec was checked for networks that are not as large");
        Pool {
            packets: Vec::with_capacity(packets),
            hops: Vec::with_capacity(packets),
            asks: Vec::with_capacity(packets),
            left: Vec::with_capacity(packets),
            routes: Vec::with_capacity(packets * longest),
            stride: longest,
            packing: Packing::new(ports),
            free: Vec::with_capacity(packets),
        }
    }

    /// That there is all of every packet.
    fn fits(&self) -> Result<(), Unfit> {
        let all = self.packets.len();
        let lengths = [self.hops.len(), self.asks.len(), self.left.len(), self.routes.len() / self.stride.max(1)];
        let left = self.left.iter().all(|&left| usize::from(left) <= self.stride);
        ensure(lengths.iter().all(|&length| length == all) && left, "a packet has no route")?;
        are_free(&self.free, all)
    }

    /// Bytes for a packet with a route of at most `longest` ports.
    pub fn bytes(longest: usize) -> usize {
        size_of::<Packet>() + size_of::<Hop>() + size_of::<u64>() + size_of::<u16>() + longest + size_of::<u32>()
    }

    /// Takes in a packet with this route.
    pub fn insert(&mut self, packet: Packet, route: &[u8]) -> u32 {
        assert!(route.len() <= self.stride, "no routing goes further than twice across the network");
        assert!(packet.destination < LONG, "node numbers have 31 bits");
        let long = if route.len() > self.packing.turns() { LONG } else { 0 };
        let hop = Hop { packed: self.packing.pack(route), next: NONE, to: packet.destination | long };
        let id = match self.free.pop() {
            Some(id) => {
                self.packets[id as usize] = packet;
                self.hops[id as usize] = hop;
                id
            }
            None => {
                self.packets.push(packet);
                self.hops.push(hop);
                self.asks.push(0);
                self.left.push(0);
                self.routes.resize(self.packets.len() * self.stride, 0);
                (self.packets.len() - 1) as u32
            }
        };
        self.left[id as usize] = route.len() as u16;
        let end = (id as usize + 1) * self.stride;
        self.routes[end - route.len()..end].copy_from_slice(route);
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
    #[inline(always)]
    pub fn route(&self, id: u32) -> Route<'_> {
        let Hop { packed, to, .. } = self.hops[id as usize];
        let long = if to & LONG == 0 { None } else { Some(self.long(id, 0)) };
        Route { packed, packing: self.packing, long, destination: to & !LONG }
    }

    /// What is left of the route of a packet behind the next port.
    #[inline(always)]
    pub fn route_behind(&self, id: u32) -> Route<'_> {
        let Hop { packed, to, .. } = self.hops[id as usize];
        if to & LONG != 0 {
            return self.long_behind(id);
        }
        Route { packed: self.packing.behind(packed), packing: self.packing, long: None, destination: to }
    }

    /// The packet is through the switch: the next port is behind it.
    #[inline(always)]
    pub fn advance(&mut self, id: u32) {
        let hop = &mut self.hops[id as usize];
        if hop.to & LONG == 0 {
            hop.packed = self.packing.behind(hop.packed);
        } else {
            self.advance_long(id);
        }
    }

    /// Of a long route, what is left behind the next ports.
    #[cold]
    fn long(&self, id: u32, ports: usize) -> &[u8] {
        let end = (id as usize + 1) * self.stride;
        &self.routes[end - usize::from(self.left[id as usize]) + ports..end]
    }

    #[cold]
    fn long_behind(&self, id: u32) -> Route<'_> {
        let Hop { packed, to, .. } = self.hops[id as usize];
        let rest = self.long(id, 1);
        let long = (rest.len() > self.packing.turns()).then_some(rest);
        Route { packed: self.packing.behind_long(packed, rest), packing: self.packing, long, destination: to & !LONG }
    }

    #[cold]
    fn advance_long(&mut self, id: u32) {
        let Route { packed, long, destination, .. } = self.long_behind(id);
        let long = if long.is_some() { LONG } else { 0 };
        self.left[id as usize] -= 1;
        let hop = &mut self.hops[id as usize];
        (hop.packed, hop.to) = (packed, destination | long);
    }

    /// The next port of a packet in an ingress side.
    #[inline]
    pub fn port(&self, id: u32) -> usize {
        usize::from(self.packing.first(self.hops[id as usize].packed))
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

    /// The packet behind one in its queue.
    #[inline]
    pub fn next(&self, id: u32) -> u32 {
        self.hops[id as usize].next
    }

    /// One packet is behind another in a queue.
    #[inline]
    pub fn set_next(&mut self, id: u32, next: u32) {
        self.hops[id as usize].next = next;
    }

    /// First cycle in which a packet may ask for the crossbar, where it is kept.
    #[inline]
    pub fn asks(&self, id: u32) -> u64 {
        self.asks[id as usize]
    }

    /// Keeps it.
    #[inline]
    pub fn set_asks(&mut self, id: u32, cycle: u64) {
        self.asks[id as usize] = cycle;
    }

    /// What a hop needs of a packet will be needed soon.
    #[inline]
    pub fn prefetch_hop(&self, id: u32) {
        prefetch(&self.hops, id as usize, 0, 1);
    }

    /// The packet will be needed soon.
    #[inline]
    pub fn prefetch_packet(&self, id: u32) {
        prefetch(&self.packets, id as usize, 0, 1);
    }
}
