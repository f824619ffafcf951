//! Queues that are always there: which one a packet joins follows from where it comes from and where it goes.

use tailback_engine::contract::queueing::{Queueing, Route};

/// What sorts packets into the queues of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Nothing decides: there is one queue.
    Nothing,
    /// The first output port of the route from there on.
    Turn,
    /// The port that the packet comes from across the crossbar.
    Sender,
    /// The destination node modulo the number of queues.
    Destination,
}

/// The queues of a side, under a discipline without state.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    by: By,
    count: u32,
}

impl Fixed {
    /// `count` queues; one where nothing sorts.
    pub fn new(by: By, count: u32) -> Self {
        Fixed { by, count: if by == By::Nothing { 1 } else { count } }
    }
}

tailback_base::stateless!(Fixed);

impl Queueing for Fixed {
    #[inline]
    fn count(&self) -> usize {
        self.count as usize
    }

    #[inline(always)]
    fn queue_for(&self, from: u8, route: Route<'_>) -> usize {
        match self.by {
            By::Nothing => 0,
            By::Turn => usize::from(route.next()),
            By::Sender => usize::from(from),
            By::Destination => (route.destination % self.count) as usize,
        }
    }
}
