//! Longest path: a queue for each direction; that in which most hops are left.
//!
//! Paper:    `injection-2005` section 2 (`lpath`).
//! Acts:     once a packet, when it is made.
//! Sees:     the hops that the packet has to make.
//! State:    none.
//! Differs from the paper: ties are open there; the lowest dimension among equals, as in FSIN. A packet for a node of its
//! own router waits in queue 0.

use super::{Listed, ways};
use std::cmp::Reverse;
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Longest path.
pub static ENTRY: Entry = Entry {
    name: "lpath",
    summary: "one queue per direction: the direction with most hops left, the lowest dimension among equals",
    paper: "injection-2005 section 2",
    ideal: false,
    params: &[],
};

/// The queue of the direction in which most hops are left.
#[derive(Clone, Copy, Debug)]
pub struct Lpath;

tailback_base::stateless!(Lpath);

impl Listed for Lpath {
    const BY_DIRECTION: bool = true;

    fn make(_view: View, _nodes: usize) -> Self {
        Lpath
    }
}

impl Injection for Lpath {
    fn choose(
        &mut self,
        _node: u32,
        offsets: &[i32],
        _queues: &[InjectionQueue],
        _draw: impl FnOnce() -> u64,
    ) -> usize {
        let longest = (0..offsets.len()).min_by_key(|&d| Reverse(offsets[d].unsigned_abs()));
        longest.and_then(|d| ways::queue(d, offsets[d])).unwrap_or(0)
    }
}
