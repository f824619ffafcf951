//! Points that other processes run, for one that keeps what they answer.

use crate::failure::{failure, results, usage, warn};
use crate::outcome::Outcome;
use crate::parcel::Parcel;
use crate::spec::Spec;
use crate::store::{Answer, Ended};
use crate::work::{Progress, finished};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tailback_cli::exit::Failure;
use tailback_cli::points::{Source, Wrong};
use tailback_sim::{Control, VERSION, attempt, catalogue, parameters};

/// Runs the one point of a spec: what it left behind as bytes, or why it failed.
///
/// # Errors
/// `SpecError`; `UsageError` for a spec of several points.
#[pyfunction]
pub fn work<'py>(py: Python<'py>, spec: &Spec) -> PyResult<(Option<Bound<'py, PyBytes>>, String)> {
    let points = spec.points(py, &Progress::none())?;
    if points.count() != 1 {
        return Err(usage(py, format!("one point at a time, not {}", points.count())));
    }
    let point = points.at(0).map_err(|error| failure(py, &error))?;
    let (left, stopped) = finished(py, &Progress::none(), |counts| {
        attempt(&point, &Control { cancel: &counts.cancel, cycles_done: &counts.cycles, threads: 1 })
            .map(|(_, left)| Parcel::from(left))
    });
    stopped.map_or(Ok(()), Err)?;
    Ok(match left {
        Ok(parcel) => {
            let bytes = serde_json::to_vec(&parcel).expect("a parcel can be written");
            (Some(PyBytes::new(py, &bytes)), String::new())
        }
        Err(reason) => (None, reason),
    })
}

/// A sweep whose points others run, and its folder.
#[pyclass(frozen, module = "tailback._native")]
pub struct Sweep {
    ended: Mutex<Option<Ended>>,
}

impl Sweep {
    fn lock(&self) -> MutexGuard<'_, Option<Ended>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with a sweep that has not ended.
    fn with<T>(
        &self,
        py: Python<'_>,
        done: impl FnOnce(&mut Ended) -> tailback_results::Result<T> + Send,
    ) -> PyResult<T>
    where
        T: Send,
    {
        // Without the interpreter's lock: who holds the sweep may be waiting for that.
        let done = py.detach(|| self.lock().as_mut().map(done));
        done.ok_or_else(|| usage(py, "the sweep has ended"))?.map_err(|error| results(py, error))
    }
}

#[pymethods]
impl Sweep {
    /// Opens the folder; what is finished there is kept.
    #[new]
    fn new(py: Python<'_>, spec: &Spec, store: PathBuf) -> PyResult<Sweep> {
        let points = spec.points_unless(py, Wrong::Kept, &Progress::none())?;
        warn(py, &points.told)?;
        let inputs = spec.inputs(&points);
        let ended = py.detach(|| Ended::new(points, Some(store), &inputs)).map_err(|error| results(py, error))?;
        Ok(Sweep { ended: Mutex::new(Some(ended)) })
    }

    /// All points.
    fn __len__(&self) -> usize {
        self.lock().as_ref().map_or(0, |ended| ended.points.count())
    }

    /// The points that are missing: their places, and the spec of each alone as TOML.
    fn pending(&self, py: Python<'_>) -> PyResult<Vec<(usize, String)>> {
        let pending = self.with(py, |ended| {
            let spec = |at: usize| Ok((at, ended.points.at(at)?.resolved.to_toml(catalogue())));
            Ok(ended.pending().and_then(|pending| pending.into_iter().map(spec).collect()))
        });
        pending?.map_err(|error: Failure| failure(py, &error))
    }

    /// Keeps what `work` answered for the point at this place. What is no answer to it makes the point fail.
    fn add(&self, py: Python<'_>, at: usize, parcel: &[u8]) -> PyResult<()> {
        self.with(py, |ended| match opened(ended, at, parcel) {
            Ok(parcel) => ended.save(at, Outcome::from(parcel)),
            Err(reason) => ended.fail(at, reason),
        })
    }

    /// Notes that the point at this place failed.
    fn fail(&self, py: Python<'_>, at: usize, reason: String) -> PyResult<()> {
        self.with(py, |ended| ended.fail(at, reason))
    }

    /// Ends the sweep; what `run` answers.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Answer<'py>> {
        self.with(py, Ended::finish)?;
        let ended = self.lock().take().ok_or_else(|| usage(py, "the sweep has ended"))?;
        ended.answer(py, None)
    }
}

/// What came for the point at this place. Who ran it did not know what the sweep chose, for it had one point alone.
fn opened(ended: &Ended, at: usize, parcel: &[u8]) -> Result<Parcel, String> {
    if at >= ended.points.count() {
        return Err("there is no such point".to_owned());
    }
    let point = ended.points.at(at).map_err(|error| error.to_string())?;
    let mut parcel: Parcel =
        serde_json::from_slice(parcel).map_err(|error| format!("a worker answered nonsense: {error}"))?;
    let record = &mut parcel.capsule.record;
    if record.version != VERSION {
        return Err(format!("a worker has version {} of this program, and here it is {VERSION}", record.version));
    }
    if record.point_id != point.id {
        return Err(format!("a worker ran point {}: a file that the spec names differs there", record.point_id));
    }
    record.parameters = parameters(&point.swept);
    // The same, with the comments that say which values are defaults.
    parcel.capsule.spec_toml = point.resolved.to_toml(catalogue());
    Ok(parcel)
}
