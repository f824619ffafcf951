//! Short packets and long ones.

use super::{MAX_FLITS, Sizes};
use crate::{Problem, problem};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "bimodal",
    summary: "short packets, and a share of long ones",
    paper: "bubble-1999 section 4",
    ideal: false,
    params: &[
        Param {
            name: "short_flits",
            kind: Kind::Integer { min: 1, max: MAX_FLITS },
            unit: "flits",
            fallback: Fallback::Integer(16),
            doc: "Length of a short packet, header included.",
        },
        Param {
            name: "long_flits",
            kind: Kind::Integer { min: 1, max: MAX_FLITS },
            unit: "flits",
            fallback: Fallback::Integer(160),
            doc: "Length of a long packet, header included.",
        },
        Param {
            name: "long_percent",
            kind: Kind::Float { min: 0.0, max: 100.0 },
            unit: "% of packets",
            fallback: Fallback::Float(10.0),
            doc: "Share of the packets that are long; 10 % is inferred from the paper's base latencies.",
        },
    ],
};

/// Builds it; refused unless long packets are longer than short ones.
pub(super) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    let (short, long, percent) = (view.u32("short_flits"), view.u32("long_flits"), view.float("long_percent"));
    if long <= short {
        let message = format!("long packets of {long} flits are not longer than short ones of {short}");
        return problem("long_flits", message, Some("make long_flits larger, or choose size = \"fixed\""));
    }
    Ok(Sizes::new(&[(short, 100.0 - percent), (long, percent)]))
}
