//! What a host is told that did something wrong, or met something that went wrong.

use thiserror::Error;

/// Why a network was not opened, or a file not read or written.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// The spec or the configuration is wrong; lines with places.
    #[error("{0}")]
    Spec(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// A checkpoint or a call log is damaged, or of another network.
    #[error("{0}")]
    Damaged(String),
    /// A bug of this program.
    #[error("{0}")]
    Bug(String),
}

/// Why a call did nothing.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such node.
    #[error("there is no such node")]
    NoNode,
    /// There is no such message class.
    #[error("there is no such message class")]
    NoClass,
    /// A message has no flits, or more than the network takes, or fewer or more than the spec allows.
    #[error("a message is longer or shorter than the network takes")]
    Length,
    /// The source queue of the node is full.
    #[error("the source queue of the node is full")]
    Full,
    /// The clock does not go back, nor beyond [`crate::LAST_CYCLE`].
    #[error("the clock does not go there")]
    Time,
    /// Packets wait for each other for ever; the clock stands still.
    #[error("packets wait for each other forever")]
    Deadlocked,
    /// Packets go on and on, and none arrives; the clock stands still.
    #[error("packets go on and on, and none arrives")]
    Livelocked,
    /// A bug of this program was met before; the network is of no use any more.
    #[error("the network met a bug of this program and is of no use any more")]
    Broken,
}
