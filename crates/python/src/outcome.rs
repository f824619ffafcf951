//! What one point left behind.

use crate::parcel::Parcel;
use crate::table::Table;
use crate::values::from_json;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tailback_results::Series;
use tailback_sim::{Outcome as Left, SpaceTime};

/// All that one point left behind, immutable.
#[pyclass(frozen, module = "tailback._native")]
pub struct Outcome {
    /// What was written or sent of it.
    pub parcel: Parcel,
    space_time: Option<SpaceTime>,
}

impl From<Left> for Outcome {
    fn from(mut left: Left) -> Outcome {
        Outcome { space_time: left.space_time.take(), parcel: Parcel::from(left) }
    }
}

impl From<Parcel> for Outcome {
    /// One that came from another process.
    fn from(parcel: Parcel) -> Outcome {
        Outcome { parcel, space_time: None }
    }
}

/// A chart of busy buffers: name, routers along the line, and masks of virtual channels as 16 bits by (cycle, router).
type Panel<'py> = (&'static str, usize, Bound<'py, PyBytes>);

#[pymethods]
impl Outcome {
    /// The record.
    #[getter]
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = self.parcel.capsule.record.row().map_err(|error| crate::failure::results(py, error))?;
        from_json(py, &serde_json::Value::Object(row))
    }

    /// What happened and why, in one paragraph.
    #[getter]
    fn explanation(&self) -> String {
        self.parcel.why.paragraph()
    }

    /// The same line by line, as plain values, with the short form.
    #[getter]
    fn why<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, String)> {
        let why = &self.parcel.why;
        Ok((from_json(py, &serde_json::json!(why))?, why.short()))
    }

    /// The resolved spec of the point alone, as TOML.
    #[getter]
    fn spec_toml(&self) -> &str {
        &self.parcel.capsule.spec_toml
    }

    /// The capsule as JSON.
    #[getter]
    fn capsule_json(&self) -> String {
        serde_json::to_string_pretty(&self.parcel.capsule).expect("a capsule can be written")
    }

    /// Numbers found by analysis: name, unit, value.
    #[getter]
    fn findings(&self) -> Vec<(&str, &str, f64)> {
        self.parcel.findings.iter().map(|finding| (&*finding.name, &*finding.unit, finding.value)).collect()
    }

    /// Names of the tables that are not empty.
    #[getter]
    fn series_names(&self) -> Vec<&str> {
        self.parcel.series.iter().map(|series| series.name.as_str()).collect()
    }

    /// A table by its name; its unit as a whole comes with it.
    fn series(&self, name: &str) -> PyResult<(Table, String)> {
        let series = Series::named(&self.parcel.series, name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        Ok((Table::of_series(series)?, series.unit.clone()))
    }

    /// Space-time charts: the first cycle, and the charts of each direction. None where none were asked for.
    #[getter]
    fn space_time<'py>(&self, py: Python<'py>) -> Option<(u64, Vec<Panel<'py>>)> {
        let chart = self.space_time.as_ref()?;
        let panels = chart.panels.iter().map(|panel| {
            let bytes: Vec<u8> = panel.cells.iter().flat_map(|cell| cell.to_ne_bytes()).collect();
            (panel.name, panel.width(), PyBytes::new(py, &bytes))
        });
        Some((chart.first_cycle(), panels.collect()))
    }
}
