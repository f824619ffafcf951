//! Transpose: (x, y) sends to (y, x); in more dimensions (x, y, z) to (z, x, y).

use super::{Built, mapping};
use crate::{Shape, problem};
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "trns",
    summary: "transpose: (x, y) to (y, x), (x, y, z) to (z, x, y), the diagonal silent; squares and cubes",
    paper: "spth-2015 table 1; bubble-1999 section 4.2",
    ideal: false,
    params: &[mapping::FIXED_POINTS],
};

/// Builds it; refused unless the network is a square or a cube of two or more dimensions.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let k = shape.radix[0];
    if shape.radix.len() < 2 {
        let message = format!("trns moves coordinates around and needs two dimensions or more; {shape} has 1");
        return problem("", message, Some("choose a square or a cube, or another pattern"));
    }
    if shape.radix.iter().any(|&other| other != k) {
        let message = format!("trns moves coordinates around and needs them alike; the network is {shape}");
        return problem("", message, Some("make all radices equal, or choose another pattern"));
    }
    let local = shape.nodes_per_router;
    // Every coordinate moves up a dimension, the highest becomes the lowest.
    let highest: u32 = shape.radix[1..].iter().product();
    Ok(mapping::with_fixed_points(view, move |node| {
        let router = node / local;
        (router % highest * k + router / highest) * local + node % local
    }))
}
