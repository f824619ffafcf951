//! Arbitration: which of the heads that ask for an output gets it.

use std::ops::Range;
use tailback_base::state::State;

/// One arbitration.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The current cycle.
    pub cycle: u64,
    /// A number unique to the output in the network.
    pub output: u32,
    /// The inputs that ask and could go, as a mask; never 0. Inputs are numbered by port, then virtual channel, then
    /// the router's injection queues.
    pub inputs: u64,
}

/// Picks winners. Its usual state is one byte an output, kept by the engine.
pub trait Arbiter: State {
    /// The winning input. `pointer` is the output's byte, 0 at the start; `age(input)` orders packets, lower is older.
    fn pick(&self, contest: Contest, pointer: &mut u8, age: impl Fn(u32) -> (u64, u32)) -> u32;

    /// `winner` has really been served by `output`: what an arbiter with more state than a byte learns from. (Where a
    /// pick can come to nothing, the engine keeps the old `pointer` then, and does not call this.)
    #[inline]
    fn served(&mut self, _output: u32, _winner: u32) {}

    /// Takes over what the arbiters of a part of the network have learned, whose numbers these are.
    fn join(&mut self, _part: &Self, _outputs: Range<u32>) {}

    /// Whether a contest with one asker leaves no trace: it wins, `pointer` stays, and [`Arbiter::served`] changes nothing. An
    /// engine may then grant it without asking.
    #[inline]
    fn forgets_single_askers(&self) -> bool {
        false
    }

    /// Whether it is plain round robin: the first input from `pointer` on wins, or the first of all if there is none, and
    /// `pointer` goes to the number after the winner's, 64 being 0. An engine may then do it without asking.
    fn is_round_robin(&self) -> bool {
        false
    }
}
