//! What every data path offers to whoever runs it.

use crate::contract::probe::Probe;
use crate::cut_through::{AuditError, Counters, Deadlock};
use tailback_traffic::Generated;

/// A network in the middle of a run.
pub trait DataPath {
    /// Simulates one cycle.
    fn step<P: Probe>(&mut self, probe: &mut P);

    /// The cycle to be simulated next.
    fn cycle(&self) -> u64;

    /// Totals since the start.
    fn counters(&self) -> Counters;

    /// Packets whose head has left the source queue and whose tail has not arrived.
    fn in_flight(&self) -> u64;

    /// Packets that the sources made before cycle `end` and that have not come to the head of their queue.
    fn backlog(&self, end: u64, made: impl FnMut(u32, Generated));

    /// Re-derives the books between two cycles.
    ///
    /// # Errors
    /// The first book that does not balance.
    fn audit(&self) -> Result<(), AuditError>;

    /// Looks for heads that can never move. Cost: proportional to the buffers of the network.
    fn deadlock(&self) -> Option<Deadlock>;

    /// Whether nothing in the network can ever happen again although packets are in it.
    fn is_still(&self) -> bool;
}
