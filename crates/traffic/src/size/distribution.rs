//! Any list of lengths, each with a weight.

use super::{MAX_FLITS, Sizes};
use crate::{Problem, problem};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "distribution",
    summary: "lengths from a list, each as often as its weight says",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "flits",
            kind: Kind::Integers { min: 1, max: MAX_FLITS, min_len: 1, max_len: 64 },
            unit: "flits",
            fallback: Fallback::Required,
            doc: "The lengths, header included.",
        },
        Param {
            name: "weights",
            kind: Kind::Floats { min: 0.0, max: 1e9, min_len: 1, max_len: 64 },
            unit: "",
            fallback: Fallback::Required,
            doc: "The weight of each length: its share of the packets, in any unit.",
        },
    ],
};

/// Builds it; refused unless there is a weight for each length and one of them is positive.
pub(super) fn build(view: View) -> Result<Sizes, Vec<Problem>> {
    let (flits, weights) = (view.u32s("flits"), view.floats("weights"));
    if flits.len() != weights.len() {
        let message = format!("{} weights for {} lengths", weights.len(), flits.len());
        return problem("weights", message, Some("give one weight for each length"));
    }
    if weights.iter().sum::<f64>() <= 0.0 {
        return problem("weights", "all weights are zero, so no length ever occurs".into(), None);
    }
    Ok(Sizes::new(&flits.into_iter().zip(weights).collect::<Vec<_>>()))
}
