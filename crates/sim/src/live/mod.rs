//! A network that somebody plays with: it is steered while it runs, looked at whenever somebody asks, and copied.
//!
//! [`Script`] is what is played: a spec and the changes so far. [`Running`] is the network, in a thread of its own, which does what it
//! is told and nothing else. `tailback run` of [`Script::spec`] simulates the same, bit for bit.

mod flow;
mod picture;
mod running;
mod script;
mod words;

pub use flow::{Flow, Passenger};
pub use picture::{Dot, LONG_WAIT, LinkLook, Picture, Root, Scale};
pub use running::{Anew, Line, Locked, Running, Stage, State, Sums, Teller};
pub use script::{PACE, Script};
pub use tailback_results::LatencyHistogram as Latencies;
pub use words::{Now, Scope, Waiter};
