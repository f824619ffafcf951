//! How long a message is.

use super::{Config, Sizes};
use tailback_base::rng::{Purpose, draw_u64};

impl Sizes {
    /// Lengths with their weights.
    pub fn weights(&self) -> Vec<(u32, f64)> {
        match self {
            Sizes::Fixed(flits) => vec![(*flits, 1.0)],
            Sizes::Bimodal { short, long, long_percent } => {
                vec![(*short, 100.0 - long_percent), (*long, *long_percent)]
            }
            Sizes::Distribution(list) => list.clone(),
        }
    }

    /// The mean length.
    pub fn mean(&self) -> f64 {
        let weights = self.weights();
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.iter().map(|(flits, weight)| f64::from(*flits) * weight / all).sum()
    }
}

/// The length of message `number` of `node`: its draw falls into the share of one of the lengths, which lie one after the
/// other.
pub fn flits(config: &Config, node: u32, number: u64) -> u32 {
    let weights: Vec<(u32, f64)> = config.sizes.weights().into_iter().filter(|(_, weight)| *weight > 0.0).collect();
    let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let drawn = draw_u64(config.seed, Purpose::Size, node, number) as f64 / 2f64.powi(64);
    let mut up_to = 0.0;
    for (flits, weight) in &weights {
        up_to += weight / all;
        if drawn < up_to {
            return *flits;
        }
    }
    weights[weights.len() - 1].0
}
