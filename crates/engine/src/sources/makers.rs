//! Nodes that make packets when they are due, because somebody looks at the queues that these join. Messages are cut into packets of
//! one length; a node whose queue is full stops in the middle of its message.

use super::calendar::Calendar;
use super::messages::{Done, Messages};
use crate::contract::host::Offer;
use crate::contract::routing::{Routing, starts_alike};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::packet::Packet;
use crate::totals::Amount;
use serde::{Deserialize, Serialize};
use tailback_base::bits::BitSet;
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_traffic::Generated;

/// A message. PERF: not all that the sources say of it, for that would be read in other pieces than it was written in, and
/// so not before it, and all that was written before, has reached the cache (`tailback bench recn-1`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Due {
    /// Cycle in which its source wants it.
    pub cycle: u64,
    pub destination: u32,
    pub flits: u32,
}

/// A node that makes packets.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Maker {
    /// The message that is being made or the next one.
    pub next: Due,
    /// Packets of it that have not been made; 0 where there is none.
    pub left: u32,
    /// Its number among the messages that are open, while it is being made.
    message: u32,
    /// Packets made.
    pub made: u64,
    /// The full queue that the next packet waits for, by its number at the node.
    pub stalled: Option<u8>,
}

/// All nodes.
pub(crate) struct Makers<S> {
    pub sources: S,
    packet_flits: u32,
    pub nodes: Vec<Maker>,
    calendar: Calendar,
    /// Nodes without a message whose source is asked again in a later cycle.
    later: BitSet,
    /// Nodes that waited for room, and have it, or whose source has something new.
    resumed: BitSet,
    pub messages: Messages,
}

/// A position among the nodes that have something to make in a cycle.
pub(crate) struct Cursor {
    word: usize,
    resumed: u64,
    calendar: u32,
}

tailback_base::plain!(Maker);
tailback_base::state!([S: Sources] Makers<S> {
    saved: sources, nodes, calendar, later, resumed, messages;
    rebuilt: packet_flits;
} [fits]);

impl<S: Sources> Makers<S> {
    /// `nodes` nodes before cycle 0. At most `packets` packets are known to a network; memory is reserved for `messages`.
    pub fn new(sources: S, nodes: usize, packet_flits: u32, (packets, messages): (usize, usize)) -> Self {
        let messages = match sources.max_flits() > packet_flits {
            true => Messages::cut(packets, messages),
            false => Messages::whole(),
        };
        let nothing = |node| Due { cycle: 0, destination: node, flits: 0 };
        let idle = |node| Maker { next: nothing(node), left: 0, message: 0, made: 0, stalled: None };
        let mut makers = Makers {
            sources,
            packet_flits,
            nodes: (0..nodes as u32).map(idle).collect(),
            calendar: Calendar::new(nodes),
            later: BitSet::new(nodes),
            resumed: BitSet::new(nodes),
            messages,
        };
        for node in 0..nodes as u32 {
            if makers.pull(node, 0) {
                makers.calendar.schedule(node, makers.nodes[node as usize].next.cycle);
            }
        }
        makers
    }

    /// Whether a packet that starts at `router` is one that its node has made.
    pub fn has_made<R: Routing>(&self, routing: &R, router: u32, packet: &Packet, seed: u64) -> bool {
        let again = starts_alike(routing, router, packet, seed);
        let whole = self.sources.max_flits() == self.packet_flits;
        let made = !whole || self.sources.makes(packet.source, &Generated::from(packet));
        let counted = packet.index < self.nodes[packet.source as usize].made;
        again.choice == packet.choice && made && counted && packet.flits == self.packet_flits
    }

    /// Starts on cycle `now`; call [`Makers::take`] until it returns `None`.
    #[inline(always)]
    pub fn open(&mut self, now: u64) -> Cursor {
        Cursor { word: 0, resumed: 0, calendar: self.calendar.open(now) }
    }

    /// The next node that may have something to make in cycle `now`.
    #[inline(always)]
    pub fn take(&mut self, cursor: &mut Cursor, now: u64) -> Option<u32> {
        while cursor.resumed == 0 && cursor.word < self.resumed.word_count() {
            cursor.resumed = self.resumed.take_word(cursor.word);
            cursor.word += 1;
        }
        if cursor.resumed == 0 {
            let node = self.calendar.take(&mut cursor.calendar, now)?;
            self.later.remove(node as usize);
            return Some(node);
        }
        let bit = cursor.resumed.trailing_zeros() as usize;
        cursor.resumed &= cursor.resumed - 1;
        Some(((cursor.word - 1) * 64 + bit) as u32)
    }

