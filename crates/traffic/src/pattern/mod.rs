//! To whom a node sends. One file a pattern.

mod adversarial;
mod bcmp;
mod bits;
mod brev;
mod brot;
mod butterfly;
mod destinations;
mod hot;
mod hot_region;
mod hot_sources;
mod hot_spot;
mod mapping;
mod neighbour;
mod permutation;
mod rand;
pub(crate) mod random_permutation;
mod row_to_column;
mod rpar;
mod shfl;
mod shift;
mod steps;
mod table;
mod torn;
mod tornado;
mod trns;
mod uniform;
mod weighted;

pub use table::Table;

use crate::{Problem, Shape};
use tailback_spec::{Entry, Idle, View, When};

/// A traffic pattern: it decides to which nodes a node sends.
pub trait Pattern: Send + Sync {
    /// Destination of a packet of `source`, chosen with the random bits `draw`. `None` when `source` never sends; that
    /// must not depend on `draw`.
    fn destination(&self, source: u32, draw: u64) -> Option<u32>;

    /// Calls `emit(destination, share)` for every destination of `source`; the shares of its packets add up to 1, or
    /// there are none when it never sends.
    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64));

    /// Whether all that `source` sends is meant to make congestion, a culprit beside victims; `None` where a pattern does not
    /// tell the two apart.
    fn is_hot_source(&self, _source: u32) -> Option<bool> {
        None
    }
}

/// A built pattern, or why it cannot be built (paths relative to the pattern's table).
pub type Built = Result<Box<dyn Pattern>, Vec<Problem>>;

type Part = (&'static Entry, fn(View, &Shape, u64) -> Built);

/// Every pattern, in the order in which they are listed.
const REGISTRY: &[Part] = &[
    (&uniform::ENTRY, uniform::build),
    (&trns::ENTRY, trns::build),
    (&shfl::ENTRY, shfl::build),
    (&bcmp::ENTRY, bcmp::build),
    (&brev::ENTRY, brev::build),
    (&brot::ENTRY, brot::build),
    (&torn::ENTRY, torn::build),
    (&rand::ENTRY, rand::build),
    (&rpar::ENTRY, rpar::build),
    (&butterfly::ENTRY, butterfly::build),
    (&neighbour::ENTRY, neighbour::build),
    (&tornado::ENTRY, tornado::build),
    (&hot_spot::ENTRY, hot_spot::build),
    (&hot_region::ENTRY, hot_region::build),
    (&hot_sources::ENTRY, hot_sources::build),
    (&permutation::ENTRY, permutation::build),
    (&adversarial::ENTRY, adversarial::build),
    (&shift::ENTRY, shift::build),
    (&random_permutation::ENTRY, random_permutation::build),
    (&destinations::ENTRY, destinations::build),
    (&weighted::ENTRY, weighted::build),
    (&steps::ENTRY, steps::build),
    (&row_to_column::ENTRY, row_to_column::build),
];

/// The catalogue entries of all patterns.
pub fn entries() -> Vec<&'static Entry> {
    REGISTRY.iter().map(|part| part.0).collect()
}

const IN_PHASES: Idle =
    Idle { keys: &[], when: &[When::Is("workload.kind", &["phases"])], because: "each phase has a pattern of its own" };

/// Where parameters of patterns have no effect.
pub(crate) fn idle() -> Vec<&'static Idle> {
    vec![&IN_PHASES, &hot_region::IDLE]
}

/// Builds the pattern that `view` chooses with its `kind`. `seed` shapes the random ones.
///
/// # Errors
/// What makes the pattern impossible on this shape, with paths relative to the pattern's table.
pub fn build(view: View, shape: &Shape, seed: u64) -> Built {
    let part = REGISTRY.iter().find(|part| part.0.name == view.kind());
    part.expect("the catalogue knows every kind").1(view, shape, seed)
}

/// Whether the pattern of a name goes by the coordinates of a grid. The others go by the numbers of nodes.
pub fn needs_grid(name: &str) -> bool {
    let by_coordinates =
        [&trns::ENTRY, &torn::ENTRY, &neighbour::ENTRY, &tornado::ENTRY, &hot_region::ENTRY].map(|entry| entry.name);
    by_coordinates.contains(&name)
}

/// Whether the pattern that `view` chooses may be another one under another seed.
pub(crate) fn is_drawn(view: View) -> bool {
    [rpar::ENTRY.name, random_permutation::ENTRY.name, hot_sources::ENTRY.name].contains(&view.kind())
}

#[cfg(test)]
mod tests;
