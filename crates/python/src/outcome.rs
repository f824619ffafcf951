//! What one point left behind.

use crate::parcel::Parcel;
use crate::table::Table;
use crate::values::from_json;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use tailback_results::Series;
use tailback_sim::{Outcome as Left, SpaceTime};

/// All that one point left behind, immutable.
#[pyclass(frozen, module = "tailback._native")]
#[derive(Serialize, Deserialize)]
pub struct Outcome {
    /// What was written or sent of it.
    pub parcel: Parcel,
    charts: Option<Charts>,
}

/// Space-time charts as they travel between processes.
#[derive(Serialize, Deserialize)]
struct Charts {
    first_cycle: u64,
    panels: Vec<Chart>,
}

/// One direction: a mask of virtual channels by (cycle, router).
#[derive(Serialize, Deserialize)]
struct Chart {
    name: String,
    width: usize,
    cells: Vec<u16>,
}

impl From<SpaceTime> for Charts {
    fn from(charts: SpaceTime) -> Charts {
        let first_cycle = charts.first_cycle();
        let panels = charts.panels.into_iter();
        let panels = panels.map(|p| Chart { name: p.name.to_owned(), width: p.width(), cells: p.cells });
        Charts { first_cycle, panels: panels.collect() }
    }
}

impl From<Left> for Outcome {
    fn from(mut left: Left) -> Outcome {
        Outcome { charts: left.space_time.take().map(Charts::from), parcel: Parcel::from(left) }
    }
}

impl From<Parcel> for Outcome {
    /// One that came from another process.
    fn from(parcel: Parcel) -> Outcome {
        Outcome { parcel, charts: None }
    }
}

/// A chart of busy buffers: name, routers along the line, and masks of virtual channels as 16 bits by (cycle, router).
type Panel<'py> = (String, usize, Bound<'py, PyBytes>);

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

    /// The explanation line by line, as plain values, and its short form.
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
        let charts = self.charts.as_ref()?;
        let panels = charts.panels.iter().map(|panel| {
            let bytes: Vec<u8> = panel.cells.iter().flat_map(|cell| cell.to_ne_bytes()).collect();
            (panel.name.clone(), panel.width, PyBytes::new(py, &bytes))
        });
        Some((charts.first_cycle, panels.collect()))
    }

    /// All of it as bytes, for another process or another day of this version.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &rmp_serde::to_vec_named(self).expect("an outcome can be written"))
    }

    /// What `to_bytes` returned.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Outcome> {
        rmp_serde::from_slice(bytes).map_err(|error| PyValueError::new_err(format!("not an outcome: {error}")))
    }
}
