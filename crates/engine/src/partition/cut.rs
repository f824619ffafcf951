//! Where a network is cut.

use std::ops::Range;
use tailback_network::{Grid, NONE};

/// A network cut into parts of consecutive routers: slabs across its last dimension, which cut few links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// First router of every part, and the number of routers behind.
    bounds: Vec<u32>,
}

impl Cut {
    /// About equal parts, at most as many as there are routers and at least one. Whole slabs of the last dimension where there
    /// are enough of them.
    pub fn new(grid: &Grid, parts: usize) -> Self {
        let routers = grid.routers();
        let slabs = grid.radix().last().map_or(1, |&k| k as usize);
        let parts = parts.clamp(1, routers);
        let grains = if parts <= slabs { slabs } else { routers };
        let bound = |part: usize| (part * grains / parts * (routers / grains)) as u32;
        Cut { bounds: (0..=parts).map(bound).collect() }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The routers of a part.
    pub fn routers(&self, part: usize) -> Range<u32> {
        self.bounds[part]..self.bounds[part + 1]
    }

    /// The part of a router.
    pub fn part_of(&self, router: u32) -> usize {
        self.bounds.partition_point(|&bound| bound <= router) - 1
    }

    /// By part, those that links lead to or come from, ascending.
    pub fn neighbours(&self, grid: &Grid) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.parts()];
        for router in 0..grid.routers() as u32 {
            let here = self.part_of(router);
            for peer in (0..grid.ports()).map(|port| grid.peer(router, port)).filter(|&peer| peer != NONE) {
                let there = self.part_of(peer);
                if there != here && !neighbours[here].contains(&there) {
                    neighbours[here].push(there);
                    neighbours[there].push(here);
                }
            }
        }
        neighbours.iter_mut().for_each(|list| {
            list.sort_unstable();
            list.dedup();
        });
        neighbours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_router_is_in_one_part_and_parts_are_about_equal() {
        for radix in [&[8, 8][..], &[5, 3, 7], &[16], &[2, 2]] {
            let grid = Grid::new(radix, &vec![true; radix.len()], 1, 1);
            for parts in 1..9 {
                let cut = Cut::new(&grid, parts);
                assert_eq!(cut.parts(), parts.min(grid.routers()));
                let all: Vec<u32> = (0..cut.parts()).flat_map(|part| cut.routers(part)).collect();
                assert_eq!(all, (0..grid.routers() as u32).collect::<Vec<_>>());
                for part in 0..cut.parts() {
                    assert!(!cut.routers(part).is_empty(), "{radix:?} in {parts}");
                    assert!(cut.routers(part).all(|router| cut.part_of(router) == part));
                }
            }
        }
    }

    #[test]
    fn slabs_have_two_neighbours_at_most() {
        let grid = Grid::new(&[4, 4, 16], &[true; 3], 1, 1);
        let neighbours = Cut::new(&grid, 4).neighbours(&grid);
        assert_eq!(neighbours, [vec![1, 3], vec![0, 2], vec![1, 3], vec![0, 2]]);
        assert_eq!(Cut::new(&grid, 1).neighbours(&grid), [Vec::<usize>::new()]);
    }
}
