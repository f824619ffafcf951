//! Messages of a host: another program that steps the network from outside (`docs/embedding.md`, `docs/decisions/0038-hosts.md`).
//!
//! What a host offers while the next cycle is `t` is made in cycle `t`, in the order of the calls. Nothing here depends on what is delivered:
//! arrivals are noted for the host, which takes them between two cycles.

use super::kept;
use crate::contract::host::{Arrived, Offer};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::packet::Packet;
use crate::sources::given::Given;
use crate::totals::Amount;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_traffic::{Generated, Hosted as Bounds};

/// A message of which some flits have not been given to the network.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Pending {
    cycle: u64,
    destination: u32,
    /// Flits that have not been given.
    left: u32,
    name: u64,
}

/// A message of which some packet has been given, and some flits have not left the node.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Leaving {
    /// Number of its first packet at the node.
    first: u64,
    /// Flits that have not left.
    left: u32,
    name: u64,
}

/// What is under way at a node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Node {
    pending: VecDeque<Pending>,
    leaving: VecDeque<Leaving>,
    /// Packets that have been offered and of whose tail nobody knows yet when it leaves.
    queued: Amount,
    /// Cycles in which tails leave that are on their way out, in order, with the flits of their packets.
    leaves: VecDeque<(u64, u32)>,
    given: Given,
    /// What has come here, where ejection buffers are finite.
    here: Here,
}

/// The ejection buffer of a node, as far as packets have come. A packet that does not complete its message gives its place back at once; one
/// that does keeps it until the host has received the message.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Here {
    /// Packets that are missing of messages of which some have come, by mark.
    coming: BTreeMap<u64, u32>,
    /// Places of the packets that have completed messages which the host has not received.
    held: u32,
    /// Places that are free and that nobody has been told of.
    freed: u32,
}

impl Here {
    /// A packet has come of a message with this mark, and has so many places.
    fn take(&mut self, mark: u64, places: u32) {
        let left = self.coming.entry(mark).or_insert((mark >> NAME_BITS) as u32);
        *left = left.saturating_sub(1);
        if *left == 0 {
            self.coming.remove(&mark);
            self.held += places;
        } else {
            self.freed += places;
        }
    }

    /// The host has received a message that kept so many places.
    fn consumed(&mut self, places: u32) {
        let places = places.min(self.held);
        self.freed += places;
        self.held -= places;
    }

    /// Places that are held, or that nobody has been told of.
    fn places(&self) -> u32 {
        self.held.saturating_add(self.freed)
    }
}

/// Bits of a mark that are the host's name of a message. Those above are the number of its packets, where ejection buffers are finite.
const NAME_BITS: u32 = 32;

/// Sources of which a host says what they send.
pub struct Hosted<'t> {
    bounds: &'t Bounds,
    nodes: Vec<Node>,
    /// What the host has not taken yet; it takes all before a checkpoint.
    arrived: Vec<Arrived>,
}

