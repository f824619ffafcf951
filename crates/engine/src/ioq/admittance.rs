//! Admittance queues: queues of a node, one for every destination.

use super::layout::words;
use super::queues::{NONE, first_in, follow};
use super::router::Router;
use crate::mask::are_below;
use serde::{Deserialize, Serialize};
use tailback_base::bits::{BitSet, ones};
use tailback_base::state::{Unfit, ensure};

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

tailback_base::plain!(Line, Waiting);

/// The admittance queues of all nodes.
pub(super) struct Admittance {
    /// Packets that a queue holds.
    pub limit: u32,
    nodes: usize,
    /// By `source * nodes + destination`.
    pub lines: Vec<Line>,
    /// Packets that have not come to the front.
    waiting: Vec<Waiting>,
    free: u32,
    /// Destinations with packets: words from `source * words` on.
    filled: Vec<u64>,
    /// Those of them of which the front is known to be refused, by the discipline or by what the node has heard of its throttle, and
    /// the number of the discipline's answers that it is known of.
    /// PERF: under backlog nearly all are filled and few accepted (`tailback bench recn-1`).
    refused: Vec<u64>,
    answers: Vec<u32>,
    /// Admittance queues with a front packet that waits for room in the adapter.
    parked: Vec<u64>,
    words: usize,
    /// Packets of every node, and nodes with some.
    counts: Vec<u32>,
    pub waits: BitSet,
    /// Adapters that take nothing.
    pub idle: BitSet,
    /// Adapters that may have something to take.
    pub look: BitSet,
}

/// Packets waiting in finite queues for which memory is reserved.
const RESERVED: usize = 1 << 22;

tailback_base::state!([] Admittance {
    saved: lines, free, filled, refused, answers, parked, counts, waits, idle, look; grown: waiting; rebuilt: limit, nodes, words;
} [fits]);

impl Admittance {
    pub fn new(nodes: usize, config: &Router) -> Self {
        let reserved =
            config.source_queue_packets.map_or(0, |limit| (nodes * nodes).saturating_mul(limit as usize - 1));
        let mut idle = BitSet::new(nodes);
        (0..nodes).for_each(|node| idle.insert(node));
        Admittance {
            limit: config.source_queue_packets.unwrap_or(u32::MAX),
            nodes,
            lines: vec![Line::EMPTY; nodes * nodes],
            waiting: Vec::with_capacity(reserved.min(RESERVED)),
            free: NONE,
            filled: vec![0; nodes * words(nodes)],
            refused: vec![0; nodes * words(nodes)],
            answers: vec![0; nodes],
            parked: vec![0; nodes * words(nodes)],
            words: words(nodes),
            counts: vec![0; nodes],
            waits: BitSet::new(nodes),
            idle,
            look: BitSet::new(nodes),
        }
    }

    /// That no list goes round.
    fn fits(&self) -> Result<(), Unfit> {
        let next: Vec<u32> = self.waiting.iter().map(|waiting| waiting.next).collect();
        let heads: Vec<u32> = self.lines.iter().map(|line| line.first).chain([self.free]).collect();
        follow(&heads, &next)?;
        let ends = |line: &Line| line.first == NONE || self.end_of(line.first) == line.last;
        ensure(self.lines.iter().all(ends), "a queue has another end than its own")
    }

    /// The last of those that wait behind one.
    fn end_of(&self, mut waiting: u32) -> u32 {
        while self.waiting[waiting as usize].next != NONE {
            waiting = self.waiting[waiting as usize].next;
        }
        waiting
    }

    /// Whether the sets of a node have no destination that is not there, and it waits for admittance if it has packets.
    pub fn is_bounded(&self, node: usize) -> bool {
        let of = |sets: &[u64]| are_below(sets[node * self.words..][..self.words].iter().copied(), self.nodes);
        let all = of(&self.filled) && of(&self.refused) && of(&self.parked);
        all && self.waits.contains(node) == (self.counts[node] > 0)
    }

