//! Bit complement: every bit of the address inverted.

use super::{Built, bits::on_address_bits};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "bcmp",
    summary: "bit complement: every bit of the node address inverted; power of two of nodes",
    paper: "spth-2015 table 1",
    ideal: false,
    params: &[],
};

/// Builds it; refused unless the nodes are a power of two.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    on_address_bits(view, shape, ENTRY.name, "inverts", map)
}

fn map(id: u32, bits: u32) -> u32 {
    !id & ((1u64 << bits) - 1) as u32
}
