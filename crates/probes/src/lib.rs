//! Who watches. A probe is a type parameter of the engine's step with empty defaults, so one that is absent costs nothing.
//!
//! A probe is one file, with all that the program has to know of it ([`Listed`]), and one line in the list below.

pub mod anatomy;
mod beside;
mod channel_occupancy;
mod channels;
mod congestion;
pub mod congestion_trees;
mod heads;
mod histogram;
mod injection_queues;
pub mod kinds;
pub mod latency_split;
pub mod levels;
mod link_load;
mod listed;
mod load_map;
mod messages;
pub mod meter;
mod node_load;
mod operations;
pub mod periods;
pub mod picture;
mod progress;
mod registry;
mod ruler;
mod set_aside;
pub mod space_time;
pub mod tables;
mod takes;
pub mod waits;
mod windows;

pub use beside::Beside;
pub use congestion_trees::{CongestionTrees, Tree};
pub use heads::{Binding, Heads};
pub use latency_split::LatencySplit;
pub use link_load::{LinkLoad, LinkUse};
pub use listed::{End, Finding, Grows, Listed, Path, Site, Size, Switch};
pub use meter::Meter;
pub use periods::PeriodStats;
pub use progress::{Livelock, Progress};
pub use space_time::SpaceTime;
pub use windows::Windows;

use listed::{is_asked, is_switch};
use picture::Picture;
use std::any::Any;
use std::sync::LazyLock;
use tailback_engine::contract::probe::{EndOfCycle, Grant, Message, SetAside, Taken};
use tailback_engine::packet::Packet;
use tailback_engine::{Delivery, Probe};
use tailback_results::{Record, Series};
use tailback_spec::{Param, Section, View};

// The order of the list is that of the parameters in a spec, and of tables and pictures.
crate::registry::registry! {
    /// Loads and latency of the measured window.
    always meter: meter::Meter,
    /// The same, window by window.
    always windows: windows::Windows,
    /// How long packets stand at the front of their queues.
    always waits: waits::Waits,
    /// Latency of messages.
    asked messages: messages::Messages,
    /// Flits of every link.
    asked link_load: link_load::LinkLoad,
    /// Flits of every node.
    always node_load: node_load::NodeLoad,
    /// Mean levels of buffers.
    asked channel_occupancy: channel_occupancy::ChannelOccupancy,
    /// The parts of latency.
    asked latency_split: latency_split::LatencySplit,
    /// Packets in injection queues.
    asked injection_queues: injection_queues::InjectionQueues,
    /// Set-aside queues in use.
    asked set_aside: set_aside::SetAsideQueues,
    /// Samples of the levels of buffers.
    asked levels: levels::Levels,
    /// Load of every router, window by window.
    asked load_map: load_map::LoadMap,
    /// Where busy areas move to.
    asked movement: anatomy::Movement,
    /// Full buffers and what a throttle makes of them.
    asked congestion: congestion::Congestion,
    /// Busy buffers along a row and a column.
    asked space_time: space_time::SpaceTime,
    /// How heads come to their channels.
    asked takes: takes::Takes,
    /// What the rule of periods counts.
    asked periods: periods::PeriodStats,
    /// Whether the operations of a program are written down.
    asked operations: operations::Operations,
    /// Whether the critical path of a program is looked for.
    asked critical_path: operations::CriticalPath,
    /// Whether jobs are run alone as well.
    asked alone: operations::Alone,
}
