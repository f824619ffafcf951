//! What a run leaves behind.

use crate::anatomy::Dissected;
use crate::critical::Critical;
use crate::diagnosis::Diagnosis;
use crate::jobs::JobDone;
use crate::run::Settled;
use crate::starvation::LongWaits;
use crate::why::Why;
use tailback_probes::{Finding, LinkUse, SpaceTime};
use tailback_results::{Capsule, Record, Series};

/// All that a run leaves behind.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The row.
    pub record: Record,
    /// What it takes to run it again.
    pub capsule: Capsule,
    /// Tables: `windows`, `latency_histogram`, and others where asked for (docs/results.md names them).
    pub series: Vec<Series>,
    /// Space-time charts, where asked for.
    pub space_time: Option<SpaceTime>,
    /// Use of every link, where asked for.
    pub link_map: Option<Vec<LinkUse>>,
    /// The anatomy of its congestion, where asked for.
    pub anatomy: Option<Dissected>,
    /// The jobs of a program that has completed, in the order of the spec; empty where it has none.
    pub jobs: Vec<JobDone>,
    /// The critical path of a program, where asked for.
    pub critical: Option<Critical>,
    /// Numbers found by analysis.
    pub findings: Vec<Finding>,
    /// What happened and why: sentences, line by line.
    pub why: Why,
    /// What happened and why, in one paragraph.
    pub explanation: String,
    /// What happened, as typed values.
    pub diagnosis: Diagnosis,
    /// Nodes that have got nothing in for long, which is not called starvation, and why not.
    pub long_waits: Option<LongWaits>,
    /// Of a ramp: why it shows no critical load, or why that may be chance, and what to change.
    pub ramp_remark: Option<String>,
    /// What the rule of periods came to, under `workload.kind = "periods"`.
    pub settled: Option<Settled>,
    /// The share of the loop's time that went into looks for deadlock, livelock and where heads wait, 0 to 1.
    pub watchdog_share: f64,
}
