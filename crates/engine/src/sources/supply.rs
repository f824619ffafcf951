//! What nodes send in ordinary runs: lazy traffic, requests and their answers, a program, or what a host says. One type, so that the loops are compiled once.

use super::answering::{Answering, AnsweringAhead};
use super::driven::{Driven, DrivenAhead};
use super::hosted::{Hosted, HostedAhead};
use super::lazy::{Coming, Lazy};
use super::paced::Paced;
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::outcome::Standing;
use crate::packet::Packet;
use crate::totals::{Amount, Lot};
use std::ops::Range;
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_traffic::{Generated, Traffic};

/// Lazy traffic, answers, a program or a host.
pub enum Supply<'t> {
    /// Nodes send whatever is delivered.
    Lazy(Lazy<'t>),
    /// The same, and what they send may change.
    Paced(Paced<'t>),
    /// Nodes send requests and answer those of others.
    Answering(Answering<'t>),
    /// Nodes execute a program.
    Driven(Driven<'t>),
    /// Nodes send what a host says.
    Hosted(Hosted<'t>),
}

impl<'t> From<&'t Traffic> for Supply<'t> {
    fn from(traffic: &'t Traffic) -> Self {
        match (traffic.program(), traffic.hosted()) {
            (Some(placed), _) => Supply::Driven(Driven::new(placed)),
            (None, Some(bounds)) => Supply::Hosted(Hosted::new(bounds, traffic.nodes())),
            (None, None) if traffic.has_answers() => Supply::Answering(Answering::new(traffic)),
            (None, None) if traffic.pace() > 0 => Supply::Paced(Paced::new(traffic)),
            (None, None) => Supply::Lazy(traffic.into()),
        }
    }
}

impl<'t> From<Driven<'t>> for Supply<'t> {
    fn from(driven: Driven<'t>) -> Self {
        Supply::Driven(driven)
    }
}

/// Runs `$body` with `$of` bound to whatever nodes send.
macro_rules! either {
    ($self:expr, $of:ident => $body:expr) => {
        match $self {
            Supply::Lazy($of) => $body,
            Supply::Paced($of) => $body,
            Supply::Answering($of) => $body,
            Supply::Driven($of) => $body,
            Supply::Hosted($of) => $body,
        }
    };
}

impl State for Supply<'_> {
    fn save(&self, to: &mut Writer) {
        either!(self, of => of.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        either!(self, of => of.restore(from))
    }
}

impl Sources for Supply<'_> {
    type Ahead<'s>
        = SupplyAhead<'s>
    where
        Self: 's;

    #[inline(always)]
    fn next(&mut self, node: u32, now: u64) -> Next {
        either!(self, of => of.next(node, now))
    }

    fn offer(&mut self, now: u64, offer: Offer) {
        either!(self, of => of.offer(now, offer));
    }

    fn queued(&mut self, node: u32, now: u64) -> Amount {
        either!(self, of => of.queued(node, now))
    }

    fn consumed(&mut self, node: u32, places: u32) {
        either!(self, of => of.consumed(node, places));
    }

    fn has_host(&self) -> bool {
        matches!(self, Supply::Hosted(_))
    }

    fn arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        either!(self, of => of.arrivals())
    }

    fn stall(&mut self, node: u32, until: u64) {
        either!(self, of => of.stall(node, until));
    }

    #[inline(always)]
    fn delivered(&mut self, now: u64, packet: &Packet, message: Option<u64>) -> Option<u64> {
        match self {
            Supply::Lazy(_) | Supply::Paced(_) => None,
            Supply::Answering(answering) => answering.delivered(now, packet, message),
            Supply::Driven(driven) => driven.delivered(now, packet, message),
            Supply::Hosted(hosted) => hosted.delivered(now, packet, message),
        }
    }

    fn follows_packets(&self) -> bool {
        either!(self, of => of.follows_packets())
    }

    #[inline(always)]
    fn kin(&self, node: u32) -> Range<u32> {
        match self {
            Supply::Lazy(_) | Supply::Paced(_) | Supply::Hosted(_) => node..node + 1,
            Supply::Answering(answering) => answering.kin(node),
            Supply::Driven(driven) => driven.kin(node),
        }
    }

    #[inline(always)]
    fn kin_take_turns(&self) -> bool {
        match self {
            Supply::Answering(answering) => answering.kin_take_turns(),
            _ => false,
        }
    }

    fn frees(&mut self, node: u32, now: u64) -> Option<u32> {
        either!(self, of => of.frees(node, now))
    }

    fn frees_late(&self) -> bool {
        either!(self, of => of.frees_late())
    }

    fn comes_free(&self, node: u32) -> bool {
        either!(self, of => of.comes_free(node))
    }

    fn holds(&self, node: u32) -> u32 {
        either!(self, of => of.holds(node))
    }

    fn waits_to_leave(&self, node: u32) -> Option<u32> {
        either!(self, of => of.waits_to_leave(node))
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        either!(self, of => of.entered(now, packet))
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        either!(self, of => of.left(at, packet))
    }

    #[inline(always)]
    fn mark(&self, node: u32, index: u64) -> u64 {
        match self {
            Supply::Lazy(_) | Supply::Paced(_) => 0,
            Supply::Answering(answering) => answering.mark(node, index),
            Supply::Driven(driven) => driven.mark(node, index),
            Supply::Hosted(hosted) => hosted.mark(node, index),
        }
    }

    fn has_ended(&self, node: u32) -> bool {
        either!(self, of => of.has_ended(node))
    }

    fn taken(&self, node: u32) -> u64 {
        either!(self, of => of.taken(node))
    }

    fn ahead(&self, node: u32) -> SupplyAhead<'_> {
        match self {
            Supply::Lazy(lazy) => SupplyAhead::Lazy(lazy.ahead(node)),
            Supply::Paced(paced) => SupplyAhead::Lazy(paced.ahead(node)),
            Supply::Answering(answering) => SupplyAhead::Answering(answering.ahead(node)),
            Supply::Driven(driven) => SupplyAhead::Driven(driven.ahead(node)),
            Supply::Hosted(hosted) => SupplyAhead::Hosted(hosted.ahead(node)),
        }
    }

    fn ahead_to(&self, node: u32, end: u64) -> SupplyAhead<'_> {
        match self {
            Supply::Driven(driven) => SupplyAhead::Driven(driven.ahead_to(node, end)),
            _ => self.ahead(node),
        }
    }

    fn catch_up(&mut self, now: u64) {
        either!(self, of => of.catch_up(now));
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        either!(self, of => of.made(node, packets, now))
    }

    fn min_flits(&self) -> u32 {
        either!(self, of => of.min_flits())
    }

    fn max_flits(&self) -> u32 {
        either!(self, of => of.max_flits())
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        either!(self, of => of.makes(node, packet))
    }

    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool {
        either!(self, of => of.stands_behind(node, packet, latest))
    }

    fn know(&self, now: u64, packets: &[Packet]) -> Result<(), Unfit> {
        either!(self, of => of.know(now, packets))
    }

    fn standing(&self, most: usize) -> Option<Standing> {
        either!(self, of => of.standing(most))
    }

    fn has_program(&self) -> bool {
        matches!(self, Supply::Driven(_))
    }

    fn standing_of(parts: &[&Self], owners: &[u16], most: usize) -> Option<Standing> {
        let mut driven = Vec::new();
        for part in parts {
            let Supply::Driven(of) = part else { return None };
            driven.push(of);
        }
        Driven::standing_of(&driven, owners, most)
    }

    fn join(&mut self, part: &Self, node: u32) {
        match (self, part) {
            (Supply::Lazy(whole), Supply::Lazy(part)) => whole.join(part, node),
            (Supply::Paced(whole), Supply::Paced(part)) => whole.join(part, node),
            (Supply::Answering(whole), Supply::Answering(part)) => whole.join(part, node),
            (Supply::Driven(whole), Supply::Driven(part)) => whole.join(part, node),
            (Supply::Hosted(whole), Supply::Hosted(part)) => whole.join(part, node),
            _ => unreachable!("the parts of a network send what the whole sends"),
        }
    }

    #[inline(always)]
    fn expect(&self, node: u32) {
        if let Supply::Lazy(lazy) = self {
            lazy.expect(node);
        }
    }
}

