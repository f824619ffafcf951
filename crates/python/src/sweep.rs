//! Running the points of a spec.

use crate::failure::{failure, results, spec_error};
use crate::outcome::Outcome;
use crate::rule::{Fate, Rule};
use crate::spec::Spec;
use crate::table::Table;
use crate::work::{Counts, Progress, finished};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use tailback_cli::exit::Failure;
use tailback_cli::points::Points;
use tailback_results::store::{Existing, read_records};
use tailback_results::{OutDir, Record, Series, Status};
use tailback_sim::{Control, Finding, Outcome as Left, prepare, side_by_side};
use tailback_spec::{Errors, Point};

/// What a run answers: the records of all points that ended, what each left behind (None for those of an earlier run), the
/// groups of axes, how many points there are, and the exception that stopped it.
type Answer = (Table, Vec<Option<Outcome>>, Vec<Vec<String>>, usize, Option<Py<PyBaseException>>);

/// Runs all points on `threads` threads, 0 for one a core. With `store`, a folder, points that an earlier run finished
/// there are kept, and each is on the disk as soon as it has ended. With `rule`, an admission rule in Python and its epoch
/// in cycles, that decides on admission.
///
/// # Errors
/// `SpecError`; `UsageError` for a folder that cannot be written; what the rule raises.
#[pyfunction]
pub fn run(
    py: Python<'_>,
    spec: &Spec,
    threads: usize,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    rule: Option<(Py<PyAny>, u64)>,
) -> PyResult<Answer> {
    let points = spec.points(py, &Progress::none())?;
    let mut store = py.detach(|| store.map(Store::open).transpose()).map_err(|error| results(py, error))?;
    let kept = store.as_ref().map(|store| store.kept.clone()).unwrap_or_default();
    let pending: Vec<usize> =
        (0..points.points.len()).filter(|&at| !kept.contains_key(&points.points[at].id)).collect();
    let (ran, stopped) = finished(py, &Progress::new(progress), |counts| {
        counts.all.store(points.points.len() as u64, Ordering::Relaxed);
        counts.points.store((points.points.len() - pending.len()) as u64, Ordering::Relaxed);
        counts.all_cycles.store(points.cycles.unwrap_or(0), Ordering::Relaxed);
        run_all(&points.points, &pending, threads, store.as_mut(), rule.as_ref(), counts)
    });
    let ran = ran.map_err(|stop| match stop {
        Stop::Spec(errors) => spec_error(py, &errors),
        Stop::Results(error) => results(py, error),
        Stop::Rule(error) => error,
    })?;
    if let Some(store) = store {
        py.detach(|| store.finish(&points)).map_err(|error| results(py, error))?;
    }
    let (records, outcomes) = in_order(&points.points, ran, kept);
    let table = Table::of_records(py, &records)?;
    let stopped = stopped.map(|error| error.into_value(py));
    Ok((table, outcomes, points.groups, points.points.len(), stopped))
}

/// The records in a folder that a run wrote.
///
/// # Errors
/// `UsageError` where there are none, or none that can be read.
#[pyfunction]
pub fn records_of(py: Python<'_>, store: PathBuf) -> PyResult<Table> {
    let records = py.detach(|| read_records(&store)).map_err(|error| failure(py, &Failure::from(error)))?;
    Table::of_records(py, &records.records)
}

/// Why a run cannot go on.
enum Stop {
    Spec(Box<Errors>),
    Results(tailback_results::Error),
    /// The exception of a rule.
    Rule(PyErr),
}

impl Stop {
    fn spec(errors: Errors) -> Stop {
        Stop::Spec(Box::new(errors))
    }
}

/// Records and outcomes in the order of the sweep.
fn in_order(
    points: &[Point],
    mut ran: BTreeMap<usize, Left>,
    mut kept: BTreeMap<String, Record>,
) -> (Vec<Record>, Vec<Option<Outcome>>) {
    let ended = points.iter().enumerate().filter_map(|(index, point)| match ran.remove(&index) {
        Some(left) => Some((left.record.clone(), Some(Outcome::from(left)))),
        None => Some((kept.remove(&point.id)?, None)),
    });
    ended.unzip()
}

/// Runs the points at `pending`; those that had ended when the run was cancelled, and those that were under way.
fn run_all(
    points: &[Point],
    pending: &[usize],
    threads: usize,
    mut store: Option<&mut Store>,
    rule: Option<&(Py<PyAny>, u64)>,
    counts: &Counts,
) -> Result<BTreeMap<usize, Left>, Stop> {
    let mut ran = BTreeMap::new();
    let one = |at: usize| one(&points[pending[at]], rule, counts);
    side_by_side(pending.len(), threads, &counts.cancel, one, |left| {
        let Some((at, left)) = left else { return Ok(()) };
        let left = left?;
        store.as_mut().map_or(Ok(()), |store| store.save(&left)).map_err(Stop::Results)?;
        ran.insert(pending[at], left);
        counts.points.fetch_add(1, Ordering::Relaxed);
        Ok(())
    })?;
    Ok(ran)
}

fn one(point: &Point, rule: Option<&(Py<PyAny>, u64)>, counts: &Counts) -> Result<Left, Stop> {
    let prepared = prepare(point).map_err(Stop::spec)?;
    let control = Control { cancel: &counts.cancel, cycles_done: &counts.cycles };
    let Some((made, epoch_cycles)) = rule else { return Ok(tailback_sim::run(&prepared, &control)) };
    let fate = Arc::new(Mutex::new(Fate::default()));
    let asked = Rule::new(made, &prepared, Arc::clone(&fate), Arc::clone(&counts.cancel)).map_err(Stop::Rule)?;
    let prepared = prepared.with_rule(asked, *epoch_cycles).map_err(Stop::spec)?;
    let mut left = tailback_sim::run(&prepared, &control);
    let fate = std::mem::take(&mut *fate.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(error) = fate.error {
        return Err(Stop::Rule(error));
    }
    let (calls, time) = fate.cost;
    left.findings.push(Finding { name: "rule_calls".into(), unit: "".into(), value: calls as f64 });
    left.findings.push(Finding { name: "rule_seconds".into(), unit: "seconds".into(), value: time.as_secs_f64() });
    Ok(left)
}

/// A folder of results.
struct Store {
    out: OutDir,
    /// Finished points of earlier runs.
    kept: BTreeMap<String, Record>,
}

impl Store {
    fn open(root: PathBuf) -> tailback_results::Result<Store> {
        let out = OutDir::open(root, Existing::Keep)?;
        let records = out.records()?.into_iter().filter(|record| record.status != Status::Interrupted);
        let kept = records.map(|record| (record.point_id.clone(), record)).collect();
        Ok(Store { out, kept })
    }

    /// Writes a point that has ended; one that was interrupted runs again.
    fn save(&mut self, left: &Left) -> tailback_results::Result<()> {
        if left.record.status == Status::Interrupted {
            return Ok(());
        }
        self.out.write_capsule(&left.capsule)?;
        for series in left.series.iter().filter(|series| !series.x.is_empty()) {
            self.out.write_series(&Series {
                name: format!("{}-{}", left.record.point_id, series.name),
                ..series.clone()
            })?;
        }
        self.out.append(&left.record)
    }

    fn finish(self, points: &Points) -> tailback_results::Result<()> {
        self.out.write_file("spec.toml", points.spec.as_bytes())?;
        self.out.finish().map(drop)
    }
}
