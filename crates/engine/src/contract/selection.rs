//! Selection: which of the free channels that routing allows a head takes.

use crate::packet::Packet;

/// A head that can choose.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The current cycle.
    pub cycle: u64,
    /// A number unique to the input in the network.
    pub input: u32,
    /// The network port by which the head came in, or `None` from a node. Port `p` brings packets that go on by port `p`
    /// straight ahead.
    pub from: Option<u8>,
    /// The packet.
    pub packet: &'a Packet,
    /// Output channels it may take and that are free, never 0. Channel `c` of port `p` is bit `p * channels + c`.
    pub free: u64,
    /// Channels a port.
    pub channels: u32,
    /// Free flits downstream, by bit of `free`; 0 if [`Selection::sees_credits`] is false.
    pub credits: &'a [i16],
}

/// Picks one of them.
pub trait Selection {
    /// The bit to take. Asked only where there is more than one.
    fn pick(&self, choice: Choice<'_>) -> u32;

    /// The bit to take where that depends on the free channels and on nothing else; an engine may ask so first.
    #[inline]
    fn pick_by_free(&self, _free: u64, _channels: u32) -> Option<u32> {
        None
    }

    /// Whether it looks at credits.
    #[inline]
    fn sees_credits(&self) -> bool {
        false
    }
}
