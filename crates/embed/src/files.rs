//! Files that a host asks to be written: what may be replaced is what commands may replace (`tailback_results::Output`).

use crate::error::Error;
use std::path::Path;
use tailback_results::output::FORCE;
use tailback_results::{Inputs, Kind, Output, Replace};
use tailback_sim::{Prepared, catalogue};
use toml::Value;

/// A file of this kind that a network writes which reads `inputs`.
pub(crate) fn output(path: &Path, kind: Kind, inputs: &Inputs) -> Result<Output, Error> {
    Output::new(path, kind, Replace::SameKind, inputs).map_err(|error| refused(&error))
}

/// Why a file was not written, in words for a host, which has no options.
pub(crate) fn refused(error: &tailback_results::Error) -> Error {
    Error::File(error.to_string().replace(FORCE, ""))
}

/// The files that the spec of a network names.
pub(crate) fn named(prepared: &Prepared) -> Inputs {
    let mut inputs = Inputs::none();
    let resolved = &prepared.point().resolved;
    for path in resolved.files(catalogue()) {
        if let Some(Value::String(file)) = resolved.value(&path) {
            inputs.add(Path::new(file), "a file that the spec names");
        }
    }
    inputs
}
