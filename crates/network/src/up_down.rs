//! Up*/down*: every link leads up or down, and packets go up, then down, so that they never wait in a circle.
//!
//! In a tree the links say which way is up. In any other network the levels are distances from a root, and numbers of routers
//! break ties (Schroeder et al., Autonet, 1991).

use crate::NONE;
use crate::graph::{LinkKind, Network};
use crate::ways::{Ways, ends};

/// Which way is up. No circle of links leads up all the way.
#[derive(Clone, Debug)]
pub struct Directions {
    /// By router: the level, 0 at the top.
    level: Vec<u32>,
    root: Option<u32>,
}

impl Directions {
    /// The levels of a tree whose links lead up and down; none where the links do not say so.
    pub fn of_tree(network: &Network) -> Option<Directions> {
        let height = heights(network)?;
        let top = height.iter().copied().max().unwrap_or(0);
        Some(Directions { level: height.into_iter().map(|height| top - height).collect(), root: None })
    }

    /// The levels below a root.
    pub fn from_root(network: &Network, root: u32) -> Directions {
        Directions { level: distances(network, root), root: Some(root) }
    }

    /// The root that the levels are below; none where the links give them.
    pub fn root(&self) -> Option<u32> {
        self.root
    }

    /// Whether a link between these routers leads up.
    #[inline]
    pub fn is_up(&self, from: u32, to: u32) -> bool {
        self.key(to) < self.key(from)
    }

    fn key(&self, router: u32) -> (u32, u32) {
        (self.level[router as usize], router)
    }

    /// The level of a router, 0 at the top.
    pub fn level(&self, router: u32) -> u32 {
        self.level[router as usize]
    }
}

/// By router, the longest chain of links up that ends there; none where no link leads up, or some of them form a circle.
fn heights(network: &Network) -> Option<Vec<u32>> {
    let routers = network.routers();
    let up =
        |router| network.links_of(router).filter(|(_, link)| link.kind == LinkKind::Up).map(|(_, link)| link.to.router);
    let mut below = vec![0u32; routers];
    (0..routers as u32).flat_map(up).for_each(|above| below[above as usize] += 1);
    if below.iter().all(|&links| links == 0) {
        return None;
    }
    let mut ready: Vec<u32> = (0..routers as u32).filter(|&router| below[router as usize] == 0).collect();
    let mut height = vec![0; routers];
    let mut next = 0;
    while let Some(&router) = ready.get(next) {
        next += 1;
        for above in up(router) {
            let at = above as usize;
            height[at] = height[at].max(height[router as usize] + 1);
            below[at] -= 1;
            if below[at] == 0 {
                ready.push(above);
            }
        }
    }
    (next == routers).then_some(height)
}

/// Links from a router to every other one.
pub(crate) fn distances(network: &Network, from: u32) -> Vec<u32> {
    let mut distance = vec![NONE; network.routers()];
    distance[from as usize] = 0;
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&router) = queue.get(next) {
        next += 1;
        let beyond = distance[router as usize] + 1;
        for (_, link) in network.links_of(router) {
            let far = &mut distance[link.to.router as usize];
            if *far == NONE {
                *far = beyond;
                queue.push(link.to.router);
            }
        }
    }
    distance
}

/// The router with the least sum of distances to all routers with nodes; the lowest of several.
pub fn centre(network: &Network) -> u32 {
    let mut sums = vec![0u64; network.routers()];
    for end in ends(network) {
        sums.iter_mut().zip(distances(network, end)).for_each(|(sum, distance)| *sum += u64::from(distance));
    }
    (0u32..).zip(sums).min_by_key(|&(router, sum)| (sum, router)).map_or(0, |(router, _)| router)
}

/// The shortest of the ways that go up, then down.
#[derive(Clone, Debug)]
pub struct UpDown {
    /// Which way is up.
    pub directions: Directions,
    /// The ways of packets that have not gone down yet.
    pub free: Ways,
    /// The ways of packets that have; a distance of [`NO_WAY`] where there are none.
    pub down: Ways,
}

