//! What a spec says to turn probes on, from their list.

use tailback_sim::bench::{Switch, switches};

/// Cycles between samples, and in charts: a few samples in a small run.
const EVERY: u64 = 64;

/// Turns on every probe, with space-time charts from a cycle on in which a small network is full.
pub fn all() -> String {
    format!("{}, space_time_from_cycle = 1000", on(|_| true))
}

/// Turns on those that add up over the parts of a network.
pub fn of_parts() -> String {
    on(|switch| switch.adds_up)
}

/// Turns on those of them that go by no coordinates.
pub fn of_parts_without_a_grid() -> String {
    on(|switch| switch.adds_up && !switch.needs_grid)
}

fn on(which: impl Fn(&Switch) -> bool) -> String {
    let on: Vec<String> =
        switches().iter().filter(|s| which(s)).map(|s| format!("{} = {}", s.param.name, s.value(EVERY))).collect();
    assert!(on.len() >= 2, "{on:?}");
    on.join(", ")
}
