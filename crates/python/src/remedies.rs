//! What would help a point, tried and measured.

use crate::failure::failure;
use crate::spec::Spec;
use crate::values::from_json;
use crate::work::{Counts, Progress, finished};
use pyo3::prelude::*;
use serde_json::json;
use std::sync::atomic::Ordering;
use tailback_cli::exit::Failure;
use tailback_cli::points::Source;
use tailback_sim::prepare;
use tailback_sim::remedy::{Remedies, Trial};
use tailback_spec::Point;

/// What came of the changes, as plain values, and the exception that stopped the runs.
type Answer<'py> = (Bound<'py, PyAny>, Option<Py<PyAny>>);

/// Tries the changes of a spec's only point with `seeds` seeds each, on `threads` threads, 0 for one a core.
///
/// # Errors
/// `SpecError`; `UsageError` for a spec of several points.
#[pyfunction]
pub fn remedies<'py>(
    py: Python<'py>,
    spec: &Spec,
    seeds: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Answer<'py>> {
    let points = spec.points(py, &Progress::none())?;
    if points.count() != 1 {
        let message = format!("remedies are tried for one point, and this spec has {} runs", points.count());
        return Err(failure(py, &Failure::usage(message)));
    }
    let point = points.at(0).map_err(|error| failure(py, &error))?;
    let (found, stopped) = finished(py, &Progress::new(progress), |counts| tried(&point, seeds, threads, counts));
    let found = found.map_err(|error| failure(py, &error))?;
    let all = found.map_or(json!([]), |found| json!(found.all));
    Ok((from_json(py, &all)?, stopped.map(|error| error.into_value(py).into_any())))
}

/// What came of the changes; `None` where they were stopped before any was begun.
fn tried(point: &Point, seeds: u64, threads: usize, counts: &Counts) -> Result<Option<Remedies>, Failure> {
    let prepared = prepare(point)?;
    let Some(trial) = Trial::new(&prepared, seeds, &counts.cancel) else { return Ok(None) };
    counts.all.store(trial.runs() as u64, Ordering::Relaxed);
    let hear = |ended: usize| counts.points.store(ended as u64, Ordering::Relaxed);
    let found = trial.run(threads, &counts.cancel, &counts.cycles, hear);
    match found.failed {
        Some(reason) => Err(Failure::Other(reason)),
        None => Ok(Some(found)),
    }
}
