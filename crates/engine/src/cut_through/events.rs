//! What is known to happen to a router.

use super::tables::Id;
use crate::packet::Slot;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrival {
    pub router: Id,
    pub input: u32,
    pub slot: Slot,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    pub router: Id,
    pub input: u16,
    pub output: u16,
}

tailback_base::state!([] Arrival { saved: router, input, slot; });
tailback_base::state!([] Tail { saved: router, input, output; });
