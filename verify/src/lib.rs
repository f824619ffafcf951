//! Scenarios, reference models and the tests that hold the engine to them.

pub mod adaptive;
pub mod adaptive_bridge;
pub mod any_probe;
pub mod bridge;
pub mod input_queued;
pub mod input_queued_bridge;
pub mod ioq;
pub mod ioq_bridge;
pub mod reference;
pub mod totals;
pub mod traffic;
pub mod traffic_bridge;
pub mod wormhole;
pub mod wormhole_bridge;
