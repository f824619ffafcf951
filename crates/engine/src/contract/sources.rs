//! Contract of what nodes send: the packets of every node in their order, and what the delivery of a packet changes.
//!
//! A data path asks [`Sources::next`] for the next packet of a node whenever it has room to think of one: before cycle 0, when a packet
//! has come to the place where the next one waits behind it, in a cycle that [`Next::Later`] named, and when the node is *woken*. Nothing
//! is asked in between, so a node that has nothing to send costs nothing.
//!
//! [`Sources::delivered`], [`Sources::entered`] and [`Sources::left`] tell what has become of packets, and return the cycle from which
//! on the node has something new: the node is woken then. A delivery is told before nodes make packets in a cycle, so an answer to it
//! can be made in the very cycle of the delivery.
//!
//! Everything is local: `delivered` wakes the packet's destination, the others its source. Where a network is cut into parts, each part
//! has sources of its own and asks and tells them of its own nodes only.

use crate::contract::host::{Arrived, Offer};
use crate::outcome::Standing;
use crate::packet::Packet;
use crate::totals::{Amount, Lot};
use std::ops::Range;
use tailback_base::state::{State, Unfit};
use tailback_traffic::Generated;

/// What a source says when it is asked for the next packet of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This packet, and it is not taken back. Its cycle may lie ahead, and it may lie behind where the node was not asked earlier. Cycles
    /// of a node's packets never go back, but where answers go before requests, which are given at their time; their numbers go up from 0
    /// without a gap.
    Packet(Generated),
    /// None yet. The node is asked again in that cycle, which is later than this one, or when it is woken before.
    Later(u64),
    /// None until the node is woken.
    Asleep,
}

/// What nodes send. Where messages are cut into packets (adaptive cut-through, input-output-queued), a packet here is a message.
pub trait Sources: State {
    /// The packets that a node would give next if nothing more were delivered to it; see [`Sources::ahead`].
    type Ahead<'s>: Ahead
    where
        Self: 's;

    /// The next packet of `node`, asked for in cycle `now`.
    fn next(&mut self, node: u32, now: u64) -> Next;

    /// Takes a message of a host between two cycles, of which `now` is the next one. The node is woken for it.
    ///
    /// # Panics
    /// Where no host says what nodes send.
    fn offer(&mut self, _now: u64, _offer: Offer) {
        unreachable!("only sources of a host are offered messages");
    }

    /// Packets of a host that have been offered at `node` and whose tail has not left it when cycle `now` begins.
    fn queued(&mut self, _node: u32, _now: u64) -> Amount {
        Amount::default()
    }

    /// The host has received a message at `node`, whose last packet has kept so many places of the ejection buffer until now:
    /// [`Sources::frees`] names them.
    fn consumed(&mut self, _node: u32, _places: u32) {}

    /// Whether a host says what nodes send: then nothing waits for ever that waits for the host.
    fn has_host(&self) -> bool {
        false
    }

