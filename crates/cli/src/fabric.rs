//! The variants of a spec as something that can be measured, and the records of what was.

use crate::exit::{Failure, Result};
use crate::folder::Folder;
use crate::loads::{Loads, Wanted};
use crate::points::Source;
use crate::runner::{Done, collect};
use crate::show::numbers::{count, short};
use crate::show::progress::Bar;
use crate::show::progress::Progress;
use std::collections::BTreeMap;
use tailback_curve::{Answer, Ask, Networks};
use tailback_results::{Record, Series, Status};
use tailback_spec::Point;

/// The variants of a spec.
pub struct Fabric<'a> {
    loads: &'a Loads,
    threads: usize,
    at_most: u64,
    made: u64,
    progress: Progress,
    /// The runs that are kept, by variant, load (its bits: loads are positive) and replica.
    records: BTreeMap<(usize, u64, u64), Record>,
    folder: Option<Folder>,
    /// Seeds of a point at most; the searches have others.
    seeds: u64,
    /// The loads of the curves; none where they are chosen.
    own: Vec<f64>,
}

impl<'a> Fabric<'a> {
    /// Runs on `threads` threads, 0 for one a core; `at_most` runs are shown as the end of the work.
    pub fn new(loads: &'a Loads, threads: usize, at_most: u64) -> Self {
        let (records, progress) = (BTreeMap::new(), Progress::new(at_most, Bar::Shown));
        Fabric { loads, threads, at_most, made: 0, progress, records, folder: None, seeds: u64::MAX, own: Vec::new() }
    }

    /// The same, that keeps the runs of the first `seeds` seeds, at the loads `own` or, where there are none, at all loads, and
    /// writes them to `folder`.
    pub fn keeping(self, seeds: u64, own: &[f64], folder: Option<Folder>) -> Self {
        Fabric { seeds, own: own.to_vec(), folder, ..self }
    }

    /// The records of the first `seeds` seeds of a variant at a load.
    pub fn records(&self, variant: usize, load: f64, seeds: usize) -> impl Iterator<Item = &Record> {
        let from = (variant, load.to_bits(), 0);
        self.records.range(from..(variant, load.to_bits(), seeds as u64)).map(|(_, record)| record)
    }

    /// The records that were kept, in the order of variants, loads and seeds.
    pub fn all(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// The folder that the runs went to. Nothing runs any more.
    pub fn end(&mut self) -> Option<Folder> {
        self.progress = Progress::new(1, Bar::Hidden);
        self.folder.take()
    }
}

/// What is asked at one time, as points.
struct Asked<'a> {
    loads: &'a Loads,
    asks: &'a [(usize, Ask)],
}

impl Source for Asked<'_> {
    fn count(&self) -> usize {
        self.asks.len()
    }

    fn at(&self, index: usize) -> Result<Point> {
        let (variant, Ask { load, replica, doublings }) = self.asks[index];
        self.loads.one(Wanted { variant, load, replica, doublings })
    }
}

impl Networks for Fabric<'_> {
    type Error = Failure;

    fn measure(&mut self, asks: &[(usize, Ask)]) -> Result<Vec<Option<Answer>>> {
        let points = Asked { loads: self.loads, asks };
        let message = message(asks);
        let (progress, made, at_most) = (&self.progress, self.made, self.at_most);
        let tick = |ended, _| progress.of(made + ended, at_most, message.clone());
        let (records, folder, seeds) = (&mut self.records, &mut self.folder, self.seeds);
        let own = &self.own;
        let keep = |done: Done| -> Result<Option<Answer>> {
            let (variant, Ask { load, replica, doublings }) = asks[done.index];
            // A run that was cut short says nothing.
            let is_whole = done.outcome.record.status != Status::Interrupted;
            if doublings == 0 && is_whole && replica < seeds && (own.is_empty() || own.contains(&load)) {
                records.insert((variant, load.to_bits(), replica), done.outcome.record.clone());
                folder.as_mut().map_or(Ok(()), |folder| folder.save(&done))?;
            }
            Ok(is_whole.then(|| answer(&done)))
        };
        let answers = collect(&points, self.threads, keep, tick)?;
        self.made += asks.len() as u64;
        answers.into_iter().map(|answer| answer.unwrap_or(Ok(None))).collect()
    }
}

/// What is run, for the progress bar.
fn message(asks: &[(usize, Ask)]) -> String {
    let ends = asks
        .iter()
        .map(|(_, ask)| ask.load)
        .fold((f64::INFINITY, 0.0_f64), |(low, high), load| (load.min(low), load.max(high)));
    let loads = if ends.0 == ends.1 {
        format!("load {}", short(ends.0))
    } else {
        format!("loads {} to {}", short(ends.0), short(ends.1))
    };
    format!("{} at {loads}", count(asks.len() as u64, "run"))
}

fn answer(done: &Done) -> Answer {
    let record = &done.outcome.record;
    let workload = done.prepared.point().resolved.view("workload");
    let end = workload.u64("warmup_cycles").saturating_add(workload.u64("measure_cycles"));
    let generated = record.generated_load.unwrap_or(0.0);
    let windows = Series::named(&done.outcome.series, "windows");
    let offered = record.offered_load.filter(|_| done.prepared.sources_may_stall());
    Answer {
        offered: offered.unwrap_or(generated),
        generated,
        accepted: record.accepted_load.unwrap_or(0.0),
        latency: record.latency_mean,
        backlog: windows.map_or(vec![], |windows| backlog(windows, end as f64, done.prepared.network().nodes() as f64)),
        deadlocked: record.status == Status::Deadlocked,
        digest: record.digest.clone(),
    }
}

/// Flits that were made and have not arrived, at the end of every window before cycle `end`.
fn backlog(windows: &Series, end: f64, nodes: f64) -> Vec<f64> {
    let column = |name: &str| windows.column(name).unwrap_or_default();
    let flits = nodes * windows.x.get(1).map_or(end, |second| second - windows.x[0]);
    let flows = column("generated_load").iter().zip(column("accepted_load"));
    let within = flows.zip(&windows.x).take_while(|(_, start)| **start < end);
    let grown = within.scan(0.0, |backlog, ((made, arrived), _)| {
        *backlog += (made - arrived) * flits;
        Some(*backlog)
    });
    grown.collect()
}
