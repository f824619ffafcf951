//! The random traffic of `spth-2015`.

use super::{Built, uniform::Uniform};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "rand",
    summary: "random: every packet draws its destination among the other nodes; as uniform without self",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[],
};

/// Builds it.
pub(super) fn build(_view: View, shape: &Shape, _seed: u64) -> Built {
    Ok(Box::new(Uniform { nodes: shape.nodes(), include_self: false }))
}
