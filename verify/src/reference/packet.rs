//! Packets.

use super::graph::Hop;
use tailback_traffic::Generated;

/// A packet that has been delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delivered {
    /// Source node.
    pub source: u32,
    /// Its number among the packets of its source.
    pub index: u64,
    /// Destination node.
    pub destination: u32,
    /// Cycle of generation.
    pub birth: u64,
    /// Cycle in which its head left the source queue.
    pub entered: u64,
    /// Cycle in which its tail had been received.
    pub delivered: u64,
    /// Links between routers that it took.
    pub hops: u32,
}

/// Which dimension a packet takes first, of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first one.
    XFirst,
    /// The second one.
    YFirst,
}

impl Order {
    /// The dimension that comes first.
    pub fn first(self) -> usize {
        match self {
            Order::XFirst => 0,
            Order::YFirst => 1,
        }
    }
}

/// A packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// What the traffic made.
    pub made: Generated,
    /// Source node.
    pub source: u32,
    /// Ports through which it leaves routers; then it is consumed. None where a list says what heads ask for.
    pub route: Vec<usize>,
    /// What its head has decided to ask for at the router that it is at, where a list of hops says what it may.
    pub decided: Option<Hop>,
    /// The order that it has chosen, where it chooses one.
    pub order: Option<Order>,
    /// The routers at which its head has decided, from the first on.
    pub been: Vec<usize>,
    /// Ports of the route that its head has taken.
    pub hops: usize,
    /// Class of virtual channels that its head is in.
    pub class: u32,
    /// Cycle in which its head left the source queue.
    pub entered: Option<u64>,
    /// Cycle in which its tail has been received.
    pub delivered: Option<u64>,
}

impl Packet {
    /// A new packet of `source`.
    pub fn new(source: u32, made: Generated, route: Vec<usize>) -> Self {
        let (decided, been, order) = (None, Vec::new(), None);
        Packet { made, source, route, decided, order, been, hops: 0, class: 0, entered: None, delivered: None }
    }

    /// Its delivery, if that was before cycle `now`.
    pub fn delivery(&self, now: u64) -> Option<Delivered> {
        Some(Delivered {
            source: self.source,
            index: self.made.index,
            destination: self.made.destination,
            birth: self.made.cycle,
            entered: self.entered?,
            delivered: self.delivered.filter(|&cycle| cycle < now)?,
            hops: self.hops as u32,
        })
    }
}