/// The packets that follow.
pub enum SupplyAhead<'s> {
    /// Of lazy traffic.
    Lazy(Coming<'s>),
    /// Of nodes that answer.
    Answering(AnsweringAhead<'s>),
    /// Of a program.
    Driven(DrivenAhead<'s>),
    /// Of a host.
    Hosted(HostedAhead<'s>),
}

impl Ahead for SupplyAhead<'_> {
    #[inline]
    fn next(&mut self) -> Option<Generated> {
        match self {
            SupplyAhead::Lazy(ahead) => ahead.next(),
            SupplyAhead::Answering(ahead) => ahead.next(),
            SupplyAhead::Driven(ahead) => ahead.next(),
            SupplyAhead::Hosted(ahead) => ahead.next(),
        }
    }

    fn stall(&mut self, until: u64) {
        match self {
            SupplyAhead::Lazy(ahead) => ahead.stall(until),
            SupplyAhead::Answering(ahead) => ahead.stall(until),
            SupplyAhead::Driven(ahead) => ahead.stall(until),
            SupplyAhead::Hosted(ahead) => ahead.stall(until),
        }
    }

    fn lot(&mut self) -> Option<Lot> {
        match self {
            SupplyAhead::Lazy(ahead) => ahead.lot(),
            SupplyAhead::Answering(ahead) => ahead.lot(),
            SupplyAhead::Driven(ahead) => ahead.lot(),
            SupplyAhead::Hosted(ahead) => ahead.lot(),
        }
    }
}
