//! What is kept for a routing that looks at queues; nothing for others.

use super::tables::Id;
use crate::contract::routing::Sight;
use crate::mask::Set;

/// What is kept for a routing that looks at queues.
#[derive(Clone, Debug)]
pub(super) struct Kept<S> {
    sight: Sight,
    /// By router: the latest cycle in which heads came to ask, and their inputs.
    fresh: Box<[(u64, S)]>,
    /// What each router signalled at the end of the latest cycles, a row per cycle; the oldest is written over.
    signals: Vec<u64>,
    routers: usize,
}

tailback_base::state!([S: Set] Kept<S> { saved: signals; rebuilt: sight, fresh, routers; });

impl<S: Set> Kept<S> {
    /// For so many routers.
    pub fn new(sight: Sight, routers: usize) -> Self {
        let rows = match sight {
            Sight::Signals(cycles) => cycles as usize + 1,
            _ => 0,
        };
        let fresh = if sight == Sight::Nothing { 0 } else { routers };
        Kept { sight, fresh: vec![(0, S::default()); fresh].into(), signals: vec![0; rows * routers], routers }
    }

    /// Whether the routing looks at queues.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        !self.fresh.is_empty()
    }

    /// Whether it looks at those of all routers.
    pub fn is_everywhere(&self) -> bool {
        self.sight == Sight::Everywhere
    }

    /// Whether routers signal to each other.
    #[inline]
    pub fn signals(&self) -> bool {
        !self.signals.is_empty()
    }

    /// A head comes to ask at an input in cycle `now`.
    #[inline]
    pub fn asks(&mut self, router: Id, input: usize, now: u64) {
        let mut inputs = self.fresh(router, now);
        inputs.insert(input);
        self.fresh[router.get() as usize] = (now, inputs);
    }

    /// The inputs at which heads came to ask in cycle `now`.
    #[inline]
    pub fn fresh(&self, router: Id, now: u64) -> S {
        let (cycle, inputs) = self.fresh[router.get() as usize];
        if cycle == now { inputs } else { S::default() }
    }

    /// A router signals at the end of cycle `now`.
    pub fn put(&mut self, router: Id, now: u64, signal: u64) {
        let at = self.row(now) + router.get() as usize;
        self.signals[at] = signal;
    }

    /// What a router signalled so many cycles before the end of the cycle before `now`.
    pub fn signal(&self, router: u32, cycles: u32, now: u64) -> u64 {
        assert!(matches!(self.sight, Sight::Signals(most) if cycles <= most), "a wire longer than the routing said");
        let sent = now.checked_sub(u64::from(cycles) + 1);
        sent.map_or(0, |cycle| self.signals[self.row(cycle) + router as usize])
    }

    /// Where the signals of the end of a cycle are.
    fn row(&self, cycle: u64) -> usize {
        (cycle % (self.signals.len() / self.routers) as u64) as usize * self.routers
    }
}
