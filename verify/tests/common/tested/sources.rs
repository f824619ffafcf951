//! What nodes send in ordinary runs, or sources that only a test has.

use crate::closed_loop::replies::Replies;
use crate::programs::checked::Checked;
use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_engine::contract::host::{Arrived, Offer};
use tailback_engine::contract::sources::{Ahead, Next, Sources};
use tailback_engine::outcome::Standing;
use tailback_engine::packet::Packet;
use tailback_engine::{Amount, Lot, Supply};
use tailback_traffic::{Generated, Traffic};

/// Any sources.
pub enum AnySources<'t> {
    Supply(Supply<'t>),
    Checked(Checked<'t>),
    Replies(Replies),
}

impl<'t> AnySources<'t> {
    /// The sources that are compared with their twin.
    pub fn checked(&self) -> &Checked<'t> {
        match self {
            AnySources::Checked(checked) => checked,
            _ => panic!("nobody compares these sources"),
        }
    }
}

/// Runs `$body` with `$of` bound to whatever nodes send.
macro_rules! any {
    ($self:expr, $of:ident => $body:expr) => {
        match $self {
            AnySources::Supply($of) => $body,
            AnySources::Checked($of) => $body,
            AnySources::Replies($of) => $body,
        }
    };
}

impl State for AnySources<'_> {
    fn save(&self, to: &mut Writer) {
        any!(self, of => of.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        any!(self, of => of.restore(from))
    }
}

/// Every method of the contract that takes plain arguments, the provided ones too: a default may not be what sources do. First those that
/// change something.
macro_rules! forwarded {
    ($(fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        $(fn $name(&self $(, $arg: $type)*) $(-> $result)? {
            any!(self, of => of.$name($($arg),*))
        })+
    };
    (mut $(fn $name:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)+) => {
        $(fn $name(&mut self $(, $arg: $type)*) $(-> $result)? {
            any!(self, of => of.$name($($arg),*))
        })+
    };
}

impl Sources for AnySources<'_> {
    type Ahead<'s>
        = AnyAhead<'s>
    where
        Self: 's;

    forwarded! {
        mut
        fn next(node: u32, now: u64) -> Next;
        fn offer(now: u64, offer: Offer);
        fn queued(node: u32, now: u64) -> Amount;
        fn consumed(node: u32, places: u32);
        fn arrivals() -> Option<&mut Vec<Arrived>>;
        fn stall(node: u32, until: u64);
        fn delivered(now: u64, packet: &Packet, message: Option<u64>) -> Option<u64>;
        fn frees(node: u32, now: u64) -> Option<u32>;
        fn entered(now: u64, packet: &Packet) -> Option<u64>;
        fn left(at: u64, packet: &Packet) -> Option<u64>;
        fn catch_up(now: u64);
    }

    forwarded! {
        fn has_host() -> bool;
        fn kin(node: u32) -> Range<u32>;
        fn kin_take_turns() -> bool;
        fn frees_late() -> bool;
        fn comes_free(node: u32) -> bool;
        fn holds(node: u32) -> u32;
        fn waits_to_leave(node: u32) -> Option<u32>;
        fn follows_packets() -> bool;
        fn mark(node: u32, index: u64) -> u64;
        fn has_ended(node: u32) -> bool;
        fn taken(node: u32) -> u64;
        fn made(node: u32, packets: u64, now: u64) -> Amount;
        fn min_flits() -> u32;
        fn max_flits() -> u32;
        fn makes(node: u32, packet: &Generated) -> bool;
        fn stands_behind(node: u32, packet: &Generated, latest: u64) -> bool;
        fn know(now: u64, packets: &[Packet]) -> Result<(), Unfit>;
        fn standing(most: usize) -> Option<Standing>;
        fn has_program() -> bool;
        fn expect(node: u32);
    }

    fn ahead(&self, node: u32) -> AnyAhead<'_> {
        match self {
            AnySources::Supply(of) => AnyAhead::Supply(of.ahead(node)),
            AnySources::Checked(of) => AnyAhead::Checked(of.ahead(node)),
            AnySources::Replies(of) => AnyAhead::Replies(of.ahead(node)),
        }
    }

    fn ahead_to(&self, node: u32, end: u64) -> AnyAhead<'_> {
        match self {
            AnySources::Supply(of) => AnyAhead::Supply(of.ahead_to(node, end)),
            AnySources::Checked(of) => AnyAhead::Checked(of.ahead_to(node, end)),
            AnySources::Replies(of) => AnyAhead::Replies(of.ahead_to(node, end)),
        }
    }

    fn standing_of(parts: &[&Self], owners: &[u16], most: usize) -> Option<Standing> {
        let mut supplies = Vec::new();
        for part in parts {
            let AnySources::Supply(of) = part else { return None };
            supplies.push(of);
        }
        Supply::standing_of(&supplies, owners, most)
    }

    fn join(&mut self, part: &Self, node: u32) {
        match (self, part) {
            (AnySources::Supply(whole), AnySources::Supply(part)) => whole.join(part, node),
            (AnySources::Checked(whole), AnySources::Checked(part)) => whole.join(part, node),
            (AnySources::Replies(whole), AnySources::Replies(part)) => whole.join(part, node),
            _ => unreachable!("the parts of a network send what the whole sends"),
        }
    }
}

/// The packets that follow.
pub enum AnyAhead<'s> {
    Supply(<Supply<'s> as Sources>::Ahead<'s>),
    Checked(<Checked<'s> as Sources>::Ahead<'s>),
    Replies(<Replies as Sources>::Ahead<'s>),
}

/// Runs `$body` with `$of` bound to whatever follows.
macro_rules! any_ahead {
    ($self:expr, $of:ident => $body:expr) => {
        match $self {
            AnyAhead::Supply($of) => $body,
            AnyAhead::Checked($of) => $body,
            AnyAhead::Replies($of) => $body,
        }
    };
}

impl Ahead for AnyAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        any_ahead!(self, of => of.next())
    }

    fn stall(&mut self, until: u64) {
        any_ahead!(self, of => of.stall(until));
    }

    fn lot(&mut self) -> Option<Lot> {
        any_ahead!(self, of => of.lot())
    }

    fn flits(&mut self, packets: u64) -> Option<u64> {
        any_ahead!(self, of => of.flits(packets))
    }
}

impl<'t> From<&'t Traffic> for AnySources<'t> {
    fn from(traffic: &'t Traffic) -> Self {
        AnySources::Supply(traffic.into())
    }
}

impl<'t> From<Supply<'t>> for AnySources<'t> {
    fn from(supply: Supply<'t>) -> Self {
        AnySources::Supply(supply)
    }
}

impl<'t> From<Checked<'t>> for AnySources<'t> {
    fn from(checked: Checked<'t>) -> Self {
        AnySources::Checked(checked)
    }
}

impl From<Replies> for AnySources<'_> {
    fn from(replies: Replies) -> Self {
        AnySources::Replies(replies)
    }
}
