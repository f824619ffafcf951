//! What is known of points before they run.

use crate::failure::failure;
use crate::spec::Spec;
use crate::values::from_json;
use crate::work::{Progress, watched};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use tailback_cli::exit::{Failure, Result};
use tailback_cli::points::Source;
use tailback_sim::{Facts, prepare_unless};
use tailback_spec::Point;

/// How many points there are, the groups of axes, cycles of all points where known, and facts of the first points.
type Answer<'py> = (usize, Vec<Vec<String>>, Option<u64>, Vec<Bound<'py, PyAny>>);

/// Checks all points; the groups of axes, and what is known of the first `most` points.
///
/// # Errors
/// `SpecError`.
#[pyfunction]
pub fn check<'py>(py: Python<'py>, spec: &Spec, most: usize, progress: Option<Py<PyAny>>) -> PyResult<Answer<'py>> {
    let points = spec.points(py, &Progress::new(progress))?;
    let (points, rows) = watched(py, &Progress::none(), move |counts| {
        // Where the answer is cut short nobody waits for it.
        let known = points.iter().take(most).map(|point| row(&point?, &counts.cancel));
        let rows = known.collect::<Result<Vec<Value>>>();
        (points, rows)
    })?;
    let rows = rows.map_err(|error| failure(py, &error))?;
    let rows = rows.iter().map(|row| from_json(py, row)).collect::<PyResult<_>>()?;
    Ok((points.count(), points.groups, points.cycles, rows))
}

/// What is known of a point.
fn row(point: &Point, cancel: &AtomicBool) -> Result<Value> {
    let prepared = prepare_unless(point, cancel).ok_or(Failure::Interrupted)??;
    Ok(facts_json(point, &prepared.facts_unless(cancel).ok_or(Failure::Interrupted)?))
}

fn facts_json(point: &Point, facts: &Facts) -> Value {
    let swept: toml::Table = point.swept.iter().cloned().collect();
    let mut object = json!({ "swept": swept, "point_id": point.id, "seed": point.seed });
    let own = |name: &str| !["deadlock_argument", "deadlock_details"].contains(&name);
    if let Some(object) = object.as_object_mut() {
        object.extend(tailback_cli::facts::json(facts).into_iter().filter(|(name, _)| own(name)));
    }
    object
}
