//! Who watches. A probe is a type parameter of the engine's step with empty defaults, so one that is absent costs nothing.

pub mod congestion;
pub mod levels;
pub mod link_load;
pub mod meter;
mod ruler;
pub mod space_time;
pub mod windows;

pub use congestion::{Congestion, Takes};
pub use levels::Levels;
pub use link_load::LinkLoad;
pub use meter::Meter;
pub use space_time::SpaceTime;
pub use windows::Windows;
