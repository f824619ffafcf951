//! What a spec says in vain, and what is to be known of what it says, told once for all points of it.

use crate::show;
use tailback_sim::catalogue;
use tailback_spec::{NoEffect, Origin, Point};

/// The most settings without effect that are printed.
const MOST: usize = 20;

/// What a user is warned of, a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A setting has no effect.
    NoEffect(String),
    /// Anything else.
    Other(String),
}

impl Warning {
    /// The sentence.
    pub fn text(&self) -> &str {
        match self {
            Warning::NoEffect(text) | Warning::Other(text) => text,
        }
    }
}

/// What has no effect in some points.
#[derive(Clone, Debug, Default)]
pub struct Told {
    found: Vec<Found>,
    /// Sentences about the programs that points generate, and in how many points each is so.
    notes: Vec<(String, usize)>,
    doubt: Option<Doubt>,
    points: usize,
}

/// That programs are not proved to be free of deadlock.
#[derive(Clone, Debug)]
struct Doubt {
    /// Of the first point.
    first: String,
    points: usize,
    /// Whether others have other words: other numbers, mostly.
    differs: bool,
}

/// What is told, by path and reason, in the words of the first point with it, and in how many points it is so.
#[derive(Clone, Debug)]
struct Found {
    first: NoEffect,
    points: usize,
}

impl Told {
    /// Looks at a point that stands for so many that differ in nothing that could matter.
    pub fn add(&mut self, point: &Point, points: usize) {
        self.points += points;
        for idle in point.without_effect(catalogue()) {
            self.count(idle, points);
        }
        tailback_sim::notes(point).into_iter().for_each(|note| self.note(note, points));
    }

    /// It is not proved that the programs of so many points cannot lock.
    pub fn doubt(&mut self, doubt: &str, points: usize) {
        self.join_doubt(Doubt { first: doubt.to_owned(), points, differs: false });
    }

    /// What `--set` says in vain of a point that a checkpoint holds, whose other values nobody has just written.
    pub fn of_fork(point: &Point) -> Told {
        let mut told = Told::default();
        told.add(point, 1);
        let is_set = |path: &str| matches!(point.resolved.sources.origin(path), Origin::Set(..));
        told.found.retain(|found| is_set(&found.first.path));
        told.notes.clear();
        told
    }

    /// Adds what is told of other points.
    pub fn join(&mut self, other: Told) {
        self.points += other.points;
        other.found.into_iter().for_each(|found| self.count(found.first, found.points));
        other.notes.into_iter().for_each(|(note, points)| self.note(note, points));
        other.doubt.into_iter().for_each(|doubt| self.join_doubt(doubt));
    }

    /// The sentences, each with the number of points where that is not all of them.
    pub fn sentences(&self) -> Vec<String> {
        self.found.iter().map(|found| self.sentence(&found.first.message, found.points)).collect()
    }

    /// What is to be known of generated programs, in the same way.
    pub fn notes(&self) -> Vec<String> {
        self.notes.iter().map(|(note, points)| self.sentence(note, *points)).collect()
    }

    /// Why programs may lock, in the words of the first point of which it is so. `check` says it of each point.
    pub fn in_doubt(&self) -> Option<String> {
        let Doubt { first, points, differs } = self.doubt.as_ref()?;
        Some(match differs {
            true => format!("{first} (the first of {points} such points; `tailback check` tells of the others)"),
            false => self.sentence(first, *points),
        })
    }

    fn sentence(&self, text: &str, points: usize) -> String {
        match points == self.points {
            true => text.to_owned(),
            false => format!("{text} ({points} of {} points)", self.points),
        }
    }

    /// All that is warned of.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        self.sentences().into_iter().map(Warning::NoEffect).chain(self.in_doubt().map(Warning::Other))
    }

    /// Tells it on standard error.
    pub fn warn(&self) {
        self.notes().iter().take(MOST).for_each(|text| show::note(&format!("note: {text}")));
        self.sentences().into_iter().take(MOST).map(Warning::NoEffect).for_each(|idle| show::warn(&idle));
        if let Some(more) = self.found.len().checked_sub(MOST).filter(|&more| more > 0) {
            let text = format!("{more} more parameters have no effect; `tailback check` lists all");
            show::warn(&Warning::NoEffect(text));
        }
        self.in_doubt().into_iter().map(Warning::Other).for_each(|doubt| show::warn(&doubt));
    }

    fn join_doubt(&mut self, other: Doubt) {
        match &mut self.doubt {
            Some(doubt) => {
                doubt.points += other.points;
                doubt.differs |= other.differs || doubt.first != other.first;
            }
            None => self.doubt = Some(other),
        }
    }

    fn note(&mut self, note: String, points: usize) {
        match self.notes.iter_mut().find(|found| found.0 == note) {
            Some(found) => found.1 += points,
            None => self.notes.push((note, points)),
        }
    }

    fn count(&mut self, idle: NoEffect, points: usize) {
        let same = |found: &&mut Found| found.first.path == idle.path && found.first.because == idle.because;
        match self.found.iter_mut().find(same) {
            Some(found) => found.points += points,
            None => self.found.push(Found { first: idle, points }),
        }
    }
}
