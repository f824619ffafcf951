//! Messages that are cut into packets of one length before they join the source queue of their node.
//!
//! All packets of a message have its cycle; a finite queue puts those off for which it has no room. The gap to the next message begins
//! when the last packet is made.

use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::outcome::Standing;
use crate::packet::Packet;
use crate::totals::{Amount, Lot};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tailback_base::prefetch::prefetch;
use tailback_base::state::{Unfit, are_counts, ensure};
use tailback_traffic::Generated;

/// What a node gives of its messages.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Cutting {
    /// The last message that its source has given.
    message: Generated,
    /// Packets of it that have not been given.
    left: u32,
    /// Packets given, of all messages.
    given: u64,
}

tailback_base::plain!(Cutting);

impl Cutting {
    const NOTHING: Cutting =
        Cutting { message: Generated { cycle: 0, destination: 0, flits: 0, index: 0 }, left: 0, given: 0 };

    fn begin(&mut self, message: Generated, packet_flits: u32) {
        (self.message, self.left) = (message, message.flits / packet_flits);
    }

    fn give(&mut self, packet_flits: u32) -> Generated {
        let index = self.given;
        (self.left, self.given) = (self.left - 1, self.given + 1);
        Generated { flits: packet_flits, index, ..self.message }
    }
}

/// Sources whose messages are cut into packets, or are packets.
pub(crate) struct Cut<S> {
    messages: S,
    /// Length of all packets; `None`: a message is a packet.
    packet_flits: Option<u32>,
    /// By node, where messages are cut.
    nodes: Vec<Cutting>,
}

tailback_base::state!([S: Sources] Cut<S> { saved: messages, nodes; rebuilt: packet_flits; } [fits]);

impl<S: Sources> Cut<S> {
    /// Of `nodes` nodes. Every length that occurs is a multiple of `packet_flits`.
    pub fn new(messages: S, nodes: usize, packet_flits: Option<u32>) -> Self {
        let cut = packet_flits.is_some();
        Cut { messages, packet_flits, nodes: vec![Cutting::NOTHING; if cut { nodes } else { 0 }] }
    }

    /// What sends the messages.
    pub fn messages(&self) -> &S {
        &self.messages
    }

    /// Whether some message has more than a packet.
    pub fn has_long_messages(&self) -> bool {
        self.packet_flits.is_some_and(|flits| self.messages.max_flits() > flits)
    }

    /// Of the message to which the last packet of `node` belongs: its flits, those of packets that have not been given, and its number.
    pub fn last_message(&self, node: u32) -> (u32, u32, u64) {
        let Cutting { message, left, .. } = self.nodes[node as usize];
        (message.flits, left * self.packet_flits.unwrap_or(0), message.index)
    }

    fn fits(&self) -> Result<(), Unfit> {
        are_counts(self.nodes.iter().map(|of| of.given))?;
        let packets = |of: &Cutting| self.packet_flits.map_or(0, |flits| of.message.flits / flits);
        let there = |of: &Cutting| (of.message.destination as usize) < self.nodes.len() && of.message.index < u64::MAX;
        let right = |of: &Cutting| of.left <= packets(of) && of.message.flits <= self.messages.max_flits() && there(of);
        ensure(self.nodes.iter().all(right), "a node has more to send than it has made")
    }
}

impl<S: Sources> Sources for Cut<S> {
    type Ahead<'s>
        = CutAhead<S::Ahead<'s>>
    where
        Self: 's;

    #[inline(always)]
    fn next(&mut self, node: u32, now: u64) -> Next {
        let Some(flits) = self.packet_flits else { return self.messages.next(node, now) };
        if self.nodes[node as usize].left == 0 {
            match self.messages.next(node, now) {
                Next::Packet(message) => self.nodes[node as usize].begin(message, flits),
                none => return none,
            }
        }
        Next::Packet(self.nodes[node as usize].give(flits))
    }

    fn offer(&mut self, now: u64, offer: Offer) {
        self.messages.offer(now, offer);
    }

    fn queued(&mut self, node: u32, now: u64) -> Amount {
        self.messages.queued(node, now)
    }

    fn consumed(&mut self, node: u32, places: u32) {
        self.messages.consumed(node, places);
    }

    fn has_host(&self) -> bool {
        self.messages.has_host()
    }

