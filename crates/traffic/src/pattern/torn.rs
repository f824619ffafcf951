//! The tornado of `spth-2015`: a fixed distance along the node ids.

use super::{Built, mapping::mapping};
use crate::Shape;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "torn",
    summary: "tornado of spth-2015: W to (W + offset) mod nodes; the classical one is `tornado`",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[Param {
        name: "offset",
        kind: Kind::IntegerOrAuto { min: 1, max: u32::MAX as i64 },
        unit: "nodes",
        fallback: Fallback::Text("auto"),
        doc: "Distance from a node's id to its destination's; auto: half the nodes of a row of the first dimension, the N/2 of the paper.",
    }],
};

/// Builds it.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let nodes = u64::from(shape.nodes());
    let half_row = u64::from(shape.radix[0]) * u64::from(shape.nodes_per_router) / 2;
    let offset = view.finite("offset").unwrap_or(half_row);
    Ok(mapping(move |node| ((u64::from(node) + offset) % nodes) as u32))
}
