//! Packets at the front of their admittance queue and in the network, with their routes.

use super::queues::NONE;
use crate::contract::queueing::{Packing, Route};
use crate::packet::{Packet, are_free, present};
use serde::{Deserialize, Serialize};
use tailback_base::bits::BitSet;
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

/// A route that is being walked.
#[derive(Clone, Debug)]
pub(super) struct Way {
    packing: Packing,
    /// A 1 at the place of every turn in a word.
    ones: u64,
    /// Its first ports.
    packed: u64,
    ports: Vec<u8>,
}

impl Way {
    /// One of at most `longest` ports, all below `ports`.
    pub fn new(longest: usize, ports: usize) -> Self {
        let packing = Packing::new(ports);
        let ones = packing.pack(&vec![0; packing.turns()]);
        Way { packing, ones, packed: 0, ports: Vec::with_capacity(longest) }
    }

    /// Begins a route.
    #[inline]
    pub fn clear(&mut self) {
        self.packed = 0;
        self.ports.clear();
    }

    /// Its ports so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.ports.len()
    }

    /// It goes on through a port, and others of its number.
    #[inline]
    pub fn push(&mut self, port: u8, times: u32) {
        let same = (u64::from(port) + 1) * (self.ones & self.packing.mask(times as usize));
        self.packed |= self.packing.after(same, self.ports.len());
        self.ports.resize(self.ports.len() + times as usize, port);
    }
}

/// All packets, with ids that are reused.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    packets: Vec<Packet>,
    hops: Vec<Hop>,
    /// First cycle in which a packet may ask for the crossbar, while it is in an ingress side; not kept where it may at once.
    asks: Vec<u64>,
    /// Ports that are left of long routes.
    left: Vec<u16>,
    /// Long routes, each at the end of its `stride` places.
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
        let have_hops = self.hops.len() == all && self.asks.len() == all;
        // Long routes are kept up to the last packet that has had one.
        let long = self.left.len();
        let have_long = long <= all && self.routes.len() == long * self.stride;
        let fit = self.left.iter().all(|&left| usize::from(left) <= self.stride);
        let short = self.hops.iter().skip(long).all(|hop| hop.to & LONG == 0);
        let same = self.hops.iter().zip(&self.packets).all(|(hop, packet)| hop.to & !LONG == packet.destination);
        ensure(same, "a packet goes to another node than its own")?;
        ensure(have_hops && have_long && fit && short, "a packet has no route")?;
        are_free(&self.free, all)
    }

    /// That these are ids of packets.
    pub fn know(&self, mut ids: impl Iterator<Item = u32>) -> Result<(), Unfit> {
        ensure(ids.all(|id| (id as usize) < self.packets.len()), "a packet is somewhere that is not there")
    }

    /// Packets taken in and not given back, with their ids.
    pub fn live_ids(&self) -> impl Iterator<Item = (u32, &Packet)> {
        let mut free = BitSet::new(self.packets.len());
        self.free.iter().for_each(|&id| free.insert(id as usize));
        (0u32..).zip(&self.packets).filter(move |(id, _)| !free.contains(*id as usize))
    }

    /// Packets taken in and not given back.
    pub fn live(&self) -> impl Iterator<Item = &Packet> {
        self.live_ids().map(|(_, packet)| packet)
    }

    /// The ports of what is left of the route of a packet, as far as they are ports.
    pub fn ports(&self, id: u32) -> impl Iterator<Item = u8> + '_ {
        let Hop { packed, to, .. } = self.hops[id as usize];
        let long = (to & LONG != 0).then(|| self.long(id, 0).iter().copied());
        let short = long.is_none().then(|| self.packing.unpack(packed));
        long.into_iter().flatten().chain(short.into_iter().flatten())
    }

    /// Bytes for a packet with a route of at most `longest` ports.
    pub fn bytes(longest: usize) -> usize {
        size_of::<Packet>() + size_of::<Hop>() + size_of::<u64>() + size_of::<u16>() + longest + size_of::<u32>()
    }

    /// Takes in a packet with this route.
    #[inline]
    pub fn insert(&mut self, packet: Packet, route: &Way) -> u32 {
        assert!(packet.destination < LONG, "node numbers have 31 bits");
        let is_long = route.len() > self.packing.turns();
        let to = packet.destination | if is_long { LONG } else { 0 };
        let hop = Hop { packed: route.packed, next: NONE, to };
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
                (self.packets.len() - 1) as u32
            }
        };
        if is_long {
            self.insert_long(id, &route.ports);
        }
        id
    }

    #[cold]
    fn insert_long(&mut self, id: u32, route: &[u8]) {
        assert!(route.len() <= self.stride, "no routing goes further than twice across the network");
        let end = (id as usize + 1) * self.stride;
        if self.left.len() <= id as usize {
            self.left.resize(id as usize + 1, 0);
            self.routes.resize(end, 0);
        }
        self.left[id as usize] = route.len() as u16;
        self.routes[end - route.len()..end].copy_from_slice(route);
    }

    /// Gives an id back.
    #[inline]
    pub fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    /// The packets that were taken in and not given back.
    pub fn present(&self) -> impl Iterator<Item = &Packet> {
        present(&self.packets, &self.free)
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

    /// The packet is through the switch: the next port is behind it. Who is behind the packet in its queue.
    #[inline(always)]
    pub fn advance(&mut self, id: u32) -> u32 {
        let hop = &mut self.hops[id as usize];
        let next = hop.next;
        if hop.to & LONG == 0 {
            hop.packed = self.packing.behind(hop.packed);
        } else {
            self.advance_long(id);
        }
        next
    }

    /// A packet comes to the front of its queue in an ingress side: its next port. The one behind it will be looked at when this
    /// one leaves.
    #[inline(always)]
    pub fn come_to_front(&self, id: u32) -> usize {
        let Hop { packed, next, .. } = self.hops[id as usize];
        self.prefetch_hop(next);
        usize::from(self.packing.first(packed))
    }

    /// The part of a long route that follows the next `ports` ports.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_packed_as_it_is_walked() {
        for ports in [3, 5, 8, 64] {
            let (packing, mut way) = (Packing::new(ports), Way::new(64, ports));
            for runs in [&[(0, 3), (2, 1)][..], &[(2, 7), (1, 40), (0, 17)], &[(1, 0), (2, 64)], &[]] {
                let route: Vec<u8> = runs.iter().flat_map(|&(port, times)| vec![port; times as usize]).collect();
                way.clear();
                runs.iter().for_each(|&(port, times)| way.push(port, times));
                assert_eq!((way.len(), way.packed), (route.len(), packing.pack(&route)), "{ports} ports, {runs:?}");
                let (mut pool, packet) = (Pool::new(0, 64, ports), Packet { destination: 9, ..Packet::default() });
                pool.insert(packet, &Way::new(64, ports));
                let id = pool.insert(packet, &way);
                for left in (0..=route.len()).map(|n| &route[n..]) {
                    let expected = Route::new(packing, left, 9);
                    let found = pool.route(id);
                    assert_eq!((found.packed, found.long, found.destination), (expected.packed, expected.long, 9));
                    if !left.is_empty() {
                        pool.advance(id);
                    }
                }
            }
        }
    }
}
