//! What the user asks for: parse, check, resolve, sweep.
//!
//! This crate names no component: it checks a TOML document against the [`Catalogue`] handed in.

pub mod catalogue;
pub mod view;

pub use catalogue::{Catalogue, Entry, Fallback, Kind, Param, Section};
pub use view::View;
