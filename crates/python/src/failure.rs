//! Failures as Python exceptions, which `python/tailback/_errors.py` declares.

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::fmt::Display;
use tailback_base::text::{lines, shown};
use tailback_cli::exit::{Failure, USAGE};
use tailback_cli::told::{Told, Warning};
use tailback_spec::Errors;

/// An exception of the package with these arguments.
fn raise<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = py.import("tailback._errors").and_then(|module| module.getattr(class)?.call1(arguments));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What is wrong with a spec: the text that the command line shows, and each error with its place.
pub fn spec_error(py: Python<'_>, errors: &Errors) -> PyErr {
    match problems(py, errors) {
        Ok(problems) => raise(py, "SpecError", (errors.render().trim_end().to_owned(), problems)),
        Err(error) => error,
    }
}

fn problems<'py>(py: Python<'py>, errors: &Errors) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let problem = |error: &tailback_spec::SpecError| {
        let position = errors.position(error);
        let row = PyDict::new(py);
        row.set_item("message", lines(&error.message))?;
        row.set_item("path", &error.path)?;
        row.set_item("source", position.as_ref().map(|p| shown(&p.name)))?;
        row.set_item("line", position.as_ref().map(|p| p.line))?;
        row.set_item("column", position.as_ref().map(|p| p.column))?;
        row.set_item("label", error.label.as_deref().map(lines))?;
        row.set_item("help", error.help.as_deref().map(lines))?;
        Ok(row)
    };
    errors.errors().iter().map(problem).collect()
}

/// A failure of the command line.
pub fn failure(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure {
        Failure::Spec(errors) => spec_error(py, errors),
        other if other.code() == USAGE => usage(py, other),
        other => raise(py, "Error", (other.to_string(),)),
    }
}

/// What went wrong that nobody asked for.
pub fn error(py: Python<'_>, message: impl Display) -> PyErr {
    raise(py, "Error", (lines(&message.to_string()),))
}

/// What the user asked for and cannot be done.
pub fn usage(py: Python<'_>, message: impl Display) -> PyErr {
    raise(py, "UsageError", (lines(&message.to_string()),))
}

/// Warns of what a spec says in vain, and of programs that may lock.
///
/// # Errors
/// The warning, where the caller has asked for exceptions.
pub fn warn(py: Python<'_>, told: &Told) -> PyResult<()> {
    each(py, told.warnings())
}

/// Warns, as [`warn`] does, of each of these.
///
/// # Errors
/// The errors of [`warn`].
pub fn each(py: Python<'_>, warnings: impl IntoIterator<Item = Warning>) -> PyResult<()> {
    let no_effect = py.import("tailback._errors")?.getattr("NoEffectWarning")?;
    let any = py.get_type::<PyUserWarning>().into_any();
    for warning in warnings {
        let class = match warning {
            Warning::NoEffect(_) => &no_effect,
            Warning::Other(_) => &any,
        };
        // The frame above is that of the package, and the one above that of its user.
        PyErr::warn(py, class, &CString::new(warning.text())?, 2)?;
    }
    Ok(())
}

/// A failure of reading or writing results.
pub fn results(py: Python<'_>, error: tailback_results::Error) -> PyErr {
    failure(py, &Failure::from(error))
}

/// The same of files that somebody named, with the argument in the place of the command's option.
pub fn output(py: Python<'_>, error: &Failure) -> PyErr {
    match error {
        Failure::Spec(errors) => spec_error(py, errors),
        other if other.code() == USAGE => usage(py, other.to_string().replace("--force", "force=True")),
        other => failure(py, other),
    }
}

/// An exception as a failure of the command line.
pub fn told(py: Python<'_>, error: &PyErr) -> Failure {
    let text = error.value(py).to_string();
    let usage = py.import("tailback._errors").and_then(|module| module.getattr("UsageError"));
    match usage.is_ok_and(|class| error.is_instance(py, &class)) {
        true => Failure::Usage(text),
        false => Failure::Other(text),
    }
}
