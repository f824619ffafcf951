//! Where a network is cut.

use super::halves;
use std::sync::Arc;
use tailback_network::{Grid, Network};

/// A network cut into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    parts: usize,
    /// The part of every router.
    part_of: Arc<[u16]>,
}

/// The routers of a box, all of which are of part `first` until it is cut into its `parts`.
#[derive(Clone, Debug)]
struct Piece {
    from: Vec<u32>,
    size: Vec<u32>,
    first: usize,
    parts: usize,
}

impl Cut {
    /// About equal parts, at most as many as there are routers (or numbers of 16 bits) and at least one. A grid is halved where
    /// that cuts the fewest links, and so are the halves, until there are enough. Any other network is halved along its links
    /// ([`halves::parts`]).
    pub fn new(network: &Network, parts: usize) -> Self {
        let routers = network.routers();
        let parts = parts.clamp(1, routers.min(1 << 16));
        match network.grid() {
            Some(grid) => Cut::boxes(grid, parts),
            None => Cut { parts, part_of: halves::parts(network, parts).into() },
        }
    }

    fn boxes(grid: &Grid, parts: usize) -> Self {
        let mut part_of = vec![0; grid.routers()];
        let mut pieces = vec![Piece { from: vec![0; grid.dimensions()], size: grid.radix().to_vec(), first: 0, parts }];
        while let Some(piece) = pieces.pop() {
            if piece.parts == 1 {
                continue;
            }
            let (d, [here, there]) = piece.halves(grid);
            for (router, part) in (0..).zip(&mut part_of) {
                if usize::from(*part) == here.first && grid.coordinates(router)[d] >= there.from[d] {
                    *part = there.first as u16;
                }
            }
            pieces.extend([here, there]);
        }
        Cut { parts, part_of: part_of.into() }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The routers of a part, ascending.
    pub fn routers(&self, part: usize) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&*self.part_of).filter(move |&(_, &of)| usize::from(of) == part).map(|(router, _)| router)
    }

    /// The part of a router.
    #[inline]
    pub fn part_of(&self, router: u32) -> usize {
        usize::from(self.part_of[router as usize])
    }

    /// By part, those that links lead to or come from, ascending.
    pub fn neighbours(&self, network: &Network) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); self.parts()];
        for router in 0..network.routers() as u32 {
            let here = self.part_of(router);
            for (_, link) in network.links_of(router) {
                let there = self.part_of(link.to.router);
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

impl Piece {
    fn count(&self) -> usize {
        self.size.iter().map(|&k| k as usize).product()
    }

    /// The dimension to cut across: where two routers or more are behind each other, the fewest links go that way. Of equals the last
    /// one, whose slabs are routers of consecutive numbers.
    fn dimension(&self, grid: &Grid) -> usize {
        let links = |d: usize| {
            let round = grid.wrap()[d] && self.size[d] == grid.radix()[d];
            self.count() / self.size[d] as usize * if round { 2 } else { 1 }
        };
        let wide = (0..self.size.len()).filter(|&d| self.size[d] > 1);
        wide.rev().min_by_key(|&d| links(d)).expect("a piece of one router is one part")
    }

    /// The dimension that it is cut across and two pieces, each with as many parts as it has room for.
    fn halves(self, grid: &Grid) -> (usize, [Piece; 2]) {
        let d = self.dimension(grid);
        let (size, parts) = (self.size[d] as usize, self.parts);
        let slab = self.count() / size;
        let near = ((size * (parts / 2) + parts / 2) / parts).clamp(1, size - 1);
        let most = (near * slab).min(parts - 1);
        let near_parts = (parts / 2).clamp(parts.saturating_sub((size - near) * slab).max(1), most);
        let (mut here, mut there) = (self.clone(), self);
        (here.size[d], here.parts) = (near as u32, near_parts);
        (there.size[d], there.parts) = ((size - near) as u32, parts - near_parts);
        there.from[d] += near as u32;
        there.first += near_parts;
        (d, [here, there])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::NONE;

    #[test]
    fn every_router_is_in_one_part_and_parts_are_about_equal() {
        for radix in [&[8, 8][..], &[5, 3, 7], &[16], &[2, 2], &[3, 2], &[2, 2, 2, 2]] {
            let grid = Grid::new(radix, &vec![true; radix.len()], 1, 1);
            for parts in (1..20).chain([grid.routers(), 1000]) {
                let cut = Cut::new(&grid.clone().into(), parts);
                assert_eq!(cut.parts(), parts.min(grid.routers()));
                let mut all: Vec<u32> = (0..cut.parts()).flat_map(|part| cut.routers(part)).collect();
                all.sort_unstable();
                assert_eq!(all, (0..grid.routers() as u32).collect::<Vec<_>>());
                for part in 0..cut.parts() {
                    let count = cut.routers(part).count();
                    assert!(count > 0 && count <= 4 * grid.routers().div_ceil(cut.parts()), "{radix:?} in {parts}");
                    assert!(cut.routers(part).all(|router| cut.part_of(router) == part));
                }
            }
        }
    }

    /// Links between parts, each direction by itself.
    fn links_cut(radix: &[u32], wrap: bool, parts: usize) -> usize {
        let grid = Grid::new(radix, &vec![wrap; radix.len()], 1, 1);
        let cut = Cut::new(&grid.clone().into(), parts);
        let links = (0..grid.routers() as u32).flat_map(|router| (0..grid.ports()).map(move |port| (router, port)));
        let ends = links.map(|(router, port)| (router, grid.peer(router, port))).filter(|&(_, peer)| peer != NONE);
        ends.filter(|&(router, peer)| cut.part_of(router) != cut.part_of(peer)).count()
    }

    #[test]
    fn few_links_are_cut() {
        // Two faces of a ring, two directions each.
        assert_eq!(links_cut(&[64, 64], true, 2), 2 * 2 * 64);
        assert_eq!(links_cut(&[64, 64], false, 2), 2 * 64);
        // Across the long way, wherever it is.
        assert_eq!(links_cut(&[200, 3], true, 2), 2 * 2 * 3);
        assert_eq!(links_cut(&[3, 200], true, 2), 2 * 2 * 3);
        assert_eq!(links_cut(&[4, 50, 4], false, 5), 4 * 2 * 16);
        // Sixteen squares, not slabs.
        assert_eq!(links_cut(&[64, 64], true, 16), 2 * (4 * 64 + 4 * 64));
        assert_eq!(links_cut(&[16, 16, 16], true, 8), 2 * 3 * 2 * 256);
    }

    #[test]
    fn slabs_have_two_neighbours_at_most() {
        let grid = Grid::new(&[4, 4, 16], &[true; 3], 1, 1);
        let neighbours = Cut::new(&grid.clone().into(), 4).neighbours(&grid.clone().into());
        assert_eq!(neighbours, [vec![1, 3], vec![0, 2], vec![1, 3], vec![0, 2]]);
        assert_eq!(Cut::new(&grid.clone().into(), 1).neighbours(&grid.clone().into()), [Vec::<usize>::new()]);
    }
}
