//! The network: what happens in a cycle.

use super::config::{Config, NODE_WIRE};
use super::decide::Owed;
use super::node::{Slot, Wires};
use super::router::{Router, State};
use crate::reference::script::{Name, Script};
use crate::totals::{Whereabouts, totals};
use crate::wormhole::packet::{Delivered, Flit, Packet};
use std::collections::{BTreeMap, BTreeSet};
use tailback_engine::Totals;
use tailback_traffic::Traffic;

/// A flit on its way to a router.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlitOnWire {
    pub flit: Flit,
    pub arrives: u64,
    pub router: usize,
    pub port: usize,
    pub channel: usize,
}

/// A flit on its way to its node, which consumes it.
#[derive(Clone, Copy, Debug)]
struct Ejected {
    flit: Flit,
    arrives: u64,
    router: usize,
    port: usize,
    channel: usize,
}

/// Where a credit goes.
#[derive(Clone, Copy, Debug)]
enum Sender {
    /// A router, by number and output port.
    Router(usize, usize),
    /// A node, and the plane.
    Node(usize, usize),
}

/// Credits on their way, with the cycle from which on they count.
#[derive(Clone, Debug)]
struct CreditOnWire {
    channels: BTreeSet<usize>,
    counts: u64,
    to: Sender,
}

/// A network in the middle of a run.
pub struct Network<'a> {
    pub(super) config: &'a Config,
    pub(super) traffic: &'a Traffic,
    pub(super) now: u64,
    pub(super) routers: Vec<Router>,
    /// The slots of all nodes, those of a node one after the other.
    pub(super) slots: Vec<Slot>,
    pub(super) wires: Vec<Wires>,
    /// Every packet ever generated.
    pub(super) packets: Vec<Packet>,
    /// Flits on their way to routers.
    pub(super) flits: Vec<FlitOnWire>,
    ejected: Vec<Ejected>,
    credits: Vec<CreditOnWire>,
    /// Steps that routers have made.
    pub(super) steps: u64,
    /// Steps that are due, fractions of one included.
    due: f64,
    /// Flits that have left buffers of routers.
    pub(super) sent: u64,
    /// Packets that have a channel to their node and have not been delivered.
    pub(super) homing: BTreeSet<usize>,
    /// By node: flits of its ejection buffer that a script holds.
    pub(super) held: Vec<u32>,
    /// Whether slots take no new packets.
    pub(super) closed: bool,
    /// What routers had sent and had no credit for, at the end of the cycle before.
    pub(super) owed_before: Vec<Owed>,
}

impl<'a> Network<'a> {
    /// An empty network before cycle 0.
    pub fn new(config: &'a Config, traffic: &'a Traffic) -> Self {
        let base = &config.shared.base;
        Network {
            config,
            traffic,
            now: 0,
            routers: (0..config.routers()).map(|router| Router::new(config, router)).collect(),
            slots: (0..base.nodes()).map(|slot| Slot::new(config, slot as u32, traffic)).collect(),
            wires: vec![Wires::new(config); config.nodes()],
            packets: Vec::new(),
            flits: Vec::new(),
            ejected: Vec::new(),
            credits: Vec::new(),
            steps: 0,
            due: 0.0,
            sent: 0,
            homing: BTreeSet::new(),
            held: vec![0; base.nodes()],
            closed: false,
            owed_before: Vec::new(),
        }
    }

    /// Nodes cease to send: from the next cycle on no slot takes another packet.
    pub fn cease(&mut self) {
        self.closed = true;
    }

    /// Simulates one cycle.
    pub fn step(&mut self) {
        self.deliver();
        (0..self.slots.len()).for_each(|node| self.generate(node));
        self.go_on();
    }