    /// What has arrived for a host and it has not taken, those of one node in the order of their cycles; `None` where there is no host.
    fn arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        None
    }

    /// Generation of `node` was suspended because its queue was full: there is no packet before cycle `until`, and the gap to the next
    /// one begins there. The packet that waited was made in the cycle before.
    fn stall(&mut self, _node: u32, _until: u64) {}

    /// The tail of a packet has reached its destination in cycle `now`. `message`: the number that the packet's source gave to the message
    /// that is complete with it, if one is. Returns the cycle from which on the destination has something new, `now` or later.
    #[inline]
    fn delivered(&mut self, _now: u64, _packet: &Packet, _message: Option<u64>) -> Option<u64> {
        None
    }

    /// The nodes that have something new where this one has: a rank with message classes has a port of its own for each, which counts as a
    /// node here. They are at one router, and this one is among them.
    #[inline]
    fn kin(&self, node: u32) -> Range<u32> {
        node..node + 1
    }

    /// Whether it matters which of the nodes of [`Sources::kin`] is asked first in a cycle: then they are asked in the order of their numbers.
    #[inline]
    fn kin_take_turns(&self) -> bool {
        false
    }

    /// Of a network whose ejection buffers are finite: a node whose ejection buffer has a place less taken from cycle `now` on, of those of
    /// [`Sources::kin`]. Asked again until there is none, after each delivery to `node` and when the tail of a packet of it has left; or, if
    /// [`Sources::frees_late`], in every cycle in which packets hold places there.
    fn frees(&mut self, _node: u32, _now: u64) -> Option<u32> {
        None
    }

    /// Whether [`Sources::frees`] needs to know all that is delivered in a cycle, and has news also where nothing is delivered and nothing
    /// leaves.
    #[inline]
    fn frees_late(&self) -> bool {
        false
    }

    /// Where the ejection buffer of `node` is full and [`Sources::frees_late`]: whether it has a place one day if nothing more is delivered
    /// to the node and its kin, and nothing more leaves them.
    fn comes_free(&self, _node: u32) -> bool {
        true
    }

    /// Places of the ejection buffer of `node` that packets hold which have been delivered, those included that [`Sources::frees`] will name
    /// in a later cycle.
    fn holds(&self, _node: u32) -> u32 {
        0
    }

    /// Where the ejection buffer of `node` is full: the node whose packets have to leave before it has a place. `None` where that is not
    /// known, or where something else has to happen as well.
    fn waits_to_leave(&self, _node: u32) -> Option<u32> {
        None
    }

    /// Whether [`Sources::entered`] and [`Sources::left`] are needed.
    #[inline]
    fn follows_packets(&self) -> bool {
        false
    }

    /// The head of a packet has left its source queue in cycle `now`. Returns the cycle from which on its source has something new, later
    /// than `now`.
    fn entered(&mut self, _now: u64, _packet: &Packet) -> Option<u64> {
        None
    }

    /// The tail of a packet leaves its source queue in cycle `at`: in this one, or in a later one if that is known. Returns as `entered`.
    fn left(&mut self, _at: u64, _packet: &Packet) -> Option<u64> {
        None
    }

    /// What the sources write on packet number `index` of `node` when it comes into the network, for those to read to whom it is
    /// delivered. It has been given and has not left. Where messages are cut by the data path, `index` is the number of its message.
    #[inline]
    fn mark(&self, _node: u32, _index: u64) -> u64 {
        0
    }

    /// Whether `node` makes no packet any more, whatever is delivered to it.
    fn has_ended(&self, node: u32) -> bool;

    /// Packets that `node` has given so far: the number of the next one.
    fn taken(&self, node: u32) -> u64;

    /// The packets that follow those that `node` has given, without asking for them. A packet that no delivery can change any more is
    /// among them however far its cycle lies ahead; one that waits for a delivery is not.
    fn ahead(&self, node: u32) -> Self::Ahead<'_>;

    /// As [`Sources::ahead`] for whoever wants no packet of cycle `end` or later: those may be missing, and need not be worked out.
    fn ahead_to(&self, node: u32, _end: u64) -> Self::Ahead<'_> {
        self.ahead(node)
    }

    /// Lets everything happen that is due before cycle `now` and that nobody has asked for. No packet changes by that, but what lies
    /// ahead need not be worked out on a copy.
    fn catch_up(&mut self, _now: u64) {}

    /// The first `packets` packets of `node` with their flits, those that it has given and those ahead of it. Where there cannot be so
    /// many before cycle `now`, as a forged checkpoint may have it, nobody counts them one by one.
    fn made(&self, node: u32, packets: u64, now: u64) -> Amount;

    /// The shortest packet that occurs \[flits\].
    fn min_flits(&self) -> u32;

    /// The longest packet that occurs \[flits\].
    fn max_flits(&self) -> u32;

    /// Whether packet number `packet.index` of `node` may be like this, whenever it is made: for what comes from a checkpoint.
    fn makes(&self, node: u32, packet: &Generated) -> bool;

    /// Whether `packet` may be the last one that `node` gave, if generation was suspended until cycle `latest` at most: for what comes
    /// from a checkpoint.
    fn stands_behind(&self, node: u32, packet: &Generated, latest: u64) -> bool;

    /// That these packets, which are in the network or about to enter it, may be of these sources, and that nothing is further from
    /// cycle `now`, the next one, than it can be: for what comes from a checkpoint.
    ///
    /// # Errors
    /// The first one that is not.
    fn know(&self, _now: u64, _packets: &[Packet]) -> Result<(), Unfit> {
        Ok(())
    }

    /// How far a program has come, where nodes execute one, with `most` of the receives that wait at most.
    fn standing(&self, _most: usize) -> Option<Standing> {
        None
    }

    /// Whether nodes execute a program.
    fn has_program(&self) -> bool {
        false
    }

    /// As [`Sources::standing`], by what the sources of all parts of a network know. `owners`: by node, the part that it is in.
    fn standing_of(_parts: &[&Self], _owners: &[u16], _most: usize) -> Option<Standing>
    where
        Self: Sized,
    {
        None
    }

    /// Takes over what the sources of a part of the network know of one of its nodes.
    fn join(&mut self, part: &Self, node: u32);

    /// Asks for the memory that [`Sources::next`] will touch; there may be no such node.
    #[inline]
    fn expect(&self, _node: u32) {}
}

/// Packets in the order in which a node would give them.
pub trait Ahead {
    /// The next one; `None` where it depends on what is delivered, or where there is none.
    fn next(&mut self) -> Option<Generated>;

    /// As [`Sources::stall`].
    fn stall(&mut self, _until: u64) {}

    /// The packets that follow and are of one cycle, where they are known without giving each of them. `None`: ask [`Ahead::next`].
    fn lot(&mut self) -> Option<Lot> {
        None
    }

    /// Flits of the next `packets` packets; `None` where there are fewer.
    fn flits(&mut self, packets: u64) -> Option<u64> {
        (0..packets).try_fold(0, |flits, _| Some(flits + u64::from(self.next()?.flits)))
    }
}
