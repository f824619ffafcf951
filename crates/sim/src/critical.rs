//! The critical path of a program: the longest chain of causes, from its last operation back to cycle 0, and where its cycles went.
//!
//! A run that writes down what happened to every operation gives the chain (`chain.rs`). The simulator repeats itself bit for bit, so a
//! second run looks at the packets of the chain alone (`replay.rs`). At every cycle the chain is in one place, and so the shares add up to the
//! duration of the program, to the cycle.

mod chain;
mod replay;
mod tables;
mod tally;
mod words;

pub use chain::Segment;
pub(crate) use tables::{links, operations, ranks, segments};
pub(crate) use words::line;

use crate::prepare::Prepared;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use tailback_engine::outcome::Told;

/// How many shares there are.
pub const SHARES: usize = 6;

/// What a cycle of the chain is spent on, in the order of [`Shares`].
pub const SHARE_NAMES: [&str; SHARES] =
    ["compute", "source_queue", "admission", "channel_wait", "wire", "serialisation"];

/// A processor computes.
pub(crate) const COMPUTE: usize = 0;
/// A message waits in the queue of its node, behind other messages.
pub(crate) const SOURCE_QUEUE: usize = 1;
/// The admission mechanism holds a message.
pub(crate) const ADMISSION: usize = 2;
/// A packet waits for a channel, an output, room, or its turn.
pub(crate) const CHANNEL_WAIT: usize = 3;
/// A head is on a wire or in the pipeline of a router.
pub(crate) const WIRE: usize = 4;
/// Flits follow each other.
pub(crate) const SERIALISATION: usize = 5;

/// Cycles by what they were spent on; [`SHARE_NAMES`] has the names.
pub type Shares = [u64; SHARES];

/// A critical path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Critical {
    /// How long the program took \[cycles\].
    pub duration: u64,
    /// The sum over all segments: exactly `duration`.
    pub shares: Shares,
    /// In the order of time: each begins in the cycle in which the one before it ends, and the first in cycle 0.
    pub segments: Vec<Segment>,
    /// Where packets of the chain waited, the longest wait first.
    pub waits: Vec<Held>,
    /// The links that the chain crosses or waits for, by router and port.
    pub links: Vec<Crossed>,
}

/// A link of a critical path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossed {
    /// The router that it leaves.
    pub router: u32,
    /// Its output there.
    pub port: u8,
    /// Messages of the chain that cross it, with the packet that came last.
    pub messages: u32,
    /// How long packets of the chain waited for it \[cycles\].
    pub wait: u64,
}

/// A place at which packets of the chain waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The router.
    pub router: u32,
    /// The output that they waited for, those to nodes after those to other routers; `None` where no single one is known.
    pub port: Option<u8>,
    /// How long, together \[cycles\].
    pub cycles: u64,
    /// The rank whose packets held it for most of that time, where it is known.
    pub holder: Option<u32>,
}

impl Prepared {
    /// Whether a run of it is followed by the search for its critical path.
    pub(crate) fn wants_critical(&self) -> bool {
        self.traffic.program().is_some() && (self.explains || self.view("probes").bool("critical_path"))
    }

    /// The same point; a run of a program is followed by the search for its critical path, as with `probes.critical_path`.
    #[must_use]
    pub fn explained(mut self) -> Prepared {
        self.traffic = self.traffic.recorded();
        self.explains = true;
        self
    }
}

/// The critical path of a program that has completed, of which this was told; `None` where it was cancelled, or where what was told is of no
/// such run.
/// The run has simulated the cycles before `end`.
pub(crate) fn critical(prepared: &Prepared, told: &[Vec<Told>], end: u64, cancel: &AtomicBool) -> Option<Critical> {
    let chain = chain::chain(prepared.traffic.program()?, told)?;
    let duration = chain.last().map_or(0, |segment| segment.to);
    if duration > end {
        return None;
    }
    let (segments, waits, links) = replay::replay(prepared, chain, cancel)?;
    let mut shares = Shares::default();
    for segment in &segments {
        shares.iter_mut().zip(segment.shares).for_each(|(all, share)| *all += share);
    }
    Some(Critical { duration, shares, segments, waits, links })
}
