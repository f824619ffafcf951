//! What a router costs in silicon area and in nanoseconds, after the VLSI designs of `bubble-1999`.
//!
//! The paper gives the area and the critical path of every module of four routers for two-dimensional tori (tables 1 to 3)
//! and the critical path of the crossbars for three (table 4). [`price`] puts these together for the paper's routers, and
//! for variants with more channels, other queues or other dimensions by lines through what the paper gives. Every number is
//! a [`Value`]: it says whether the paper measured it, or by which rule it was interpolated or extrapolated.
//!
//! [`PRESETS`] are the same routers as the simulator sees them: sections of a spec, in cycles.
//!
//! Pure arithmetic; this crate depends on nothing.

mod designs;
mod preset;
mod price;
mod value;

pub use designs::Family;
pub use preset::{PRESETS, Preset, preset};
pub use price::{Cost, Module, Refusal, Stage, Variant, price};
pub use value::{Source, Value};
