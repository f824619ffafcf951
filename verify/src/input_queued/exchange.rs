//! Nodes that send requests to read and to write, and answer those of others, as those of BookSim: a node has one place for a packet, and
//! answers go first. Where a node has several classes, each has a place. The answers of all wait in one line, and a class of requests takes the first
//! of them, be it an answer to another class: it is a packet of the class that takes it. Packets of other classes are of no kind.

use super::config::Config;
use crate::reference::script::{Name, Script};
use std::collections::VecDeque;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::{Generated, Source, Traffic};

/// Lengths of packets, and how many requests are writes.
#[derive(Clone, Debug)]
pub struct Lengths {
    /// Of requests to read and to write, and of their answers \[flits\].
    pub flits: [u32; 4],
    /// Share of writes.
    pub writes: f64,
}

/// The kind of packets that nobody answers and that are no answers.
const PLAIN: usize = 4;

/// What a class of a node has to do with.
struct Slot {
    cursor: Source,
    /// The next request, whose cycle may not have come.
    next: Option<Generated>,
    /// Requests that have been made, with their kinds.
    requests: VecDeque<(Generated, usize)>,
    /// Destinations and kinds of the packets sent.
    sent: Vec<(u32, usize)>,
}

/// All nodes.
pub struct Exchange<'a> {
    seed: u64,
    /// By class; none where its packets are of no kind.
    classes: &'a [Option<Lengths>],
    traffic: &'a Traffic,
    /// By node and class.
    slots: Vec<Slot>,
    /// By node, the requests that came: when, from which slot, and their kinds.
    came: Vec<VecDeque<(u64, u32, usize)>>,
}

impl<'a> Exchange<'a> {
    /// Before cycle 0.
    pub fn new(config: &'a Config, classes: &'a [Option<Lengths>], traffic: &'a Traffic) -> Self {
        let slot =
            |slot| Slot { cursor: traffic.source(slot), next: None, requests: VecDeque::new(), sent: Vec::new() };
        let (slots, nodes) = ((0..traffic.nodes()).map(slot).collect(), traffic.nodes() as usize / classes.len());
        Exchange { seed: config.shared.base.seed, classes, traffic, slots, came: vec![VecDeque::new(); nodes] }
    }

    /// The node and the class of a slot.
    fn place(&self, slot: u32) -> (usize, usize) {
        (slot as usize / self.classes.len(), slot as usize % self.classes.len())
    }

    /// Whether a request is one to read or one to write: the draw of its class, which has a seed of its own.
    fn kind_of(&self, slot: u32, index: u64) -> usize {
        let (node, class) = self.place(slot);
        let Some(lengths) = &self.classes[class] else { return PLAIN };
        let seed = if class == 0 { self.seed } else { rng::draw_u64(self.seed, Purpose::Class, class as u32, 0) };
        let draw = rng::draw_u64(seed, Purpose::Size, node as u32, index);
        let is_read = (draw as f64) < (1.0 - lengths.writes) * 2f64.powi(64);
        usize::from(!is_read)
    }

    /// Requests are made that are due.
    fn make(&mut self, slot: u32, now: u64) {
        loop {
            let at = &mut self.slots[slot as usize];
            at.next = at.next.or_else(|| self.traffic.next(slot, &mut at.cursor));
            let Some(request) = at.next.filter(|request| request.cycle <= now) else { return };
            at.next = None;
            let kind = self.kind_of(slot, request.index);
            self.slots[slot as usize].requests.push_back((request, kind));
        }
    }

    /// The next answer of a class, if one waits that it may give.
    fn answer(&mut self, slot: u32, now: u64) -> Option<(Generated, usize)> {
        let (node, class) = self.place(slot);
        let lengths = self.classes[class].as_ref()?;
        let (cycle, from, kind) = self.came[node].front().copied().filter(|&(cycle, ..)| cycle < now)?;
        self.came[node].pop_front();
        let destination = (self.place(from).0 * self.classes.len() + class) as u32;
        Some((Generated { cycle, destination, flits: lengths.flits[kind + 2], index: 0 }, kind + 2))
    }
}

impl Script for Exchange<'_> {
    fn hears(&mut self, now: u64, delivered: &[Name], _left: &[Name]) {
        let mut delivered = delivered.to_vec();
        // A node may hear of several planes at once.
        delivered.sort_unstable();
        for name in delivered {
            let (destination, kind) = self.slots[name.0 as usize].sent[name.1 as usize];
            if kind < 2 {
                let node = self.place(destination).0;
                self.came[node].push_back((now, name.0, kind));
            }
        }
    }

    fn entered(&mut self, _now: u64, _packets: &[Name]) {}

    fn next(&mut self, node: u32, now: u64) -> Option<Generated> {
        self.make(node, now);
        let answer = self.answer(node, now);
        let at = &mut self.slots[node as usize];
        let (packet, kind) = answer.or_else(|| at.requests.pop_front())?;
        let index = at.sent.len() as u64;
        at.sent.push((packet.destination, kind));
        Some(Generated { index, ..packet })
    }

    fn kind(&self, node: u32) -> usize {
        self.slots[node as usize].sent.last().map_or(0, |&(_, kind)| kind)
    }

    fn holds(&mut self, _node: u32, _now: u64) -> u32 {
        0
    }
}
