//! Collective communication: every node has its packets at once, and it ends when all are delivered.

use super::{Ask, MAX_CYCLES, Plan, Workload};
use crate::Problem;
use tailback_spec::{Entry, Fallback, Kind, Param};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "collective",
    summary: "every node has its packets at cycle 0, the run ends with the last delivery; traffic.load and traffic.process are not used",
    paper: "spth-2015 section 5.3",
    ideal: false,
    params: &[
        Param {
            name: "packets_per_node",
            kind: Kind::Integer { min: 1, max: 1_000_000_000 },
            unit: "packets",
            fallback: Fallback::Integer(10),
            doc: "Packets of each node that sends; messages, where these are cut into packets (traffic.packet_flits, router.packet_bytes).",
        },
        Param {
            name: "window_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(10),
            doc: "Length of the windows in which throughput, latency and packets in flight are recorded.",
        },
        Param {
            name: "limit_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(10_000_000),
            doc: "The run is given up after this time.",
        },
    ],
};

/// Builds it.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    Ok(Workload { patterns: vec![ask.pattern()?], plan: Plan::Packets(ask.workload.u64("packets_per_node")) })
}
