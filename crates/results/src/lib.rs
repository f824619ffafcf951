//! What came out: the record of a simulated point, its statistics, and how both reach the disk.
//!
//! The crate knows no engine and no spec: it takes plain numbers. The way through it is
//! [`histogram`] and [`statistics`] (samples to numbers), [`schema`] and [`digest`] (numbers to one flat
//! [`Record`]), [`table`] (records by columns), [`identical`] (records that are bit for bit the same), then [`json_lines`], [`parquet_file`], [`series`], [`capsule`] and
//! [`checkpoint`] (the forms of a file) and
//! [`store`] (the folder that holds them).
//!
//! Invariants: no number in a file is NaN or infinite (it is null); no file is ever half written except the
//! last line of `records.jsonl`, which readers ignore; the digest never sees the wall clock.

pub mod atomic;
pub mod capsule;
pub mod checkpoint;
pub mod digest;
mod durable;
mod error;
pub mod forge;
pub mod histogram;
pub mod identical;
pub mod json_lines;
mod lock;
pub mod output;
#[cfg(feature = "parquet")]
pub mod parquet_file;
pub mod schema;
pub mod series;
pub mod statistics;
pub mod store;
pub mod table;

#[cfg(test)]
mod test_support;

pub use capsule::Capsule;
pub use checkpoint::Checkpoint;
pub use digest::Digest;
pub use error::{Error, Result};
pub use histogram::LatencyHistogram;
pub use output::{Inputs, Kind, Output, Replace};
pub use schema::{Record, Scalar, Status};
pub use series::Series;
pub use store::{Failed, OutDir};
