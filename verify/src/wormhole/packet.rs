//! Packets and flits.

use super::routing::Step;
use tailback_traffic::Generated;

pub use crate::reference::Delivered;

/// One flit of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flit {
    /// The packet, as its place in the network's list.
    pub packet: usize,
    /// Its place in the packet: 0 is the head.
    pub number: u32,
    /// Whether it is the last.
    pub tail: bool,
}

/// A packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// What the traffic made.
    pub made: Generated,
    /// Source node.
    pub source: u32,
    /// Its hops, where they were fixed at its source.
    pub plan: Vec<Step>,
    /// The number of its message at its source, and the flits of that message.
    pub message: (usize, u32),
    /// What it is, where packets are of several kinds.
    pub kind: usize,
    /// Links that its head has been sent over.
    pub hops: u32,
    /// Cycle in which its head left the source queue.
    pub entered: Option<u64>,
    /// Cycle in which its tail was received.
    pub delivered: Option<u64>,
}

impl Packet {
    /// A new packet of `source`.
    pub fn new(source: u32, made: Generated, plan: Vec<Step>) -> Self {
        Packet {
            made,
            source,
            plan,
            message: (made.index as usize, made.flits),
            kind: 0,
            hops: 0,
            entered: None,
            delivered: None,
        }
    }

    /// What orders packets by age, the eldest first.
    pub fn age(&self) -> (u64, u32) {
        (self.made.cycle, self.source)
    }

    /// Its flits; `packet` is its place in the network's list.
    pub fn flits(&self, packet: usize) -> impl Iterator<Item = Flit> {
        let last = self.made.flits - 1;
        (0..=last).map(move |number| Flit { packet, number, tail: number == last })
    }

    /// Its delivery, if it has been delivered.
    pub fn delivery(&self) -> Option<Delivered> {
        Some(Delivered {
            source: self.source,
            index: self.made.index,
            destination: self.made.destination,
            birth: self.made.cycle,
            entered: self.entered?,
            delivered: self.delivered?,
            hops: self.hops,
        })
    }
}
