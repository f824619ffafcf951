//! Running the changes of a point under common seeds.

use super::gain::{Gain, Metric};
use super::{CANDIDATES, Candidate, Remedy, Tried, changed, idle, setting};
use crate::attempt::{attempt, reason};
use crate::prepare::{Prepared, prepare_unless};
use crate::run::Control;
use crate::threads::{side_by_side, threads_each};
use crate::why::{directions, tied_ports};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tailback_results::{Record, Status};
use tailback_spec::Point;
use tailback_summary::paired::against_first;
use tailback_traffic::Course;
use toml::Value;

/// The changes of a point that can be made, and those that cannot.
pub struct Trial {
    point: Point,
    metric: Metric,
    seeds: Vec<u64>,
    changes: Vec<(Candidate, Value, String)>,
    refused: Vec<Remedy>,
}

/// What came of all changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedies {
    /// Those that were tried, the best first; then those that nobody came to; then those that were refused.
    pub all: Vec<Remedy>,
    /// Runs that could not be run to their end, with the reason of the first.
    pub failed: Option<String>,
}

impl Trial {
    /// The changes of a prepared point, with `seeds` seeds from its own on; `None` once `cancel` was set.
    pub fn new(prepared: &Prepared, seeds: u64, cancel: &AtomicBool) -> Option<Trial> {
        let point = prepared.point().clone();
        let metric = match prepared.course() {
            Course::Collective | Course::Program => Metric::Duration,
            _ => Metric::AcceptedLoad,
        };
        let seeds = (0..seeds).map(|more| point.seed.wrapping_add(more)).collect();
        let mut trial = Trial { point, metric, seeds, changes: Vec::new(), refused: Vec::new() };
        for candidate in CANDIDATES.iter().filter(|candidate| candidate.is_for(prepared.network())) {
            let Some((now, then)) = candidate.values(&trial.point.resolved) else { continue };
            let fits = fits(&trial.point, candidate, &then, cancel);
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            match fits {
                Ok(other) => trial.changes.push((*candidate, then, words(prepared, &other, candidate, &now))),
                Err(reason) => trial.refused.push(Remedy {
                    setting: setting(candidate, &then),
                    tried: Tried::Refused { reason },
                    words: String::new(),
                }),
            }
        }
        Some(trial)
    }

    /// Runs that it takes.
    pub fn runs(&self) -> usize {
        self.seeds.len() * (1 + self.changes.len())
    }

    /// Runs all on `threads` threads, 0 for one a core; `hear` is told how many runs have ended. Once `cancel` is set no more are
    /// begun, and a change that lacks a run counts as not tried.
    pub fn run(
        self,
        threads: usize,
        cancel: &AtomicBool,
        cycles_done: &AtomicU64,
        mut hear: impl FnMut(usize),
    ) -> Remedies {
        let (runs, each) = (self.runs(), threads_each(self.runs(), threads));
        let mut records: Vec<Option<Record>> = vec![None; runs];
        let (mut ended, mut failed) = (0, None);
        let one = |at: usize| {
            let control = Control { cancel, cycles_done, threads: each };
            self.at(at).and_then(|point| attempt(&point, &control)).map(|(_, outcome)| outcome.record)
        };
        let heard: Result<(), ()> = side_by_side(runs, threads, cancel, one, |done| {
            match done {
                Some((at, Ok(record))) => records[at] = Some(record).filter(|r| r.status != Status::Interrupted),
                Some((_, Err(reason))) => drop(failed.get_or_insert(reason)),
                None => {}
            }
            ended = records.iter().flatten().count();
            hear(ended);
            Ok(())
        });
        debug_assert!(heard.is_ok());
        Remedies { all: self.judged(&records), failed }
    }

    /// Run `at`: first the point itself with all seeds, then change by change.
    fn at(&self, at: usize) -> Result<Point, String> {
        let seed = self.seeds[at % self.seeds.len()];
        let change = (at / self.seeds.len()).checked_sub(1).map(|at| (&self.changes[at].0, &self.changes[at].1));
        changed(&self.point, change, seed)
    }

    /// What came of every change.
    fn judged(self, records: &[Option<Record>]) -> Vec<Remedy> {
        let of = |number: usize| -> Option<Vec<Record>> {
            records[number * self.seeds.len()..][..self.seeds.len()].iter().cloned().collect()
        };
        let before = of(0);
        let tried: Vec<Option<Vec<Record>>> =
            (1..=self.changes.len()).map(|number| before.as_ref().and_then(|_| of(number))).collect();
        // Holm's correction is over those that were tried.
        let all = before.iter().chain(tried.iter().flatten());
        let samples: Vec<_> = all.map(|records| self.metric.by_seed(records)).collect();
        let mut differences = against_first(&samples).into_iter().skip(1);
        let mut remedies: Vec<Remedy> = Vec::new();
        for ((candidate, then, words), after) in self.changes.into_iter().zip(&tried) {
            let tried = match (&before, after) {
                (Some(before), Some(after)) => {
                    let difference = differences.next().flatten();
                    let same = before.iter().zip(after).all(|(a, b)| a.digest == b.digest);
                    if same { Tried::Same } else { Tried::Measured(Gain::new(self.metric, difference, before, after)) }
                }
                _ => Tried::Not,
            };
            remedies.push(Remedy { setting: setting(&candidate, &then), tried, words });
        }
        remedies.extend(self.refused);
        remedies.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        remedies
    }
}

/// The best first: what was measured by its benefit, then what is the same, then what nobody tried, then what was refused.
fn rank(remedy: &Remedy) -> f64 {
    match &remedy.tried {
        // A run that no longer breaks counts more than any load.
        Tried::Measured(gain) => 1e6 * (gain.broken.1 as f64 - gain.broken.0 as f64) - gain.benefit(),
        Tried::Same => 1e9,
        Tried::Not => 2e9,
        Tried::Refused { .. } => 3e9,
    }
}

/// The changed point, prepared.
fn fits(point: &Point, candidate: &Candidate, then: &Value, cancel: &AtomicBool) -> Result<Prepared, String> {
    let changed = changed(point, Some((candidate, then)), point.seed)?;
    if let Some(reason) = idle(&changed, candidate) {
        return Err(reason);
    }
    match prepare_unless(&changed, cancel) {
        Some(prepared) => prepared.map_err(|errors| reason(&errors)),
        None => Err("interrupted".to_owned()),
    }
}

/// What a change changes: known before any run.
fn words(before: &Prepared, after: &Prepared, candidate: &Candidate, now: &Value) -> String {
    let bounds = before.channel_load_bound().zip(after.channel_load_bound());
    let bound = bounds.filter(|(before, after)| (after / before - 1.0).abs() > 0.001);
    let bound = bound.map(|(before, after)| format!("bound {before:.3} -> {after:.3}"));
    let ties = tied_ports(before);
    let what = if candidate.path == "routing.tie" && !ties.is_empty() {
        format!(
            "Today packets with half a ring to go all take {}; half of them would go the other way",
            directions(&ties)
        )
    } else {
        format!("Today {now}")
    };
    match bound {
        Some(bound) => format!("{what}: {bound}."),
        None => format!("{what}."),
    }
}
