//! Arbiters: who gets an output.

mod oldest_first;
mod random;
mod round_robin;

use tailback_engine::contract::arbiter::{Arbiter, Contest};
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Round robin.
    RoundRobin(round_robin::RoundRobin, round_robin::ENTRY),
    /// Random.
    Random(random::Random, random::ENTRY),
    /// Oldest first.
    OldestFirst(oldest_first::OldestFirst, oldest_first::ENTRY),
}

/// The `arbiter` section.
pub fn section() -> Section {
    Section {
        path: "arbiter",
        doc: "Who gets an output when several heads ask for it.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(round_robin::ENTRY.name),
    }
}

/// Builds the arbiter of a resolved `arbiter` section.
pub fn build(view: View, seed: u64) -> Any {
    match view.kind() {
        "random" => Any::Random(random::Random::new(seed)),
        "oldest_first" => Any::OldestFirst(oldest_first::OldestFirst),
        _ => Any::RoundRobin(round_robin::RoundRobin),
    }
}

impl Arbiter for Any {
    #[inline]
    fn pick(&self, contest: Contest, pointer: &mut u8, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        match self {
            Any::RoundRobin(a) => a.pick(contest, pointer, age),
            Any::Random(a) => a.pick(contest, pointer, age),
            Any::OldestFirst(a) => a.pick(contest, pointer, age),
        }
    }
}
