//! O1TURN in a HyperX: a packet aligns its dimensions from the first to the last, or from the last to the first.

use std::sync::Arc;
use tailback_engine::contract::routing::Request;
use tailback_network::rows::Rows;

/// Either order of the dimensions of a HyperX, on a half of the channels each.
#[derive(Clone, Debug)]
pub struct EitherOrder {
    rows: Arc<Rows>,
    /// The channels of packets that begin with the first dimension, and of those that begin with the last.
    halves: [u16; 2],
}

impl EitherOrder {
    /// With the channels of both orders.
    pub fn new(rows: Rows, halves: [u16; 2]) -> Self {
        EitherOrder { rows: Arc::new(rows), halves }
    }

    /// Hops between two routers.
    pub fn hops(&self, from: u32, to: u32) -> u32 {
        (0..self.rows.dimensions()).filter(|&d| self.differs(from, to, d)).count() as u32
    }

    /// What a packet asks for at a router that is for another one; `half` is 1 if it begins with the last dimension.
    pub fn request(&self, at: u32, to: u32, half: usize) -> Request {
        let mut dimensions = 0..self.rows.dimensions();
        let open = |d: &usize| self.differs(at, to, *d);
        let next = if half == 0 { dimensions.find(open) } else { dimensions.rfind(open) };
        let port = next.map(|d| self.rows.ports(at, d, self.rows.coordinate(to, d)).start as u8);
        Request { port, channels: self.halves[half] }
    }

    fn differs(&self, from: u32, to: u32, dimension: usize) -> bool {
        self.rows.coordinate(from, dimension) != self.rows.coordinate(to, dimension)
    }
}
