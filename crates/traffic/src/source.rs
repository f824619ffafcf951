//! A node's cursor into its own traffic.

use serde::{Deserialize, Serialize};
use tailback_base::state::{MOST, Unfit, are_counts, ensure};

/// A cycle that never comes.
pub(crate) const NEVER: u64 = u64::MAX;

/// Where a node's generator stands. Copying it remembers a place to come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Index of the next packet.
    pub(crate) index: u64,
    /// First cycle in which the next packet may start; [`NEVER`] when there is none.
    pub(crate) clock: u64,
    /// Random draws made so far by the process: the index of its next draw.
    pub(crate) draws: u64,
    /// The process's own state: periodic, what must be asked for before the next packet; on-off, the end of the burst.
    pub(crate) state: u64,
}

impl Source {
    /// Packets taken from it so far: the number of the next one.
    pub fn taken(&self) -> u64 {
        self.index
    }
}

/// A packet that a node makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// The cycle in which it is made.
    pub cycle: u64,
    /// The node it goes to.
    pub destination: u32,
    /// Its length in flits, header included.
    pub flits: u32,
    /// Its number among the packets of its node, from 0.
    pub index: u64,
}

tailback_base::plain!(Generated);
tailback_base::state!([] Source { saved: index, clock, draws, state; } [fits]);

impl Source {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts([self.index, self.draws])?;
        let times = [self.clock, self.state].into_iter().all(|time| time <= MOST || time == NEVER);
        ensure(times, "a node sends at no time")
    }
}

/// The stream of random draws of a node under a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// Seed of the point.
    pub seed: u64,
    /// The node.
    pub node: u32,
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_source_is_small() {
        assert!(size_of::<super::Source>() <= 32);
    }
}
