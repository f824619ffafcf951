//! The façade: the only crate that sees all.
