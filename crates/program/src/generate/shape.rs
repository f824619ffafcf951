//! What a generator is: the operations of a rank and what waits for what, by arithmetic alone.

use crate::contract::{Upon, Work};
use std::fmt::Debug;

/// A generated program before its sizes are known to fit. Numbers and ranks are in range, as for [`crate::Program`].
pub(crate) trait Shape: Debug + Send + Sync {
    /// How many ranks take part.
    fn ranks(&self) -> u32;

    /// How many operations a rank has.
    fn operations(&self, rank: u32) -> u64;

    /// What an operation does.
    fn work(&self, rank: u32, number: u32) -> Work;

    /// Calls `each` with what an operation waits for.
    fn waits_for(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon));

    /// Calls `each` with what waits for an operation, in rising order.
    fn dependants(&self, rank: u32, number: u32, each: &mut dyn FnMut(u32, Upon));

    /// Whether something waits for the start of an operation.
    fn has_starts(&self) -> bool {
        false
    }

    /// Whether it is known that no rank sends more than one message to another one.
    fn meets_once(&self) -> bool {
        false
    }

    /// Calls `each` with what waits for nothing, in rising order.
    fn roots(&self, rank: u32, each: &mut dyn FnMut(u32));

    /// Where an operation stands, for people.
    fn place(&self, rank: u32, number: u32) -> String;

    /// The longest and the shortest message \[flits\].
    fn lengths(&self) -> (u32, u32);
}

/// The longest and the shortest of some lengths; two zeros of none.
pub(crate) fn extremes(lengths: impl IntoIterator<Item = u32>) -> (u32, u32) {
    let mut found: Option<(u32, u32)> = None;
    for flits in lengths {
        found = Some(found.map_or((flits, flits), |(most, least)| (most.max(flits), least.min(flits))));
    }
    found.unwrap_or((0, 0))
}
