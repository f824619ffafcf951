//! What others may see of a network: levels, lines, and what has been delivered.

use super::network::Network;
use super::side::{Place, Side, Sort};
use super::source::Message;
use crate::reference::Delivered;
use crate::totals::{Whereabouts, totals};
use tailback_engine::Totals;

impl Network<'_> {
    /// All sides that a link leads to or from: ingress and egress sides by port, then adapters.
    pub fn sides(&self) -> impl Iterator<Item = &Side> {
        let linked = self.ends.iter().filter(|end| end.partner.is_some());
        linked.flat_map(|end| end.receiving.iter().chain([&end.sending]))
    }

    /// Packets in the ingress memory of a network port at the end of the last cycle, in flits.
    pub fn level(&self, router: usize, port: usize) -> usize {
        self.ingress(self.config.port_end(router, port)).packets() * self.config.packet_flits as usize
    }

    /// Packets in the admittance queues of every node at the end of the last cycle.
    pub fn injection(&self) -> Vec<u32> {
        let waiting = |queues: &Vec<std::collections::VecDeque<usize>>| queues.iter().map(|q| q.len() as u32).sum();
        self.sources.iter().map(|source| waiting(&source.queues)).collect()
    }

    /// The places and turns of all lines in use, in order; whether a place is a node's is left open.
    pub fn points(&self) -> Vec<(Place, Vec<usize>)> {
        let lines = |side: &Side| {
            let list = side.recn.iter().flat_map(|recn| recn.lines());
            list.map(|(_, line)| (Place { to_node: false, ..side.place }, line.turns.clone())).collect::<Vec<_>>()
        };
        let mut list: Vec<_> = self.sides().flat_map(lines).collect();
        list.sort_unstable();
        list
    }

    /// Packets that have left their admittance queue and whose tail had not been received in the last cycle.
    pub fn in_flight(&self) -> u64 {
        self.packets.iter().filter(|packet| packet.entered.is_some() && packet.delivered.is_none()).count() as u64
    }

    /// What became of all packets up to the last cycle.
    pub fn totals(&self) -> Totals {
        let place =
            |packet: &super::network::Packet| Whereabouts::of(packet.entered.is_some(), packet.delivered.is_some());
        totals(self.packets.iter().map(|packet| (packet.made.flits, place(packet))))
    }

    /// Whether every node has made and sent its last packet, and all are delivered.
    pub fn has_ended(&self) -> bool {
        self.in_flight() == 0 && self.sources.iter().all(|source| source.is_dry(self.traffic))
    }

    /// How often packets have joined queues so far: what does not move does not.
    pub fn joins(&self) -> u64 {
        self.joins
    }

    /// Packets received up to the last cycle, by source and index.
    pub fn delivered(&self) -> Vec<Delivered> {
        let delivery = |packet: &super::network::Packet| {
            Some(Delivered {
                source: packet.source,
                index: packet.made.index,
                destination: packet.made.destination,
                birth: packet.made.cycle,
                entered: packet.entered?,
                delivered: packet.delivered?,
                hops: packet.route.len() as u32 - 1,
            })
        };
        let mut list: Vec<Delivered> = self.packets.iter().filter_map(delivery).collect();
        list.sort_unstable();
        list
    }

    /// Source, index and birth of the packets made that are not at the front of their admittance queue, in order.
    pub fn backlog(&self) -> Vec<(u32, u64, u64)> {
        let behind = self.sources.iter().flat_map(|s| &s.queues).flat_map(|queue| queue.iter().skip(1));
        let mut list: Vec<_> = behind
            .map(|&id| (self.packets[id].source, self.packets[id].made.index, self.packets[id].made.cycle))
            .collect();
        list.sort_unstable();
        list
    }

    /// Messages whose last packet has been received up to the last cycle.
    pub fn messages(&self) -> Vec<Message> {
        let done = self.messages.iter().filter(|open| open.packets_left == 0);
        let mut list: Vec<Message> = done.map(|open| open.message).collect();
        list.sort_unstable();
        list
    }

    /// Set-aside queues in use on all sides of a sort.
    pub fn set_aside(&self, sort: Sort) -> usize {
        let sides = self.sides().filter(|side| side.place.sort == sort);
        sides.filter_map(|side| Some(side.recn.as_ref()?.lines().count())).sum()
    }
}
