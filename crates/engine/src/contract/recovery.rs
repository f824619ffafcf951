//! Deadlock recovery: what happens to a head that has waited too long. Called by the wormhole data path, whose cycles can
//! close; the cut-through data path runs only what flow control or routing keeps free of deadlock.
//!
//! A packet that is taken over leaves by the recovery lane: one more channel on every link that only such packets use, in
//! dimension order, to its destination.

use crate::packet::Packet;
use tailback_base::state::State;

/// Decides about heads that failed to get a channel.
pub trait Recovery: State {
    /// Flits that the lane buffers at each router; 0: there is no lane, and nothing is ever taken over.
    fn lane_flits(&self) -> u32 {
        0
    }

    /// Cycle `cycle` begins: moves the token or other shared state.
    #[inline]
    fn step(&mut self, _cycle: u64) {}

    /// The head at `router` has failed `attempts` cycles in a row; `true` takes its packet over. Asked in order of
    /// routers and inputs at the end of a cycle.
    #[inline]
    fn takes_over(&mut self, _router: u32, _attempts: u32) -> bool {
        false
    }

    /// The next port of a packet in the lane at `router`, which is not its destination's.
    fn port(&self, _router: u32, _packet: &Packet) -> u8 {
        0
    }

    /// Whether its state may be that before cycle `now`, when the heads of so many packets are in the lane or ask for it: for what comes
    /// from a checkpoint.
    fn fits(&self, now: u64, taken_over: usize) -> bool;

    /// The head of the packet that was taken over has come to the front at its destination's router.
    fn arrived(&mut self, _router: u32) {}
}
