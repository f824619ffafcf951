//! The input-output-queued switch, packet by packet: the slow twin of the engine, written to be read beside
//! `docs/input_output_queued.md`.
//!
//! Every cycle it looks at every link, side and queue, and counts anew what is free each time it is asked. It shares nothing
//! with the engine but the traffic and the random numbers; routing is that of the wormhole reference. The disciplines are
//! written again, from the page alone.
//!
//! Read it in this order: [`network`] (what happens in a cycle), [`end`] (where a packet is), [`source`] and [`admit`] (where
//! packets come from), [`link`] and [`switch`] (who goes), [`side`] (the queues), [`discipline`] and [`recn`] (which queue),
//! [`view`] (what is shown of it), [`check`] (what must hold).

pub mod admit;
pub mod check;
pub mod config;
pub mod discipline;
pub mod end;
pub mod link;
pub mod network;
pub mod recn;
pub mod side;
pub mod source;
pub mod switch;
#[cfg(test)]
mod tests;
pub mod view;

pub use config::{Config, Discipline, EgressIndex, Recn};
pub use network::Network;
