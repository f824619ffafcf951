//! Files that a Python program asks to be written.

use crate::failure::{output, usage};
use pyo3::prelude::*;
use std::path::PathBuf;
use tailback_cli::output::replace;
use tailback_results::{Inputs, Kind, Output};

/// Writes a file of a kind, `capsule`, `html`, `svg` or `png`, whole or not at all. With `force` it replaces one of another
/// kind; what is no regular file it never replaces.
///
/// # Errors
/// `UsageError` where nothing may be written there; `Error` where it cannot be.
#[pyfunction]
pub fn write(py: Python<'_>, path: PathBuf, content: &[u8], kind: &str, force: bool) -> PyResult<()> {
    let kind = match kind {
        "capsule" => Kind::Capsule,
        "html" => Kind::Html,
        "svg" => Kind::Svg,
        "png" => Kind::Png,
        other => return Err(usage(py, format!("nothing writes files of kind `{other}`"))),
    };
    let written = py.detach(|| Output::new(&path, kind, replace(force), &Inputs::none())?.write(content));
    written.map_err(|error| output(py, &error.into()))
}
