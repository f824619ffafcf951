//! Programs: ranks whose operations send, receive and compute, and wait for each other.
//!
//! A program knows no network. [`Program`] is what whoever runs one asks. [`Generated`] makes programs by arithmetic and holds none of them.

pub mod contract;
pub mod generate;
mod hash;

pub use contract::{Operation, Program, Upon, Work};
pub use generate::{Generate, Generated, Refused};
