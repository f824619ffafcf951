//! The points of a spec, what of them has ended, and the folder that keeps it.

use crate::failure::failure;
use crate::outcome::Outcome;
use crate::table::Table;
use crate::values::from_json;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use tailback_cli::points::{Points, Source};
use tailback_results::store::{Existing, refuse_foreign};
use tailback_results::{Failed, Inputs, OutDir, Record, Status};
use tailback_summary::points;
use tailback_summary::table::table;

/// A point that could not be run to its end: identity, seed, what the sweep chose, and why.
type Failure<'py> = (String, u64, Bound<'py, PyAny>, String);

/// What a run answers: the records of all points that ended, what each left behind (None for those of an earlier run), the
/// groups of axes, how many points there are, those that failed, and the exception that stopped it.
pub type Answer<'py> =
    (Table, Vec<Option<Outcome>>, Vec<Vec<String>>, usize, Vec<Failure<'py>>, Option<Py<PyBaseException>>);

/// The points of a spec and what has become of them.
pub struct Ended {
    pub points: Arc<Points>,
    out: Option<OutDir>,
    /// Finished points of earlier runs, by identity.
    kept: BTreeMap<String, Record>,
    /// Points that ended, by place.
    ran: BTreeMap<usize, Outcome>,
    /// Points that failed, by place, and why.
    failed: BTreeMap<usize, String>,
}

impl Ended {
    /// With a folder, what an earlier run finished there is kept, and none of `inputs` is replaced; points that cannot be run
    /// fail at once.
    ///
    /// # Errors
    /// For a folder that holds something else, that another process writes, or that cannot be written.
    pub fn new(mut points: Points, root: Option<PathBuf>, inputs: &Inputs) -> tailback_results::Result<Ended> {
        let (mut out, mut kept) = (None, BTreeMap::new());
        if let Some(root) = root {
            refuse_foreign(&root)?;
            let opened = OutDir::open_beside(root, Existing::Keep, inputs)?;
            kept = opened.records()?.into_iter().map(|record| (record.point_id.clone(), record)).collect();
            out = Some(opened);
        }
        let refused = std::mem::take(&mut points.refused);
        let mut ended = Ended { points: Arc::new(points), out, kept, ran: BTreeMap::new(), failed: BTreeMap::new() };
        refused.into_iter().try_for_each(|(at, reason)| ended.fail(at, reason))?;
        Ok(ended)
    }

    /// Points that are still to be run, by place.
    ///
    /// # Errors
    /// The errors of [`Source::at`].
    pub fn pending(&self) -> tailback_cli::exit::Result<Vec<usize>> {
        let mut pending = Vec::new();
        for at in (0..self.points.count()).filter(|at| !self.ran.contains_key(at) && !self.failed.contains_key(at)) {
            if self.kept.is_empty() || !self.kept.contains_key(&self.points.at(at)?.id) {
                pending.push(at);
            }
        }
        Ok(pending)
    }

    /// Keeps a point that has ended; one that was interrupted runs again.
    ///
    /// # Errors
    /// For what cannot be written.
    pub fn save(&mut self, at: usize, left: Outcome) -> tailback_results::Result<()> {
        let parcel = &left.parcel;
        if let (Some(out), true) = (&mut self.out, parcel.capsule.record.status != Status::Interrupted) {
            out.save(&parcel.capsule, &parcel.series)?;
        }
        self.ran.insert(at, left);
        Ok(())
    }

    /// Notes a point that could not be run to its end.
    ///
    /// # Errors
    /// For what cannot be written.
    pub fn fail(&mut self, at: usize, reason: String) -> tailback_results::Result<()> {
        // It was made before: where its folder is gone by now, the reason is all there is.
        if let (Some(out), Ok(point)) = (&mut self.out, self.points.at(at)) {
            let swept = point.swept.iter().map(|(path, value)| (path.clone(), serde_json::json!(value))).collect();
            let (point_id, reason) = (point.id.clone(), reason.clone());
            out.fail(&Failed { point_id, seed: point.seed, swept, reason })?;
        }
        self.failed.insert(at, reason);
        Ok(())
    }

    /// Ends the folder.
    ///
    /// # Errors
    /// For what cannot be written.
    pub fn finish(&mut self) -> tailback_results::Result<()> {
        let Some(out) = self.out.take() else { return Ok(()) };
        out.write_spec(&self.points.spec)?;
        let mut records = out.records()?;
        let known = (0..self.points.count()).filter_map(|at| Some((self.points.at(at).ok()?.id, at)));
        let places: HashMap<String, usize> = known.collect();
        records.sort_by_key(|record| places.get(&record.point_id).copied().unwrap_or(usize::MAX));
        out.write_points(&table(&points(&records)).csv())?;
        let order: Vec<&str> = records.iter().map(|record| record.point_id.as_str()).collect();
        out.finish(&order).map(drop)
    }

    /// What there is, in the order of the sweep.
    ///
    /// # Errors
    /// For clashing column names.
    pub fn answer(mut self, py: Python<'_>, stopped: Option<PyErr>) -> PyResult<Answer<'_>> {
        let (mut records, mut outcomes, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for at in 0..self.points.count() {
            if let Some(left) = self.ran.remove(&at) {
                records.push(left.parcel.capsule.record.clone());
                outcomes.push(Some(left));
                continue;
            }
            let reason = self.failed.remove(&at);
            if reason.is_none() && self.kept.is_empty() {
                continue;
            }
            let point = self.points.at(at).map_err(|error| failure(py, &error))?;
            if let Some(record) = self.kept.remove(&point.id) {
                records.push(record);
                outcomes.push(None);
            } else if let Some(reason) = reason {
                let swept = point.swept.iter().map(|(path, value)| (path.clone(), serde_json::json!(value)));
                let swept = from_json(py, &serde_json::Value::Object(swept.collect()))?;
                failures.push((point.id.clone(), point.seed, swept, reason));
            }
        }
        let table = Table::of_records(py, &records)?;
        let stopped = stopped.map(|error| error.into_value(py));
        Ok((table, outcomes, self.points.groups.clone(), self.points.count(), failures, stopped))
    }
}
