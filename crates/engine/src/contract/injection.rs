//! Injection interface: which of a node's injection queues takes a new packet.

use tailback_base::state::State;

/// What the interface sees of one of its queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InjectionQueue {
    /// Flits in it that have not been sent by the end of the cycle before.
    pub waiting_flits: u32,
    /// Whether it has room for the packet.
    pub has_room: bool,
}

/// Chooses a queue for a packet.
pub trait Injection: State {
    /// The queue for a packet of `node` with `offsets` left per dimension (signed hops), one of `queues`. A node whose packet
    /// is given to a full queue waits until that has room. `draw` gives 64 random bits of this packet, for ties.
    fn choose(&mut self, node: u32, offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize;
}
