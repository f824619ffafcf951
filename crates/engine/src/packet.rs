//! Packets and where they are kept.

use bytemuck::Zeroable;
use serde::{Deserialize, Serialize};
use tailback_base::bits::BitSet;
use tailback_base::pages::large_capacity;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{MOST, Unfit, ensure};
use tailback_network::graph::Seats;
use tailback_traffic::Generated;

pub use tailback_traffic::Type;

/// One packet between the moment it heads its source queue and the delivery of its tail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// What its sources wrote on it; 0 where they had nothing to say.
    pub mark: u64,
}

impl Packet {
    /// A packet that `source` has made, for a node at `router`; it has gone nowhere.
    #[inline]
    pub fn made(source: u32, made: &Generated, router: u32) -> Self {
        let Generated { cycle: birth, destination, flits, index } = *made;
        Packet { birth, index, source, destination, router, flits, ..Packet::default() }
    }
}

/// A packet in a queue: its id and the routing's word that travels with its head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Zeroable, Serialize, Deserialize)]
pub struct Slot {
    /// Packet id.
    pub packet: u32,
    /// What is left of the current leg of its route; only the routing reads it.
    pub word: u32,
}

tailback_base::plain!(Packet, Slot);

/// All packets in flight, with ids that are reused. Reserves its bound once, so it never allocates in the loop.
#[derive(Clone, Debug)]
pub struct Packets {
    pool: Vec<Packet>,
    free: Vec<u32>,
    bound: usize,
}

tailback_base::state!([] Packets { saved: ; grown: pool, free; rebuilt: bound; } [fits]);

impl Packets {
    /// Room for `bound` packets at a time. The memory is reserved, and touched only when used.
    pub fn new(bound: usize) -> Self {
        Packets { pool: large_capacity(bound), free: Vec::with_capacity(bound), bound }
    }

    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.pool.len() <= self.bound, "there are more packets than buffers can hold")?;
        are_free(&self.free, self.pool.len())
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

    /// Asks for what routing reads of a packet.
    #[inline(always)]
    pub(crate) fn expect(&self, id: u32) {
        prefetch(&self.pool, id as usize, std::mem::offset_of!(Packet, router), 1);
    }

    /// That these are ids of packets.
    pub(crate) fn know(&self, mut ids: impl Iterator<Item = u32>) -> Result<(), Unfit> {
        ensure(ids.all(|id| (id as usize) < self.pool.len()), "a packet is somewhere that is not there")
    }

    /// The packets that were taken in and not given back, with their ids.
    pub(crate) fn live(&self) -> impl Iterator<Item = (u32, &Packet)> {
        let mut free = BitSet::new(self.pool.len());
        self.free.iter().for_each(|&id| free.insert(id as usize));
        (0u32..).zip(&self.pool).filter(move |(id, _)| !free.contains(*id as usize))
    }

    /// All that were ever taken in and whose place nobody has taken since.
    pub(crate) fn all(&self) -> &[Packet] {
        &self.pool
    }

    /// The packets that were taken in and not given back.
    pub(crate) fn present(&self) -> impl Iterator<Item = &Packet> {
        present(&self.pool, &self.free)
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

/// That packets are between nodes of this network, of `longest` flits at most, and of no later cycle.
pub(crate) fn are_known<'p>(
    packets: impl IntoIterator<Item = &'p Packet>,
    (seats, longest): (&Seats, u32),
    now: u64,
) -> Result<(), Unfit> {
    let (nodes, lengths) = (seats.nodes() as u32, 1..=longest);
    let known = |packet: &Packet| {
        let there = packet.source < nodes && packet.destination < nodes;
        let late = packet.entered == 0 || packet.entered >= packet.birth;
        let past = packet.birth <= now && packet.entered <= now && packet.index <= MOST && late;
        there && past && packet.router == seats.router_of(packet.destination) && lengths.contains(&packet.flits)
    };
    ensure(packets.into_iter().all(known), "a packet is none of this network")
}

/// The packets of `all` with ids that were not given back.
pub(crate) fn present<'p>(all: &'p [Packet], ids: &[u32]) -> impl Iterator<Item = &'p Packet> + use<'p> {
    let mut free = BitSet::new(all.len());
    ids.iter().for_each(|&id| free.insert(id as usize));
    all.iter().enumerate().filter(move |(id, _)| !free.contains(*id)).map(|(_, packet)| packet)
}

/// That packets that sources are about to send are for one of `nodes` nodes and of `longest` flits at most.
pub(crate) fn are_made<'g>(
    packets: impl IntoIterator<Item = &'g Generated>,
    (nodes, longest): (u32, u32),
) -> Result<(), Unfit> {
    // Before the first one there is nothing, of no length.
    let made = |packet: &Generated| {
        let counted = packet.index <= MOST && packet.cycle <= MOST;
        packet.destination < nodes && packet.flits <= longest && counted
    };
    ensure(packets.into_iter().all(made), "a packet is for no node here")
}

impl From<&Packet> for Generated {
    fn from(packet: &Packet) -> Generated {
        let Packet { birth, destination, flits, index, .. } = *packet;
        Generated { cycle: birth, destination, flits, index }
    }
}

/// That ids given back are those of `all`, each once.
pub(crate) fn are_free(ids: &[u32], all: usize) -> Result<(), Unfit> {
    let mut free = BitSet::new(all);
    for &id in ids {
        ensure((id as usize) < all && !free.contains(id as usize), "an id is free that cannot be")?;
        free.insert(id as usize);
    }
    Ok(())
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
