//! Random pair: partners drawn once exchange packets.

use super::{Built, mapping::mapping, random_permutation::shuffled};
use crate::{Shape, problem};
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "rpar",
    summary: "random pair: one random perfect matching of the nodes, partners send to each other; even number of nodes",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[],
};

/// Builds it; refused unless the number of nodes is even. The matching depends on the seed alone.
pub(super) fn build(_view: View, shape: &Shape, seed: u64) -> Built {
    let nodes = shape.nodes();
    if !nodes.is_multiple_of(2) {
        let message = format!("rpar pairs off all nodes and needs an even number of them; {shape} has {nodes}");
        return problem("", message, Some("make one radix even, or choose another pattern"));
    }
    let order = shuffled(nodes, seed);
    let mut partner = vec![0; nodes as usize];
    for pair in order.chunks_exact(2) {
        partner[pair[0] as usize] = pair[1];
        partner[pair[1] as usize] = pair[0];
    }
    Ok(mapping(move |node| partner[node as usize]))
}
