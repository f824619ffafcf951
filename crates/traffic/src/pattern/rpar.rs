//! Random pair: partners drawn once exchange packets.

use super::{Built, mapping::mapping};
use crate::{Shape, problem};
use tailback_base::rng::{self, Purpose};
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
    let mut order: Vec<u32> = (0..nodes).collect();
    for i in (1..nodes).rev() {
        let j = rng::below(rng::draw_u64(seed, Purpose::Pattern, 0, u64::from(i)), u64::from(i) + 1);
        order.swap(i as usize, j as usize);
    }
    let mut partner = vec![0; nodes as usize];
    for pair in order.chunks_exact(2) {
        partner[pair[0] as usize] = pair[1];
        partner[pair[1] as usize] = pair[0];
    }
    Ok(mapping(move |node| partner[node as usize]))
}
