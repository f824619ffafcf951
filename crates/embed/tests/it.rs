//! Hosts that step a network, in one binary.

mod calls;
mod example;
#[path = "../../capi/tests/goal/mod.rs"]
mod goal;
mod plain;
mod same;
mod soonest;
