//! A load that rises slowly, so that one run gives a whole curve.

use super::timeline::{Phase, Timeline};
use super::{Ask, MAX_CYCLES, MAX_LOAD, Plan, Workload};
use crate::{Problem, source::NEVER};
use tailback_spec::{Entry, Fallback, Kind, Param};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "ramp",
    summary: "load that rises linearly from 0: one run gives a whole curve; traffic.load is not used",
    paper: "spth-2015 section 5.2",
    ideal: false,
    params: &[
        Param {
            name: "end_load_flits_per_node_cycle",
            kind: Kind::Float { min: 0.0, max: MAX_LOAD },
            unit: "flits/node/cycle",
            fallback: Fallback::Float(0.275),
            doc: "Load reached at the end, the load at cycle t being end_load * t / cycles for each node that sends.",
        },
        Param {
            name: "cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(2_750_000),
            doc: "Length of the ramp and of the run.",
        },
        Param {
            name: "window_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(100),
            doc: "Length of the windows in which throughput and latency are recorded.",
        },
    ],
};

/// Builds it.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let (end, load) = (ask.workload.u64("cycles"), ask.workload.float("end_load_flits_per_node_cycle"));
    let rising = Phase { end, load, rises: true, pattern: 0 };
    let flat = Phase { end: NEVER, load, rises: false, pattern: 0 };
    Ok(Workload { patterns: vec![ask.pattern()?], plan: Plan::Load(Timeline::once(vec![rising, flat])) })
}
