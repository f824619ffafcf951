//! Programs: ranks whose operations send, receive and compute, and wait for each other.
//!
//! A program knows no network. [`Program`] is what whoever runs one asks; the crate makes programs by arithmetic and reads them from files.

pub mod contract;

pub use contract::{Operation, Program, Upon, Work};
