//! Finite ejection buffers: places for packets that have been sent to their node and that the node has not consumed. A place is that of a packet,
//! or of a flit.

use tailback_base::state::{Unfit, ensure};

/// The ejection buffers of all nodes.
#[derive(Clone, Debug)]
pub(crate) struct Ejection {
    /// Places of each buffer; `None`: any number.
    places: Option<u32>,
    /// Places that the packet which fills a buffer may take beyond that.
    beyond: u32,
    /// By node: places that packets have taken. Empty where buffers have no end.
    taken: Vec<u32>,
}

tailback_base::state!([] Ejection { saved: taken; rebuilt: places, beyond; } [fits]);

impl Ejection {
    /// Empty buffers of `nodes` nodes.
    /// The last packet may take `most` places where only one is free.
    pub fn new(nodes: usize, places: Option<u32>, most: u32) -> Self {
        Ejection { places, beyond: most.saturating_sub(1), taken: vec![0; if places.is_some() { nodes } else { 0 }] }
    }

    /// Whether buffers have an end.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.places.is_some()
    }

    /// Whether a node has no place for another packet.
    #[inline]
    pub fn is_full(&self, node: u32) -> bool {
        self.places.is_some_and(|places| self.taken[node as usize] >= places)
    }

    /// Places that packets have taken at a node.
    pub fn taken(&self, node: u32) -> u32 {
        self.taken.get(node as usize).copied().unwrap_or(0)
    }

    /// A packet is sent to a node that has a place, and takes so many. Returns whether the buffer is full now.
    #[inline]
    pub fn take(&mut self, node: u32, places: u32) -> bool {
        debug_assert!(!self.is_full(node), "a packet is sent to a buffer that has a place");
        self.taken[node as usize] += places;
        self.is_full(node)
    }

    /// A node has given back a place. Returns whether the buffer was full and is not any more.
    #[inline]
    pub fn give_back(&mut self, node: u32) -> bool {
        let was_full = self.is_full(node);
        self.taken[node as usize] = self.taken[node as usize].saturating_sub(1);
        was_full && !self.is_full(node)
    }

    /// Takes over the buffer of a node from a part of the network.
    pub fn join(&mut self, part: &Self, node: usize) {
        if self.is_finite() {
            self.taken[node] = part.taken[node];
        }
    }

    fn fits(&self) -> Result<(), Unfit> {
        let places = self.places.map_or(0, |places| places.saturating_add(self.beyond));
        ensure(self.taken.iter().all(|&taken| taken <= places), "an ejection buffer holds more than it has places")
    }
}
