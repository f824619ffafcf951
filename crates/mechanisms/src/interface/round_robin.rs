//! Round robin: one queue after the other.
//!
//! Paper:    none of the five.
//! Acts:     once a packet, when it is made.
//! Sees:     nothing.
//! State:    the queue of the next packet, a byte a node.
//! Differs from the paper: nothing known.

use super::Listed;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Round robin.
pub static ENTRY: Entry = Entry {
    name: "round_robin",
    summary: "one queue after the other, packet by packet",
    paper: "",
    ideal: false,
    params: &[],
};

/// One after the other, each node for itself.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    /// By node: its next queue.
    next: Vec<u8>,
    queues: usize,
}

impl RoundRobin {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(
            self.next.iter().all(|&next| usize::from(next) < self.queues),
            "it is the turn of a queue that is not there",
        )
    }
}

tailback_base::state!([] RoundRobin { saved: next; rebuilt: queues; } [fits]);

impl Listed for RoundRobin {
    fn make(view: View, nodes: usize) -> Self {
        RoundRobin { next: vec![0; nodes], queues: view.u32("queues") as usize }
    }
}

impl Injection for RoundRobin {
    fn choose(&mut self, node: u32, _offsets: &[i32], queues: &[InjectionQueue], _draw: impl FnOnce() -> u64) -> usize {
        let next = &mut self.next[node as usize];
        let queue = usize::from(*next);
        *next = ((queue + 1) % queues.len()) as u8;
        queue
    }
}
