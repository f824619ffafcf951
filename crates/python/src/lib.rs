//! `tailback._native`: what the Python package needs of the program, as plain data.
//!
//! Specs go in, records, tables and bytes come out; how they look in Python is written in Python (`python/tailback`).
//! Long work runs without the interpreter's lock, while the calling thread looks for signals.

mod catalogue;
mod check;
mod failure;
mod outcome;
mod rule;
mod spec;
mod studies;
mod sweep;
mod table;
mod values;
mod work;

use pyo3::prelude::*;

/// The extension module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::catalogue::{catalogue, columns};
    #[pymodule_export]
    use crate::check::check;
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::spec::Spec;
    #[pymodule_export]
    use crate::studies::{papers, reproduce};
    #[pymodule_export]
    use crate::sweep::{records_of, run};
    #[pymodule_export]
    use crate::table::Table;
    use pyo3::prelude::*;

    #[pymodule_export]
    const VERSION: &str = tailback_sim::VERSION;

    /// Runs the command line `args`, the program's name first; its exit code.
    #[pyfunction]
    fn main(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| tailback_cli::main_from(args))
    }
}
