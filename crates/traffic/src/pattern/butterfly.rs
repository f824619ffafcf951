//! Butterfly: the highest and the lowest address bit change places.

use super::{Built, bits::on_address_bits, mapping::FIXED_POINTS};
use crate::Shape;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "butterfly",
    summary: "butterfly: node address with its highest and lowest bits swapped; power of two of nodes",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[FIXED_POINTS],
};

/// Builds it; refused unless the nodes are a power of two.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    on_address_bits(view, shape, ENTRY.name, "swaps", map)
}

fn map(id: u32, bits: u32) -> u32 {
    let top = bits.saturating_sub(1);
    let differ = (id ^ (id >> top)) & 1;
    id ^ (differ | differ << top)
}