    /// Simulates one cycle in which nodes do what a script says, and not what the traffic says.
    pub fn step_by(&mut self, script: &mut dyn Script) {
        self.deliver();
        let delivered = self.packets.iter().filter(|packet| packet.delivered == Some(self.now));
        let delivered: Vec<Name> = delivered.map(|packet| (packet.source, packet.made.index)).collect();
        script.hears(self.now, &delivered, &[]);
        (0..self.slots.len()).for_each(|node| self.generate_by(node, script));
        self.held = (0..self.slots.len() as u32).map(|node| script.holds(node, self.now)).collect();
        self.go_on();
    }

    /// What is due arrives.
    fn deliver(&mut self) {
        self.owed_before = (0..self.routers.len()).map(|router| self.owed(router)).collect();
        self.deliver_flits();
        self.deliver_credits();
        self.consume();
    }

    /// Nodes send, and routers make their steps.
    fn go_on(&mut self) {
        (0..self.slots.len()).for_each(|slot| self.fill_slot(slot));
        for plane in 0..self.config.planes {
            (0..self.wires.len()).for_each(|node| self.step_wire(node, plane));
        }
        self.due += self.config.internal_speedup;
        while self.due >= 1.0 {
            (0..self.routers.len()).for_each(|router| self.step_router(router));
            self.steps += 1;
            self.due -= 1.0;
        }
        for router in 0..self.routers.len() {
            self.send_flits(router);
            self.send_credits(router);
        }
        self.now += 1;
    }

    /// Flits that are due come into the buffers of routers.
    fn deliver_flits(&mut self) {
        let now = self.now;
        let due: Vec<FlitOnWire> = self.flits.extract_if(.., |flit| flit.arrives == now).collect();
        for FlitOnWire { flit, router, port, channel, .. } in due {
            self.routers[router].receive(self.config, port, channel, flit);
            if self.routers[router].inputs[port][channel].state == State::Idle {
                self.come_to_front(router, port, channel);
            }
        }
    }

    /// Credits count that are due.
    fn deliver_credits(&mut self) {
        let now = self.now;
        for credit in self.credits.extract_if(.., |credit| credit.counts == now) {
            let outputs = match credit.to {
                Sender::Router(router, port) => &mut self.routers[router].outputs[port],
                Sender::Node(node, plane) => &mut self.wires[node].outputs[plane],
            };
            credit.channels.into_iter().for_each(|channel| outputs[channel].credit());
        }
    }

    /// Nodes consume the flits that are due, and send credits.
    fn consume(&mut self) {
        let now = self.now;
        let counts = now + NODE_WIRE + 1 + u64::from(self.config.credit_cycles);
        for ejected in self.ejected.extract_if(.., |ejected| ejected.arrives == now) {
            if ejected.flit.tail {
                self.packets[ejected.flit.packet].delivered = Some(now);
                self.homing.remove(&ejected.flit.packet);
            }
            let to = Sender::Router(ejected.router, ejected.port);
            self.credits.push(CreditOnWire { channels: BTreeSet::from([ejected.channel]), counts, to });
        }
    }

    /// Every output queue of a router sends a flit.
    fn send_flits(&mut self, router: usize) {
        for port in 0..self.config.ports(router) {
            let Some((flit, channel)) = self.routers[router].queues[port].pop_front() else { continue };
            let arrives = self.now + self.config.flight_cycles(router, port);
            if self.config.node_behind(router, port).is_some() {
                self.ejected.push(Ejected { flit, arrives, router, port, channel });
            } else {
                let (own, plane) = self.config.place(router);
                let name = self.config.output_name(router, port);
                let (far, entry) = self.config.shared.base.ahead(own, name).expect("routes follow links");
                let (router, port) = (self.config.router_in(plane, far), self.config.input(far, entry));
                self.flits.push(FlitOnWire { flit, arrives, router, port, channel });
            }
        }
    }

