//! Congestion trees: which points are congested, and how far their set-aside queues reach.

use crate::set_aside::kind;
use crate::tables::{column, rows};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tailback_engine::contract::queueing::{Point, Side};
use tailback_network::Grid;
use tailback_results::Series;

/// The set-aside queues of one congested point.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// Switch of the congested output port, the root.
    pub router: u32,
    /// The port of the root. Ports to nodes come after ports to neighbours.
    pub port: u8,
    /// Set-aside queues at ingress sides, egress sides and adapters.
    pub queues: [u32; 3],
    /// Switches on the way from the farthest of them to the root, the root's own included.
    pub distance: u32,
}

impl Tree {
    /// Set-aside queues at all sides.
    pub fn total(&self) -> u32 {
        self.queues.iter().sum()
    }
}

/// The trees of a network at one time.
#[derive(Debug)]
pub struct CongestionTrees<'a> {
    grid: &'a Grid,
    trees: BTreeMap<(u32, u8), Tree>,
}

impl<'a> CongestionTrees<'a> {
    /// No trees yet.
    pub fn new(grid: &'a Grid) -> Self {
        CongestionTrees { grid, trees: BTreeMap::new() }
    }

    /// Adds a set-aside queue, or a root, to the tree that it is of.
    pub fn add(&mut self, point: &Point) {
        let turns = point.turns.as_slice();
        let (router, port) = self.root(point);
        let none = || Tree { router, port, ..Tree::default() };
        let tree = self.trees.entry((router, port)).or_insert_with(none);
        if !turns.is_empty() {
            tree.queues[kind(point.side)] += 1;
            tree.distance = tree.distance.max(turns.len() as u32);
        }
    }

    /// The switch and the output port that the turns of a point lead to.
    fn root(&self, point: &Point) -> (u32, u8) {
        let next = |router: u32, port: u8| self.grid.peer(router, usize::from(port));
        let Some((&last, way)) = point.turns.as_slice().split_last() else { return (point.router, point.port) };
        let first = match point.side {
            Side::Ingress => point.router,
            Side::Egress => next(point.router, point.port),
            Side::Adapter => self.grid.router_of(point.router),
        };
        (way.iter().fold(first, |router, &port| next(router, port)), last)
    }

    /// By root.
    pub fn trees(self) -> Vec<Tree> {
        self.trees.into_values().collect()
    }
}

/// The congestion trees, a row each.
pub fn table(trees: &[Tree]) -> Series {
    let of = |name: &str, unit: &str, value: &dyn Fn(&Tree) -> u32| {
        column(name, unit, trees.iter().map(|tree| f64::from(value(tree))).collect())
    };
    let columns = vec![
        of("router", "", &|tree| tree.router),
        of("port", "", &|tree| u32::from(tree.port)),
        of("ingress", "queues", &|tree| tree.queues[0]),
        of("egress", "queues", &|tree| tree.queues[1]),
        of("adapter", "queues", &|tree| tree.queues[2]),
        of("distance", "switches", &|tree| tree.distance),
    ];
    rows("congestion_trees", "", "tree", columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::contract::queueing::Turns;

    #[test]
    fn turns_lead_to_the_root_from_every_side() {
        // A line of four switches with a node each; ports: x+, x-, node.
        let grid = Grid::new(&[4], &[false], 1, 1);
        let mut trees = CongestionTrees::new(&grid);
        let mut add = |side, router, port, turns: &[u8]| {
            trees.add(&Point { side, router, port, turns: Turns::new(turns) });
        };
        add(Side::Egress, 3, 2, &[]);
        add(Side::Ingress, 3, 1, &[2]);
        add(Side::Egress, 2, 0, &[2]);
        add(Side::Ingress, 1, 2, &[0, 0, 2]);
        add(Side::Adapter, 0, 2, &[0, 0, 0, 2]);
        add(Side::Ingress, 2, 1, &[0]);
        add(Side::Egress, 0, 1, &[]);
        let node = Tree { router: 3, port: 2, queues: [2, 1, 1], distance: 4 };
        assert_eq!(node.total(), 4);
        let link = Tree { router: 2, port: 0, queues: [1, 0, 0], distance: 1 };
        let lonely = Tree { router: 0, port: 1, ..Tree::default() };
        assert_eq!(trees.trees(), [lonely, link, node]);
    }
}
