//! What hot spots and hot regions share: some packets to a hot set, the rest anywhere.

use super::{Pattern, uniform::Uniform};
use tailback_base::rng;

/// Parts into which the choice between hot and not hot is divided.
const PARTS: u64 = 100_000_000;

/// A share of the packets goes to a hot set, the rest uniformly to all nodes, the hot ones among them; never to self.
pub(super) struct Hot {
    /// The hot nodes, ascending, each once.
    hot: Vec<u32>,
    /// Share of the packets that go to them, in `PARTS`.
    parts: u64,
    everywhere: Uniform,
}

impl Hot {
    /// `share_percent` of the packets to `hot` (ascending, each once, not empty).
    pub fn new(nodes: u32, hot: Vec<u32>, share_percent: f64) -> Self {
        let parts = (share_percent / 100.0 * PARTS as f64).round() as u64;
        Hot { hot, parts, everywhere: Uniform { nodes, include_self: false } }
    }

    /// The share of `source`'s packets that are hot, in `PARTS`, and how many hot nodes they choose from. The only hot
    /// node has no other to send to: all it sends is uniform.
    fn choice(&self, source: u32) -> (u64, u64) {
        let others = self.hot.len() as u64 - u64::from(self.hot.binary_search(&source).is_ok());
        (if others == 0 { 0 } else { self.parts }, others)
    }
}

impl Pattern for Hot {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        let (parts, others) = self.choice(source);
        // One draw serves both choices: the part it falls into, and where in that part.
        let product = u128::from(draw) * u128::from(PARTS);
        let (part, rest) = ((product >> 64) as u64, product as u64);
        if part >= parts {
            return self.everywhere.destination(source, rest);
        }
        let place = rng::below(rest, others) as usize;
        let own = self.hot.binary_search(&source).unwrap_or(usize::MAX);
        Some(self.hot[place + usize::from(place >= own)])
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        let (parts, others) = self.choice(source);
        let share = parts as f64 / PARTS as f64;
        let hot_share = if others == 0 { 0.0 } else { share / others as f64 };
        self.everywhere.flows(source, &mut |node, uniform_share| {
            let hot = self.hot.binary_search(&node).is_ok();
            let total = uniform_share * (1.0 - share) + if hot { hot_share } else { 0.0 };
            if total > 0.0 {
                emit(node, total);
            }
        });
    }
}