/// Where a packet is on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It has not gone down yet.
    Up,
    /// It has gone down, and goes down only.
    Down,
}

/// The distance where there is no way.
pub const NO_WAY: u32 = u16::MAX as u32;

impl UpDown {
    /// The ways of a network with at most [`crate::ways::MOST_PAIRS`]: below `root`, or else along the levels of a tree, or else
    /// below the [`centre`].
    pub fn new(network: &Network, root: Option<u32>) -> UpDown {
        let of_tree = match root {
            None => Directions::of_tree(network).map(|directions| UpDown::along(network, directions)),
            Some(_) => None,
        };
        // A tree with nodes at several of its roots may have no way between them.
        of_tree.filter(UpDown::is_whole).unwrap_or_else(|| {
            let root = root.unwrap_or_else(|| centre(network));
            UpDown::along(network, Directions::from_root(network, root))
        })
    }

    fn along(network: &Network, directions: Directions) -> UpDown {
        let mut order: Vec<u32> = (0..network.routers() as u32).collect();
        order.sort_unstable_by_key(|&router| directions.key(router));
        let (mut free, mut down) = (Vec::new(), Vec::new());
        let mut ways = |is_free: bool| {
            Ways::of(network, |to, lists, at| {
                distances_down(network, &directions, to, &order, &mut down);
                if is_free {
                    distances_free(network, &directions, &order, &down, &mut free);
                }
                let mut list = Vec::new();
                for router in 0..network.routers() as u32 {
                    let here = if is_free { free[router as usize] } else { down[router as usize] };
                    let leads = |far: u32| {
                        let up = directions.is_up(router, far);
                        let left = if up { free[far as usize] } else { down[far as usize] };
                        (is_free || !up) && left < here && left + 1 == here
                    };
                    let closer = network.links_of(router).filter(|(_, link)| here < NO_WAY && leads(link.to.router));
                    list.clear();
                    list.extend(closer.map(|(port, _)| port as u8));
                    at.push(lists.entry(&mut list, here as u16));
                }
            })
        };
        let (free, down) = (ways(true), ways(false));
        UpDown { directions, free, down }
    }

    /// Whether every router with nodes has a way to every other one.
    fn is_whole(&self) -> bool {
        let to = |to| self.free.ends().map(move |at| (at, to));
        self.free.ends().flat_map(to).all(|(at, to)| self.free.distance(at, to) < NO_WAY)
    }

    /// The ways of a packet in a phase.
    #[inline]
    pub fn ways(&self, phase: Phase) -> &Ways {
        match phase {
            Phase::Up => &self.free,
            Phase::Down => &self.down,
        }
    }
}

/// Links to `to` by ways down only. `order` has lower routers later.
fn distances_down(network: &Network, directions: &Directions, to: u32, order: &[u32], distance: &mut Vec<u32>) {
    distance.clear();
    distance.resize(network.routers(), NO_WAY);
    distance[to as usize] = 0;
    for &router in order.iter().rev() {
        let below =
            network.links_of(router).map(|(_, link)| link.to.router).filter(|&far| !directions.is_up(router, far));
        let least = below.map(|far| distance[far as usize] + 1).min().unwrap_or(NO_WAY);
        let here = &mut distance[router as usize];
        *here = (*here).min(least);
    }
}

