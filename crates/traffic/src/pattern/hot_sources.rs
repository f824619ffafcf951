//! Hot sources: some nodes send all they have to one node, the others anywhere.

use super::{Built, Pattern, uniform::Uniform};
use crate::{Problem, Shape};
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "hot_sources",
    summary: "hot sources: a share of the nodes sends everything to one destination, the others uniform without self",
    paper: "recn-mesh-2005 table 1",
    ideal: false,
    params: &[
        Param {
            name: "destination",
            kind: Kind::Integer { min: 0, max: u32::MAX as i64 },
            unit: "",
            fallback: Fallback::Required,
            doc: "Id of the node that hot sources send to; it is no hot source itself.",
        },
        Param {
            name: "one_in",
            kind: Kind::Integer { min: 1, max: u32::MAX as i64 },
            unit: "nodes",
            fallback: Fallback::Integer(4),
            doc: "One node out of this number is a hot source: 8 stands for 12.5 % of the nodes, 4 for 25 %.",
        },
        Param {
            name: "placement",
            kind: Kind::Choice(&[
                ("even", "the last of every `one_in` nodes by id"),
                ("random", "nodes / one_in of them, drawn once with the seed"),
            ]),
            unit: "",
            fallback: Fallback::Text("even"),
            doc: "Which nodes are hot sources; the paper does not say.",
        },
    ],
};

/// Builds it; refused when the destination does not exist or no node is a hot source.
pub(super) fn build(view: View, shape: &Shape, seed: u64) -> Built {
    let (nodes, destination, one_in) = (shape.nodes(), view.u32("destination"), view.u32("one_in"));
    let mut problems: Vec<Problem> = Vec::new();
    if destination >= nodes {
        let message = format!("node {destination} does not exist: {shape} has nodes 0 to {}", nodes - 1);
        problems.push(("destination".into(), message, None));
    }
    let others = (0..nodes).filter(|&node| node != destination);
    let culprits: Vec<u32> = match view.text("placement") {
        "even" => others.filter(|node| node % one_in == one_in - 1).collect(),
        _ => drawn(others.collect(), nodes / one_in, seed),
    };
    if culprits.is_empty() {
        let message = format!("one node in {one_in} is none of the {nodes} of {shape}");
        problems.push(("one_in".into(), message, Some("choose a smaller number, or the pattern uniform".into())));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut hot = vec![false; nodes as usize];
    culprits.into_iter().for_each(|node| hot[node as usize] = true);
    Ok(Box::new(HotSources { hot, destination, everywhere: Uniform { nodes, include_self: false } }))
}

/// `count` of `nodes`, or all, as the seed draws them.
fn drawn(mut nodes: Vec<u32>, count: u32, seed: u64) -> Vec<u32> {
    let count = nodes.len().min(count as usize);
    for i in 0..count {
        let left = (nodes.len() - i) as u64;
        let other = rng::below(rng::draw_u64(seed, Purpose::Pattern, 0, i as u64), left);
        nodes.swap(i, i + other as usize);
    }
    nodes.truncate(count);
    nodes
}

/// Every node is a hot source for ever, or never.
struct HotSources {
    /// By node.
    hot: Vec<bool>,
    destination: u32,
    everywhere: Uniform,
}

impl Pattern for HotSources {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        if self.hot[source as usize] {
            return Some(self.destination);
        }
        self.everywhere.destination(source, draw)
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        if self.hot[source as usize] {
            return emit(self.destination, 1.0);
        }
        self.everywhere.flows(source, emit);
    }

    fn is_hot_source(&self, source: u32) -> Option<bool> {
        Some(self.hot[source as usize])
    }
}
