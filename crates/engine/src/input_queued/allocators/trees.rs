//! Arbiters in two levels: one for each group of rivals, and one among the winners of groups. Only the arbiter of the group that won and
//! the one above it move on.

use super::super::router::{Allocator, Stages};
use super::requests::members;
use std::cmp::Reverse;
use tailback_base::state::{Unfit, ensure};

/// Such arbiters of all routers, the same number at each; nothing where the allocator has none.
#[derive(Clone, Debug)]
pub(crate) struct Trees {
    stages: Stages,
    groups: usize,
    /// Arbiters and rivals of the largest router, and rivals of a group at each.
    most: (usize, usize),
    each: Vec<u16>,
    /// By router, arbiter and rival: how many of its group come before it.
    ranks: Vec<u16>,
    /// By router, arbiter and group: how many come before it.
    tops: Vec<u16>,
}

tailback_base::state!([] Trees { saved: ranks, tops; rebuilt: stages, groups, most, each; } [fits]);

impl Trees {
    /// Before the first step, of routers with so many arbiters and rivals.
    pub fn new(allocator: Allocator, most: (usize, usize), sizes: &[(u16, u16)]) -> Self {
        let (stages, groups) = (allocator.stages, allocator.groups as usize);
        let there = allocator.has_arbiters() && groups > 1;
        let each: Vec<u16> = sizes.iter().map(|size| size.1.div_ceil(groups as u16).max(1)).collect();
        let (mut ranks, mut tops) = (Vec::new(), Vec::new());
        for (&each, &(_, rivals)) in each.iter().zip(sizes).filter(|_| there) {
            for _ in 0..most.0 {
                let of_group = |group: u16| rivals.saturating_sub(group * each).min(each);
                ranks.extend((0..groups as u16).flat_map(|group| first_ranks(stages, of_group(group))));
                ranks.resize(ranks.len() + most.1 - usize::from(rivals), 0);
                tops.extend(first_ranks(stages, groups as u16));
            }
        }
        Trees { stages, groups, most, each, ranks, tops }
    }

    fn fits(&self) -> Result<(), Unfit> {
        let below = |ranks: &[u16], most: usize| ranks.iter().all(|&rank| usize::from(rank) < most);
        ensure(below(&self.ranks, self.most.1) && below(&self.tops, self.groups), "an arbiter has no order")
    }

    /// The winner of `who` at an arbiter, out of those with the highest rank.
    pub fn winner(&self, (router, at): (usize, usize), who: &[u64], rank: impl Fn(usize) -> u64) -> Option<usize> {
        let (each, arbiter) = (usize::from(self.each[router]), router * self.most.0 + at);
        let (ranks, tops) = (&self.ranks[arbiter * self.most.1..], &self.tops[arbiter * self.groups..]);
        let (mut members, mut best) = (members(who).peekable(), None);
        while let Some(&first) = members.peek() {
            let of_group = std::iter::from_fn(|| members.next_if(|&one| one / each == first / each));
            let winner = of_group.min_by_key(|&one| (Reverse(rank(one)), ranks[one])).expect("the first one is there");
            let key = (Reverse(rank(winner)), tops[winner / each]);
            if best.is_none_or(|(other, _)| key < other) {
                best = Some((key, winner));
            }
        }
        best.map(|(_, winner)| winner)
    }

    /// A win counts.
    pub fn won(&mut self, (router, at): (usize, usize), one: usize) {
        let (each, arbiter) = (usize::from(self.each[router]), router * self.most.0 + at);
        let (group, first) = (one / each, one / each * each);
        let ranks = &mut self.ranks[arbiter * self.most.1..][..self.most.1];
        // Ranks of rivals that are not there are read by nobody.
        let end = (first + each).min(ranks.len());
        move_on(self.stages, &mut ranks[first..end], one - first);
        move_on(self.stages, &mut self.tops[arbiter * self.groups..][..self.groups], group);
    }
}

/// Ranks before anyone has won.
fn first_ranks(stages: Stages, size: u16) -> impl Iterator<Item = u16> {
    (0..size).map(move |one| if stages == Stages::Matrix { size - 1 - one } else { one })
}

/// Ranks after one has won.
fn move_on(stages: Stages, ranks: &mut [u16], one: usize) {
    let (size, won) = (ranks.len(), ranks[one]);
    for (n, rank) in ranks.iter_mut().enumerate() {
        *rank = match stages {
            Stages::RoundRobin => ((n + size - one - 1) % size) as u16,
            Stages::Matrix if n == one => size as u16 - 1,
            Stages::Matrix => *rank - u16::from(*rank > won),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::router::Matching;
    use super::*;

    #[test]
    fn groups_take_turns_and_so_do_their_members() {
        for (stages, expected) in [(Stages::RoundRobin, [0, 3, 1, 4, 2, 5, 0]), (Stages::Matrix, [5, 2, 4, 1, 3, 0, 5])]
        {
            let allocator = Allocator { matching: Matching::InputFirst, rounds: 1, stages, groups: 2 };
            let mut trees = Trees::new(allocator, (2, 70), &[(2, 70), (2, 6)]);
            let order = expected.map(|_| {
                let winner = trees.winner((1, 1), &[0b11_1111, 0], |_| 0).expect("somebody asks");
                trees.won((1, 1), winner);
                winner
            });
            assert_eq!(order, expected, "{stages:?}");
            assert_eq!(
                trees.winner((1, 0), &[0b11_0000, 0], |one| u64::from(one == 4)),
                Some(4),
                "the other comes behind it"
            );
            assert_eq!(trees.winner((1, 0), &[0, 0], |_| 0), None);
            assert!(trees.fits().is_ok());
        }
    }
}
