//! Patterns in which a node has one destination for ever.

use super::Pattern;

/// Sends every packet of a node to the node that the function gives; a node that it gives itself is silent.
pub(super) struct Mapping<F>(F);

/// A pattern after `map`.
pub(super) fn mapping(map: impl Fn(u32) -> u32 + Send + Sync + 'static) -> Box<dyn Pattern> {
    Box::new(Mapping(map))
}

impl<F: Fn(u32) -> u32 + Send + Sync> Pattern for Mapping<F> {
    fn destination(&self, source: u32, _draw: u64) -> Option<u32> {
        Some((self.0)(source)).filter(|&destination| destination != source)
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        if let Some(destination) = self.destination(source, 0) {
            emit(destination, 1.0);
        }
    }
}
