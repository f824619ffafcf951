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
    /// Queues of a message class.
    count: u32,
    /// Message classes: node `n` is a port of class `n % classes`.
    classes: u32,
}

impl Fixed {
    /// `count` queues; one where nothing sorts.
    pub fn new(by: By, count: u32) -> Self {
        Fixed { by, count: if by == By::Nothing { 1 } else { count }, classes: 1 }
    }

    /// As many for each of `classes` message classes: those of a class come one after the other.
    pub fn in_classes(self, classes: u32) -> Self {
        Fixed { classes, ..self }
    }
}

tailback_base::stateless!(Fixed);

impl Queueing for Fixed {
    #[inline]
    fn count(&self) -> usize {
        (self.count * self.classes) as usize
    }

    #[inline(always)]
    fn queue_for(&self, from: u8, route: Route<'_>) -> usize {
        let of_class = match self.by {
            By::Nothing => 0,
            By::Turn => usize::from(route.next()),
            By::Sender => usize::from(from),
            By::Destination => return by_destination(route.destination, self.count, self.classes),
        };
        in_class(of_class, route.destination, self.count, self.classes)
    }
}

/// The number of a queue among those of all classes, by its number among the `count` ones of its class.
#[inline(always)]
pub fn in_class(queue: usize, destination: u32, count: u32, classes: u32) -> usize {
    if classes == 1 { queue } else { (destination % classes * count) as usize + queue }
}

/// The same, where the node decides which one of its class it is.
#[inline(always)]
pub fn by_destination(destination: u32, count: u32, classes: u32) -> usize {
    if classes == 1 {
        return (destination % count) as usize;
    }
    in_class((destination / classes % count) as usize, destination, count, classes)
}
