//! Scenarios, reference models and the tests that hold the engine to them.

pub mod bridge;
pub mod reference;
