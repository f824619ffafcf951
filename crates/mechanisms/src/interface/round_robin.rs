//! Round robin: one queue after the other.
//!
//! Paper:    none of the five.
//! Acts:     once a packet, when it is made.
//! Sees:     nothing.
//! State:    the queue of the next packet, a byte a node.
//! Differs from the paper: nothing known.

use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::Entry;

/// Round robin.
pub static ENTRY: Entry = Entry {
    name: "round_robin",
    summary: "one queue after the other, packet by packet",
    paper: "",
    ideal: false,
    params: &[],
};

/// One after the other, each node for itself.
#[derive(Clone, Debug, Default)]
pub struct RoundRobin {
    /// By node, as far as one has sent: its next queue.
    next: Vec<u8>,
}

impl Injection for RoundRobin {
    fn choose(&mut self, node: u32, _offsets: &[i32], queues: &[InjectionQueue], _draw: impl FnOnce() -> u64) -> usize {
        let node = node as usize;
        if node >= self.next.len() {
            self.next.resize(node + 1, 0);
        }
        let queue = usize::from(self.next[node]);
        self.next[node] = ((queue + 1) % queues.len()) as u8;
        queue
    }
}