tailback_base::state!(['t] Hosted<'t> { saved: ; by kept: nodes; rebuilt: bounds, arrived; } [fits]);

impl Node {
    /// The next packet, if there is one.
    fn give(&mut self, bounds: &Bounds) -> Option<Generated> {
        let pending = self.pending.front_mut()?;
        let (flits, begins) =
            (bounds.next_packet(pending.left), self.leaving.back().is_none_or(|last| last.name != pending.name));
        if begins {
            self.leaving.push_back(Leaving { first: self.given.packets, left: pending.left, name: pending.name });
        }
        let packet =
            Generated { cycle: pending.cycle, destination: pending.destination, flits, index: self.given.packets };
        pending.left -= flits;
        if pending.left == 0 {
            self.pending.pop_front();
        }
        self.given.add(packet);
        Some(packet)
    }

    /// The message to which packet number `index` belongs, if it has not left.
    fn message(&self, index: u64) -> Option<&Leaving> {
        let behind = self.leaving.partition_point(|message| message.first <= index);
        self.leaving.get(behind.checked_sub(1)?)
    }

    /// `flits` flits of message `name` have left.
    fn leaves(&mut self, name: u64, flits: u32, at: u64) {
        // Packets of one node leave in nearly their order, so the place is near the front.
        if let Some(which) = self.leaving.iter().position(|message| message.name == name) {
            let message = &mut self.leaving[which];
            message.left = message.left.saturating_sub(flits);
            if message.left == 0 {
                self.leaving.remove(which);
            }
        }
        self.queued.packets = self.queued.packets.saturating_sub(1);
        self.queued.flits = self.queued.flits.saturating_sub(flits.into());
        // Nearly always it is the last one.
        if self.leaves.back().is_none_or(|&(other, _)| other <= at) {
            self.leaves.push_back((at, flits));
            return;
        }
        let place = self.leaves.partition_point(|&(other, _)| other <= at);
        self.leaves.insert(place, (at, flits));
    }

    fn fits(&self, nodes: usize, (bounds, longest): (&Bounds, u32)) -> Result<(), Unfit> {
        let given = &self.given;
        are_counts([given.packets, given.flits, self.queued.packets, self.queued.flits])?;
        let pending = self
            .pending
            .iter()
            .all(|of| (of.destination as usize) < nodes && (1..=longest).contains(&of.left) && of.cycle <= MOST);
        let leaving = self.leaving.iter().all(|of| (1..=longest).contains(&of.left) && of.first < given.packets);
        ensure(pending && leaving, "a node sends what is no message of a host")?;
        let orderly =
            self.leaving.iter().is_sorted_by_key(|of| of.first) && self.leaves.iter().is_sorted_by_key(|of| of.0);
        ensure(orderly && self.leaves.iter().all(|&(at, _)| at <= MOST), "messages of a host leave out of order")?;
        let (shortest, most) = bounds.lengths();
        let right = |last: &Generated| last.index + 1 == given.packets && (shortest..=most).contains(&last.flits);
        ensure(given.last.as_ref().map_or(given.packets == 0, right), "a node has given more packets than it has")
    }
}

impl<'t> Hosted<'t> {
    /// `nodes` nodes before cycle 0.
    pub fn new(bounds: &'t Bounds, nodes: u32) -> Self {
        Hosted { bounds, nodes: vec![Node::default(); nodes as usize], arrived: Vec::new() }
    }

    fn fits(&self) -> Result<(), Unfit> {
        let longest = self.bounds.on_the_way(self.bounds.messages().1);
        self.nodes.iter().try_for_each(|node| node.fits(self.nodes.len(), (self.bounds, longest)))
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }
}

impl Sources for Hosted<'_> {
    type Ahead<'s>
        = HostedAhead<'s>
    where
        Self: 's;

    fn offer(&mut self, now: u64, offer: Offer) {
        let (left, packets) = (self.bounds.on_the_way(offer.flits), self.bounds.packets(offer.flits));
        let holds = self.bounds.are_held();
        let node = self.node_mut(offer.source);
        node.queued += Amount { packets: packets.into(), flits: left.into() };
        let name = offer.name | if holds { u64::from(packets) << NAME_BITS } else { 0 };
        node.pending.push_back(Pending { cycle: now, destination: offer.destination, left, name });
    }

    fn queued(&mut self, node: u32, now: u64) -> Amount {
        let node = self.node_mut(node);
        while node.leaves.front().is_some_and(|&(at, _)| at <= now) {
            node.leaves.pop_front();
        }
        let mut all = node.queued;
        node.leaves.iter().for_each(|&(_, flits)| all += Amount::one(flits));
        all
    }

    fn consumed(&mut self, node: u32, places: u32) {
        self.node_mut(node).here.consumed(places);
    }

    fn has_host(&self) -> bool {
        true
    }

    fn frees(&mut self, node: u32, _now: u64) -> Option<u32> {
        let here = &mut self.node_mut(node).here;
        here.freed = here.freed.checked_sub(1)?;
        Some(node)
    }

    fn holds(&self, node: u32) -> u32 {
        self.node(node).here.places()
    }

    fn arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        Some(&mut self.arrived)
    }

    fn next(&mut self, node: u32, _now: u64) -> Next {
        let bounds = self.bounds;
        self.node_mut(node).give(bounds).map_or(Next::Asleep, Next::Packet)
    }

    fn delivered(&mut self, now: u64, packet: &Packet, _message: Option<u64>) -> Option<u64> {
        let Packet { mark, flits, hops, entered, .. } = *packet;
        if self.bounds.are_held() {
            let places = self.bounds.places(flits);
            self.node_mut(packet.destination).here.take(mark, places);
        }
        let name = mark & ((1 << NAME_BITS) - 1);
        self.arrived.push(Arrived { cycle: now, name, flits, hops, entered });
        None
    }

    fn follows_packets(&self) -> bool {
        true
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        self.node_mut(packet.source).leaves(packet.mark, packet.flits, at);
        None
    }

    fn mark(&self, node: u32, index: u64) -> u64 {
        self.node(node).message(index).map_or(0, |message| message.name)
    }

    /// A host may send more, but nothing that is delivered makes a node send.
    fn has_ended(&self, node: u32) -> bool {
        self.node(node).pending.is_empty()
    }

    fn taken(&self, node: u32) -> u64 {
        self.node(node).given.packets
    }

    fn ahead(&self, node: u32) -> HostedAhead<'_> {
        let Node { pending, given, .. } = self.node(node);
        HostedAhead { bounds: self.bounds, pending, place: 0, given: 0, index: given.packets }
    }

    fn made(&self, node: u32, packets: u64, _now: u64) -> Amount {
        let mut ahead = self.ahead(node);
        self.node(node).given.made(packets, |more| ahead.flits(more))
    }

    fn min_flits(&self) -> u32 {
        self.bounds.lengths().0
    }

    fn max_flits(&self) -> u32 {
        self.bounds.lengths().1
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        self.node(node).given.may_be(packet, self.bounds.lengths()) && (packet.destination as usize) < self.nodes.len()
    }

    fn stands_behind(&self, node: u32, packet: &Generated, _latest: u64) -> bool {
        self.node(node).given.stands_behind(packet)
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.nodes[node as usize] = part.nodes[node as usize].clone();
    }
}

/// What a node gives next if the host offers nothing more.
pub struct HostedAhead<'s> {
    bounds: &'s Bounds,
    pending: &'s VecDeque<Pending>,
    /// The message, and flits of it that have been given here.
    place: usize,
    given: u32,
    index: u64,
}

impl Ahead for HostedAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        let Pending { cycle, destination, left, .. } = *self.pending.get(self.place)?;
        let flits = self.bounds.next_packet(left - self.given);
        let packet = Generated { cycle, destination, flits, index: self.index };
        (self.given, self.index) = (self.given + flits, self.index + 1);
        if self.given == left {
            (self.place, self.given) = (self.place + 1, 0);
        }
        Some(packet)
    }
}
