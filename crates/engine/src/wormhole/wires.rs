//! Everything on its way: flits on links, credits, and what routers set themselves for later.
//!
//! An input receives at most one flit a cycle and a channel at most one credit, so what reaches a router in a cycle is a few
//! masks. A slot a cycle holds those of all routers.

use super::state::{Mask, add};

/// What links, credit wires and the router's own pipeline bring to a router in one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Due<W> {
    /// Inputs that receive a flit.
    pub flits: W,
    /// Output channels that get a credit.
    pub credits: W,
    /// Output channels that are free from now on: the credit is that of an owner's tail. Beside them, [`Due::WAKE`].
    pub freed: W,
    /// Inputs without a channel: the head asks for one from now on. With one: its flits may ask for the switch.
    pub ripe: W,
}

impl<W: Mask> Due<W> {
    /// In `freed`: the router has something to do. No channel of a link has the highest number.
    pub const WAKE: u64 = 1 << (8 * size_of::<W>() - 1);

    /// Whether there is nothing.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.flits.get() | self.credits.get() | self.freed.get() | self.ripe.get() == 0
    }
}

/// Where what happens in one cycle is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment(usize);

/// Everything on its way.
#[derive(Clone, Debug)]
pub(crate) struct Wires<W> {
    mask: u64,
    routers: usize,
    due: Vec<Due<W>>,
}

impl<W: Mask> Wires<W> {
    /// Nothing on its way; nothing will be further ahead than `horizon` cycles.
    pub fn new(routers: usize, horizon: u64) -> Self {
        let slots = slots(horizon);
        Wires { mask: slots as u64 - 1, routers, due: vec![Due::default(); slots * routers] }
    }

    /// The slot of a cycle within the horizon.
    #[inline(always)]
    pub fn moment(&self, cycle: u64) -> Moment {
        Moment((cycle & self.mask) as usize * self.routers)
    }

    /// What `router` finds then.
    #[inline(always)]
    pub fn at(&mut self, at: Moment, router: u32) -> &mut Due<W> {
        &mut self.due[at.0 + router as usize]
    }

    /// Visits `router` then.
    #[inline(always)]
    pub fn wake(&mut self, at: Moment, router: u32) {
        add(&mut self.at(at, router).freed, Due::<W>::WAKE);
    }

    /// The packet at the front of `input` has been through a stage of the router.
    #[inline(always)]
    pub fn ripe(&mut self, at: Moment, router: u32, input: usize) {
        add(&mut self.at(at, router).ripe, 1 << input);
    }

    /// All that is on its way to `router`.
    pub fn outstanding(&self, router: u32) -> impl Iterator<Item = Due<W>> + '_ {
        self.due.iter().skip(router as usize).step_by(self.routers).copied()
    }

    /// Whether anything is on its way to anywhere.
    pub fn is_empty(&self) -> bool {
        self.due.iter().all(Due::is_empty)
    }
}

/// Cycles that are kept apart.
pub(super) fn slots(horizon: u64) -> usize {
    (horizon + 1).next_power_of_two() as usize
}