    /// Every input port of a router sends a credit message. Wires back take as long as those there.
    fn send_credits(&mut self, router: usize) {
        let (config, now) = (self.config, self.now);
        for port in 0..config.ports(router) {
            let Some(channels) = self.routers[router].credits[port].pop_front() else { continue };
            let (own, plane) = config.place(router);
            let (to, counts) = match config.node_behind(router, port) {
                Some(node) => (Sender::Node(node as usize, plane), now + NODE_WIRE + 1),
                None => {
                    let entry = config.input_name(router, port);
                    let (from, output) = config.shared.base.behind(own, entry).expect("the flit came from there");
                    let (from, output) = (config.router_in(plane, from), config.output(from, output));
                    let flight = config.flight_cycles(from, output);
                    (Sender::Router(from, output), now + flight + u64::from(config.credit_cycles))
                }
            };
            self.credits.push(CreditOnWire { channels, counts, to });
        }
    }

    /// Flits in the buffer of a channel of a network port, by its name in the network, at the end of the last cycle, in the plane with most; none
    /// where there is no such port.
    pub fn level(&self, router: usize, port: usize, channel: usize) -> usize {
        if port >= self.config.network_ports(router) {
            return 0;
        }
        let planes = (0..self.config.planes).map(|plane| &self.routers[self.config.router_in(plane, router)]);
        let port = self.config.input(router, port);
        planes.map(|router| router.inputs[port][channel].flits.len()).max().expect("there is a plane")
    }

    /// Packets whose head has left its node and whose tail had not been received in the last cycle.
    pub fn in_flight(&self) -> u64 {
        self.packets.iter().filter(|packet| packet.entered.is_some() && packet.delivered.is_none()).count() as u64
    }

    /// What became of all packets up to the last cycle.
    pub fn totals(&self) -> Totals {
        let place = |packet: &Packet| Whereabouts::of(packet.entered.is_some(), packet.delivered.is_some());
        totals(self.packets.iter().map(|packet| (packet.made.flits, place(packet))))
    }

    /// Whether every node has made and sent its last packet, and all are delivered.
    pub fn has_ended(&self) -> bool {
        let mut dry = self.slots.iter().map(|node| node.queue.is_dry(self.traffic));
        self.in_flight() == 0 && dry.all(|dry| dry)
    }

    /// Packets received up to the last cycle, by source and index.
    pub fn delivered(&self) -> Vec<Delivered> {
        let mut list: Vec<Delivered> = self.packets.iter().filter_map(Packet::delivery).collect();
        list.sort_unstable();
        list
    }

    /// Messages of which all packets were received up to the last cycle: source, birth, destination, flits, and the
    /// cycle of the last delivery; sorted. None where messages are not cut.
    pub fn messages(&self) -> Vec<(u32, u64, u32, u32, u64)> {
        let mut all: BTreeMap<(u32, usize), Vec<&Packet>> = BTreeMap::new();
        for packet in self.packets.iter().filter(|_| self.config.shared.packet_flits.is_some()) {
            all.entry((packet.source, packet.message.0)).or_default().push(packet);
        }
        let whole = |packets: Vec<&Packet>| {
            let received = packets.iter().filter(|packet| packet.delivered.is_some()).map(|packet| packet.made.flits);
            let Packet { made, source, message: (_, flits), .. } = packets[0];
            let last = packets.iter().filter_map(|packet| packet.delivered).max();
            last.filter(|_| received.sum::<u32>() == *flits).map(|c| (*source, made.cycle, made.destination, *flits, c))
        };
        let mut list: Vec<_> = all.into_values().filter_map(whole).collect();
        list.sort_unstable();
        list
    }

    /// Source, index and birth of the packets that have not come into the slot of their node, by source and index.
    pub fn backlog(&self) -> Vec<(u32, u64, u64)> {
        let in_slot =
            |id: usize| self.slots.iter().any(|slot| slot.flits.front().is_some_and(|flit| flit.packet == id));
        let waiting = self.packets.iter().enumerate().filter(|&(id, packet)| packet.entered.is_none() && !in_slot(id));
        let mut list: Vec<_> = waiting
            .map(|(_, packet)| packet)
            .map(|packet| (packet.source, packet.made.index, packet.made.cycle))
            .collect();
        list.sort_unstable();
        list
    }

    /// Flits that have left buffers of routers so far.
    pub fn flits_sent(&self) -> u64 {
        self.sent
    }
}
