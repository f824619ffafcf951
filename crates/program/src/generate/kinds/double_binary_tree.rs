//! Double binary tree: half of the flits goes up and down one tree, the other half another one, cut into chunks that follow each other.
//!
//! A tree is made of labels. Label 0 is the root. The parent of another label, whose lowest bit is `b`, is the label with that bit cleared
//! and the next higher one set, or only with the bit cleared where there is no such label. So odd labels are leaves. The second tree has
//! its labels mirrored, or moved on by one where the ranks are odd in number: a leaf of one tree is no leaf of the other, but for one or
//! two ranks.
//!
//! A chunk goes up when it has come from all children, and behind the chunk before has begun to leave. It goes down when it has come from
//! the parent, or at the root from all children.

use crate::contract::{Upon, Work};
use crate::generate::chunks::Chunks;
use crate::generate::shape::{Shape, extremes};

/// An all-reduce over two trees.
#[derive(Debug)]
pub(crate) struct DoubleBinaryTree {
    /// All ranks.
    pub(crate) ranks: u32,
    /// All flits of a rank.
    pub(crate) flits: u32,
    /// Chunks of each tree.
    pub(crate) chunks: u32,
}

/// The neighbours of a rank in a tree.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    parent: Option<u32>,
    children: [Option<u32>; 2],
}

impl Neighbours {
    fn count(self) -> u32 {
        self.children.iter().flatten().count() as u32
    }

    /// Operations for one chunk: a receive and a send for each neighbour.
    fn operations(self) -> u32 {
        2 * (self.count() + u32::from(self.parent.is_some()))
    }

    fn child(self, which: u32) -> u32 {
        self.children.into_iter().flatten().nth(which as usize).expect("the rank has this child")
    }
}

/// What an operation does in a tree. They are numbered in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Receives from this child.
    FromChild(u32),
    /// Sends to the parent.
    ToParent,
    /// Receives from the parent.
    FromParent,
    /// Sends to this child.
    ToChild(u32),
}

/// An operation taken apart.
#[derive(Clone, Copy, Debug)]
struct Spot {
    chunk: u32,
    tree: u32,
    /// Number of the tree's first operation in this chunk.
    base: u32,
    act: Move,
}

impl DoubleBinaryTree {
    fn neighbours(&self, rank: u32, tree: u32) -> Neighbours {
        let label = self.label(rank, tree);
        let on = |label: u32| self.rank(label, tree);
        Neighbours { parent: self.parent(label).map(on), children: self.children(label).map(|child| child.map(on)) }
    }

    fn label(&self, rank: u32, tree: u32) -> u32 {
        match tree {
            0 => rank,
            _ if self.ranks.is_multiple_of(2) => self.ranks - 1 - rank,
            _ => (rank + self.ranks - 1) % self.ranks,
        }
    }

    fn rank(&self, label: u32, tree: u32) -> u32 {
        match tree {
            0 => label,
            _ if self.ranks.is_multiple_of(2) => self.ranks - 1 - label,
            _ => (label + 1) % self.ranks,
        }
    }

    fn parent(&self, label: u32) -> Option<u32> {
        if label == 0 {
            return None;
        }
        let bit = label & label.wrapping_neg();
        let above = (label - bit) | bit << 1;
        Some(if above < self.ranks { above } else { label - bit })
    }

    fn children(&self, label: u32) -> [Option<u32>; 2] {
        let bit = if label == 0 { self.ranks.next_power_of_two() } else { label & label.wrapping_neg() };
        let left = (label > 0 && bit > 1).then(|| label - bit / 2);
        let mut far = bit / 2;
        while far > 0 && label + far >= self.ranks {
            far /= 2;
        }
        [left, (far > 0).then_some(label + far)]
    }

    /// Operations of a rank for one chunk of both trees.
    fn each_chunk(&self, rank: u32) -> u32 {
        self.neighbours(rank, 0).operations() + self.neighbours(rank, 1).operations()
    }

