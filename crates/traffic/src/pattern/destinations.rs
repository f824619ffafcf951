//! Destinations: one for each node, in the spec itself.

use super::{Built, Pattern};
use crate::{Problem, Shape, problem};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "destinations",
    summary: "a list with the destination of every node; a node that is its own destination sends to itself",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "nodes",
        kind: Kind::Integers { min: 0, max: u32::MAX as i64, min_len: 1, max_len: 1 << 20 },
        unit: "",
        fallback: Fallback::Required,
        doc: "The destination of node 0, of node 1 and so on.",
    }],
};

/// Builds it; refused unless every node has a destination, and each is a node.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let (list, nodes) = (view.u32s("nodes"), shape.nodes());
    if list.len() != nodes as usize {
        let message = format!("{} destinations; {shape} has {nodes} nodes", list.len());
        return problem("nodes", message, Some("give one destination for each node"));
    }
    let missing = list.iter().filter(|&&node| node >= nodes);
    let problems: Vec<Problem> = missing.map(|node| ("nodes".into(), absent(*node, shape), None)).collect();
    if problems.is_empty() { Ok(Box::new(Destinations(list))) } else { Err(problems) }
}

/// Why there is no such node.
pub(super) fn absent(node: u32, shape: &Shape) -> String {
    format!("node {node} does not exist: {shape} has nodes 0 to {}", shape.nodes() - 1)
}

/// A destination each.
struct Destinations(Vec<u32>);

impl Pattern for Destinations {
    fn destination(&self, source: u32, _draw: u64) -> Option<u32> {
        Some(self.0[source as usize])
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        emit(self.0[source as usize], 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pattern, refused};
    use crate::testing::shape;

    #[test]
    fn every_node_has_one_and_may_be_its_own() {
        let four = shape(&[2, 2]);
        let pattern = pattern("kind = 'destinations'\nnodes = [1, 1, 0, 3]", &four);
        let all: Vec<Option<u32>> = (0..4).map(|node| pattern.destination(node, 9)).collect();
        assert_eq!(all, [Some(1), Some(1), Some(0), Some(3)]);
        assert!(refused("kind = 'destinations'\nnodes = [1, 1, 0]", &four).contains("3 destinations; 2x2 has 4 nodes"));
        assert!(refused("kind = 'destinations'\nnodes = [1, 1, 0, 4]", &four).contains("node 4 does not exist"));
    }
}
