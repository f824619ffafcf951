//! k-ary n-cubes, meshes and everything between: each dimension has its own radix and may wrap around or not.

use crate::graph::Seats;

/// No router: the far end of a port at the edge of a mesh.
pub const NONE: u32 = u32::MAX;

/// A grid of routers. Router id = x0 + k0 * (x1 + k1 * (x2 + ...)); node id = router * nodes_per_router + local.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    radix: Vec<u32>,
    wrap: Vec<bool>,
    nodes_per_router: u32,
    link_cycles: u32,
    /// Downstream router by `router * ports + port`.
    peer: Vec<u32>,
    /// Coordinates by `router * dimensions + dimension`.
    coordinate: Vec<u32>,
}

impl Grid {
    /// Builds the tables. Every radix is at least 2 and the product fits 31 bits; `wrap[d]` closes dimension `d` to a ring.
    pub fn new(radix: &[u32], wrap: &[bool], nodes_per_router: u32, link_cycles: u32) -> Self {
        assert_eq!(radix.len(), wrap.len(), "one wrap flag per dimension");
        assert!(!radix.is_empty() && radix.iter().all(|&k| k >= 2), "a dimension has at least two routers");
        assert!(nodes_per_router >= 1 && link_cycles >= 1, "at least one node a router, at least one cycle a link");
        let routers: u64 = radix.iter().map(|&k| u64::from(k)).product();
        assert!(routers * u64::from(nodes_per_router) < 1 << 31, "node ids fit 31 bits");
        let mut grid = Grid {
            radix: radix.to_vec(),
            wrap: wrap.to_vec(),
            nodes_per_router,
            link_cycles,
            peer: Vec::new(),
            coordinate: Vec::new(),
        };
        grid.fill(routers as usize);
        grid
    }

    fn fill(&mut self, routers: usize) {
        self.peer.reserve_exact(routers * self.ports());
        self.coordinate.reserve_exact(routers * self.dimensions());
        let mut at = vec![0u32; self.dimensions()];
        for router in 0..routers as u32 {
            self.coordinate.extend_from_slice(&at);
            let mut stride = 1;
            for (&x, (&k, &wrap)) in at.iter().zip(self.radix.iter().zip(&self.wrap)) {
                let up = if x + 1 < k { router + stride } else { router - (k - 1) * stride };
                let down = if x > 0 { router - stride } else { router + (k - 1) * stride };
                let edge_up = x + 1 == k && !wrap;
                let edge_down = x == 0 && !wrap;
                self.peer.push(if edge_up { NONE } else { up });
                self.peer.push(if edge_down { NONE } else { down });
                stride *= k;
            }
            for (x, &k) in at.iter_mut().zip(&self.radix) {
                *x += 1;
                if *x < k {
                    break;
                }
                *x = 0;
            }
        }
    }

    /// Routers per dimension.
    pub fn radix(&self) -> &[u32] {
        &self.radix
    }

    /// Which dimensions are rings.
    pub fn wrap(&self) -> &[bool] {
        &self.wrap
    }

    /// The number of dimensions.
    #[inline]
    pub fn dimensions(&self) -> usize {
        self.radix.len()
    }

    /// Network ports of a router, two a dimension (also at the edges of a mesh, where some lead nowhere).
    #[inline]
    pub fn ports(&self) -> usize {
        2 * self.radix.len()
    }

    /// The number of routers.
    pub fn routers(&self) -> usize {
        self.coordinate.len() / self.radix.len()
    }

    /// Nodes attached to each router.
    #[inline]
    pub fn nodes_per_router(&self) -> u32 {
        self.nodes_per_router
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.routers() * self.nodes_per_router as usize
    }

    /// Cycles a flit spends on a link between routers.
    #[inline]
    pub fn link_cycles(&self) -> u32 {
        self.link_cycles
    }

    /// The router that `port` of `router` leads to, or [`NONE`].
    #[inline]
    pub fn peer(&self, router: u32, port: usize) -> u32 {
        self.peer[router as usize * self.ports() + port]
    }

