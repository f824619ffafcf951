//! The adaptive cut-through router, flit by flit: the slow twin of the engine, written to be read beside
//! `docs/adaptive.md`.
//!
//! Every cycle it looks at every input of every router and moves every flit by itself; what is free it counts anew each
//! time it is asked. It shares nothing with the engine but the traffic and the random numbers. Routing, selection,
//! arbiters and throttles are those of the wormhole reference, written from their own documentation.
//!
//! Read it in this order: [`network`] (what happens in a cycle), [`router`] (where a flit is), [`interface`] and
//! [`generate`] (where packets come from), [`request`] (what heads ask for), [`flow`] (what they fit into), [`link`] (who
//! goes), [`view`] (what is shown of it).

pub mod config;
pub mod flow;
pub mod generate;
pub mod interface;
pub mod link;
pub mod network;
pub mod request;
pub mod router;
#[cfg(test)]
mod tests;
pub mod view;

pub use config::{Config, CrossbarOutputs, FlowControl, InterfaceChannels, Pace, Policy, Port, Requests, Scope};
pub use interface::Message;
pub use network::Network;
