//! What the tests share.

use tailback_results::{Record, Scalar, Status};

/// A steady record with these swept parameters.
pub(crate) fn record(parameters: &[(&str, Scalar)]) -> Record {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Record { parameters, ..Record::empty("id", 1, "0", Status::Steady) }
}

/// A value that is a text.
pub(crate) fn text(text: &str) -> Scalar {
    Scalar::Text(text.to_owned())
}

/// A run of an admission mechanism at a load, with its digest.
pub(crate) fn run(admission: &str, load: f64, seed: u64, digest: &str) -> Record {
    let parameters = [("admission", text(admission)), ("traffic.load", Scalar::Float(load))];
    Record { seed, digest: digest.to_owned(), accepted_load: Some(load), ..record(&parameters) }
}
