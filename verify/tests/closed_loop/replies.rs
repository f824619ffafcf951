//! Sources that close a loop: a node sends its next message because something has become of a packet.

use tailback_base::state::{Unfit, ensure};
use tailback_engine::Amount;
use tailback_engine::contract::sources::{Ahead, Next, Sources};
use tailback_engine::packet::Packet;
use tailback_traffic::Generated;

const NEVER: u64 = u64::MAX;

/// What a node waits for before it sends the next message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A message has been delivered to it: it replies.
    Delivery,
    /// The head of its last packet has left it.
    Entry,
    /// The tail of its last packet has left it.
    Departure,
}

/// What all nodes have in common.
#[derive(Clone, Copy, Debug)]
pub struct Script {
    pub cause: Cause,
    /// Cycles from the cause to the message.
    pub think: u64,
    /// Length of every message \[flits\].
    pub flits: u32,
    /// Whether a message is told of as soon as it is certain, and not when it is due.
    pub early: bool,
}

/// A node and whom it sends to.
#[derive(Clone, Debug)]
pub struct Node {
    pub partner: u32,
    /// Messages that it sends in all.
    pub total: u64,
    /// Those given to the engine.
    pub taken: u64,
    /// Cycle in which the next one is due, if its cause has come.
    pub due: u64,
}

tailback_base::state!([] Node { saved: taken, due; rebuilt: partner, total; } [fits]);

impl Node {
    fn fits(&self) -> Result<(), Unfit> {
        ensure(self.taken <= self.total, "a node has sent more than it has")
    }

    /// The message that is due next, if one is.
    fn next(&self, flits: u32) -> Option<Generated> {
        let certain = self.taken < self.total && self.due != NEVER;
        certain.then_some(Generated { cycle: self.due, destination: self.partner, flits, index: self.taken })
    }
}

/// All nodes.
#[derive(Clone, Debug)]
pub struct Replies {
    pub script: Script,
    pub nodes: Vec<Node>,
}

tailback_base::state!([] Replies { saved: nodes; rebuilt: script; });

impl Replies {
    /// Nodes that send nothing.
    pub fn silent(script: Script, nodes: usize) -> Self {
        let silent = |node: usize| Node { partner: node as u32, total: 0, taken: 0, due: NEVER };
        Replies { script, nodes: (0..nodes).map(silent).collect() }
    }

    /// `node` sends `total` messages to `partner`, the first of them in cycle `first` or, without one, when it has a cause.
    pub fn talks(mut self, node: usize, partner: usize, total: u64, first: Option<u64>) -> Self {
        self.nodes[node] = Node { partner: partner as u32, total, taken: 0, due: first.unwrap_or(NEVER) };
        self
    }

    fn cause(&mut self, of: Cause, node: u32, at: u64) -> Option<u64> {
        let Script { cause, think, .. } = self.script;
        if cause != of {
            return None;
        }
        let due = &mut self.nodes[node as usize].due;
        // One that is due anyway comes earlier, never later.
        *due = (*due).min(at + think);
        Some(*due)
    }
}

impl Sources for Replies {
    type Ahead<'s> = Once;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let Script { flits, early, .. } = self.script;
        let of = &mut self.nodes[node as usize];
        match of.next(flits) {
            None => Next::Asleep,
            Some(next) if next.cycle > now && !early => Next::Later(next.cycle),
            Some(next) => {
                (of.taken, of.due) = (of.taken + 1, NEVER);
                Next::Packet(next)
            }
        }
    }

    fn delivered(&mut self, now: u64, packet: &Packet, message: Option<u64>) -> Option<u64> {
        message.and_then(|_| self.cause(Cause::Delivery, packet.destination, now))
    }

    fn follows_packets(&self) -> bool {
        self.script.cause != Cause::Delivery
    }

    fn entered(&mut self, now: u64, packet: &Packet) -> Option<u64> {
        assert_eq!(packet.entered, now);
        self.cause(Cause::Entry, packet.source, now + 1)
    }

    fn left(&mut self, at: u64, packet: &Packet) -> Option<u64> {
        self.cause(Cause::Departure, packet.source, at)
    }

    fn has_ended(&self, node: u32) -> bool {
        self.nodes[node as usize].taken == self.nodes[node as usize].total
    }

    fn taken(&self, node: u32) -> u64 {
        self.nodes[node as usize].taken
    }

    fn ahead(&self, node: u32) -> Once {
        Once(self.nodes[node as usize].next(self.script.flits))
    }

    fn made(&self, _node: u32, packets: u64, _now: u64) -> Amount {
        Amount { packets, flits: packets * u64::from(self.script.flits) }
    }

    fn min_flits(&self) -> u32 {
        self.script.flits
    }

    fn max_flits(&self) -> u32 {
        self.script.flits
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        let of = &self.nodes[node as usize];
        (packet.destination, packet.flits) == (of.partner, self.script.flits) && packet.index < of.taken
    }

    fn stands_behind(&self, node: u32, packet: &Generated, _latest: u64) -> bool {
        self.nodes[node as usize].taken == packet.index + 1
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.nodes[node as usize] = part.nodes[node as usize].clone();
    }
}

/// One message at most.
pub struct Once(Option<Generated>);

impl Ahead for Once {
    fn next(&mut self) -> Option<Generated> {
        self.0.take()
    }
}
