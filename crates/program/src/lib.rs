//! Programs: ranks whose operations send, receive and compute, and wait for each other.
//!
//! A program knows no network. [`Program`] is what whoever runs one asks. [`Generated`] makes programs by arithmetic and holds none of them; [`goal`]
//! reads and writes them as files.

pub mod bounds;
pub mod check;
mod circles;
pub mod contract;
pub mod generate;
pub mod goal;
mod hash;
pub mod jobs;
mod matching;

pub use bounds::{Bounds, Carrier, bounds, bounds_on};
pub use check::{Problem, check};
pub use contract::{Operation, Program, Upon, Work};
pub use generate::{Generate, Generated, Refused};
pub use jobs::{Job, Jobs};
