//! Flits and the buffers in which they wait.

use std::collections::VecDeque;

/// One flit of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flit {
    /// The packet, as its place in the network's list.
    pub packet: usize,
    /// Its place in the packet: 0 is the head.
    pub number: u32,
    /// The cycle in which it arrived in the buffer that it is in.
    pub arrived: u64,
}

/// A FIFO of flits.
#[derive(Clone, Debug)]
pub struct Buffer {
    flits: VecDeque<Flit>,
    capacity: usize,
}

impl Buffer {
    /// An empty buffer for `capacity` flits.
    pub fn new(capacity: u32) -> Self {
        Buffer { flits: VecDeque::new(), capacity: capacity as usize }
    }

    /// Takes in a flit. There is room: whoever sent it had a credit.
    pub fn push(&mut self, flit: Flit) {
        assert!(self.flits.len() < self.capacity, "a flit was sent without a credit");
        if let Some(last) = self.flits.back() {
            let follows = last.packet == flit.packet && last.number + 1 == flit.number;
            assert!(follows || flit.number == 0, "the flits of two packets are mixed");
        }
        self.flits.push_back(flit);
    }

    /// The flit that leaves next.
    pub fn front(&self) -> Option<Flit> {
        self.flits.front().copied()
    }

    /// Lets the front flit go.
    pub fn pop(&mut self) -> Option<Flit> {
        self.flits.pop_front()
    }

    /// Flits in it.
    pub fn len(&self) -> usize {
        self.flits.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.flits.is_empty()
    }
}
