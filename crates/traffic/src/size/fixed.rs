//! All packets equally long.

use super::{MAX_FLITS, Sizes};
use crate::Problem;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "fixed",
    summary: "every packet has the same length",
    paper: "",
    ideal: false,
    params: &[Param {
        name: "flits",
        kind: Kind::Integer { min: 1, max: MAX_FLITS },
        unit: "flits",
        fallback: Fallback::Integer(8),
        doc: "Length of a packet, header included.",
    }],
};

/// Builds it.
pub(super) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    Ok(Sizes::new(&[(view.u32("flits"), 1.0)]))
}
