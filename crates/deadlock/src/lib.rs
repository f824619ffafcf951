//! Whether packets can wait for each other for ever: decided before a run, from the routing functions that the run would
//! call, or shown with packets that do. `docs/deadlock.md` has the model and the arguments.
//!
//! [`walk`] visits every place that a head can come to, and [`shared`] those of many destinations at once. [`channels`] and [`queues`] make of that who may wait for whom,
//! in virtual channels or in the memories of a switch; [`verdict`] finds the argument or the circle.

pub mod channels;
mod cycles;
mod effort;
mod order;
mod places;
mod protocol;
pub mod queues;
mod shared;
mod stuck;
#[cfg(test)]
mod tests;
mod verdict;
mod walk;
mod words;

pub use effort::visited;
pub use order::keeps_order;
pub use protocol::{Protocol, protocol};
pub use verdict::{Argument, Rules, Sharing, Verdict, check};
pub use walk::{Budget, Heads, Network, TooLarge};
pub use words::{Buffer, Circle, Step};

/// Radices of a smaller network that stands for one of `radix`: no dimension has more than `most` routers, at least 4, and
/// odd ones stay odd and even ones even.
pub fn stand_in(radix: &[u32], most: u32) -> Vec<u32> {
    let most = most.max(5);
    radix.iter().map(|&k| if k <= most { k } else { most - (most + k) % 2 }).collect()
}
