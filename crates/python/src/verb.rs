//! Verbs of the command line, called as a program calls them: options in, JSON out.

use crate::failure::{each, failure};
use crate::spec::Spec;
use crate::work::{Progress, finished};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tailback_cli::front::{Called, call};

/// What a verb leaves behind: its exit code, what it printed, and the exception that stopped it.
type Left = (u8, String, Option<Py<PyBaseException>>);

/// Calls the verb of the command line `args`, the program's name first. `spec` stands for the spec that `args` name.
///
/// # Errors
/// What the command would report, as an exception; what stopped the verb before there was anything to print.
#[pyfunction]
pub fn verb(py: Python<'_>, args: Vec<OsString>, spec: Option<&Spec>, progress: Option<Py<PyAny>>) -> PyResult<Left> {
    let document = spec.map(|spec| spec.document.clone());
    let (called, stopped) = finished(py, &Progress::new(progress), |counts| {
        let (points, all) = (Arc::clone(&counts.points), Arc::clone(&counts.all));
        let told = move |done, total| {
            points.store(done, Ordering::Relaxed);
            all.store(total, Ordering::Relaxed);
        };
        call(&args, document, &counts.cancel, Rc::new(told))
    });
    match (called, stopped) {
        (Err(_), Some(stopped)) => Err(stopped),
        (Err(error), None) => Err(failure(py, &error)),
        (Ok(Called { code, printed, warnings }), stopped) => {
            each(py, warnings)?;
            let printed = String::from_utf8_lossy(&printed).into_owned();
            Ok((code, printed, stopped.map(|error| error.into_value(py))))
        }
    }
}
