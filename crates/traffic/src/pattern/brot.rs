//! Bit rotation: the address rotated right by one bit.

use super::{Built, bits::on_address_bits, mapping::FIXED_POINTS};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "brot",
    summary: "bit rotation: node address rotated right by one bit; power of two of nodes",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[FIXED_POINTS],
};

/// Builds it; refused unless the nodes are a power of two.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    on_address_bits(view, shape, ENTRY.name, "rotates", map)
}

fn map(id: u32, bits: u32) -> u32 {
    super::bits::rotate_left(id, bits, bits.saturating_sub(1))
}
