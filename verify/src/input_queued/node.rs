//! Nodes: where packets come from.

use super::config::Config;
use super::network::{FlitOnWire, Network};
use super::output::{IsTail, OutputChannel};
use super::priority;
use crate::reference::script::{Name, Script};
use crate::reference::source::SourceQueue;
use crate::wormhole::packet::{Flit, Packet};
use std::collections::VecDeque;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::Traffic;

/// A slot of a node, for the packets of one class.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Packets generated that have not left completely, and the generator behind them.
    pub queue: SourceQueue,
    /// Flits of the packet in the slot that have not left.
    pub flits: VecDeque<Flit>,
    /// The channel that the packet in the slot has taken.
    pub holds: Option<usize>,
    /// The channel that its head chose in a cycle in which another class with more priority sent: it waits for that one.
    pub chose: Option<usize>,
    /// By plane, the channel taken last.
    pub last: Vec<Option<usize>>,
}

/// The wires of a node, one in each plane.
#[derive(Clone, Debug)]
pub struct Wires {
    /// By plane, channels of the input port of the node's router.
    pub outputs: Vec<Vec<OutputChannel>>,
    /// By plane, the class of the last flit.
    pub turns: Vec<usize>,
}

impl Wires {
    /// Those of a node that has sent nothing.
    pub fn new(config: &Config) -> Self {
        let channel = OutputChannel::new(config.buffer_flits(), config.sharing);
        Wires { outputs: vec![vec![channel; config.channels()]; config.planes], turns: vec![0; config.planes] }
    }
}

impl Slot {
    /// A slot that has not made any packet.
    pub fn new(config: &Config, node: u32, traffic: &Traffic) -> Self {
        let base = &config.shared.base;
        let queue = SourceQueue::new(node, base.source_queue_packets, traffic);
        Slot {
            queue: queue.cutting(config.shared.packet_flits),
            flits: VecDeque::new(),
            holds: None,
            chose: None,
            last: vec![None; config.planes],
        }
    }

    /// The channel that a new head takes in a plane, of those that are free and not full: the first from the one after the
    /// last taken on, or the one that was drawn, of the channels of its kind. Where the last one taken is none of these, and at first, it takes
    /// the first or none.
    fn choose(
        last: Option<usize>,
        outputs: &[OutputChannel],
        drawn: Option<usize>,
        (first, many): (usize, usize),
    ) -> Option<usize> {
        let last = last.filter(|last| (first..first + many).contains(last));
        let order: Vec<usize> = match (drawn, last) {
            (Some(drawn), _) => vec![drawn],
            (None, None) => vec![first],
            (None, Some(last)) => (1..=many).map(|step| first + (last - first + step) % many).collect(),
        };
        order.into_iter().find(|&channel| outputs[channel].is_free() && outputs[channel].has_credit())
    }
}

