//! Shortest: the queue with the fewest flits waiting.
//!
//! Paper:    `injection-2005` section 2 (`sh`).
//! Acts:     once a packet, when it is made.
//! Sees:     the flits that wait in the node's queues.
//! State:    none; where the search begins is a function of (seed, node, packet).
//! Differs from the paper: ties are open there; among equals the first from a random one on, as in FSIN.

use super::{Listed, ways};
use tailback_base::rng;
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Shortest.
pub static ENTRY: Entry = Entry {
    name: "sh",
    summary: "the queue with the fewest flits waiting; among equals the first from a random one on",
    paper: "injection-2005 section 2",
    ideal: false,
    params: &[],
};

/// The shortest of all queues.
#[derive(Clone, Copy, Debug)]
pub struct Sh;

tailback_base::stateless!(Sh);

impl Listed for Sh {
    fn make(_view: View, _nodes: usize) -> Self {
        Sh
    }
}

impl Injection for Sh {
    fn choose(&mut self, _node: u32, _offsets: &[i32], queues: &[InjectionQueue], draw: impl FnOnce() -> u64) -> usize {
        let count = queues.len();
        if count == 1 {
            return 0;
        }
        let first = rng::below(draw(), count as u64) as usize;
        ways::shortest((0..count).map(|i| (first + i) % count), queues)
    }
}
