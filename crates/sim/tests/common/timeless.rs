//! What two runs of one point have in common.

use tailback_results::Record;

/// A record without the time that the run took.
pub fn timeless(record: &Record) -> Record {
    Record {
        wall_seconds: None,
        cycles_per_second: None,
        flit_hops_per_second: None,
        packet_hops_per_second: None,
        ..record.clone()
    }
}
