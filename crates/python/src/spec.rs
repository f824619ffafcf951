//! A spec, as written.

use crate::failure::{failure, spec_error};
use crate::values;
use crate::work::{Progress, watched};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use tailback_cli::output;
use tailback_cli::points::{Points, Wrong, points_unless};
use tailback_cli::spec_file::SpecArgs;
use tailback_results::Inputs;
use tailback_sim::catalogue;
use tailback_spec::{Document, Errors, MAX_BYTES};

/// A spec as it was written, immutable. `name` is that of its file: errors name it, and the files that the spec names are
/// looked for beside it.
#[pyclass(frozen, module = "tailback._native")]
pub struct Spec {
    pub document: Document,
    args: SpecArgs,
}

/// A point: identity, seed, what the sweep chose, and the spec of the point alone as TOML.
type Expanded<'py> = (String, u64, Bound<'py, PyAny>, String);

impl Spec {
    fn parse(py: Python<'_>, name: String, text: &[u8]) -> PyResult<Spec> {
        let document = py.detach(|| Document::parse(&name, text)).map_err(|errors| spec_error(py, &errors))?;
        Ok(Spec { document, args: SpecArgs { spec: PathBuf::from(name), set: Vec::new() } })
    }

    /// All points of the spec, checked as the command line does.
    pub fn points(&self, py: Python<'_>, progress: &Progress) -> PyResult<Points> {
        self.points_unless(py, Wrong::Refused, progress)
    }

    /// The files that whoever runs these points of the spec reads.
    pub fn inputs(&self, points: &Points) -> Inputs {
        output::inputs(&self.args, points.files.clone())
    }

    /// All points of the spec, with what is done where some are wrong.
    pub fn points_unless(&self, py: Python<'_>, wrong: Wrong, progress: &Progress) -> PyResult<Points> {
        let (args, document) = (self.args.clone(), self.document.clone());
        let checked = watched(py, progress, move |counts| {
            points_unless(&args, &document, wrong, &counts.cancel, &mut |done, all| {
                counts.points.store(done, Ordering::Relaxed);
                counts.all.store(all, Ordering::Relaxed);
            })
        })?;
        checked.map_err(|error| failure(py, &error))
    }

    fn of<T>(&self, py: Python<'_>, made: impl FnOnce(&Document) -> Result<T, Errors> + Send + 'static) -> PyResult<T>
    where
        T: Send + 'static,
    {
        let document = self.document.clone();
        let made = watched(py, &Progress::none(), move |_| made(&document))?;
        made.map_err(|errors| spec_error(py, &errors))
    }
}

/// Tables as TOML. The axes of a sweep stay in their order, which a range among them, being a table, would lose.
fn written(mut tables: toml::Table) -> String {
    let sweep = match tables.remove("sweep") {
        Some(toml::Value::Table(sweep)) => sweep,
        Some(other) => {
            tables.insert("sweep".to_owned(), other);
            toml::Table::new()
        }
        None => toml::Table::new(),
    };
    let mut text = toml::to_string(&tables).expect("a table can be written");
    if !sweep.is_empty() {
        text += "\n[sweep]\n";
        text.extend(sweep.into_iter().map(|(path, value)| format!("{} = {value}\n", toml::Value::String(path))));
    }
    text
}

/// One value, plain, at a dotted path, as an argument of `--set`.
#[pyfunction]
pub fn setting(path: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(format!("{path}={}", values::value(value, path)?))
}

#[pymethods]
impl Spec {
    /// Parses TOML.
    #[staticmethod]
    fn from_toml(py: Python<'_>, text: &str, name: String) -> PyResult<Spec> {
        Spec::parse(py, name, text.as_bytes())
    }

    /// Reads a file.
    #[staticmethod]
    fn from_file(py: Python<'_>, path: PathBuf) -> PyResult<Spec> {
        let args = SpecArgs { spec: path, set: Vec::new() };
        let named = args.clone();
        let document = watched(py, &Progress::none(), move |_| named.document())?;
        let document = document.map_err(|error| failure(py, &error))?;
        Ok(Spec { document, args })
    }

    /// The spec that a dictionary of plain values says.
    #[staticmethod]
    fn from_dict(py: Python<'_>, values: &Bound<'_, PyDict>, name: String) -> PyResult<Spec> {
        Spec::parse(py, name, written(values::table(values, "")?).as_bytes())
    }

    /// With one change, `path=value`.
    fn set(&self, py: Python<'_>, change: &str) -> PyResult<Spec> {
        let mut document = self.document.clone();
        document.set(change).map_err(|errors| spec_error(py, &errors))?;
        Ok(Spec { document, args: self.args.clone() })
    }

    /// With one value, plain, at a dotted path.
    fn set_value(&self, py: Python<'_>, path: &str, value: &Bound<'_, PyAny>) -> PyResult<Spec> {
        self.set(py, &setting(path, value)?)
    }

    /// The name of its file.
    #[getter]
    fn name(&self) -> String {
        self.args.name()
    }

    /// The spec as TOML, as it was written or, after changes, without comments.
    fn to_toml(&self) -> String {
        self.document.to_toml()
    }

    /// The spec as TOML with every default filled in.
    fn explain(&self, py: Python<'_>) -> PyResult<String> {
        self.of(py, |document| {
            document.plan(catalogue())?;
            Ok(document.resolve(catalogue())?.to_toml(catalogue()))
        })
    }

    /// The spec as plain values with every default filled in, without its sweep.
    fn resolved<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let resolved = self.of(py, |document| document.resolve(catalogue()))?;
        values::from_toml(py, &toml::Value::Table(resolved.into_table()))
    }

    /// What is written, as plain values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table: toml::Table = toml::from_str(&self.document.to_toml()).expect("it was parsed before");
        values::from_toml(py, &toml::Value::Table(table))
    }

    /// The points, in the order of the sweep.
    fn expand<'py>(&self, py: Python<'py>) -> PyResult<Vec<Expanded<'py>>> {
        let points = self.points(py, &Progress::none())?;
        let row = |point: tailback_spec::Point| {
            let swept = toml::Value::Table(point.swept.into_iter().collect());
            let text = point.resolved.to_toml(catalogue());
            Ok((point.id, point.seed, values::from_toml(py, &swept)?, text))
        };
        points.iter().map(|point| row(point.map_err(|error| failure(py, &error))?)).collect()
    }

    /// The bytes of a longest spec.
    #[classattr]
    const MAX_BYTES: usize = MAX_BYTES;
}
