//! The C interface, in one binary.

mod adapters;
mod compile;
mod goal;
mod header;
mod hosts;