    fn spot(&self, rank: u32, number: u32) -> Spot {
        let each = self.each_chunk(rank);
        let first = self.neighbours(rank, 0);
        let (chunk, inside) = (number / each, number % each);
        let tree = u32::from(inside >= first.operations());
        let base = chunk * each + tree * first.operations();
        let near = if tree == 0 { first } else { self.neighbours(rank, 1) };
        let (children, parents) = (near.count(), u32::from(near.parent.is_some()));
        let act = match number - base {
            at if at < children => Move::FromChild(at),
            at if at < children + parents => Move::ToParent,
            at if at < children + 2 * parents => Move::FromParent,
            at => Move::ToChild(at - children - 2 * parents),
        };
        Spot { chunk, tree, base, act }
    }

    fn flits(&self, spot: Spot) -> u32 {
        self.half(spot.tree).one(spot.chunk)
    }

    /// The chunks of a tree.
    fn half(&self, tree: u32) -> Chunks {
        Chunks { flits: Chunks { flits: self.flits, parts: 2 }.one(tree), parts: self.chunks }
    }
}

impl Shape for DoubleBinaryTree {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn operations(&self, rank: u32) -> u64 {
        u64::from(self.chunks) * u64::from(self.each_chunk(rank))
    }

    fn work(&self, rank: u32, number: u32) -> Work {
        let spot = self.spot(rank, number);
        let near = self.neighbours(rank, spot.tree);
        let (flits, up, down) = (self.flits(spot), 2 * spot.tree, 2 * spot.tree + 1);
        let parent = || near.parent.expect("only a rank with a parent has this operation");
        match spot.act {
            Move::FromChild(which) => Work::Receive { from: Some(near.child(which)), tag: Some(up), flits },
            Move::ToParent => Work::Send { to: parent(), flits, tag: up },
            Move::FromParent => Work::Receive { from: Some(parent()), tag: Some(down), flits },
            Move::ToChild(which) => Work::Send { to: near.child(which), flits, tag: down },
        }
    }

    fn waits_for(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let spot = self.spot(rank, number);
        let near = self.neighbours(rank, spot.tree);
        let earlier = (spot.chunk > 0).then(|| number - self.each_chunk(rank));
        let children = spot.base..spot.base + near.count();
        match (spot.act, near.parent) {
            (Move::FromChild(_) | Move::FromParent, _) => earlier.into_iter().for_each(|it| each(it, Upon::Finish)),
            (Move::ToParent, _) => {
                earlier.into_iter().for_each(|it| each(it, Upon::Start));
                children.for_each(|it| each(it, Upon::Finish));
            }
            (Move::ToChild(_), None) => children.for_each(|it| each(it, Upon::Finish)),
            (Move::ToChild(_), Some(_)) => each(spot.base + near.count() + 1, Upon::Finish),
        }
    }

    fn has_starts(&self) -> bool {
        true
    }

    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon)) {
        let spot = self.spot(rank, number);
        let near = self.neighbours(rank, spot.tree);
        let later = (spot.chunk + 1 < self.chunks).then(|| number + self.each_chunk(rank));
        let downs = || spot.base + near.operations() - near.count()..spot.base + near.operations();
        match (spot.act, near.parent) {
            (Move::FromChild(_), Some(_)) => each(spot.base + near.count(), Upon::Finish),
            (Move::FromChild(_), None) | (Move::FromParent, _) => downs().for_each(|it| each(it, Upon::Finish)),
            (Move::ToParent | Move::ToChild(_), _) => {}
        }
        match spot.act {
            Move::FromChild(_) | Move::FromParent => later.into_iter().for_each(|it| each(it, Upon::Finish)),
            Move::ToParent => later.into_iter().for_each(|it| each(it, Upon::Start)),
            Move::ToChild(_) => {}
        }
    }

    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32)) {
        let mut number = 0;
        for tree in 0..2 {
            let near = self.neighbours(rank, tree);
            let up = if near.count() == 0 { 1 } else { near.count() };
            (number..number + up).for_each(&mut *each);
            if near.parent.is_some() {
                each(number + near.count() + 1);
            }
            number += near.operations();
        }
    }

    fn place(&self, rank: u32, number: u32) -> String {
        let Spot { chunk, tree, act, .. } = self.spot(rank, number);
        let way = if matches!(act, Move::FromChild(_) | Move::ToParent) { "up" } else { "down" };
        format!("chunk {chunk} on its way {way} tree {tree}")
    }

    fn lengths(&self) -> (u32, u32) {
        let of = |tree| {
            let (most, least) = self.half(tree).lengths();
            [most, least]
        };
        extremes(of(0).into_iter().chain(of(1)))
    }
}
