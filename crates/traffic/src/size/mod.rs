//! How long packets are. One file a law.

mod bimodal;
mod distribution;
mod fixed;

use crate::Problem;
use tailback_spec::{Entry, View};

/// The longest packet that a spec may ask for, in flits.
pub(crate) const MAX_FLITS: i64 = 65_536;

type Part = (&'static Entry, fn(View) -> Result<Sizes, Vec<Problem>>);

/// Every law of packet sizes, in the order in which they are listed.
const REGISTRY: &[Part] =
    &[(&fixed::ENTRY, fixed::build), (&bimodal::ENTRY, bimodal::build), (&distribution::ENTRY, distribution::build)];

/// The catalogue entries of all laws.
pub(crate) fn entries() -> Vec<&'static Entry> {
    REGISTRY.iter().map(|part| part.0).collect()
}

/// Builds the law that `view` chooses with its `kind`; problems have paths relative to its table.
pub(crate) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    let part = REGISTRY.iter().find(|part| part.0.name == view.kind());
    part.expect("the catalogue knows every kind").1(view)
}

/// The sizes of packets and how often each occurs.
pub(crate) struct Sizes {
    /// Sizes that occur (in flits) and the random bits below which each is drawn, ascending; the last takes the rest.
    steps: Vec<(u32, u64)>,
    mean: f64,
}

impl Sizes {
    /// From sizes in flits and their weights, finite and not negative, at least one of them positive.
    fn new(weighted: &[(u32, f64)]) -> Self {
        let total: f64 = weighted.iter().map(|&(_, weight)| weight).sum();
        let mut reached = 0.0;
        let mut steps = Vec::new();
        for &(flits, weight) in weighted.iter().filter(|(_, weight)| *weight > 0.0) {
            reached += weight / total;
            // 2^64; the conversion saturates where the sum ends above 1.
            steps.push((flits, (reached * 18_446_744_073_709_551_616.0) as u64));
        }
        let mean = weighted.iter().map(|&(flits, weight)| f64::from(flits) * (weight / total)).sum();
        Sizes { steps, mean }
    }

    /// The size chosen by the random bits `draw`, in flits.
    pub fn flits(&self, draw: u64) -> u32 {
        let last = self.steps.len() - 1;
        self.steps[self.steps[..last].partition_point(|&(_, below)| below <= draw)].0
    }

    /// Whether all packets are equally long, so that no draw is needed.
    pub fn is_fixed(&self) -> bool {
        self.steps.len() == 1
    }

    /// The shortest packet, in flits.
    pub fn min(&self) -> u32 {
        self.steps.iter().map(|step| step.0).min().expect("a size occurs")
    }

    /// The longest packet, in flits.
    pub fn max(&self) -> u32 {
        self.steps.iter().map(|step| step.0).max().expect("a size occurs")
    }

    /// The first size that is not a multiple of `unit` flits.
    pub fn uneven(&self, unit: u32) -> Option<u32> {
        self.steps.iter().map(|step| step.0).find(|flits| !flits.is_multiple_of(unit))
    }

    /// The mean over all packets, in flits.
    pub fn mean(&self) -> f64 {
        self.mean
    }
}

#[cfg(test)]
mod tests;
