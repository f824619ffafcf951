//! What is known to happen to a router, and when.

use crate::packet::Slot;
use crate::wheel::Time;
use serde::{Deserialize, Serialize};

/// A head that reaches a buffer.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Arrival {
    pub router: u32,
    pub input: u32,
    pub slot: Slot,
}

/// An input of a router, or an output channel.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct RouterPort {
    pub router: u32,
    pub number: u16,
}

/// What a packet leaves a router by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// A channel to another router.
    Channel(usize),
    /// An ejection channel.
    Ejection(usize),
}

/// When what is sent in a cycle happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    /// When tails have left.
    pub tails: Time,
    /// When heads reach the next buffer.
    pub arrivals: Time,
}
