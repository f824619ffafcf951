//! Arbiters: who gets an output.

mod matrix;
mod oldest_first;
mod random;
mod round_robin;
mod two_level;

use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::arbiter::{Arbiter, Askers, Contest, Turn};
use tailback_spec::{Idle, View, When};

/// Among whom the arbiters of a network choose.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    /// The numbers of outputs are below this.
    pub arbiters: usize,
    /// Virtual channels of a network port: inputs are numbered by port, then channel, then the injection queues.
    pub channels: u32,
    /// Inputs of network ports.
    pub network: u32,
}

/// Where nobody asks any of them.
const IDLE: &[Idle] = &[Idle {
    keys: &["kind", "channel"],
    when: &[When::Is("router.kind", &["input_queued"])],
    because: "router.vc_allocator and router.switch_allocator choose there",
}];

crate::registry::registry! {
    /// An arbiter that a spec can name.
    Arbiter: round_robin::RoundRobin, random::Random, oldest_first::OldestFirst, matrix::Matrix, two_level::TwoLevel;

    section {
        path: "arbiter",
        doc: "Who gets an output when several heads ask for it.",
        default: round_robin,
        params: &[],
        idle: IDLE
    }

    /// Builds the arbiters of a resolved `arbiter` section; `inputs` says among whom they choose.
    pub fn build(view: View, seed: u64, inputs: Inputs) -> Any;

    /// Whether inputs take turns, each after the one before it.
    const TAKES_TURNS as takes_turns: bool = false;

    /// Whether it has to know which inputs are of one port.
    const ASKS_PORTS as asks_ports: bool = false;

    /// Among how many inputs it can choose at most.
    const MOST_INPUTS as most_inputs: usize = usize::MAX;

    impl State {
        fn save(&self, to: &mut Writer);
        fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit>;
    }

    impl Arbiter {
        usually RoundRobin
        #[inline(always)]
        fn pick(&self, contest: Contest<impl Askers>, pointer: &mut impl Turn, age: impl Fn(u32) -> (u64, u32)) -> u32;
        #[inline]
        fn is_round_robin(&self) -> bool;
        fn forgets_single_askers(&self) -> bool;
        #[inline]
        fn served(&mut self, output: u32, winner: u32);
        paired fn join(&mut self, part: &Self, outputs: Range<u32>);
    }
}