    /// Whether a node, which has no wake-up, has a packet to make in cycle `now`. If it has one later, it wakes then.
    #[inline(always)]
    pub fn is_due(&mut self, node: u32, now: u64) -> bool {
        let n = node as usize;
        if self.nodes[n].left > 0 {
            return true;
        }
        if !self.pull(node, now) {
            return false;
        }
        let due = self.nodes[n].next.cycle;
        if due > now {
            self.calendar.schedule(node, due);
        }
        due <= now
    }

    /// Asks the source of a node for the next message. Returns whether it is known now.
    #[inline(always)]
    fn pull(&mut self, node: u32, now: u64) -> bool {
        match self.sources.next(node, now) {
            Next::Packet(Generated { cycle, destination, flits, .. }) => {
                let of = &mut self.nodes[node as usize];
                of.next = Due { cycle, destination, flits };
                of.left = flits / self.packet_flits;
                true
            }
            Next::Later(cycle) => {
                assert!(cycle > now, "a source that has no packet yet is asked again in a later cycle");
                self.later.insert(node as usize);
                self.calendar.schedule(node, cycle);
                false
            }
            Next::Asleep => false,
        }
    }

    /// A node makes the next packet of its message in cycle `now`. Returns its number and that of the message.
    #[inline(always)]
    pub fn make(&mut self, node: u32, now: u64) -> (u64, u32) {
        let of = &mut self.nodes[node as usize];
        if of.stalled.take().is_some() {
            // The gap to the next begins here.
            self.sources.stall(node, now + 1);
        }
        if of.left == of.next.flits / self.packet_flits {
            let index = || self.sources.taken(node) - 1;
            of.message = self.messages.begin(now, of.next.flits, index);
        }
        let index = of.made;
        of.made += 1;
        of.left -= 1;
        (index, of.message)
    }

    /// What the sources write on the packets of the message that a node is making, or has made last.
    #[inline]
    pub fn mark(&self, node: u32) -> u64 {
        self.sources.mark(node, self.sources.taken(node).wrapping_sub(1))
    }

    /// A node waits for room in one of its queues.
    #[inline]
    pub fn stall(&mut self, node: u32, queue: usize) {
        self.nodes[node as usize].stalled = Some(queue as u8);
    }

    /// There is room in the queue that a node waits for.
    #[inline]
    pub fn resume(&mut self, node: usize) {
        self.resumed.insert(node);
    }

    /// The tail of packet `id` has reached its node in cycle `now`, before nodes make packets. Returns its message, if that is complete.
    #[inline]
    pub fn delivered(&mut self, now: u64, id: u32, packet: &Packet) -> Option<Done> {
        let done = self.messages.delivered(id, packet);
        if let Some(at) = self.sources.delivered(now, packet, done.map(|done| done.index)) {
            self.sources.kin(packet.destination).for_each(|node| self.wake(node, at, now));
        }
        done
    }

    /// Takes a message of a host for cycle `now`, the next one.
    pub fn offer(&mut self, now: u64, offer: Offer) {
        self.sources.offer(now, offer);
        self.wake(offer.source, now, now);
    }

    /// The head of a packet has left its queue in cycle `now`, after nodes have made packets; its tail leaves it in cycle `leaves`.
    #[cold]
    pub fn entered(&mut self, now: u64, leaves: u64, packet: &Packet) {
        for at in [self.sources.entered(now, packet), self.sources.left(leaves, packet)].into_iter().flatten() {
            self.sources.kin(packet.source).for_each(|node| self.wake(node, at, now + 1));
        }
    }

    /// The source of a node has something new in cycle `at`; nodes make packets in cycle `next` for the next time. One with a message is
    /// asked when it has made that.
    fn wake(&mut self, node: u32, at: u64, next: u64) {
        let n = node as usize;
        if self.nodes[n].left > 0 || self.resumed.contains(n) {
            return;
        }
        if self.later.contains(n) {
            if self.calendar.due(node) <= at {
                return;
            }
            self.calendar.remove(node);
            self.later.remove(n);
        }
        if at <= next {
            self.resumed.insert(n);
        } else {
            self.later.insert(n);
            self.calendar.schedule(node, at);
        }
    }

