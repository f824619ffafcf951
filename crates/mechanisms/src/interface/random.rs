//! Random: any queue with the same probability.
//!
//! Paper:    none of the five.
//! Acts:     once a packet, when it is made.
//! Sees:     nothing.
//! State:    none; the draw is a function of (seed, node, packet).
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_base::rng;
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Random.
pub static ENTRY: Entry =
    Entry { name: "random", summary: "any queue with the same probability", paper: "", ideal: false, params: &[] };

/// A uniform choice.
#[derive(Clone, Copy, Debug)]
pub struct Random;

tailback_base::stateless!(Random);

impl Listed for Random {
    fn make(_view: View, _nodes: usize) -> Self {
        Random
    }
}

impl Injection for Random {
    fn choose(&mut self, _node: u32, _offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize {
        rng::below(draw(), queues.len() as u64) as usize
    }
}
