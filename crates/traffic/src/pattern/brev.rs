//! Bit reversal: the address read backwards.

use super::{Built, bits::on_address_bits, mapping::FIXED_POINTS};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "brev",
    summary: "bit reversal: node address with its bits in reverse order; power of two of nodes",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[FIXED_POINTS],
};

/// Builds it; refused unless the nodes are a power of two.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    on_address_bits(view, shape, ENTRY.name, "reverses", map)
}

fn map(id: u32, bits: u32) -> u32 {
    id.reverse_bits().checked_shr(u32::BITS - bits).unwrap_or(0)
}
