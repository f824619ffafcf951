//! What others may see of a network: levels, and what has been delivered.

use super::interface::Message;
use super::network::Network;
use crate::totals::{Whereabouts, totals};
use crate::wormhole::packet::{Delivered, Packet};
use tailback_engine::Totals;

impl Network<'_> {
    /// Flits in the buffer of a virtual channel at the end of the last cycle.
    pub fn level(&self, router: usize, port: usize, channel: usize) -> usize {
        self.routers[router].inputs[self.config.number((port, channel))].buffer.len()
    }

    /// Packets in every injection queue at the end of the last cycle, node by node.
    pub fn injection(&self) -> Vec<u32> {
        self.interfaces.iter().flat_map(|i| i.queues.iter().map(|queue| queue.packets.len() as u32)).collect()
    }

    /// Packets whose head has left the source queue and whose tail had not been received in the last cycle.
    pub fn in_flight(&self) -> u64 {
        self.flying.len() as u64
    }

    /// What became of all packets up to the last cycle.
    pub fn totals(&self) -> Totals {
        let place = |packet: &Packet| Whereabouts::of(packet.entered.is_some(), packet.delivered.is_some());
        totals(self.packets.iter().map(|packet| (packet.made.flits, place(packet))))
    }

    /// Whether every node has made and sent its last packet, and all are delivered.
    pub fn has_ended(&self) -> bool {
        self.flying.is_empty() && self.interfaces.iter().all(|interface| interface.is_dry(self.traffic))
    }

    /// Packets received up to the last cycle, by source and index.
    pub fn delivered(&self) -> Vec<Delivered> {
        let mut list: Vec<Delivered> = self.packets.iter().filter_map(Packet::delivery).collect();
        list.sort_unstable();
        list
    }

    /// Source, index and birth of the packets made that have not come to the front of their injection queue, by source and
    /// index.
    pub fn backlog(&self) -> Vec<(u32, u64, u64)> {
        let mut list = Vec::new();
        for interface in &self.interfaces {
            for queue in &interface.queues {
                let behind = queue.packets.iter().skip(usize::from(queue.at_router > 0));
                list.extend(behind.map(|&id| (self.packets[id].source, self.packets[id].made)));
            }
        }
        let mut list: Vec<_> = list.into_iter().map(|(source, made)| (source, made.index, made.cycle)).collect();
        list.sort_unstable();
        list
    }

    /// Flits sent so far.
    pub fn flits_sent(&self) -> u64 {
        self.sent
    }

    /// Messages whose last packet has been received up to the last cycle.
    pub fn messages(&self) -> Vec<Message> {
        let done = self.messages.iter().filter(|open| open.packets_left == 0);
        let mut list: Vec<Message> = done.map(|open| open.message).collect();
        list.sort_unstable();
        list
    }
}