/// Links by ways up, then down.
fn distances_free(network: &Network, directions: &Directions, order: &[u32], down: &[u32], distance: &mut Vec<u32>) {
    distance.clear();
    distance.extend_from_slice(down);
    for &router in order {
        let above =
            network.links_of(router).map(|(_, link)| link.to.router).filter(|&far| directions.is_up(router, far));
        let least = above.map(|far| distance[far as usize] + 1).min().unwrap_or(NO_WAY);
        let here = &mut distance[router as usize];
        *here = (*here).min(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::testing::built;
    use crate::routes::testing::petersen;

    /// Mean and longest distance of different routers with nodes.
    fn lengths(ways: &UpDown) -> (f64, u32) {
        let pairs =
            || ways.free.ends().flat_map(|to| ways.free.ends().map(move |at| (at, to))).filter(|(at, to)| at != to);
        let distance = |(at, to)| ways.free.distance(at, to);
        (pairs().map(distance).sum::<u32>() as f64 / pairs().count() as f64, pairs().map(distance).max().unwrap_or(0))
    }

    #[test]
    fn check_values_below_router_0() {
        let row = |network: &Network, mean: f64, longest| {
            let found = lengths(&UpDown::new(network, Some(0)));
            assert!((found.0 - mean).abs() < 5e-5 && found.1 == longest, "{found:?} for {mean}, {longest}");
        };
        row(&petersen(), 1.8444, 3);
        row(&built("slim_fly", "q=5 nodes_per_router=4").network, 2.2376, 4);
        row(&built("jellyfish", "routers=20 degree=4 nodes_per_router=2").network, 2.3263, 4);
        row(&built("jellyfish", "routers=64 degree=6 nodes_per_router=2").network, 2.7837, 6);
        row(&built("torus", "radix=[4,8]").network, 3.3548, 8);
    }

    #[test]
    fn in_a_tree_they_are_the_shortest_ways() {
        for (kind, sets) in [
            ("fat_tree", "arity=3 levels=3"),
            ("folded_clos", "levels=[[4,2,2],[3,4,1],[2,0]]"),
            ("leaf_spine", "leaves=5 spines=3 trunk=2"),
            ("megafly", "leaves=2 spines=2 global_links=2"),
        ] {
            let built = built(kind, sets);
            let (minimal, ways) = (Ways::new(&built), UpDown::new(&built.network, None));
            assert_eq!(ways.directions.root(), None, "{kind}");
            for (to, at) in minimal.ends().flat_map(|to| minimal.ends().map(move |at| (to, at))) {
                assert_eq!(ways.free.distance(at, to), minimal.distance(at, to), "{kind}: {at} to {to}");
                assert_eq!(ways.free.ports(at, to), minimal.ports(at, to), "{kind}: {at} to {to}");
            }
        }
    }

    #[test]
    fn every_way_goes_up_then_down() {
        let network = built("jellyfish", "routers=40 degree=3").network;
        let ways = UpDown::new(&network, None);
        assert_eq!(ways.directions.root(), Some(centre(&network)));
        for (to, from) in ways.free.ends().flat_map(|to| ways.free.ends().map(move |at| (to, at))) {
            let (mut at, mut phase) = (from, Phase::Up);
            while at != to {
                let table = ways.ways(phase);
                let ports = table.ports(at, to);
                let far = network.peer(at, usize::from(ports[(at + to) as usize % ports.len()])).unwrap().router;
                let next = if ways.directions.is_up(at, far) { Phase::Up } else { Phase::Down };
                assert!(next == Phase::Down || phase == Phase::Up);
                assert_eq!(table.distance(at, to), 1 + ways.ways(next).distance(far, to));
                (at, phase) = (far, next);
            }
        }
    }

    /// Two roots with nodes have no way down to each other.
    #[test]
    fn a_tree_with_nodes_at_its_roots_has_a_root_instead() {
        let mut builder = crate::graph::Builder::new(&[2, 1, 1], crate::graph::Seats::even(3, 1)).unwrap();
        let port = |router, port| crate::graph::Port { router, port };
        for root in [1, 2] {
            builder.join(port(0, root - 1), port(root, 0), crate::graph::Wire::new(1, LinkKind::Up)).unwrap();
        }
        let network = builder.finish().unwrap();
        assert!(!UpDown::along(&network, Directions::of_tree(&network).unwrap()).is_whole());
        let ways = UpDown::new(&network, None);
        assert_eq!((ways.directions.root(), ways.free.distance(1, 2)), (Some(0), 2));
    }
}
