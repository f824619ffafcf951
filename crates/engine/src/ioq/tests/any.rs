//! Any of the disciplines of the tests. One type: for each the loops would be compiled anew.

use super::mechanisms::{ByDestination, Modulo, Moods, Moody, One, Single};
use crate::contract::queueing::{Discipline, Notice, Place, Queueing, Route, Turns};
use tailback_base::state::{Reader, State, Unfit, Writer};

/// Any discipline.
pub enum Any {
    Single(Single),
    ByDestination(ByDestination),
    Moody(Moody),
}

/// Its queues.
pub enum AnyQueues {
    One(One),
    Modulo(Modulo),
    Moods(Moods),
}

/// Runs `$body` with `$of` bound to whatever queues.
macro_rules! any {
    ($self:expr, $of:ident => $body:expr) => {
        match $self {
            AnyQueues::One($of) => $body,
            AnyQueues::Modulo($of) => $body,
            AnyQueues::Moods($of) => $body,
        }
    };
}

impl Discipline for Any {
    type Queues = AnyQueues;

    fn queues(&self, place: Place) -> AnyQueues {
        match self {
            Any::Single(of) => AnyQueues::One(of.queues(place)),
            Any::ByDestination(of) => AnyQueues::Modulo(of.queues(place)),
            Any::Moody(of) => AnyQueues::Moods(of.queues(place)),
        }
    }

    fn shares_memory(&self) -> bool {
        match self {
            Any::Single(of) => of.shares_memory(),
            Any::ByDestination(of) => of.shares_memory(),
            Any::Moody(of) => of.shares_memory(),
        }
    }

    fn credit_counter(&self, route: Route<'_>) -> usize {
        match self {
            Any::Single(of) => of.credit_counter(route),
            Any::ByDestination(of) => of.credit_counter(route),
            Any::Moody(of) => of.credit_counter(route),
        }
    }
}

impl State for AnyQueues {
    fn save(&self, to: &mut Writer) {
        any!(self, of => of.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        any!(self, of => of.restore(from))
    }
}

impl Queueing for AnyQueues {
    fn count(&self) -> usize {
        any!(self, of => of.count())
    }

    fn queue_for(&self, from: u8, route: Route<'_>) -> usize {
        any!(self, of => of.queue_for(from, route))
    }

    fn accepts(&self, route: Route<'_>) -> bool {
        any!(self, of => of.accepts(route))
    }

    fn answers(&self) -> u32 {
        any!(self, of => of.answers())
    }

    fn joined(&mut self, queue: usize, from: u8, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        any!(self, of => of.joined(queue, from, level, send))
    }

    fn left(&mut self, queue: usize, level: u32, send: &mut impl FnMut(u8, Notice)) -> bool {
        any!(self, of => of.left(queue, level, send))
    }

    fn told(
        &mut self,
        from: u8,
        notice: &Notice,
        level: impl Fn(usize) -> u32,
        send: &mut impl FnMut(u8, Notice),
    ) -> bool {
        any!(self, of => of.told(from, notice, level, send))
    }

    fn held(&self) -> u64 {
        any!(self, of => of.held())
    }

    fn deferred(&self) -> u64 {
        any!(self, of => of.deferred())
    }

    fn set_aside(&self) -> u32 {
        any!(self, of => of.set_aside())
    }

    fn is_aside(&self, queue: usize) -> bool {
        any!(self, of => of.is_aside(queue))
    }

    fn points(&self, each: &mut dyn FnMut(&Turns)) {
        any!(self, of => of.points(each));
    }
}

impl From<Single> for Any {
    fn from(discipline: Single) -> Self {
        Any::Single(discipline)
    }
}

impl From<ByDestination> for Any {
    fn from(discipline: ByDestination) -> Self {
        Any::ByDestination(discipline)
    }
}

impl From<Moody> for Any {
    fn from(discipline: Moody) -> Self {
        Any::Moody(discipline)
    }
}
