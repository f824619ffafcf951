//! What a host and the network tell each other: a host is another program that steps the network from outside.

use serde::{Deserialize, Serialize};

/// A message that a host gives to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The node that sends it.
    pub source: u32,
    /// The node that it is for, another one.
    pub destination: u32,
    /// Its length, within what the traffic allows \[flits\].
    pub flits: u32,
    /// What the host calls it, below 2^32.
    pub name: u64,
}

/// Some flits of a message of a host that have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrived {
    /// Cycle in which their tail was received.
    pub cycle: u64,
    /// What the host calls the message.
    pub name: u64,
    /// Flits of the packet.
    pub flits: u32,
    /// Links between routers on its way.
    pub hops: u32,
    /// Cycle in which its head left the source queue.
    pub entered: u64,
}