    fn arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.messages.arrivals()
    }

    fn stall(&mut self, node: u32, until: u64) {
        if self.nodes.get(node as usize).is_none_or(|of| of.left == 0) {
            self.messages.stall(node, until);
        }
    }

    #[inline]
    fn delivered(&mut self, now: u64, packet: &Packet, message: Option<u64>) -> Option<u64> {
        self.messages.delivered(now, packet, message)
    }

    #[inline]
    fn follows_packets(&self) -> bool {
        self.messages.follows_packets()
    }

    #[inline]
    fn kin(&self, node: u32) -> Range<u32> {
        self.messages.kin(node)
    }

    #[inline]
    fn kin_take_turns(&self) -> bool {
        self.messages.kin_take_turns()
    }

    fn frees(&mut self, node: u32, now: u64) -> Option<u32> {
        self.messages.frees(node, now)
    }

    fn holds(&self, node: u32) -> u32 {
        self.messages.holds(node)
    }

    fn waits_to_leave(&self, node: u32) -> Option<u32> {
        self.messages.waits_to_leave(node)
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        self.messages.entered(now, packet)
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        self.messages.left(at, packet)
    }

    #[inline]
    fn mark(&self, node: u32, index: u64) -> u64 {
        self.messages.mark(node, self.nodes.get(node as usize).map_or(index, |of| of.message.index))
    }

    fn standing(&self, most: usize) -> Option<Standing> {
        self.messages.standing(most)
    }

    fn know(&self, now: u64, packets: &[Packet]) -> Result<(), Unfit> {
        self.messages.know(now, packets)
    }

    fn has_ended(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_none_or(|of| of.left == 0) && self.messages.has_ended(node)
    }

    fn taken(&self, node: u32) -> u64 {
        self.nodes.get(node as usize).map_or_else(|| self.messages.taken(node), |of| of.given)
    }

    fn ahead(&self, node: u32) -> Self::Ahead<'_> {
        self.ahead_to(node, u64::MAX)
    }

    fn ahead_to(&self, node: u32, end: u64) -> Self::Ahead<'_> {
        let of = self.nodes.get(node as usize).copied().unwrap_or(Cutting::NOTHING);
        CutAhead { messages: self.messages.ahead_to(node, end), packet_flits: self.packet_flits, of }
    }

    fn catch_up(&mut self, now: u64) {
        self.messages.catch_up(now);
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        let Some(flits) = self.packet_flits else { return self.messages.made(node, packets, now) };
        // As many messages there are at least.
        let messages = packets / u64::from((self.messages.max_flits() / flits).max(1));
        let possible = self.messages.made(node, messages, now).flits < u64::MAX;
        Amount { packets, flits: if possible { packets.saturating_mul(u64::from(flits)) } else { u64::MAX } }
    }

    fn min_flits(&self) -> u32 {
        self.packet_flits.unwrap_or_else(|| self.messages.min_flits())
    }

    fn max_flits(&self) -> u32 {
        self.packet_flits.unwrap_or_else(|| self.messages.max_flits())
    }

    /// Which message a packet is of is known where all messages have one length.
    fn makes(&self, node: u32, packet: &Generated) -> bool {
        let Some(flits) = self.packet_flits else { return self.messages.makes(node, packet) };
        let (least, most) = (self.messages.min_flits(), self.messages.max_flits());
        let index = packet.index / u64::from((most / flits).max(1));
        let alike = || self.messages.makes(node, &Generated { flits: most, index, ..*packet });
        packet.flits == flits && packet.index < self.taken(node) && (least < most || alike())
    }

    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool {
        let Some(flits) = self.packet_flits else { return self.messages.stands_behind(node, packet, latest) };
        let Cutting { message, left, given } = self.nodes[node as usize];
        let last = packet.index + 1 == given && (packet.flits, packet.destination) == (flits, message.destination);
        let part = last && packet.cycle >= message.cycle && left < message.flits / flits;
        part && self.messages.makes(node, &message) && self.messages.stands_behind(node, &message, latest)
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.messages.join(&part.messages, node);
        if let Some(of) = self.nodes.get_mut(node as usize) {
            *of = part.nodes[node as usize];
        }
    }

    #[inline(always)]
    fn expect(&self, node: u32) {
        prefetch(&self.nodes, node as usize, 0, 1);
        self.messages.expect(node);
    }
}

/// The packets that follow.
pub(crate) struct CutAhead<A> {
    messages: A,
    packet_flits: Option<u32>,
    of: Cutting,
}

impl<A: Ahead> Ahead for CutAhead<A> {
    fn next(&mut self) -> Option<Generated> {
        let Some(flits) = self.packet_flits else { return self.messages.next() };
        if self.of.left == 0 {
            self.of.begin(self.messages.next()?, flits);
        }
        Some(self.of.give(flits))
    }

    fn stall(&mut self, until: u64) {
        if self.packet_flits.is_none() || self.of.left == 0 {
            self.messages.stall(until);
        }
    }

    fn lot(&mut self) -> Option<Lot> {
        let Some(length) = self.packet_flits.map(u64::from) else { return self.messages.lot() };
        // First comes what is left of a message that has been begun.
        let (cycle, packets) = match self.of.left {
            0 => self.messages.lot().map(|lot| (lot.cycle, lot.amount.flits / length))?,
            left => (self.of.message.cycle, u64::from(left)),
        };
        let first = self.of.given;
        (self.of.left, self.of.given) = (0, first + packets);
        Some(Lot { cycle, first, amount: Amount { packets, flits: packets * length } })
    }
}