impl Network<'_> {
    /// A slot makes the packets of this cycle.
    pub(super) fn generate(&mut self, node: usize) {
        while let Some(made) = self.slots[node].queue.generate(self.now, self.traffic) {
            self.slots[node].queue.push(self.packets.len());
            let packet = Packet::new(node as u32, made, self.config.shared.plan(node as u32, &made));
            self.packets.push(Packet { message: self.slots[node].queue.message(), ..packet });
        }
    }

    /// A node without a packet asks the script for one.
    pub(super) fn generate_by(&mut self, node: usize, script: &mut dyn Script) {
        if self.slots[node].queue.front().is_none()
            && let Some(made) = script.next(node as u32, self.now)
        {
            self.slots[node].queue.push(self.packets.len());
            let kind = script.kind(node as u32);
            let packet = Packet::new(node as u32, made, self.config.of_kind(kind).plan(node as u32, &made));
            self.packets.push(Packet { kind, ..packet });
        }
    }

    /// Slots take their next packets.
    pub(super) fn fill_slot(&mut self, slot: usize) {
        if self.closed {
            return;
        }
        let at = &mut self.slots[slot];
        if let (true, Some(next)) = (at.flits.is_empty(), at.queue.front()) {
            at.flits.extend(self.packets[next].flits(next));
        }
    }

    /// A node sends a flit in a plane: of the highest priority out of those that its classes can send. Among equals classes take turns: the
    /// first one behind that of the last flit. While a packet holds its way through switches, its class is the first one.
    pub(super) fn step_wire(&mut self, node: usize, plane: usize) {
        let classes = self.config.classes;
        let last = self.wires[node].turns[plane];
        let mut order: Vec<usize> = (1..=classes).map(|step| (last + step) % classes).collect();
        if self.config.hold_switch && self.slots[node * classes + last].holds.is_some() {
            order.insert(0, last);
        }
        let mut best: Option<(u64, usize, usize)> = None;
        for class in order {
            let Some(flit) = self.slots[node * classes + class].flits.front() else { continue };
            let priority = priority::of_packet(self.config, &self.packets[flit.packet]);
            // A head that comes behind another looks for no channel.
            if best.is_some_and(|(highest, ..)| highest >= priority) {
                continue;
            }
            if let Some(channel) = self.could_send(node, class, plane) {
                best = Some((priority, class, channel));
            }
        }
        if let Some((_, class, channel)) = best {
            self.send_from_slot(node, class, plane, channel);
            self.wires[node].turns[plane] = class;
        }
    }

    /// The channel by which a slot could send a flit in a plane, if its packet is of that plane and has, or finds, one with a credit. The head
    /// remembers what it found.
    fn could_send(&mut self, node: usize, class: usize, plane: usize) -> Option<usize> {
        let (config, now, slot) = (self.config, self.now, node * self.config.classes + class);
        let (at, outputs) = (&mut self.slots[slot], &self.wires[node].outputs[plane]);
        let packet = &self.packets[at.flits.front()?.packet];
        if plane_of(config, packet.kind, (packet.source, packet.made.index)) != plane {
            return None;
        }
        if at.holds.is_none() && at.chose.is_none() {
            at.chose =
                Slot::choose(at.last[plane], outputs, config.drawn_channel(slot, now), config.range(packet.kind));
        }
        let is_mine = |channel: &usize| at.holds.is_some() || outputs[*channel].is_free();
        at.holds.or(at.chose).filter(is_mine).filter(|&channel| outputs[channel].has_credit())
    }

    /// The next flit of a slot leaves by a channel.
    fn send_from_slot(&mut self, node: usize, class: usize, plane: usize, channel: usize) {
        let (config, now, slot) = (self.config, self.now, node * self.config.classes + class);
        let (at, outputs) = (&mut self.slots[slot], &mut self.wires[node].outputs[plane]);
        if at.holds.is_none() {
            outputs[channel].take();
            (at.holds, at.chose, at.last[plane]) = (Some(channel), None, Some(channel));
        }
        let flit = at.flits.pop_front().expect("it could send one");
        outputs[channel].send(IsTail::from(flit.tail));
        self.packets[flit.packet].entered.get_or_insert(now);
        let router = config.router_in(plane, config.shared.base.router_of(slot as u32));
        if flit.number == 0 {
            self.decide_early(router, flit.packet);
        }
        let at = &mut self.slots[slot];
        if flit.tail {
            at.holds = None;
            at.queue.pop(now + 1);
        }
        let port = config.port_of(slot as u32);
        self.flits.push(FlitOnWire { flit, arrives: now + super::config::NODE_WIRE + 1, router, port, channel });
    }
}

/// The plane in which a packet travels: that of its kind, or any.
fn plane_of(config: &Config, kind: usize, (source, index): Name) -> usize {
    if let Some(planes) = config.kinds.and_then(|kinds| kinds.planes).filter(|_| kind < 4) {
        return planes[kind];
    }
    let drawn = rng::draw(config.shared.base.seed, Purpose::Tie, source, index)[1];
    ((u64::from(drawn) * config.planes as u64) >> 32) as usize
}
