//! One load for ever: warm up, measure, drain.

use super::{Ask, MAX_CYCLES, Workload, changes};
use crate::Problem;
use tailback_spec::{Entry, Fallback, Kind, Param};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "steady",
    summary: "constant load: warm up, measure, then wait for the measured packets",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "warmup_cycles",
            kind: Kind::Integer { min: 0, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(10_000),
            doc: "Time before the measured window; packets made in it are not measured.",
        },
        Param {
            name: "measure_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(20_000),
            doc: "Length of the measured window.",
        },
        Param {
            name: "drain_cycles",
            kind: Kind::Integer { min: 0, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(50_000),
            doc: "Longest wait after the window for the packets that were made in it.",
        },
        changes::PARAM,
    ],
};

/// Builds it.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    changes::build(ask)
}