    /// Destinations that are known to be refused at a node, while the discipline's answers have this number.
    pub fn refused(&self, node: usize, answers: u32) -> impl Iterator<Item = usize> + '_ {
        let known = self.answers[node] == answers;
        let sets = self.refused[node * self.words..][..self.words].iter().enumerate();
        sets.flat_map(|(n, &set)| ones(set).map(move |bit| n * 64 + bit)).filter(move |_| known)
    }

    /// Packets of every node.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Whether no node has a packet.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|&count| count == 0)
    }

    /// The queue of a node for a destination.
    #[inline]
    pub fn line(&self, node: usize, destination: usize) -> &Line {
        &self.lines[node * self.nodes + destination]
    }

    /// Packets in the queue of a node for a destination. PERF: the queues of a network are more than a cache holds; most are
    /// empty, and then it is not waited for one (`tailback bench recn-1`).
    #[inline(always)]
    pub fn count(&self, node: usize, destination: usize) -> u32 {
        let filled = self.filled[node * self.words + destination / 64] >> (destination % 64) & 1 == 1;
        if filled { self.line(node, destination).count } else { 0 }
    }

    /// An adapter may take the next packet.
    #[inline]
    pub fn free(&mut self, node: usize) {
        self.idle.insert(node);
        self.look.insert(node);
    }

    /// Whether an adapter takes nothing.
    pub fn is_idle(&self, node: usize) -> bool {
        self.idle.contains(node)
    }

    /// A packet of a node joins the end of a queue that has others.
    #[inline]
    pub fn wait(&mut self, node: usize, destination: usize, waiting: Waiting) {
        let id = if self.free == NONE {
            self.waiting.push(waiting);
            (self.waiting.len() - 1) as u32
        } else {
            let id = self.free;
            self.free = self.waiting[id as usize].next;
            self.waiting[id as usize] = waiting;
            id
        };
        let line = &mut self.lines[node * self.nodes + destination];
        if line.first == NONE {
            line.first = id;
        } else {
            self.waiting[line.last as usize].next = id;
        }
        line.last = id;
        line.count += 1;
        self.counts[node] += 1;
    }

    /// A packet of a node is at the front of an empty queue.
    #[inline]
    pub fn begin(&mut self, node: usize, destination: usize, id: u32) {
        let line = &mut self.lines[node * self.nodes + destination];
        (line.front, line.count) = (id, 1);
        self.counts[node] += 1;
        self.waits.insert(node);
        self.filled[node * self.words + destination / 64] |= 1 << (destination % 64);
        self.look.insert(node);
    }

    /// The packet at the front of a queue leaves; the one behind it, which comes to the front.
    #[inline]
    pub fn take(&mut self, node: usize, destination: usize) -> (u32, Option<Waiting>) {
        let line = &mut self.lines[node * self.nodes + destination];
        let id = std::mem::replace(&mut line.front, NONE);
        line.count -= 1;
        self.counts[node] -= 1;
        if self.counts[node] == 0 {
            self.waits.remove(node);
        }
        if line.first == NONE {
            self.filled[node * self.words + destination / 64] &= !(1 << (destination % 64));
            return (id, None);
        }
        let next = line.first;
        let waiting = self.waiting[next as usize];
        line.first = waiting.next;
        self.waiting[next as usize].next = self.free;
        self.free = next;
        (id, Some(waiting))
    }

    /// Destinations of a node's packets, as words of a set.
    #[inline]
    pub fn filled(&self, node: usize) -> &[u64] {
        &self.filled[node * self.words..][..self.words]
    }

    /// The front of a queue is refused until the discipline's answers or the words of the throttle change.
    #[inline]
    pub fn refuse(&mut self, node: usize, destination: usize) {
        self.refused[node * self.words + destination / 64] |= 1 << (destination % 64);
    }

    /// The discipline's answers have this number: if it is another one, nothing is known to be refused.
    #[inline]
    pub fn ask_again(&mut self, node: usize, answers: u32) {
        if self.answers[node] != answers {
            self.answers[node] = answers;
            self.forget(node);
        }
    }

    /// A throttle says something else to a node.
    #[inline]
    pub fn reconsider(&mut self, node: usize) {
        self.forget(node);
        self.look.insert(node);
    }

    /// Nothing is known to be refused at a node.
    #[inline]
    pub fn forget(&mut self, node: usize) {
        self.refused[node * self.words..][..self.words].fill(0);
    }

    /// The destination with packets that is not known to be refused and comes first from `from` on.
    #[inline]
    pub fn next(&self, node: usize, from: u32) -> Option<usize> {
        let start = node * self.words;
        let word = |w: usize| self.filled[start + w] & !(self.refused[start + w] | self.parked[start + w]);
        first_in(self.words, word, from)
    }

    /// The front of a queue waits for room.
    #[inline]
    pub fn park(&mut self, node: usize, destination: usize) {
        self.parked[node * self.words + destination / 64] |= 1 << (destination % 64);
    }

    /// It waits no more.
    #[inline]
    pub fn unpark(&mut self, node: usize, destination: usize) {
        self.parked[node * self.words + destination / 64] &= !(1 << (destination % 64));
        self.look.insert(node);
    }

    /// Whether it waits.
    pub fn is_parked(&self, node: usize, destination: usize) -> bool {
        self.parked[node * self.words + destination / 64] >> (destination % 64) & 1 == 1
    }

    /// Calls `each` with the packet at the front of every queue that has one.
    pub fn each_front(&self, each: impl FnMut(u32)) {
        self.lines.iter().map(|line| line.front).filter(|&front| front != NONE).for_each(each);
    }

    /// Calls `each` with node, destination and packet of all that have not come to the front.
    pub fn each_waiting(&self, mut each: impl FnMut(usize, usize, &Waiting)) {
        for (n, line) in self.lines.iter().enumerate() {
            let mut next = line.first;
            while next != NONE {
                let waiting = &self.waiting[next as usize];
                each(n / self.nodes, n % self.nodes, waiting);
                next = waiting.next;
            }
        }
    }
}
