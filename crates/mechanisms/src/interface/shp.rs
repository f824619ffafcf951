//! Shortest, pre-routed: a queue for each direction; of those that lead closer the one with the fewest flits waiting.
//!
//! Paper:    `injection-2005` section 2 (`shp`).
//! Acts:     once a packet, when it is made.
//! Sees:     the flits that wait in the node's queues; the hops that the packet has to make.
//! State:    none.
//! Differs from the paper: ties are open there; the lowest dimension among equals, as in FSIN. A packet for a node of its
//! own router waits in queue 0.

use super::{Listed, ways};
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Shortest, pre-routed.
pub static ENTRY: Entry = Entry {
    name: "shp",
    summary: "one queue per direction: of the queues that lead closer, the one with the fewest flits waiting",
    paper: "injection-2005 section 2",
    ideal: false,
    params: &[],
};

/// The shortest of the queues that lead closer.
#[derive(Clone, Copy, Debug)]
pub struct Shp;

tailback_base::stateless!(Shp);

impl Listed for Shp {
    const BY_DIRECTION: bool = true;

    fn make(_view: View, _nodes: usize) -> Self {
        Shp
    }
}

impl Injection for Shp {
    fn choose(&mut self, _node: u32, offsets: &[i32], queues: &[InjectionQueue], _draw: impl FnOnce() -> u64) -> usize {
        ways::shortest(ways::closer(offsets), queues)
    }
}
