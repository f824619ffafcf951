//! BookSim 2 configuration files: their grammar, every key with what becomes of it, and the spec that a file becomes.
//!
//! [`Config::read`] takes files and arguments as BookSim does. [`spec`] makes a spec of a configuration, or says which key is in the way.
//! No key is dropped in silence: [`explain`] has a line for each.

pub mod config;
pub mod explain;
pub mod fault;
pub mod gaps;
pub mod grammar;
pub mod inside;
pub mod keys;
pub mod list;
mod map;
pub mod network_file;
pub mod rules;

pub use config::{Config, Unknown};
pub use explain::{Row, explain};
pub use fault::{Fault, Place};
pub use inside::Inside;
pub use map::{Draft, Spec, spec};
