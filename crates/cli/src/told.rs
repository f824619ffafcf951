//! What a spec says in vain, told once for all points of it.

use crate::show;
use tailback_sim::catalogue;
use tailback_spec::{NoEffect, Origin, Point};

/// The most settings without effect that are printed.
const MOST: usize = 20;

/// What has no effect in some points.
#[derive(Clone, Debug, Default)]
pub struct Told {
    found: Vec<Found>,
    points: usize,
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
    }

    /// What `--set` says in vain of a point that a checkpoint holds, whose other values nobody has just written.
    pub fn of_fork(point: &Point) -> Told {
        let mut told = Told::default();
        told.add(point, 1);
        let is_set = |path: &str| matches!(point.resolved.sources.origin(path), Origin::Set(..));
        told.found.retain(|found| is_set(&found.first.path));
        told
    }

    /// Adds what is told of other points.
    pub fn join(&mut self, other: Told) {
        self.points += other.points;
        other.found.into_iter().for_each(|found| self.count(found.first, found.points));
    }

    /// The sentences, each with the number of points where that is not all of them.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |found: &Found| match found.points == self.points {
            true => found.first.message.clone(),
            false => format!("{} ({} of {} points)", found.first.message, found.points, self.points),
        };
        self.found.iter().map(sentence).collect()
    }

    /// Tells it on standard error.
    pub fn warn(&self) {
        let sentences = self.sentences();
        sentences.iter().take(MOST).for_each(|text| show::note(&format!("warning: {text}")));
        if let Some(more) = sentences.len().checked_sub(MOST).filter(|&more| more > 0) {
            show::note(&format!("warning: {more} more parameters have no effect; `tailback check` lists all"));
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
