//! What of a point travels between processes.

use serde::{Deserialize, Serialize};
use tailback_results::{Capsule, Series};
use tailback_sim::{Finding, Outcome, Why};

/// What a point left behind, but for charts of every cycle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// With its record.
    pub capsule: Capsule,
    /// Tables that are not empty.
    pub series: Vec<Series>,
    /// Numbers found by analysis.
    pub findings: Vec<Finding>,
    /// What happened and why, in sentences.
    pub why: Why,
}

impl From<Outcome> for Parcel {
    fn from(outcome: Outcome) -> Parcel {
        let Outcome { capsule, mut series, findings, why, .. } = outcome;
        series.retain(|series| !series.x.is_empty());
        Parcel { capsule, series, findings, why }
    }
}