    /// What all nodes have made up to cycle `now`: all messages taken from their sources but the packets that are left of the last one.
    pub fn generated(&self, now: u64) -> Amount {
        (0..).zip(&self.nodes).map(|(node, of)| self.generated_by(node, of, now)).sum()
    }

    fn generated_by(&self, node: u32, of: &Maker, now: u64) -> Amount {
        let (packet, unmade) = (u64::from(self.packet_flits), u64::from(of.left) * u64::from(self.packet_flits));
        let flits = self.sources.made(node, self.sources.taken(node), now).flits.wrapping_sub(unmade);
        Amount { packets: flits / packet, flits }
    }

    /// Whether all nodes have made their last packet.
    pub fn are_dry(&self) -> bool {
        (0..).zip(&self.nodes).all(|(node, of)| of.left == 0 && self.sources.has_ended(node))
    }

    /// Whether no node has a message, nor will have one before something is delivered.
    pub fn wait(&self) -> bool {
        let idle = self.nodes.iter().all(|of| of.left == 0);
        idle && self.later.is_empty() && self.resumed.is_empty()
    }

    /// The full queue that a node waits for.
    pub fn stalled(&self, node: usize) -> Option<usize> {
        self.nodes[node].stalled.filter(|_| !self.resumed.contains(node)).map(usize::from)
    }

    /// Messages of which some packet has not been made.
    pub fn unfinished(&self) -> usize {
        self.nodes.iter().filter(|node| node.left > 0).count()
    }

    /// Packets that all nodes have made.
    pub fn made(&self) -> u64 {
        self.nodes.iter().map(|node| node.made).sum()
    }

    /// Messages some of whose packets have been made, with the flits of the others.
    pub fn begun(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let begun = |node: &&Maker| node.left > 0 && node.left < node.next.flits / self.packet_flits;
        self.nodes.iter().filter(begun).map(|node| (node.message, node.left * self.packet_flits))
    }

    /// That what nodes are about to send is for nodes that are there.
    fn fits(&self) -> Result<(), Unfit> {
        are_counts(self.nodes.iter().map(|node| node.made))?;
        let right = |node: &Maker| {
            let Due { destination, flits, cycle } = node.next;
            let there = (destination as usize) < self.nodes.len() && flits <= self.sources.max_flits();
            there && node.left <= flits / self.packet_flits && cycle <= MOST
        };
        ensure(self.nodes.iter().all(right), "a node has more to send than it has made")
    }

    /// A node that does not stand behind its message before cycle `now`: it makes it, or wakes when it is due, or has none.
    pub fn astray(&self, now: u64) -> Option<usize> {
        let mut asleep = BitSet::new(self.nodes.len());
        self.calendar.asleep().into_iter().for_each(|node| asleep.insert(node as usize));
        (0..self.nodes.len()).find(|&n| {
            let due = asleep.contains(n).then(|| self.calendar.due(n as u32));
            !self.stands(n as u32, &self.nodes[n], due, now)
        })
    }

    fn stands(&self, node: u32, of: &Maker, due: Option<u64>, now: u64) -> bool {
        let (taken, packets) = (self.sources.taken(node), of.next.flits / self.packet_flits);
        let (later, resumed) = (self.later.contains(node as usize), self.resumed.contains(node as usize));
        let Due { cycle, destination, flits } = of.next;
        let next = Generated { cycle, destination, flits, index: taken.wrapping_sub(1) };
        let made = self.generated_by(node, of, now).packets == of.made;
        let right = made && of.left <= packets && (taken == 0 || self.sources.makes(node, &next));
        if of.left == 0 {
            let asked = later == due.is_some() && due.is_none_or(|due| due >= now);
            // Whoever is resumed without a message has been woken for one that is due.
            let asked_by = if resumed { Some(now) } else { due };
            let next = self.sources.ahead(node).next();
            let none = next.is_none_or(|next| asked_by.is_some_and(|by| next.cycle >= by));
            return right && none && asked && of.stalled.is_none();
        }
        let behind = taken > 0 && self.sources.stands_behind(node, &next, now);
        let waits = match (due, of.stalled) {
            (Some(due), None) => due == cycle && due >= now && of.left == packets && !resumed,
            (None, Some(_)) => cycle < now,
            _ => false,
        };
        right && behind && waits && !later
    }
}
