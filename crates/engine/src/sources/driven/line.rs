//! Those who wait in a line, of whom the first that fits is taken: receives, and messages that nobody has asked for.
//!
//! While they are few, they are looked at one after the other. Many are found by source and tag, so the line may be of any length.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// From how many on they are found by their keys.
const MANY: usize = 24;

/// A source and a tag; `None` stands for any.
pub(crate) type Key = (Option<u32>, Option<u32>);

/// Who may wait in a line.
pub(crate) trait Waits: Copy {
    /// Its own source and tag.
    fn key(&self) -> Key;

    /// Under which keys it is found.
    fn keys(&self) -> impl Iterator<Item = Key>;
}

/// Whether two go together: what one of them names, the other one names as well, or it takes any.
#[inline]
fn fits((source, tag): Key, (from, asked): Key) -> bool {
    let same = |one: Option<u32>, other: Option<u32>| one.is_none() | other.is_none() | (one == other);
    same(source, from) & same(tag, asked)
}

/// The line.
#[derive(Clone, Debug)]
pub(crate) struct Line<T> {
    /// In their order, while they are few.
    few: Vec<T>,
    many: Option<Box<Many<T>>>,
}

/// A long line.
#[derive(Clone, Debug)]
struct Many<T> {
    /// By place; the place of the last one goes up.
    places: BTreeMap<u64, T>,
    /// Keys with the places of those that are found under them.
    found: BTreeSet<(Key, u64)>,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Line { few: Vec::new(), many: None }
    }
}

impl<T: Waits> Line<T> {
    /// Puts one at the end.
    pub fn push(&mut self, one: T) {
        if let Some(many) = &mut self.many {
            many.push(one);
        } else if self.few.len() < MANY {
            self.few.push(one);
        } else {
            let mut many = Many { places: BTreeMap::new(), found: BTreeSet::new() };
            self.few.drain(..).chain([one]).for_each(|one| many.push(one));
            self.many = Some(Box::new(many));
        }
    }

    /// Takes out the first one that goes with `asks`.
    ///
    /// PERF: of a few the keys are not listed (`docs/benchmarks.md`, all-to-all).
    pub fn take(&mut self, asks: &impl Waits) -> Option<T> {
        let Some(many) = &mut self.many else {
            let asked = asks.key();
            return self.few.iter().position(|one| fits(one.key(), asked)).map(|at| self.few.remove(at));
        };
        let taken = many.take(asks.keys())?;
        if many.places.is_empty() {
            self.many = None;
        }
        Some(taken)
    }

    /// Whether one goes with `asks`.
    pub fn has(&self, asks: &impl Waits) -> bool {
        match &self.many {
            Some(many) => asks.keys().any(|key| many.first(key).is_some()),
            None => self.few.iter().any(|one| fits(one.key(), asks.key())),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.few.len() + self.many.as_ref().map_or(0, |many| many.places.len())
    }

    /// All of them in their order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.few.iter().chain(self.many.iter().flat_map(|many| many.places.values()))
    }
}

impl<T: Waits> Many<T> {
    fn push(&mut self, one: T) {
        let place = self.places.last_key_value().map_or(0, |(place, _)| place + 1);
        self.found.extend(one.keys().map(|key| (key, place)));
        self.places.insert(place, one);
    }

    /// The place of the first one that is found under a key.
    fn first(&self, key: Key) -> Option<u64> {
        self.found.range((key, 0)..=(key, u64::MAX)).next().map(|&(_, place)| place)
    }

    fn take(&mut self, keys: impl Iterator<Item = Key>) -> Option<T> {
        let place = keys.filter_map(|key| self.first(key)).min()?;
        let taken = self.places.remove(&place)?;
        taken.keys().for_each(|key| _ = self.found.remove(&(key, place)));
        Some(taken)
    }
}

impl<T: Waits> FromIterator<T> for Line<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut line = Line::default();
        all.into_iter().for_each(|one| line.push(one));
        line
    }
}

impl<T: Waits + Serialize> Serialize for Line<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let all: Vec<T> = self.iter().copied().collect();
        all.serialize(to)
    }
}

impl<'de, T: Waits + Deserialize<'de>> Deserialize<'de> for Line<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from_iter)
    }
}
