//! The shapes that routers are compiled in.

/// The shapes, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Small,
    Medium,
    Wide,
}

/// The smallest shape for routers with so many network inputs, inputs and outputs.
pub(super) fn shape(network: usize, inputs: usize, outputs: usize) -> Shape {
    match (network, inputs.max(outputs)) {
        (0..=16, 0..=32) => Shape::Small,
        (0..=32, _) => Shape::Medium,
        _ => Shape::Wide,
    }
}
