//! Patterns in which a node has one destination for ever.

use super::Pattern;
use tailback_spec::{Fallback, Kind, Param, View};

/// What a node does that a permutation maps to itself.
pub(super) const FIXED_POINTS: Param = Param {
    name: "fixed_points",
    kind: Kind::Choice(&[("silent", "it sends nothing"), ("send", "it sends to itself, through its own router")]),
    unit: "",
    fallback: Fallback::Text("silent"),
    doc: "What a node does that the permutation maps to itself.",
};

/// Sends every packet of a node to the node that the function gives.
struct Mapping<F> {
    map: F,
    /// Whether a node that is given itself sends.
    to_itself: bool,
}

/// A pattern after `map`; a node that it gives itself is silent.
pub(super) fn mapping(map: impl Fn(u32) -> u32 + Send + Sync + 'static) -> Box<dyn Pattern> {
    Box::new(Mapping { map, to_itself: false })
}

/// A pattern after `map` with [`FIXED_POINTS`].
pub(super) fn with_fixed_points(view: View, map: impl Fn(u32) -> u32 + Send + Sync + 'static) -> Box<dyn Pattern> {
    let to_itself = view.has(FIXED_POINTS.name) && view.text(FIXED_POINTS.name) == "send";
    Box::new(Mapping { map, to_itself })
}

impl<F: Fn(u32) -> u32 + Send + Sync> Pattern for Mapping<F> {
    fn destination(&self, source: u32, _draw: u64) -> Option<u32> {
        Some((self.map)(source)).filter(|&destination| self.to_itself || destination != source)
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        if let Some(destination) = self.destination(source, 0) {
            emit(destination, 1.0);
        }
    }
}
