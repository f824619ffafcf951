//! Nodes: where packets come from.

use super::config::Config;
use super::network::{FlitOnWire, Network};
use super::output::{IsTail, OutputChannel};
use crate::reference::script::{Name, Script};
use crate::reference::source::SourceQueue;
use crate::wormhole::packet::{Flit, Packet};
use std::collections::VecDeque;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::Traffic;

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Packets generated that have not left completely, and the generator behind them.
    pub queue: SourceQueue,
    /// Flits of the packet in the slot that have not left.
    pub slot: VecDeque<Flit>,
    /// The channel that the packet in the slot has taken.
    pub holds: Option<usize>,
    /// By plane, the channel taken last.
    pub last: Vec<Option<usize>>,
    /// By plane, channels of the input port of the node's router.
    pub outputs: Vec<Vec<OutputChannel>>,
}

impl Node {
    /// A node that has not made any packet.
    pub fn new(config: &Config, node: u32, traffic: &Traffic) -> Self {
        let base = &config.shared.base;
        let queue = SourceQueue::new(node, base.source_queue_packets, traffic);
        Node {
            queue: queue.cutting(config.shared.packet_flits),
            slot: VecDeque::new(),
            holds: None,
            last: vec![None; config.planes],
            outputs: vec![
                vec![OutputChannel::new(config.buffer_flits(), config.sharing); config.channels()];
                config.planes
            ],
        }
    }

    /// The channel that a new head takes in a plane, of those that are free and not full: the first from the one after the
    /// last taken on, or the one that was drawn, of the channels of its kind. Where the last one taken is none of these, and at first, it takes
    /// the first or none.
    fn choose(&self, plane: usize, drawn: Option<usize>, (first, many): (usize, usize)) -> Option<usize> {
        let outputs = &self.outputs[plane];
        let last = self.last[plane].filter(|last| (first..first + many).contains(last));
        let order: Vec<usize> = match (drawn, last) {
            (Some(drawn), _) => vec![drawn],
            (None, None) => vec![first],
            (None, Some(last)) => (1..=many).map(|step| first + (last - first + step) % many).collect(),
        };
        order.into_iter().find(|&channel| outputs[channel].is_free() && outputs[channel].has_credit())
    }
}

impl Network<'_> {
    /// A node makes the packets of this cycle.
    pub(super) fn generate(&mut self, node: usize) {
        while let Some(made) = self.nodes[node].queue.generate(self.now, self.traffic) {
            self.nodes[node].queue.push(self.packets.len());
            let packet = Packet::new(node as u32, made, self.config.shared.plan(node as u32, &made));
            self.packets.push(Packet { message: self.nodes[node].queue.message(), ..packet });
        }
    }

    /// A node without a packet asks the script for one.
    pub(super) fn generate_by(&mut self, node: usize, script: &mut dyn Script) {
        if self.nodes[node].queue.front().is_none()
            && let Some(made) = script.next(node as u32, self.now)
        {
            self.nodes[node].queue.push(self.packets.len());
            let kind = script.kind(node as u32);
            let packet = Packet::new(node as u32, made, self.config.of_kind(kind).plan(node as u32, &made));
            self.packets.push(Packet { kind, ..packet });
        }
    }

    /// A node sends a flit.
    pub(super) fn step_node(&mut self, node: usize) {
        let at = &mut self.nodes[node];
        if let (true, Some(next)) = (at.slot.is_empty(), at.queue.front()) {
            at.slot.extend(self.packets[next].flits(next));
        }
        let Some(flit) = at.slot.front() else { return };
        let packet = &self.packets[flit.packet];
        let plane = plane_of(self.config, packet.kind, (packet.source, packet.made.index));
        let range = self.config.range(packet.kind);
        if at.holds.is_none()
            && let Some(channel) = at.choose(plane, self.config.drawn_channel(node, self.now), range)
        {
            at.outputs[plane][channel].take();
            (at.holds, at.last[plane]) = (Some(channel), Some(channel));
        }
        self.send_from_node(node, plane);
    }

    /// The next flit of a node leaves, if its packet has a channel with a credit.
    fn send_from_node(&mut self, node: usize, plane: usize) {
        let (config, now) = (self.config, self.now);
        let router = config.router_in(plane, config.shared.base.router_of(node as u32));
        let at = &mut self.nodes[node];
        let Some(channel) = at.holds.filter(|&channel| at.outputs[plane][channel].has_credit()) else { return };
        let flit = at.slot.pop_front().expect("a packet in the slot has a flit");
        at.outputs[plane][channel].send(IsTail::from(flit.tail));
        self.packets[flit.packet].entered.get_or_insert(now);
        if flit.number == 0 {
            self.decide_early(router, flit.packet);
        }
        let at = &mut self.nodes[node];
        if flit.tail {
            at.holds = None;
            at.queue.pop(now + 1);
        }
        let port = config.port_of(node as u32);
        self.flits.push(FlitOnWire { flit, arrives: now + super::config::NODE_WIRE + 1, router, port, channel });
    }
}

/// The plane in which a packet travels: that of its kind, or any.
fn plane_of(config: &Config, kind: usize, (source, index): Name) -> usize {
    if let Some(planes) = config.kinds.and_then(|kinds| kinds.planes) {
        return planes[kind];
    }
    let drawn = rng::draw(config.shared.base.seed, Purpose::Tie, source, index)[1];
    ((u64::from(drawn) * config.planes as u64) >> 32) as usize
}