    /// The router `hops` links from `router` through ports of one number, all of which lead somewhere.
    #[inline]
    pub fn along(&self, router: u32, port: usize, hops: u32) -> u32 {
        let (d, here) = (port / 2, self.coordinates(router)[port / 2]);
        let (k, stride) = (self.radix[d], self.radix[..d].iter().product::<u32>());
        let down = port % 2 == 1;
        debug_assert!(hops <= k && (self.wrap[d] || if down { hops <= here } else { here + hops < k }));
        let there = if down { here + k - hops } else { here + hops };
        let there = if there >= k { there - k } else { there };
        router - here * stride + there * stride
    }

    /// The router whose output `port` feeds the input of the same number at `router`, or [`NONE`].
    #[inline]
    pub fn upstream(&self, router: u32, port: usize) -> u32 {
        self.peer(router, port ^ 1)
    }

    /// The coordinates of a router.
    #[inline]
    pub fn coordinates(&self, router: u32) -> &[u32] {
        let n = self.dimensions();
        &self.coordinate[router as usize * n..][..n]
    }

    /// The router at these coordinates.
    pub fn router_at(&self, coordinates: &[u32]) -> u32 {
        coordinates.iter().zip(&self.radix).rev().fold(0, |id, (&x, &k)| id * k + x)
    }

    /// The router of a node.
    #[inline]
    pub fn router_of(&self, node: u32) -> u32 {
        if self.nodes_per_router == 1 { node } else { node / self.nodes_per_router }
    }

    /// Where the nodes are.
    pub fn seats(&self) -> Seats {
        Seats::even(self.routers(), self.nodes_per_router)
    }

    /// Directed links between routers that exist.
    pub fn links(&self) -> usize {
        self.peer.iter().filter(|&&p| p != NONE).count()
    }

    /// Fewest links from `a` to `b` within dimension `d`.
    pub fn ring_distance(&self, d: usize, a: u32, b: u32) -> u32 {
        let direct = a.abs_diff(b);
        if self.wrap[d] { direct.min(self.radix[d] - direct) } else { direct }
    }

    /// Links of the longest shortest way.
    pub fn diameter(&self) -> u32 {
        let of_dimension = |(&k, &wrap): (&u32, &bool)| if wrap { k / 2 } else { k - 1 };
        self.radix.iter().zip(&self.wrap).map(of_dimension).sum()
    }

    /// Fewest links between two routers.
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.coordinates(a), self.coordinates(b));
        (0..self.dimensions()).map(|d| self.ring_distance(d, a[d], b[d])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torus_wraps_and_mesh_ends() {
        let g = Grid::new(&[4, 3], &[true, false], 2, 1);
        assert_eq!((g.routers(), g.nodes(), g.ports()), (12, 24, 4));
        assert_eq!(g.peer(3, 0), 0);
        assert_eq!(g.peer(0, 1), 3);
        assert_eq!(g.peer(8, 2), NONE);
        assert_eq!(g.peer(0, 3), NONE);
        assert_eq!(g.upstream(0, 0), 3);
        assert_eq!((g.links(), g.diameter()), (12 * 2 + 8 * 2, 4));
    }

    #[test]
    fn coordinates_and_ids_invert() {
        let g = Grid::new(&[3, 5, 2], &[true, true, true], 1, 1);
        for r in 0..g.routers() as u32 {
            assert_eq!(g.router_at(g.coordinates(r)), r);
            for p in 0..g.ports() {
                assert_eq!(g.upstream(g.peer(r, p), p), r);
                assert_eq!(g.distance(r, g.peer(r, p)), 1);
                let walked = |hops: u32| (0..hops).fold(r, |router, _| g.peer(router, p));
                (0..=g.radix()[p / 2]).for_each(|hops| assert_eq!(g.along(r, p, hops), walked(hops)));
            }
        }
        assert_eq!(g.distance(0, g.router_at(&[2, 3, 1])), 1 + 2 + 1);
    }
}
