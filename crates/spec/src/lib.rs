//! What the user asks for: parse, check, resolve, sweep.
//!
//! This crate names no component: it checks a TOML document against the [`Catalogue`] handed in.
//!
//! ```text
//! bytes -- Document::parse --> Document -- set --> Document -- resolve --> Resolved (one complete spec)
//!                                                           \- plan ----> Plan --> Point, Point, ... (a spec and a seed each)
//! ```
//!
//! Every step collects all that is wrong and answers with [`Errors`], which knows how to show itself.

pub mod catalogue;
mod check;
mod document;
mod effect;
mod error;
mod explain;
mod identity;
mod mend;
mod mould;
mod node;
mod parse;
mod plan;
mod preset;
mod problems;
mod range;
mod reference;
mod render;
mod resolve;
mod resolved;
mod schema;
mod set;
mod sweep;
pub mod view;
mod words;

pub use catalogue::{Catalogue, Entry, Fallback, Implied, Kind, Param, Preset, Section, Settled};
pub use document::Document;
pub use effect::{Idle, NoEffect, When};
pub use error::{Errors, Position, SpecError};
pub use identity::contents_digest;
pub use node::Place;
pub use parse::{MAX_BYTES, MAX_DEPTH};
pub use plan::{Kin, MAX_POINTS, Plan, Point};
pub use problems::problems;
pub use reference::{list, markdown};
pub use resolved::{Origin, Resolved, Sources};
pub use schema::json_schema;
pub use view::View;
pub use words::nearest;
