//! Nodes: where packets come from.

use super::config::Config;
use super::network::{FlitOnWire, Network};
use super::output::{IsTail, OutputChannel};
use crate::reference::script::Script;
use crate::reference::source::SourceQueue;
use crate::wormhole::packet::{Flit, Packet};
use std::collections::VecDeque;
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
    /// The channel taken last.
    pub last: Option<usize>,
    /// Channels of the input port of the node's router.
    pub outputs: Vec<OutputChannel>,
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
            last: None,
            outputs: vec![OutputChannel::new(config.buffer_flits(), config.sharing); config.channels()],
        }
    }

    /// The channel that a new head takes: the first from the one after the last taken on that is free and not full. The
    /// first packet of a node takes channel 0.
    fn choose(&self) -> Option<usize> {
        let channels = self.outputs.len();
        let order: Vec<usize> = match self.last {
            None => vec![0],
            Some(last) => (1..=channels).map(|step| (last + step) % channels).collect(),
        };
        order.into_iter().find(|&channel| self.outputs[channel].is_free() && self.outputs[channel].has_credit())
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
            self.packets.push(Packet::new(node as u32, made, self.config.shared.plan(node as u32, &made)));
        }
    }

    /// A node sends a flit.
    pub(super) fn step_node(&mut self, node: usize) {
        let at = &mut self.nodes[node];
        if let (true, Some(next)) = (at.slot.is_empty(), at.queue.front()) {
            at.slot.extend(self.packets[next].flits(next));
        }
        if at.slot.is_empty() {
            return;
        }
        if at.holds.is_none()
            && let Some(channel) = at.choose()
        {
            at.outputs[channel].take();
            (at.holds, at.last) = (Some(channel), Some(channel));
        }
        self.send_from_node(node);
    }

    /// The next flit of a node leaves, if its packet has a channel with a credit.
    fn send_from_node(&mut self, node: usize) {
        let (config, now) = (self.config, self.now);
        let at = &mut self.nodes[node];
        let Some(channel) = at.holds.filter(|&channel| at.outputs[channel].has_credit()) else { return };
        let flit = at.slot.pop_front().expect("a packet in the slot has a flit");
        at.outputs[channel].send(IsTail::from(flit.tail));
        self.packets[flit.packet].entered.get_or_insert(now);
        if flit.number == 0 {
            self.decide_early(config.shared.base.router_of(node as u32), flit.packet);
        }
        let at = &mut self.nodes[node];
        if flit.tail {
            at.holds = None;
            at.queue.pop(now + 1);
        }
        let (router, port) = (config.shared.base.router_of(node as u32), config.port_of(node as u32));
        self.flits.push(FlitOnWire { flit, arrives: now + super::config::NODE_WIRE + 1, router, port, channel });
    }
}
