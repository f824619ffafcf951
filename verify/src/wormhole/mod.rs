//! The wormhole router, flit by flit: the slow twin of the engine, written to be read beside `docs/wormhole.md`.
//!
//! Every cycle it looks at every input of every router and moves every flit by itself. It shares nothing with the engine
//! but the traffic and the random numbers: wiring, routing, selection, arbitration, allocation, recovery and throttling are
//! written again, from the cycle model and the mechanisms' own documentation.
//!
//! Read it in this order: [`network`] (what happens in a cycle), [`packet`] and [`router`] (where a flit is), [`channels`]
//! and [`switch`] (who goes), [`arbiter`] (who wins), [`routing`] and [`selection`] (where heads may go), [`recovery`] (how
//! they get away when they cannot), [`throttle`], [`own_outputs`], [`tuner`] and [`inc`] (what holds them back).

pub mod arbiter;
pub mod channels;
pub mod config;
pub mod inc;
pub mod network;
pub mod own_outputs;
pub mod packet;
pub mod recovery;
pub mod router;
pub mod routing;
pub mod selection;
pub mod switch;
#[cfg(test)]
mod tests;
pub mod throttle;
pub mod tuner;

pub use config::{Arbiter, ChannelAllocator, Config, CrossbarInputs, Sharing, SwitchAllocator};
pub use inc::Inc;
pub use network::Network;
pub use packet::Delivered;
pub use recovery::{Recovery, TokenWay};
pub use routing::{Asks, Escape, OwnRouter, Passing, Routing, Rule, Tied};
pub use selection::Selection;
pub use throttle::{Admission, Band, Estimate};
pub use tuner::Tuning;
