//! Running the points of a spec in this process.

use crate::failure::{failure, results, warn};
use crate::mechanisms::Mechanisms;
use crate::outcome::Outcome;
use crate::spec::Spec;
use crate::store::{Answer, Ended};
use crate::table::Table;
use crate::work::{Counts, Progress, finished, watched};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tailback_cli::checkpoints::{self, After, Keeping};
use tailback_cli::exit::Failure;
use tailback_cli::output;
use tailback_cli::points::{Source, Wrong};
use tailback_results::store::read_records;
use tailback_results::{Checkpoint, Inputs};
use tailback_sim::{Control, Keep, attempt_from, attempt_kept, guarded, side_by_side, threads_each};
use tailback_spec::Point;

/// Runs all points on `threads` threads, 0 for one a core. With `store`, a folder, points that an earlier run finished
/// there are kept, each is there as soon as it has ended, and one that fails does not stop the others. `mechanisms` decide on
/// admission and on destinations, where there are any. With `kept`, cycles and a file, the state of every point is there
/// every so many cycles; see [`Kept`].
///
/// # Errors
/// `SpecError`; `UsageError` for a folder that cannot be written; what the mechanisms raise.
#[pyfunction]
pub fn run<'py>(
    py: Python<'py>,
    spec: &Spec,
    threads: usize,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    mechanisms: (Option<Py<PyAny>>, Option<Py<PyAny>>),
    kept: Option<Kept>,
) -> PyResult<Answer<'py>> {
    let goes_on = store.is_some();
    let points = spec.points_unless(py, if goes_on { Wrong::Kept } else { Wrong::Refused }, &Progress::none())?;
    warn(py, &points.told)?;
    let inputs = spec.inputs(&points);
    let keeping = keeping(py, kept, points.count(), &inputs)?;
    let mut ended = py.detach(|| Ended::new(points, store, &inputs)).map_err(|error| results(py, error))?;
    let (admission, pattern) = mechanisms;
    let mechanisms = Mechanisms { admission, pattern };
    let (ran, stopped) = finished(py, &Progress::new(progress), |counts| {
        counts.all.store(ended.points.count() as u64, Ordering::Relaxed);
        counts.all_cycles.store(ended.points.cycles.unwrap_or(0), Ordering::Relaxed);
        run_all(&mut ended, threads, goes_on, &Work { mechanisms, keeping }, counts)
    });
    answer(py, ended, ran, stopped)
}

/// Goes on from the checkpoint at `path`, forked by `set`, arguments as of the command line's `--set`.
///
/// # Errors
/// `UsageError` for a file that is no checkpoint of this version; `SpecError`.
#[pyfunction]
pub fn resume<'py>(
    py: Python<'py>,
    path: PathBuf,
    set: Vec<String>,
    progress: Option<Py<PyAny>>,
    kept: Option<Kept>,
) -> PyResult<Answer<'py>> {
    let source = path.clone();
    let (resumed, points) = watched(py, &Progress::none(), move |_| checkpoints::resumed(&source, &set))?
        .map_err(|error| failure(py, &error))?;
    warn(py, &points.told)?;
    let mut inputs = Inputs::none().with(&path, "the checkpoint");
    output::add_files(&mut inputs, &resumed.point.resolved);
    let keeping = keeping(py, kept, 1, &inputs)?;
    let mut ended = Ended::new(points, None, &inputs).map_err(|error| results(py, error))?;
    let (ran, stopped) = finished(py, &Progress::new(progress), |counts| {
        counts.all.store(1, Ordering::Relaxed);
        counts.all_cycles.store(ended.points.cycles.unwrap_or(0), Ordering::Relaxed);
        let control = Control { cancel: &counts.cancel, cycles_done: &counts.cycles, threads: 1 };
        let keeper = |checkpoint: Checkpoint| keeping.iter().for_each(|keeping| keeping.keep(&checkpoint));
        let keep = keeping.as_ref().map(|keeping| Keep { every: keeping.every, keeper: &keeper });
        let (_, left) = attempt_from(&resumed, &control, keep).map_err(|refused| Stop::Refused(refused.into()))?;
        counts.points.store(1, Ordering::Relaxed);
        let record = left.record.clone();
        ended.save(0, Outcome::from(left)).map_err(Stop::Results)?;
        keeping.iter().for_each(|keeping| keeping.ended(&record));
        Ok(())
    });
    answer(py, ended, ran, stopped)
}

