//! Arbiters: who gets an output.

mod matrix;
mod oldest_first;
mod random;
mod round_robin;

use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::arbiter::{Arbiter, Contest};
use tailback_spec::View;

crate::registry::registry! {
    /// An arbiter that a spec can name.
    Arbiter: round_robin::RoundRobin, random::Random, oldest_first::OldestFirst, matrix::Matrix;

    section {
        path: "arbiter",
        doc: "Who gets an output when several heads ask for it.",
        default: round_robin,
        params: &[],
        idle: &[]
    }

    /// Builds the arbiters of a resolved `arbiter` section; the numbers of their outputs are below `arbiters`.
    pub fn build(view: View, seed: u64, arbiters: usize) -> Any;

    /// Whether inputs take turns, each after the one before it.
    const TAKES_TURNS as takes_turns: bool = false;

    impl State {
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }

    impl Arbiter {
        usually RoundRobin
        #[inline(always)]
        fn pick(&self, contest: Contest, pointer: &mut u8, age: impl Fn(u32) -> (u64, u32)) -> u32;
        #[inline]
        fn is_round_robin(&self) -> bool;
        fn forgets_single_askers(&self) -> bool;
        #[inline]
        fn served(&mut self, output: u32, winner: u32);
        paired fn join(&mut self, part: &Self, outputs: Range<u32>);
    }
}
