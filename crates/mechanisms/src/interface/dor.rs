//! Dimension order: a queue for each direction; that of the first dimension with hops left.
//!
//! Paper:    none of the five; FSIN, the simulator of `injection-2005`, has it.
//! Acts:     once a packet, when it is made.
//! Sees:     the hops that the packet has to make.
//! State:    none.
//! Differs from FSIN: nothing known. A packet for a node of its own router waits in queue 0.

use super::{Listed, ways};
use tailback_engine::contract::injection::{Injection, InjectionQueue};
use tailback_spec::{Entry, View};

/// Dimension order.
pub static ENTRY: Entry = Entry {
    name: "dor",
    summary: "one queue per direction: the first dimension with hops left",
    paper: "",
    ideal: false,
    params: &[],
};

/// The queue of the first direction in dimension order.
#[derive(Clone, Copy, Debug)]
pub struct Dor;

tailback_base::stateless!(Dor);

impl Listed for Dor {
    const BY_DIRECTION: bool = true;

    fn make(_view: View, _nodes: usize) -> Self {
        Dor
    }
}

impl Injection for Dor {
    fn choose(
        &mut self,
        _node: u32,
        offsets: &[i32],
        _queues: &[InjectionQueue],
        _draw: impl FnOnce() -> u64,
    ) -> usize {
        ways::closer(offsets).next().unwrap_or(0)
    }
}
