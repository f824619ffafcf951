//! The processes of an MPI job, which Python reaches.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A Python object with `rank`, `count`, `send(to, tag, bytes)`, `receive(from, tag)` and `abort()`.
pub struct Ranks {
    rank: usize,
    count: usize,
    object: Py<PyAny>,
}

impl<'py> FromPyObject<'_, 'py> for Ranks {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = |name: &str| object.getattr(name)?.extract();
        Ok(Ranks { rank: number("rank")?, count: number("count")?, object: object.to_owned().unbind() })
    }
}

impl Ranks {
    /// Without the others there is no going on: an error ends all processes.
    fn or_end<T>(&self, py: Python<'_>, result: PyResult<T>) -> T {
        result.unwrap_or_else(|error| {
            error.print(py);
            let _ = self.object.call_method0(py, "abort");
            std::process::exit(1)
        })
    }
}

impl tailback_cli::Ranks for Ranks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn send(&self, to: usize, tag: u32, bytes: Vec<u8>) {
        Python::attach(|py| {
            let sent = self.object.call_method1(py, "send", (to, tag, PyBytes::new(py, &bytes)));
            self.or_end(py, sent);
        });
    }

    fn receive(&self, from: usize, tag: u32) -> Vec<u8> {
        Python::attach(|py| {
            let received = self.object.call_method1(py, "receive", (from, tag)).and_then(|bytes| bytes.extract(py));
            self.or_end(py, received)
        })
    }
}
