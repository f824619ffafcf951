//! The classical tornado: almost half-way round, in every dimension.

use super::{Built, mapping::mapping};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "tornado",
    summary: "classical tornado (Dally and Towles): x to (x + ceil(k/2) - 1) mod k in every dimension",
    paper: "",
    ideal: false,
    params: &[],
};

/// Builds it.
pub(super) fn build(_view: View, shape: &Shape, _seed: u64) -> Built {
    let shape = shape.clone();
    Ok(mapping(move |node| {
        shape.map_coordinates(node, |dimension, x| {
            let k = shape.radix[dimension];
            (x + k.div_ceil(2) - 1) % k
        })
    }))
}
