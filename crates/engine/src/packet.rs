//! Packets and where they are kept.

use bytemuck::Zeroable;

/// One packet between the moment it heads its source queue and the delivery of its tail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Packet {
    /// Cycle of generation.
    pub birth: u64,
    /// Cycle in which its head left the source queue.
    pub entered: u64,
    /// Its number among the packets of its source.
    pub index: u64,
    /// Source node.
    pub source: u32,
    /// Destination node.
    pub destination: u32,
    /// Destination's router.
    pub router: u32,
    /// Length in flits.
    pub flits: u32,
    /// Links between routers on its way.
    pub hops: u32,
    /// Bits that routing drew at the source (directions at ties).
    pub choice: u32,
}

/// A packet in a queue: its id and the routing's word that travels with its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Zeroable)]
pub struct Slot {
    /// Packet id.
    pub packet: u32,
    /// What is left of the current leg of its route; only the routing reads it.
    pub word: u32,
}

/// All packets in flight, with ids that are reused. Reserves its bound once, so it never allocates in the loop.
#[derive(Clone, Debug)]
pub struct Packets {
    pool: Vec<Packet>,
    free: Vec<u32>,
    bound: usize,
}

impl Packets {
    /// Room for `bound` packets at a time. The memory is reserved, and touched only when used.
    pub fn new(bound: usize) -> Self {
        Packets { pool: Vec::with_capacity(bound), free: Vec::with_capacity(bound), bound }
    }

    /// Takes in a packet.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> u32 {
        if let Some(id) = self.free.pop() {
            self.pool[id as usize] = packet;
            return id;
        }
        assert!(self.pool.len() < self.bound, "more packets than buffers can hold");
        self.pool.push(packet);
        (self.pool.len() - 1) as u32
    }

    /// Gives an id back.
    #[inline]
    pub fn remove(&mut self, id: u32) {
        self.free.push(id);
    }

    /// Packets taken in and not given back.
    pub fn len(&self) -> usize {
        self.pool.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::ops::Index<u32> for Packets {
    type Output = Packet;

    #[inline]
    fn index(&self, id: u32) -> &Packet {
        &self.pool[id as usize]
    }
}

impl std::ops::IndexMut<u32> for Packets {
    #[inline]
    fn index_mut(&mut self, id: u32) -> &mut Packet {
        &mut self.pool[id as usize]
    }
}
