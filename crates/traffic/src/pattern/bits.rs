//! What the patterns on address bits share.

use super::{Built, mapping::with_fixed_points};
use crate::{Shape, problem};
use tailback_spec::View;

/// A pattern that maps node ids of `bits` bits by `map(id, bits)`, where the number of nodes is a power of two. `name`
/// and `does` word the refusal: "`shfl` rotates the bits of the node address".
pub(super) fn on_address_bits(view: View, shape: &Shape, name: &str, does: &str, map: fn(u32, u32) -> u32) -> Built {
    let Some(bits) = shape.address_bits() else {
        let message = format!(
            "{name} {does} the bits of the node address and needs a power of two of nodes; {shape} has {}",
            shape.nodes()
        );
        return problem("", message, Some("choose radices that are powers of two, or a pattern without address bits"));
    };
    Ok(with_fixed_points(view, move |node| map(node, bits)))
}

/// `id` with its lowest `bits` bits rotated left by `by` (below `bits`).
pub(super) fn rotate_left(id: u32, bits: u32, by: u32) -> u32 {
    let (id, mask) = (u64::from(id), (1u64 << bits) - 1);
    (((id << by) | (id >> (bits - by))) & mask) as u32
}
