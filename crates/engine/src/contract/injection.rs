//! Injection interface: which of a node's injection queues takes a new packet.

/// What the interface sees of one of its queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InjectionQueue {
    /// Flits waiting in it.
    pub waiting_flits: u32,
    /// Whether it has room for the packet.
    pub has_room: bool,
}

/// Chooses a queue for a packet.
pub trait Injection {
    /// The queue for a packet with `offsets` left per dimension (signed hops), or `None` to stall generation. `draw`
    /// gives 32 random bits of this packet, for ties.
    fn choose(&self, offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u32) -> Option<usize>;
}
