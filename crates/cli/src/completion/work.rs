//! The runs of a curve. Those that a folder holds from before are not run again, and more seeds only run where seeds differ.

use crate::exit::{Failure, Result};
use crate::folder::Folder;
use crate::points::{Points, Source};
use crate::runner::{Done, Watcher, run_points};
use crate::show;
use crate::show::numbers::count;
use crate::show::progress::{Bar, Progress};
use std::collections::BTreeMap;
use tailback_results::{Record, Status};
use toml::Value;

/// Seeds of a point, if the spec does not say how many and two of them differ.
pub const SEEDS: u64 = 5;

/// How many of a point's seeds are run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seeds {
    /// All.
    All,
    /// All where two of them differ, else one.
    WhereTheyDiffer,
}

/// The runs of a curve, as far as they are there.
pub struct Work<'a> {
    points: &'a Points,
    folder: Option<Folder>,
    records: Vec<Option<Record>>,
    /// By point: its variant, and its place along the axis.
    places: Vec<(String, f64)>,
    kept: usize,
    ended: usize,
    wanted: usize,
    progress: Progress,
}

impl<'a> Work<'a> {
    /// Nothing is run yet.
    ///
    /// # Errors
    /// Where files are gone that the spec names.
    pub fn new(points: &'a Points, x: &str, folder: Option<Folder>) -> Result<Work<'a>> {
        let (mut records, mut places) = (Vec::new(), Vec::new());
        for point in points.iter() {
            let point = point?;
            records.push(folder.as_ref().and_then(|folder| folder.kept(&point.id).cloned()));
            let (along, others): (Vec<_>, Vec<_>) = point.swept.iter().partition(|(path, _)| path == x);
            let at = along.first().and_then(|(_, value)| number(value)).unwrap_or(0.0);
            let others: Vec<_> = others.into_iter().filter(|(path, _)| path != "run.seed").collect();
            places.push((format!("{others:?}"), at));
        }
        let kept = records.iter().flatten().count();
        let progress = Progress::new(points.count() as u64, Bar::Shown);
        Ok(Work { points, folder, records, places, kept, ended: 0, wanted: 0, progress })
    }

    /// Runs what is missing: of each point one seed, of the smallest one of each variant two. Where these two differ,
    /// or where all are asked for, all seeds.
    ///
    /// # Errors
    /// Where a run fails, or a result cannot be written.
    pub fn all(&mut self, threads: usize, seeds: usize, of_each: Seeds) -> Result<()> {
        let mut first: BTreeMap<String, (f64, usize)> = BTreeMap::new();
        for at in (0..self.records.len()).step_by(seeds) {
            let (variant, x) = self.places[at].clone();
            let smallest = first.entry(variant).or_insert((x, at));
            if x < smallest.0 {
                *smallest = (x, at);
            }
        }
        let is_first = |at: usize| first.values().any(|(_, smallest)| *smallest == at);
        let wanted =
            |at: usize| of_each == Seeds::All || at.is_multiple_of(seeds) || (at % seeds == 1 && is_first(at - 1));
        self.run(threads, (0..self.records.len()).filter(|at| wanted(*at)).collect())?;
        let of = |work: &Work, at: usize| {
            work.records.get(at)?.as_ref().map(|record| (record.digest.clone(), record.duration))
        };
        let differ = |work: &Work, at: usize| of(work, at) != of(work, at + 1);
        let random: Vec<&String> =
            first.iter().filter(|(_, (_, at))| seeds > 1 && differ(self, *at)).map(|(variant, _)| variant).collect();
        let more = (0..self.records.len()).filter(|at| !wanted(*at) && random.contains(&&self.places[*at].0)).collect();
        self.run(threads, more)
    }

    fn run(&mut self, threads: usize, mut indices: Vec<usize>) -> Result<()> {
        self.wanted += indices.len();
        indices.retain(|index| self.records[*index].is_none());
        let points = self.points;
        run_points(points, &indices, threads, self)
    }

    /// The records in the order of the sweep, how many there should be, and the folder.
    pub fn end(self) -> (Vec<Record>, usize, Option<Folder>) {
        drop(self.progress);
        if self.kept > 0 {
            show::note(&format!("{} kept from before", count(self.kept as u64, "run")));
        }
        (self.records.into_iter().flatten().collect(), self.wanted, self.folder)
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|integer| integer as f64))
}

impl Watcher for Work<'_> {
    fn done(&mut self, done: Done) -> Result<()> {
        if let Some(folder) = &mut self.folder {
            folder.save(&done)?;
        }
        self.ended += 1;
        let (index, record) = (done.index, done.outcome.record);
        if matches!(record.status, Status::Deadlocked | Status::Stuck) {
            show::note(&format!("point {}: {}", record.point_id, done.outcome.explanation));
        }
        self.records[index] = Some(record);
        Ok(())
    }

    fn failed(&mut self, _index: usize, reason: String) -> Result<()> {
        Err(Failure::Other(reason))
    }

    fn tick(&mut self, _cycles: u64) {
        self.progress.at(self.ended as u64, "running".to_owned());
    }
}
