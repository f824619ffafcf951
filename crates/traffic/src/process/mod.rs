//! When a node sends, at a given load. One file a process.

mod bernoulli;
mod hazard;
mod on_off;
mod periodic;
mod switched;

use crate::Problem;
use crate::source::{Source, Stream};
use crate::workload::timeline::Timeline;
use tailback_spec::{Entry, View};

pub(crate) use switched::switched;

/// When a node sends. A process makes at most one packet per node and cycle.
pub(crate) trait Process: Send + Sync {
    /// Puts a source at cycle `at`, as if the process had been running for ever.
    fn start(&self, stream: Stream, source: &mut Source, at: u64);

    /// Moves the clock on to `to`, no later than the end of its phase, as if the packets until then were made and thrown
    /// away.
    fn skip(&self, stream: Stream, timeline: &Timeline, source: &mut Source, to: u64);

    /// Suspends generation until `until`, later than the source's clock.
    fn resume(&self, timeline: &Timeline, source: &mut Source, until: u64);

    /// The cycle of the next packet, from the source's clock on, which moves behind it. `None`: there is none.
    fn next(&self, stream: Stream, timeline: &Timeline, source: &mut Source) -> Option<u64>;
}

/// A built process, or why it cannot be built (paths relative to the process's table).
type Built = Result<Box<dyn Process>, Vec<Problem>>;

/// Whether there are loads that a process cannot have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Loads {
    /// Every load that a spec may ask for.
    All,
    /// It says which.
    Some,
}

type Part = (&'static Entry, Loads, fn(View, &Timeline, f64) -> Built);

/// Every process, in the order in which they are listed.
const REGISTRY: &[Part] = &[
    (&bernoulli::ENTRY, Loads::All, bernoulli::build),
    (&periodic::ENTRY, Loads::All, periodic::build),
    (&on_off::ENTRY, Loads::Some, on_off::build),
];

/// The catalogue entries of all processes.
pub(crate) fn entries() -> Vec<&'static Entry> {
    REGISTRY.iter().map(|part| part.0).collect()
}

/// Builds the process that `view` chooses with its `kind`, for packets of `mean_flits`.
pub(crate) fn build(view: View, timeline: &Timeline, mean_flits: f64) -> Built {
    part(view).2(view, timeline, mean_flits)
}

/// Whether the process that `view` chooses refuses some loads.
pub(crate) fn refuses_loads(view: View) -> bool {
    part(view).1 == Loads::Some
}

fn part(view: View) -> &'static Part {
    REGISTRY.iter().find(|part| part.0.name == view.kind()).expect("the catalogue knows every kind")
}

#[cfg(test)]
mod tests;
