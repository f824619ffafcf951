//! Uniform random: every packet draws its destination.

use super::{Built, Pattern};
use crate::Shape;
use tailback_base::rng;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "uniform",
    summary: "uniform random: every packet draws its destination among all nodes",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "include_self",
        kind: Kind::Bool,
        unit: "",
        fallback: Fallback::Bool(false),
        doc: "Whether a node may draw itself.",
    }],
};

/// Builds it.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    Ok(Box::new(Uniform { nodes: shape.nodes(), include_self: view.bool("include_self") }))
}

/// Destinations drawn among all nodes.
pub(super) struct Uniform {
    /// The number of nodes.
    pub nodes: u32,
    /// Whether a node may draw itself.
    pub include_self: bool,
}

impl Pattern for Uniform {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        if self.include_self {
            return Some(rng::below(draw, u64::from(self.nodes)) as u32);
        }
        let others = self.nodes - 1;
        let other = rng::below(draw, u64::from(others)) as u32;
        (others > 0).then_some(other + u32::from(other >= source))
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        let candidates = self.nodes - u32::from(!self.include_self);
        let share = 1.0 / f64::from(candidates);
        (0..self.nodes).filter(|&node| self.include_self || node != source).for_each(|node| emit(node, share));
    }
}
