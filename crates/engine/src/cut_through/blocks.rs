//! Blocks of neighbouring routers, so that a network larger than a cache goes through it once a cycle, not once a phase.
//!
//! Allocate at a router needs the deliveries of this cycle to the router itself and to its neighbours (their tails give it
//! credits), and of no other. So blocks are delivered in order, and each is allocated as soon as those around it have been
//! delivered, while its state is still in the cache. What happens at a router is the same in any order.

use tailback_network::Network;

/// A usual second-level cache.
const CACHE_BYTES: usize = 1 << 20;

/// How many routers make a block, and how far neighbours are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Routers of a block, as a power of two, at least 64: the words of a bit set are not shared.
    bits: u32,
    /// Blocks.
    pub count: usize,
    /// Neighbours of a router are at most so many blocks away, the last block being next to the first.
    pub reach: usize,
}

impl Blocks {
    /// For routers with so many bytes of state each.
    pub fn new(network: &Network, router_bytes: usize) -> Self {
        let routers = network.routers();
        if routers * router_bytes <= CACHE_BYTES {
            return Blocks { bits: 31, count: 1, reach: 1 };
        }
        // The widest step is one in the last dimension, or round its ring. Without a grid it is any.
        let below = |radix: &[u32]| radix.iter().rev().skip(1).map(|&k| k as usize).product();
        let grid = network.grid().filter(|_| network.has_computed_links());
        let step: usize = grid.map_or(routers, |grid| below(grid.radix()));
        let part_of_cache = |part: usize| (CACHE_BYTES / part / router_bytes).next_power_of_two();
        let size = part_of_cache(8).max(step.next_power_of_two().min(part_of_cache(2))).max(64);
        Blocks {
            bits: size.trailing_zeros(),
            count: routers.div_ceil(size),
            reach: step.div_ceil(size) + usize::from(!routers.is_multiple_of(size)),
        }
    }

    /// The block of a router.
    #[inline(always)]
    pub fn of(self, router: u32) -> usize {
        (router >> self.bits) as usize
    }

    /// The words of a bit set of routers that belong to a block, out of `words`.
    #[inline]
    pub fn words(self, block: usize, words: usize) -> std::ops::Range<usize> {
        let per_block = 1usize << (self.bits - 6);
        block * per_block..((block + 1) * per_block).min(words)
    }

    /// Whether there is more than one.
    #[inline]
    pub fn many(self) -> bool {
        self.count > 1
    }

    /// The block whose surroundings are complete once `block` has been delivered, going up from 0.
    #[inline]
    pub fn complete(self, block: usize) -> Option<usize> {
        (block >= 2 * self.reach).then(|| block - self.reach)
    }

    /// Whether the surroundings of `block` are complete only when all have been delivered.
    #[inline]
    pub fn waits_for_all(self, block: usize) -> bool {
        !(self.reach..self.count.saturating_sub(self.reach)).contains(&block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::Grid;

    /// Goes through a cycle and demands that every block is allocated once and after all its neighbours.
    fn check(radix: &[u32], wrap: bool, router_bytes: usize) -> Blocks {
        let grid = Grid::new(radix, &vec![wrap; radix.len()], 1, 1);
        let blocks = Blocks::new(&grid.clone().into(), router_bytes);
        let mut delivered = vec![false; blocks.count];
        let mut allocated = vec![false; blocks.count];
        let mut allocate = |block: usize, delivered: &[bool]| {
            assert!(!allocated[block], "once");
            allocated[block] = true;
            let size = 1usize << blocks.bits.min(30);
            for router in (block * size..((block + 1) * size).min(grid.routers())).map(|r| r as u32) {
                assert_eq!(blocks.of(router), block);
                assert!(delivered[block]);
                for port in 0..grid.ports() {
                    let peer = grid.peer(router, port);
                    assert!(peer == tailback_network::NONE || delivered[blocks.of(peer)]);
                }
            }
        };
        for block in 0..blocks.count {
            delivered[block] = true;
            if let Some(done) = blocks.complete(block) {
                allocate(done, &delivered);
            }
        }
        for block in (0..blocks.count).filter(|&b| blocks.waits_for_all(b)) {
            allocate(block, &delivered);
        }
        assert!(allocated.iter().all(|&a| a));
        blocks
    }

    #[test]
    fn no_block_is_allocated_before_its_neighbours_are_delivered() {
        assert_eq!(check(&[32, 32], true, 600).count, 1);
        assert!(check(&[128, 100], true, 800).count > 20);
        for radix in [&[70, 97][..], &[9, 11, 13], &[5000], &[4, 7, 8, 9], &[2, 1900], &[1900, 2]] {
            for bytes in [800, 5000, 60_000] {
                check(radix, true, bytes);
                check(radix, false, bytes);
            }
        }
    }
}
