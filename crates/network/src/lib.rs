//! What is built: a network as flat, immutable tables. Nothing here changes while a simulation runs.
//!
//! Ports of a k-ary n-cube: port `2d` sends towards higher coordinates of dimension `d`, port `2d + 1` towards lower ones.
//! An *input* port carries the number of the output port that feeds it, that is, of the direction of travel.

pub mod bounds;
pub mod grid;
pub mod topology;

pub use grid::{Grid, NONE};
