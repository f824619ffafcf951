//! Nodes that send requests to read and to write, and answer those of others, as those of BookSim: a node has one place for a packet, and
//! answers go first.

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

/// What a node has to do with.
struct Node {
    cursor: Source,
    /// The next request, whose cycle may not have come.
    next: Option<Generated>,
    /// Requests that have been made, with their kinds.
    requests: VecDeque<(Generated, usize)>,
    /// Requests that came: when, from whom, and their kinds.
    came: VecDeque<(u64, u32, usize)>,
    /// Destinations and kinds of the packets sent.
    sent: Vec<(u32, usize)>,
}

/// All nodes.
pub struct Exchange<'a> {
    seed: u64,
    lengths: &'a Lengths,
    traffic: &'a Traffic,
    nodes: Vec<Node>,
}

impl<'a> Exchange<'a> {
    /// Before cycle 0.
    pub fn new(config: &'a Config, lengths: &'a Lengths, traffic: &'a Traffic) -> Self {
        let node = |node| Node {
            cursor: traffic.source(node),
            next: None,
            requests: VecDeque::new(),
            came: VecDeque::new(),
            sent: Vec::new(),
        };
        Exchange { seed: config.shared.base.seed, lengths, traffic, nodes: (0..traffic.nodes()).map(node).collect() }
    }

    /// Requests are made that are due.
    fn make(&mut self, node: u32, now: u64) {
        let at = &mut self.nodes[node as usize];
        loop {
            at.next = at.next.or_else(|| self.traffic.next(node, &mut at.cursor));
            let Some(request) = at.next.filter(|request| request.cycle <= now) else { return };
            let draw = rng::draw_u64(self.seed, Purpose::Size, node, request.index);
            let is_read = (draw as f64) < (1.0 - self.lengths.writes) * 2f64.powi(64);
            at.requests.push_back((request, usize::from(!is_read)));
            at.next = None;
        }
    }
}

impl Script for Exchange<'_> {
    fn hears(&mut self, now: u64, delivered: &[Name], _left: &[Name]) {
        let mut delivered = delivered.to_vec();
        // A node may hear of several planes at once.
        delivered.sort_unstable();
        for name in delivered {
            let (destination, kind) = self.nodes[name.0 as usize].sent[name.1 as usize];
            if kind < 2 {
                self.nodes[destination as usize].came.push_back((now, name.0, kind));
            }
        }
    }

    fn entered(&mut self, _now: u64, _packets: &[Name]) {}

    fn next(&mut self, node: u32, now: u64) -> Option<Generated> {
        self.make(node, now);
        let at = &mut self.nodes[node as usize];
        let came = at.came.front().copied().filter(|&(cycle, ..)| cycle < now);
        if came.is_some() {
            at.came.pop_front();
        }
        let (packet, kind) = match came {
            Some((cycle, to, kind)) => {
                (Generated { cycle, destination: to, flits: self.lengths.flits[kind + 2], index: 0 }, kind + 2)
            }
            None => at.requests.pop_front()?,
        };
        let index = at.sent.len() as u64;
        at.sent.push((packet.destination, kind));
        Some(Generated { index, ..packet })
    }

    fn kind(&self, node: u32) -> usize {
        self.nodes[node as usize].sent.last().map_or(0, |&(_, kind)| kind)
    }

    fn holds(&mut self, _node: u32, _now: u64) -> u32 {
        0
    }
}
