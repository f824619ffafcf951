//! Neighbour: one step up.

use super::{Built, mapping::mapping};
use crate::Shape;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "neighbour",
    summary: "neighbour: x to (x + 1) mod k in every dimension (Dally and Towles), or in the first one only",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "dimensions",
        kind: Kind::Choice(&[
            ("all", "one step in every dimension, the textbook's definition"),
            ("first", "one step in the first dimension: the neighbour on the ring or row"),
        ]),
        unit: "",
        fallback: Fallback::Text("all"),
        doc: "The dimensions in which the destination is one step up.",
    }],
};

/// Builds it.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let moved = if view.text("dimensions") == "all" { shape.radix.len() } else { 1 };
    let shape = shape.clone();
    Ok(mapping(move |node| {
        shape.map_coordinates(node, |dimension, x| if dimension < moved { (x + 1) % shape.radix[dimension] } else { x })
    }))
}
