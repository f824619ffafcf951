//! Deadlock recovery: what happens to a head that has waited too long. Called by the wormhole data path, whose cycles can
//! close; the cut-through data path runs only what flow control or routing keeps free of deadlock.

/// Decides about a head that failed to get a channel.
pub trait Recovery {
    /// Cycle `cycle`: moves the token or other shared state.
    fn step(&mut self, cycle: u64);

    /// The head at `router` has failed `attempts` times in a row; `true` takes it over to the recovery lane.
    fn takes_over(&mut self, router: u32, attempts: u32) -> bool;

    /// The packet that was taken over has reached its destination's router.
    fn finished(&mut self, router: u32);
}
