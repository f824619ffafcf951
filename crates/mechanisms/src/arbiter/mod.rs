//! Arbiters: who gets an output.

mod matrix;
mod oldest_first;
mod random;
mod round_robin;

use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::arbiter::{Arbiter, Contest};
use tailback_spec::{Section, View};

crate::catalogue! {
    /// Round robin.
    RoundRobin(round_robin::RoundRobin, round_robin::ENTRY),
    /// Random.
    Random(random::Random, random::ENTRY),
    /// Oldest first.
    OldestFirst(oldest_first::OldestFirst, oldest_first::ENTRY),
    /// Matrix.
    Matrix(matrix::Matrix, matrix::ENTRY),
}

/// The `arbiter` section.
pub fn section() -> Section {
    Section {
        path: "arbiter",
        doc: "Who gets an output when several heads ask for it.",
        params: &[],
        entries: ENTRIES.to_vec(),
        default_entry: Some(round_robin::ENTRY.name),
        idle: Vec::new(),
    }
}

/// Builds the arbiters of a resolved `arbiter` section; the numbers of their outputs are below `arbiters`.
pub fn build(view: View, seed: u64, arbiters: usize) -> Any {
    match view.kind() {
        "random" => Any::Random(random::Random::new(seed)),
        "oldest_first" => Any::OldestFirst(oldest_first::OldestFirst),
        "matrix" => Any::Matrix(matrix::Matrix::new(arbiters)),
        _ => Any::RoundRobin(round_robin::RoundRobin),
    }
}

/// Bytes of state that the arbiters of a resolved `arbiter` section keep, for estimates.
pub fn state_bytes(view: View, arbiters: u64) -> u64 {
    if view.kind() == matrix::ENTRY.name { arbiters.saturating_mul(matrix::BYTES) } else { 0 }
}

impl Any {
    /// All but the usual one, which alone is inlined into the loop.
    #[cold]
    fn pick_other(&self, contest: Contest, pointer: &mut u8, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        match self {
            Any::RoundRobin(a) => a.pick(contest, pointer, age),
            Any::Random(a) => a.pick(contest, pointer, age),
            Any::OldestFirst(a) => a.pick(contest, pointer, age),
            Any::Matrix(a) => a.pick(contest, pointer, age),
        }
    }
}

impl State for Any {
    fn save(&self, to: &mut Writer) {
        match self {
            Any::RoundRobin(m) => m.save(to),
            Any::Random(m) => m.save(to),
            Any::OldestFirst(m) => m.save(to),
            Any::Matrix(m) => m.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match self {
            Any::RoundRobin(m) => m.restore(from),
            Any::Random(m) => m.restore(from),
            Any::OldestFirst(m) => m.restore(from),
            Any::Matrix(m) => m.restore(from),
        }
    }
}

impl Arbiter for Any {
    #[inline(always)]
    fn pick(&self, contest: Contest, pointer: &mut u8, age: impl Fn(u32) -> (u64, u32)) -> u32 {
        match self {
            Any::RoundRobin(a) => a.pick(contest, pointer, age),
            other => other.pick_other(contest, pointer, age),
        }
    }

    #[inline]
    fn is_round_robin(&self) -> bool {
        matches!(self, Any::RoundRobin(_))
    }

    fn forgets_single_askers(&self) -> bool {
        match self {
            Any::RoundRobin(a) => a.forgets_single_askers(),
            Any::Random(a) => a.forgets_single_askers(),
            Any::OldestFirst(a) => a.forgets_single_askers(),
            Any::Matrix(a) => a.forgets_single_askers(),
        }
    }

    fn join(&mut self, part: &Self, outputs: Range<u32>) {
        if let (Any::Matrix(a), Any::Matrix(part)) = (self, part) {
            a.join(part, outputs);
        }
    }

    #[inline]
    fn served(&mut self, output: u32, winner: u32) {
        if let Any::Matrix(a) = self {
            a.served(output, winner);
        }
    }
}
