//! The input-queued router, flit by flit: the slow twin of the engine, written to be read beside
//! `docs/input_queued.md`.
//!
//! Every step of every router looks at every channel of every input, and every flit moves by itself. It shares nothing
//! with the engine but the traffic and the random numbers. Routing is that of the wormhole reference.
//!
//! Read it in this order: [`network`] (what happens in a cycle), [`node`] (where packets come from), [`router`] (where
//! a flit is), [`step`] (what happens in a step of a router), [`channels`], [`switch`], [`hopes`] and [`hold`]
//! (who goes), [`priority`] (who goes first), [`decide`] (heads that look at
//! queues), [`output`] (what is known of the buffer at the far end of a wire), [`allocators`] and [`arbiters`] (who wins).

pub mod allocators;
pub mod arbiters;
pub mod channels;
pub mod config;
pub mod decide;
pub mod exchange;
pub mod hold;
pub mod hopes;
pub mod network;
pub mod node;
pub mod output;
pub mod priority;
pub mod router;
pub mod step;
pub mod switch;
#[cfg(test)]
mod tests;

pub use allocators::Allocator;
pub use arbiters::Arbiter;
pub use config::{
    Config, Entry, InputPorts, Kinds, Needs, NodePorts, Order, Priority, RequestOrder, Sharing, Speculation, Yields,
};
pub use network::Network;
