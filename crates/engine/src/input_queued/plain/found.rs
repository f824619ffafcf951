//! What a router has found out before anything moves.

/// Input channels whose flits go.
#[derive(Clone, Copy, Default)]
pub(super) struct Flits {
    pub go: u64,
    /// Whether the turns of the allocator go on behind each of them, and have not yet.
    pub turn: bool,
}

/// Heads that get a channel.
#[derive(Default)]
pub(super) struct Heads {
    pub heads: u64,
    /// Whether some asked for the same port, and what grants each of them stands in [`super::super::fabric::Fabric::grants`].
    pub granted: bool,
    /// Whether the turns of the allocator go on behind each of them, and have not yet.
    pub turn: bool,
}
