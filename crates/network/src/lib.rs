//! What is built: a network as flat, immutable tables. Nothing here changes while a simulation runs.
//!
//! A network of any shape is a [`graph::Network`]. Families of networks are in [`family`], what they measure is in [`measure`], and
//! their files are in [`files`]. Tables of ways for routing are [`ways`], [`up_down`] and [`routes`]. Simulations run on a [`Grid`] so far.
//!
//! Ports of a k-ary n-cube: port `2d` sends towards higher coordinates of dimension `d`, port `2d + 1` towards lower ones.
//! An *input* port of a grid carries the number of the output port that feeds it, that is, of the direction of travel.

pub mod bounds;
pub mod family;
pub mod files;
pub mod graph;
pub mod grid;
pub mod groups;
pub mod layout;
pub mod measure;
pub mod routes;
pub mod rows;
pub mod topology;
pub mod up_down;
pub mod ways;

pub use graph::Network;
pub use grid::{Grid, NONE};
