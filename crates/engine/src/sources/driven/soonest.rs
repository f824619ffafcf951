//! An ordered set of which mostly a few are there, and mostly the first one is wanted.
//!
//! PERF: those few stand in the rank itself, and nothing is allocated for them (`tailback bench all-reduce-1024`).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeSet, btree_set};
use std::iter::{Chain, Rev};
use std::slice;

/// How many stand in the rank itself.
const NEAR: usize = 4;

/// All of a set in their order.
pub(crate) type Sorted<'s, T> = Chain<Rev<slice::Iter<'s, T>>, btree_set::Iter<'s, T>>;

/// The set. All that are near come before all that are far.
#[derive(Clone, Debug)]
pub(crate) struct Soonest<T> {
    /// In falling order: the last one is the first of the set.
    near: [T; NEAR],
    count: usize,
    far: BTreeSet<T>,
}

impl<T: Ord + Copy + Default> Default for Soonest<T> {
    fn default() -> Self {
        Soonest { near: [T::default(); NEAR], count: 0, far: BTreeSet::new() }
    }
}

impl<T: Ord + Copy> Soonest<T> {
    /// The first one.
    #[inline]
    pub fn first(&self) -> Option<&T> {
        match self.count {
            0 => self.far.first(),
            count => Some(&self.near[count - 1]),
        }
    }

    /// Takes out the first one.
    #[inline]
    pub fn pop_first(&mut self) -> Option<T> {
        if self.count == 0 {
            return self.far.pop_first();
        }
        self.count -= 1;
        Some(self.near[self.count])
    }

    /// Puts one in, if it is not there.
    #[inline]
    pub fn insert(&mut self, new: T) {
        let behind = if self.count > 0 { new > self.near[0] } else { self.far.first().is_some_and(|far| new >= *far) };
        if behind && !(self.far.is_empty() && self.count < NEAR) {
            self.far.insert(new);
            return;
        }
        let at = self.near[..self.count].partition_point(|other| *other > new);
        if self.near[..self.count].get(at) == Some(&new) {
            return;
        }
        if self.count == NEAR {
            self.far.insert(self.near[0]);
            self.near.copy_within(1..at, 0);
            self.near[at - 1] = new;
            return;
        }
        self.near.copy_within(at..self.count, at + 1);
        self.near[at] = new;
        self.count += 1;
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0 && self.far.is_empty()
    }

    /// All of them in their order.
    pub fn iter(&self) -> Sorted<'_, T> {
        self.near[..self.count].iter().rev().chain(&self.far)
    }
}

impl<T: Ord + Copy + Default> FromIterator<T> for Soonest<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut set = Soonest::default();
        all.into_iter().for_each(|one| set.insert(one));
        set
    }
}

impl<T: Ord + Copy + Serialize> Serialize for Soonest<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let all: Vec<T> = self.iter().copied().collect();
        all.serialize(to)
    }
}

impl<'de, T: Ord + Copy + Default + Deserialize<'de>> Deserialize<'de> for Soonest<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_base::rng::{self, Purpose};

    #[test]
    fn it_is_an_ordered_set() {
        let mut draws = (0_u64..).map(|index| rng::draw(7, Purpose::Tie, 0, index)[0] as u32);
        for most in [2, 5, 40] {
            let (mut set, mut plain) = (Soonest::default(), BTreeSet::new());
            for _ in 0..2_000 {
                let (draw, value) = (draws.next().unwrap(), draws.next().unwrap() % 50);
                if plain.len() < most && draw % 2 == 0 {
                    set.insert(value);
                    plain.insert(value);
                } else {
                    assert_eq!(set.pop_first(), plain.pop_first());
                }
                assert_eq!((set.first(), set.is_empty()), (plain.first(), plain.is_empty()));
                assert!(set.iter().eq(&plain), "{set:?} is {plain:?}");
            }
            assert!(set.iter().copied().collect::<Soonest<u32>>().iter().eq(&plain));
        }
    }
}
