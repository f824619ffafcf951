//! Transpose: (x, y) sends to (y, x).

use super::{Built, mapping::mapping};
use crate::{Shape, problem};
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "trns",
    summary: "transpose: (x, y) to (y, x), the diagonal silent; square two-dimensional networks",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[],
};

/// Builds it; refused unless the network is a square.
pub(super) fn build(_view: View, shape: &Shape, _seed: u64) -> Built {
    let [k, same] = shape.radix[..] else {
        let message = format!("trns swaps x and y and needs two dimensions; {shape} has {}", shape.radix.len());
        return problem("", message, Some("choose a square two-dimensional network, or another pattern"));
    };
    if k != same {
        let message = format!("trns swaps x and y and needs a square; the network is {shape}");
        return problem("", message, Some("make both radices equal, or choose another pattern"));
    }
    let local = shape.nodes_per_router;
    Ok(mapping(move |node| {
        let router = node / local;
        (router / k + k * (router % k)) * local + node % local
    }))
}
