//! Hot spot: a share of all packets goes to a few nodes.

use super::{Built, hot::Hot};
use crate::{Problem, Shape};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "hot_spot",
    summary: "hot spot: a share of every node's packets to the listed nodes, the rest uniform without self",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "nodes",
            kind: Kind::Integers { min: 0, max: u32::MAX as i64, min_len: 1, max_len: 65_536 },
            unit: "",
            fallback: Fallback::Required,
            doc: "Ids of the hot nodes, each drawn as often as the others; a hot node sends to the other hot ones, and where it is alone all it sends is uniform.",
        },
        Param {
            name: "share_percent",
            kind: Kind::Float { min: 0.0, max: 100.0 },
            unit: "% of packets",
            fallback: Fallback::Float(10.0),
            doc: "Share of a node's packets that go to the hot nodes; the rest goes to any other node, the hot ones among them.",
        },
    ],
};

/// Builds it; refused when a hot node does not exist or is listed twice.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let mut hot = view.u32s("nodes");
    let nodes = shape.nodes();
    let last = nodes - 1;
    let mut problems: Vec<Problem> = Vec::new();
    for node in hot.iter().filter(|&&node| node > last) {
        let message = format!("node {node} does not exist: {shape} has nodes 0 to {last}");
        problems.push(("nodes".into(), message, None));
    }
    hot.sort_unstable();
    for pair in hot.windows(2).filter(|pair| pair[0] == pair[1]) {
        let message = format!("node {} is listed twice", pair[0]);
        problems.push(("nodes".into(), message, Some("list each hot node once".into())));
    }
    if problems.is_empty() { Ok(Box::new(Hot::new(nodes, hot, view.float("share_percent")))) } else { Err(problems) }
}
