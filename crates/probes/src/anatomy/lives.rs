//! The lives of congestion trees: roots that are there in one look after the other.

use super::forest::Tree;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tailback_base::state::{Unfit, are_counts};

/// The most lives that are kept. They are those with the most blocked packets.
pub const KEPT: usize = 4096;

/// The life of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// Its root.
    pub root: u32,
    /// The cycle of the first look that found it.
    pub born: u64,
    /// Looks that found it.
    pub looks: u64,
    /// Links that stood still one behind the other, at most.
    pub depth: u32,
    /// Links that stood still, at most, and in all looks together.
    pub branches: (u32, u64),
    /// Blocked packets in all looks together.
    pub packets: u64,
}

/// All lives of a run.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// By root.
    living: BTreeMap<u32, Life>,
    dead: Vec<Life>,
    /// Trees that have lived, those that are not kept included, and their looks.
    pub trees: u64,
    looks: u64,
}

tailback_base::plain!(Life);
tailback_base::state!([] Lives { saved: living, trees, looks; grown: dead; } [fits]);

impl Lives {
    /// Whether all trees have their roots at the first `links` links.
    pub(super) fn are_of(&self, links: usize) -> bool {
        let mut roots = self.living.values().chain(&self.dead).map(|life| life.root).chain(self.living.keys().copied());
        roots.all(|root| (root as usize) < links)
    }

    fn fits(&self) -> Result<(), Unfit> {
        let lives = self.living.values().chain(&self.dead);
        are_counts(lives.flat_map(|life| [life.looks, life.branches.1, life.packets]).chain([self.trees, self.looks]))
    }
}

impl Lives {
    /// The trees of a look, each with the packets blocked in it.
    pub fn look(&mut self, cycle: u64, trees: &[(Tree, u64)]) {
        let mut living = BTreeMap::new();
        for &(tree, packets) in trees {
            let newborn = || Life { root: tree.root, born: cycle, ..Life::default() };
            let mut life = self.living.remove(&tree.root).unwrap_or_else(newborn);
            self.trees += u64::from(life.looks == 0);
            self.looks += 1;
            life.looks += 1;
            life.depth = life.depth.max(tree.depth);
            life.branches = (life.branches.0.max(tree.branches), life.branches.1 + u64::from(tree.branches));
            life.packets += packets;
            living.insert(tree.root, life);
        }
        let died = std::mem::replace(&mut self.living, living);
        self.dead.extend(died.into_values());
        if self.dead.len() >= 2 * KEPT {
            keep(&mut self.dead);
        }
    }

    /// Looks that a tree lives, on average.
    pub fn mean_looks(&self) -> Option<f64> {
        (self.trees > 0).then(|| self.looks as f64 / self.trees as f64)
    }

    /// Lives, those with most blocked packets first; at a draw by birth, then root.
    pub fn all(&self) -> Vec<Life> {
        let mut all: Vec<Life> = self.dead.iter().chain(self.living.values()).copied().collect();
        keep(&mut all);
        all
    }
}

fn keep(lives: &mut Vec<Life>) {
    lives.sort_by_key(|life| (std::cmp::Reverse(life.packets), life.born, life.root));
    lives.truncate(KEPT);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(root: u32, depth: u32, branches: u32) -> Tree {
        Tree { root, depth, branches }
    }

    #[test]
    fn a_tree_lives_from_look_to_look_and_dies_in_a_gap() {
        let mut lives = Lives::default();
        lives.look(100, &[(tree(7, 1, 1), 5), (tree(9, 1, 1), 1)]);
        lives.look(110, &[(tree(7, 3, 4), 5)]);
        lives.look(120, &[]);
        lives.look(130, &[(tree(7, 1, 2), 2)]);
        let long = Life { root: 7, born: 100, looks: 2, depth: 3, branches: (4, 5), packets: 10 };
        let again = Life { root: 7, born: 130, looks: 1, depth: 1, branches: (2, 2), packets: 2 };
        let other = Life { root: 9, born: 100, looks: 1, depth: 1, branches: (1, 1), packets: 1 };
        assert_eq!(lives.all(), [long, again, other]);
        assert_eq!((lives.trees, lives.mean_looks()), (3, Some(4.0 / 3.0)));
        assert_eq!(Lives::default().mean_looks(), None);
    }

    #[test]
    fn the_largest_are_kept_and_all_counted() {
        let mut lives = Lives::default();
        for cycle in 0..3 * KEPT as u64 {
            lives.look(cycle, &[(tree((cycle % 2) as u32, 1, 1), cycle)]);
        }
        let all = lives.all();
        assert_eq!((all.len(), all[0].packets, lives.trees), (KEPT, 3 * KEPT as u64 - 1, 3 * KEPT as u64));
    }
}
