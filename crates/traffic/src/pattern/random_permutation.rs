//! Random permutation: every node sends to one node and receives from one, drawn once.

use super::{Built, mapping::mapping};
use crate::Shape;
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "random_permutation",
    summary: "random permutation: one permutation of the nodes, drawn once; a node that it gives itself is silent",
    paper: "Dally and Towles",
    ideal: false,
    params: &[],
};

/// Builds it. The permutation depends on the seed alone. One that leaves every node in its place sends nothing, and the next one is
/// drawn.
pub(super) fn build(_view: View, shape: &Shape, seed: u64) -> Built {
    let nodes = shape.nodes();
    let mut draws = (0..).map(|number| shuffle(nodes, seed, number));
    let order = draws.find(|order| nodes < 2 || !order.is_sorted()).expect("some draw moves nodes");
    Ok(mapping(move |node| order[node as usize]))
}

/// The numbers of nodes in an order drawn with the seed.
pub(crate) fn shuffled(nodes: u32, seed: u64) -> Vec<u32> {
    shuffle(nodes, seed, 0)
}

/// The draw of this number.
fn shuffle(nodes: u32, seed: u64, number: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..nodes).collect();
    for i in (1..nodes).rev() {
        let j = rng::below(rng::draw_u64(seed, Purpose::Pattern, number, u64::from(i)), u64::from(i) + 1);
        order.swap(i as usize, j as usize);
    }
    order
}