/// What a run answers that has come so far.
fn answer(py: Python<'_>, mut ended: Ended, ran: Result<(), Stop>, stopped: Option<PyErr>) -> PyResult<Answer<'_>> {
    ran.map_err(|stop| match stop {
        Stop::Results(error) => results(py, error),
        Stop::Point(reason) => failure(py, &Failure::Other(reason)),
        Stop::Refused(refused) => failure(py, &refused),
        Stop::Raised(error) => error,
    })?;
    py.detach(|| ended.finish()).map_err(|error| results(py, error))?;
    ended.answer(py, stopped)
}

/// How checkpoints are kept: cycles from one to the next, the file, whether they stay when the run has ended well, and whether
/// they replace what is no checkpoint.
type Kept = (u64, String, bool, bool);

/// Checkpoints as they were asked for, which replace none of `inputs`.
fn keeping(py: Python<'_>, kept: Option<Kept>, points: usize, inputs: &Inputs) -> PyResult<Option<Keeping>> {
    let keeping = kept.map(|(every, file, stay, force)| {
        let after = if stay { After::Stay } else { After::Remove };
        Keeping::for_points(every, &file, points, after, output::replace(force), inputs)
    });
    keeping.transpose().map_err(|error| crate::failure::output(py, &error))
}

/// The records in a folder that a run wrote.
///
/// # Errors
/// `UsageError` where there are none, or none that can be read.
#[pyfunction]
pub fn records_of(py: Python<'_>, store: PathBuf) -> PyResult<Table> {
    let records = watched(py, &Progress::none(), move |_| read_records(&store))?;
    let records = records.map_err(|error| failure(py, &Failure::from(error)))?;
    Table::of_records(py, &records.records)
}

/// Why a run cannot go on.
enum Stop {
    Results(tailback_results::Error),
    /// A point failed, and nothing would keep the others.
    Point(String),
    /// There is no going on from a checkpoint.
    Refused(Failure),
    /// The exception of a mechanism.
    Raised(PyErr),
}

/// What is done with every point beside running it.
struct Work {
    mechanisms: Mechanisms,
    keeping: Option<Keeping>,
}

/// Runs the points that are pending; those that had ended when the run was cancelled, and those that were under way.
fn run_all(ended: &mut Ended, threads: usize, goes_on: bool, work: &Work, counts: &Counts) -> Result<(), Stop> {
    let pending = ended.pending().map_err(Stop::Refused)?;
    counts.points.store((ended.points.count() - pending.len()) as u64, Ordering::Relaxed);
    let points = Arc::clone(&ended.points);
    let each = threads_each(pending.len(), threads);
    let one = |at: usize| one(&points.at(pending[at]).map_err(Stop::Refused)?, work, counts, each);
    side_by_side(pending.len(), threads, &counts.cancel, one, |left| {
        let Some((at, left)) = left else { return Ok(()) };
        let kept = match left {
            Ok(left) => {
                let record = left.parcel.capsule.record.clone();
                let saved = ended.save(pending[at], left);
                work.keeping.iter().filter(|_| saved.is_ok()).for_each(|keeping| keeping.ended(&record));
                saved
            }
            Err(Stop::Point(reason)) if goes_on => ended.fail(pending[at], reason),
            Err(stop) => return Err(stop),
        };
        kept.map_err(Stop::Results)?;
        counts.points.fetch_add(1, Ordering::Relaxed);
        Ok(())
    })
}

fn one(point: &Point, work: &Work, counts: &Counts, threads: usize) -> Result<Outcome, Stop> {
    let Work { mechanisms, keeping } = work;
    let keeper = |checkpoint: Checkpoint| keeping.iter().for_each(|keeping| keeping.keep(&checkpoint));
    let keep = keeping.as_ref().map(|keeping| Keep { every: keeping.every, keeper: &keeper });
    let left = if mechanisms.none() {
        let control = Control { cancel: &counts.cancel, cycles_done: &counts.cycles, threads };
        attempt_kept(point, &control, keep).map_err(Stop::Point)?.1
    } else {
        guarded(|| mechanisms.run(point, counts)).map_err(Stop::Point)?.map_err(Stop::Raised)?
    };
    Ok(Outcome::from(left))
}
