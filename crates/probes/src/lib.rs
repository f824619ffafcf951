//! Who watches. A probe is a type parameter of the engine's step with empty defaults, so one that is absent costs nothing.

pub mod anatomy;
pub mod channel_occupancy;
pub mod congestion;
pub mod congestion_trees;
pub mod heads;
pub mod injection_queues;
pub mod latency_split;
pub mod levels;
pub mod link_load;
pub mod load_map;
pub mod messages;
pub mod meter;
pub mod node_load;
pub mod progress;
mod ruler;
pub mod set_aside;
pub mod space_time;
pub mod waits;
pub mod windows;

pub use channel_occupancy::ChannelOccupancy;
pub use congestion::{Congestion, Takes};
pub use congestion_trees::{CongestionTrees, Tree};
pub use heads::{Binding, Heads};
pub use injection_queues::InjectionQueues;
pub use latency_split::LatencySplit;
pub use levels::Levels;
pub use link_load::LinkLoad;
pub use load_map::LoadMap;
pub use messages::Messages;
pub use meter::Meter;
pub use node_load::NodeLoad;
pub use progress::{Livelock, Progress};
pub use set_aside::SetAsideQueues;
pub use space_time::SpaceTime;
pub use waits::Waits;
pub use windows::Windows;
