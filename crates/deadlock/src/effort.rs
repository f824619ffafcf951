//! How much checks do, for tests of what they cost. Nothing goes by it.

use std::sync::atomic::{AtomicU64, Ordering};

static VISITED: AtomicU64 = AtomicU64::new(0);

/// Places of heads, and ways between them, that all checks of this process have visited; pairs of source and destination where places
/// are shared.
pub fn visited() -> u64 {
    VISITED.load(Ordering::Relaxed)
}

/// A check has visited some more.
pub(crate) fn add(places_and_ways: usize) {
    VISITED.fetch_add(places_and_ways as u64, Ordering::Relaxed);
}
