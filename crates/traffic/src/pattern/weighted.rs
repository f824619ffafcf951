//! Weighted: every packet draws one of a few nodes, each as often as its weight says.

use super::destinations::absent;
use super::{Built, Pattern};
use crate::shares::Shares;
use crate::{Problem, Shape, problem};
use std::collections::BTreeMap;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "weighted",
    summary: "all packets of all nodes to a few nodes, each as often as its weight says; these nodes send to themselves, too",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "nodes",
            kind: Kind::Integers { min: 0, max: u32::MAX as i64, min_len: 1, max_len: 65_536 },
            unit: "",
            fallback: Fallback::Required,
            doc: "The nodes that packets go to.",
        },
        WEIGHTS,
    ],
};

/// The weights of a list.
pub(super) const WEIGHTS: Param = Param {
    name: "weights",
    kind: Kind::Floats { min: 0.0, max: 1e9, min_len: 1, max_len: 65_536 },
    unit: "",
    fallback: Fallback::Required,
    doc: "The weight of each: its share of the packets, in any unit.",
};

/// The weights of a section, one for each of `members`, with the sum 1.
pub(super) fn weights(view: View, members: usize) -> Result<Vec<f64>, Vec<Problem>> {
    let weights = view.floats("weights");
    if weights.len() != members {
        let message = format!("{} weights for a list of {members}", weights.len());
        return problem("weights", message, Some("give one weight for each"));
    }
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return problem("weights", "all weights are zero, so no packet has a destination".into(), None);
    }
    Ok(weights.into_iter().map(|weight| weight / total).collect())
}

/// Builds it; refused unless each is a node with a weight.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let nodes = view.u32s("nodes");
    let missing = nodes.iter().filter(|&&node| node >= shape.nodes());
    let problems: Vec<Problem> = missing.map(|node| ("nodes".into(), absent(*node, shape), None)).collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let list: Vec<(u32, f64)> = nodes.iter().copied().zip(weights(view, nodes.len())?).collect();
    Ok(Box::new(Weighted { shares: Shares::new(&list), list: once_each(list) }))
}

/// The shares that are above 0, of each member once.
pub(super) fn once_each(list: impl IntoIterator<Item = (u32, f64)>) -> BTreeMap<u32, f64> {
    let mut shares = BTreeMap::new();
    for (member, share) in list.into_iter().filter(|(_, share)| *share > 0.0) {
        *shares.entry(member).or_insert(0.0) += share;
    }
    shares
}

struct Weighted {
    shares: Shares<u32>,
    list: BTreeMap<u32, f64>,
}

impl Pattern for Weighted {
    fn destination(&self, _source: u32, draw: u64) -> Option<u32> {
        Some(self.shares.pick(draw))
    }

    fn flows(&self, _source: u32, emit: &mut dyn FnMut(u32, f64)) {
        self.list.iter().for_each(|(&node, &share)| emit(node, share));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pattern, refused};
    use crate::testing::shape;

    #[test]
    fn nodes_are_drawn_by_their_weights() {
        let four = shape(&[2, 2]);
        let pattern = pattern("kind = 'weighted'\nnodes = [3, 0]\nweights = [1, 3]", &four);
        assert_eq!(pattern.destination(0, u64::MAX / 4 - 1), Some(3));
        assert_eq!((pattern.destination(3, u64::MAX / 4 + 2), pattern.destination(1, u64::MAX)), (Some(0), Some(0)));
        let refused = |text: &str| refused(&format!("kind = 'weighted'\n{text}"), &four);
        assert!(refused("nodes = [4]\nweights = [1]").contains("node 4 does not exist"));
        assert!(refused("nodes = [1]\nweights = [1, 1]").contains("2 weights for a list of 1"));
        assert!(refused("nodes = [1]\nweights = [0]").contains("all weights are zero"));
    }
}
