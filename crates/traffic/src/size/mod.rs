//! How long packets are. One file a law.

mod bimodal;
mod distribution;
mod fixed;
mod read_write;

use crate::Problem;
use crate::exchange::Exchange;
use crate::shares::Shares;
use tailback_spec::{Entry, View};

/// The longest packet that a spec may ask for, in flits.
pub(crate) const MAX_FLITS: i64 = 65_536;

type Part = (&'static Entry, fn(View) -> Result<Sizes, Vec<Problem>>);

/// Every law of packet sizes, in the order in which they are listed.
const REGISTRY: &[Part] = &[
    (&fixed::ENTRY, fixed::build),
    (&bimodal::ENTRY, bimodal::build),
    (&distribution::ENTRY, distribution::build),
    (&read_write::ENTRY, read_write::build),
];

/// The catalogue entries of all laws.
pub(crate) fn entries() -> Vec<&'static Entry> {
    REGISTRY.iter().map(|part| part.0).collect()
}

/// Builds the law that `view` chooses with its `kind`; problems have paths relative to its table.
pub(crate) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    let part = REGISTRY.iter().find(|part| part.0.name == view.kind());
    part.expect("the catalogue knows every kind").1(view)
}

/// What receivers answer, where the law that `view` chooses is one of requests.
pub(crate) fn exchange(view: View) -> Option<Exchange> {
    (view.kind() == read_write::ENTRY.name).then(|| read_write::exchange(view))
}

/// The sizes of packets and how often each occurs.
pub(crate) struct Sizes {
    /// Sizes that occur, in flits.
    shares: Shares<u32>,
    mean: f64,
}

impl Sizes {
    /// From sizes in flits and their weights, finite and not negative, at least one of them positive.
    pub(crate) fn new(weighted: &[(u32, f64)]) -> Self {
        let total: f64 = weighted.iter().map(|&(_, weight)| weight).sum();
        let mean = weighted.iter().map(|&(flits, weight)| f64::from(flits) * (weight / total)).sum();
        Sizes { shares: Shares::new(weighted), mean }
    }

    /// The size chosen by the random bits `draw`, in flits.
    pub fn flits(&self, draw: u64) -> u32 {
        self.shares.pick(draw)
    }

    /// Whether all packets are equally long, so that no draw is needed.
    pub fn is_fixed(&self) -> bool {
        self.shares.values().count() == 1
    }

    /// The shortest packet, in flits.
    pub fn min(&self) -> u32 {
        self.shares.values().min().expect("a size occurs")
    }

    /// The longest packet, in flits.
    pub fn max(&self) -> u32 {
        self.shares.values().max().expect("a size occurs")
    }

    /// The first size that is not a multiple of `unit` flits.
    pub fn uneven(&self, unit: u32) -> Option<u32> {
        self.shares.values().find(|flits| !flits.is_multiple_of(unit))
    }

    /// The mean over all packets, in flits.
    pub fn mean(&self) -> f64 {
        self.mean
    }
}

#[cfg(test)]
mod tests;
