//! The generators of all nodes, and what is in an admittance queue.

use super::pool::Way;
use super::queues::NONE;
use super::router::Router;
use crate::calendar::Calendar;
use crate::messages::Messages;
use crate::totals::{Amount, cut};
use serde::{Deserialize, Serialize};
use tailback_base::bits::BitSet;
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_network::Grid;
use tailback_traffic::{Generated, Source, Traffic};

/// An admittance queue.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Line {
    /// The packet at the front, or none.
    pub front: u32,
    /// The first one behind it, or none.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// All packets.
    pub count: u32,
}

impl Line {
    /// A queue without packets.
    pub const EMPTY: Line = Line { front: NONE, first: NONE, last: NONE, count: 0 };
}

/// A packet in an admittance queue that has not come to the front.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub birth: u64,
    /// Its number among the packets of its source.
    pub index: u64,
    /// The message it belongs to.
    pub message: u32,
    /// The packet behind it.
    pub next: u32,
}

/// A message. PERF: not all that the traffic says of it, for that would be read in other pieces than it was written in, and
/// so not before it, and all that was written before, has reached the cache (`tailback bench recn-1`).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Next {
    /// Cycle in which the spec wants it.
    pub cycle: u64,
    pub destination: u32,
    pub flits: u32,
}

/// A node's generator.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Node {
    pub source: Source,
    /// The message that is being made or the next one.
    pub next: Next,
    /// Packets of it that have not been made; 0 where there is none.
    pub left: u32,
    /// Its number, while it is being made.
    pub message: u32,
    /// Packets made.
    pub made: u64,
    /// Whether the next packet waits for room in its queue.
    pub stalled: bool,
}

/// The generators of all nodes.
pub(super) struct Sources {
    pub nodes: Vec<Node>,
    pub calendar: Calendar,
    /// Nodes that waited for room, and have it.
    pub resumed: BitSet,
    /// The route that is being walked.
    pub route: Way,
    pub messages: Messages,
}

/// Packets in the network for which the numbers of their messages are kept from the start.
const RESERVED: usize = 1 << 20;

tailback_base::plain!(Line, Waiting, Node);
tailback_base::state!([] Sources { saved: nodes, calendar, resumed, messages; rebuilt: route; });

impl Sources {
    pub fn new(grid: &Grid, traffic: &Traffic, config: &Router) -> Self {
        let nodes = grid.nodes();
        let cut = traffic.max_flits() > config.packet_flits;
        let mut sources = Sources {
            nodes: Vec::with_capacity(nodes),
            calendar: Calendar::new(nodes),
            resumed: BitSet::new(nodes),
            route: Way::new(super::longest_route(grid), super::port_count(grid)),
            messages: Messages::new(cut, RESERVED, RESERVED),
        };
        for node in 0..nodes as u32 {
            let nothing = Next { cycle: 0, destination: node, flits: 0 };
            let source = traffic.source(node);
            let mut first = Node { source, next: nothing, left: 0, message: 0, made: 0, stalled: false };
            if first.pull(traffic, node, config.packet_flits) {
                sources.calendar.schedule(node, first.next.cycle);
            }
            sources.nodes.push(first);
        }
        sources
    }

    /// A packet has left an admittance queue.
    #[inline]
    pub fn left(&mut self, node: usize, destination: usize) {
        let of = &self.nodes[node];
        if of.stalled && of.next.destination as usize == destination {
            self.resumed.insert(node);
        }
    }

    /// The destination whose queue a node waits for.
    pub fn stalled(&self, node: usize) -> Option<usize> {
        let of = &self.nodes[node];
        (of.stalled && !self.resumed.contains(node)).then_some(of.next.destination as usize)
    }

    /// What all nodes have made.
    pub fn generated(&self, traffic: &Traffic, packet_flits: u32, now: u64) -> Amount {
        let of = |(node, of): (u32, &Node)| cut(traffic, node, (of.source.taken(), of.left), packet_flits, now);
        (0..).zip(&self.nodes).map(of).sum()
    }

