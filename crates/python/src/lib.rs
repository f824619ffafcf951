//! `tailback._native`: what the Python package needs of the program, as plain data.
//!
//! Specs go in, records, tables and bytes come out; how they look in Python is written in Python (`python/tailback`).
//! Long work runs without the interpreter's lock, while the calling thread looks for signals.

mod catalogue;
mod check;
mod elsewhere;
mod failure;
mod local_rule;
mod mechanisms;
mod network;
mod outcome;
mod output;
mod parcel;
mod points;
mod ranks;
mod remedies;
mod rule;
mod signals;
mod spec;
mod store;
mod studies;
mod sweep;
mod table;
mod values;
mod verb;
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
    use crate::elsewhere::{Sweep, work};
    #[pymodule_export]
    use crate::network::Stepped;
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::output::write;
    #[pymodule_export]
    use crate::remedies::remedies;
    #[pymodule_export]
    use crate::spec::{Spec, setting};
    #[pymodule_export]
    use crate::studies::{papers, reproduce};
    #[pymodule_export]
    use crate::sweep::{records_of, resume, run};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::values::{shown, shown_lines};
    #[pymodule_export]
    use crate::verb::verb;
    use pyo3::prelude::*;

    #[pymodule_export]
    const VERSION: &str = tailback_sim::VERSION;

    /// Runs the command line `args`, the program's name first; its exit code. `elsewhere` runs sweeps on clusters: a callable
    /// of the spec as TOML, the folder, where to run, jobs and whether to be quiet, which answers whether it was not stopped.
    /// `ranks` are the processes it was started with, where there are others.
    #[pyfunction]
    fn main(
        py: Python<'_>,
        args: Vec<std::ffi::OsString>,
        elsewhere: Py<PyAny>,
        ranks: Option<crate::ranks::Ranks>,
    ) -> u8 {
        py.detach(|| {
            let elsewhere = |remote: &tailback_cli::Remote| {
                Python::attach(|py| {
                    let arguments = (remote.spec, remote.out, remote.on.to_string(), remote.tasks, remote.quiet);
                    let done = crate::signals::lent(|| elsewhere.call1(py, arguments));
                    let done = done.and_then(|done| done.extract(py));
                    done.map_err(|error| crate::failure::told(py, &error))
                })
            };
            let ranks = ranks.as_ref().map(|ranks| ranks as &dyn tailback_cli::Ranks);
            tailback_cli::main_with(args, &tailback_cli::Outside { elsewhere: &elsewhere, ranks })
        })
    }
}
