//! How a cycle happens. This crate names no mechanism: it calls the contracts in [`contract`], in the order that
//! `docs/model.md` fixes.

pub mod adaptive;
mod books;
pub mod contract;
pub mod cut_through;
pub mod data_path;
mod data_paths;
pub mod input_queued;
pub mod ioq;
mod mask;
pub mod occupancy;
pub mod outcome;
pub mod packet;
pub mod partition;
mod processor;
mod snapshot;
mod sources;
pub mod totals;
pub mod wheel;
mod words;
pub mod wormhole;

pub use adaptive::Adaptive;
pub use contract::host::{Arrived, Offer};
pub use contract::probe::{Delivery, NoProbe, Probe};
pub use cut_through::{CutThrough, Router};
pub use data_path::{DataPath, Network};
pub use input_queued::InputQueued;
pub use ioq::Ioq;
pub use occupancy::{Buffers, Occupancy};
pub use partition::Partitioned;
pub use sources::driven::{Driven, sending_operation};
pub use sources::hosted::Hosted;
pub use sources::lazy::Lazy;
pub use sources::supply::Supply;
pub use totals::{Amount, Lot, Totals};
pub use wormhole::Wormhole;