    /// Whether all nodes have made their last packet.
    pub fn have_made_all(&self, traffic: &Traffic) -> bool {
        let makes_none = |(node, of): (u32, &Node)| of.left == 0 && traffic.next(node, &mut { of.source }).is_none();
        (0..).zip(&self.nodes).all(makes_none)
    }

    /// Messages of which some packet has not been made.
    pub fn unfinished(&self) -> usize {
        self.nodes.iter().filter(|node| node.left > 0).count()
    }
}

impl Sources {
    /// That what nodes are about to send is for nodes that are there.
    pub fn fit(&self, grid: &Grid, traffic: &Traffic, packet_flits: u32) -> Result<(), Unfit> {
        are_counts(self.nodes.iter().map(|node| node.made))?;
        let right = |node: &Node| {
            let Next { destination, flits, .. } = node.next;
            let there = (destination as usize) < grid.nodes() && flits <= traffic.max_flits();
            there && node.left <= flits / packet_flits && node.next.cycle <= MOST
        };
        ensure(self.nodes.iter().all(right), "a node has more to send than it has made")
    }

    /// Whether every node makes its message, or wakes when the next one is due, or makes none any more; before cycle `now`.
    pub fn stand(&self, traffic: &Traffic, packet_flits: u32, now: u64) -> bool {
        let mut asleep = BitSet::new(self.nodes.len());
        self.calendar.asleep().into_iter().for_each(|node| asleep.insert(node as usize));
        (0u32..).zip(&self.nodes).all(|(node, of)| {
            let due = asleep.contains(node as usize).then(|| self.calendar.due(node));
            let resumed = !self.resumed.contains(node as usize) || of.stalled;
            resumed && of.stands(traffic, node, packet_flits, due, now)
        })
    }

    /// Packets that all nodes have made.
    pub fn made(&self) -> u64 {
        self.nodes.iter().map(|node| node.made).sum()
    }

    /// Packets that a node has made.
    pub fn made_by(&self, node: usize) -> u64 {
        self.nodes[node].made
    }

    /// Messages some of whose packets have been made, with the flits of the others.
    pub fn begun(&self, packet_flits: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let begun = move |node: &&Node| node.left > 0 && node.left < node.next.flits / packet_flits;
        self.nodes.iter().filter(begun).map(move |node| (node.message, node.left * packet_flits))
    }
}

impl Node {
    /// Makes the next message known; `false` when there is none.
    pub fn pull(&mut self, traffic: &Traffic, node: u32, packet_flits: u32) -> bool {
        if let Some(Generated { cycle, destination, flits, .. }) = traffic.next(node, &mut self.source) {
            self.next = Next { cycle, destination, flits };
            self.left = flits / packet_flits;
        }
        self.left > 0
    }

    /// Whether it makes its message, or has one to make in cycle `due`, or makes none any more.
    fn stands(&self, traffic: &Traffic, node: u32, packet_flits: u32, due: Option<u64>, now: u64) -> bool {
        let (taken, packets) = (self.source.taken(), self.next.flits / packet_flits);
        let made = cut(traffic, node, (taken, self.left), packet_flits, now).packets == self.made;
        let Next { cycle, destination, flits } = self.next;
        let next = Generated { cycle, destination, flits, index: taken.wrapping_sub(1) };
        let right = made && self.left <= packets && (taken == 0 || traffic.makes(node, &next));
        if self.left == 0 {
            let none = traffic.next(node, &mut self.source.clone()).is_none();
            return right && none && due.is_none() && !self.stalled;
        }
        let behind = taken > 0 && traffic.stands_behind(&self.source, &next, now);
        let waits = match (due, self.stalled) {
            (Some(due), false) => due == cycle && due >= now && self.left == packets,
            (None, true) => cycle < now,
            _ => false,
        };
        right && behind && waits
    }
}
