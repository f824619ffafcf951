//! The network: what happens in a cycle.

use super::config::Config;
use super::end::{End, Thing};
use super::recn::{Kind, Notice};
use super::side::{Neighbour, Sort, Waiting};
use super::source::{Message, Source};
use crate::wormhole;
use crate::wormhole::arbiter::Arbiters;
use crate::wormhole::throttle::Throttle;
use std::collections::VecDeque;
use tailback_traffic::{Generated, Traffic};

/// A packet.
#[derive(Clone, Debug)]
pub struct Packet {
    /// What the traffic made.
    pub made: Generated,
    /// Source node.
    pub source: u32,
    /// The output ports at the switches on the way.
    pub route: Vec<usize>,
    /// Switches that it has come to.
    pub switches: usize,
    /// Its message.
    pub message: usize,
    /// Cycle in which it left its admittance queue.
    pub entered: Option<u64>,
    /// Cycle in which its tail was received.
    pub delivered: Option<u64>,
}

/// A message and what is left of it.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The message.
    pub message: Message,
    /// Packets of it that have not been delivered.
    pub packets_left: u32,
}

/// A notice between two sides of a switch.
#[derive(Clone, Debug)]
pub struct Across {
    /// The end to which the side belongs that it is for.
    pub end: usize,
    /// Which side of it.
    pub sort: Sort,
    /// The port that it is from.
    pub from: usize,
    /// The notice.
    pub notice: Notice,
}

/// A network in the middle of a run.
pub struct Network<'a> {
    /// What it is.
    pub config: &'a Config,
    pub(super) traffic: &'a Traffic,
    /// The next cycle.
    pub now: u64,
    /// The ends of all links.
    pub ends: Vec<End>,
    /// By switch: the egress port that its crossbar begins with.
    pub(super) pointers: Vec<usize>,
    /// By end that is a port: the cycle from which on its crossbar input is free, and its output.
    pub(super) free_from: Vec<(u64, u64)>,
    /// Of egress sides: switch `s`, port `p` has number `64 s + p`.
    pub(super) arbiters: Arbiters,
    /// The network as throttles see it, and the throttle.
    pub(super) seen: wormhole::Config,
    pub(super) throttle: Throttle,
    /// What throttles have decided, last cycle first: by switch and network port, whether new packets may start that way.
    pub(super) decided: VecDeque<Vec<Vec<bool>>>,
    /// By node.
    pub sources: Vec<Source>,
    /// Every packet ever made.
    pub packets: Vec<Packet>,
    pub(super) messages: Vec<Open>,
    /// Notices within switches.
    pub(super) across: Vec<Across>,
    /// How often a packet has joined a queue.
    pub(super) joins: u64,
}

impl<'a> Network<'a> {
    /// An empty network before cycle 0.
    pub fn new(config: &'a Config, traffic: &'a Traffic) -> Self {
        let (switches, ports, seen) = (config.shared.base.routers(), config.ports(), config.as_throttles_see_it());
        Network {
            config,
            traffic,
            now: 0,
            ends: config.ends(),
            pointers: vec![0; switches],
            free_from: vec![(0, 0); switches * ports],
            arbiters: Arbiters::new(config.shared.arbiter, config.shared.base.seed),
            throttle: Throttle::new(&seen),
            seen,
            decided: VecDeque::new(),
            sources: (0..config.shared.base.nodes()).map(|node| Source::new(node as u32, config, traffic)).collect(),
            packets: Vec::new(),
            messages: Vec::new(),
            across: Vec::new(),
            joins: 0,
        }
    }

    /// Simulates one cycle.
    pub fn step(&mut self) {
        self.notices();
        self.control();
        self.arrive();
        self.free();
        self.generate();
        (0..self.ends.len()).for_each(|end| self.serve_link(end));
        (0..self.pointers.len()).for_each(|switch| self.serve_crossbar(switch));
        (0..self.sources.len()).for_each(|node| self.admit(node));
        self.observe();
        self.now += 1;
    }

    /// Notices within switches, made in the cycle before, reach their sides.
    fn notices(&mut self) {
        let mut across = std::mem::take(&mut self.across);
        let ports = self.config.ports();
        across.sort_by_key(|across| (across.end / ports, across.sort, across.end, across.from));
        for Across { end, sort, from, notice } in across {
            self.tell(end, sort, Neighbour::Port(from), &notice);
        }
    }

    /// Control packets count.
    fn control(&mut self) {
        let is_control = |thing: &Thing| matches!(thing, Thing::Notice(_) | Thing::Credits { .. });
        for (end, thing) in self.landing(is_control) {
            match thing {
                Thing::Credits { counter, number } => self.ends[end].credits[counter] += number,
                Thing::Notice(notice) => {
                    let from_upstream = matches!(notice.kind, Kind::Released | Kind::Refused);
                    let sort = if from_upstream { Sort::Ingress } else { self.ends[end].sending.place.sort };
                    self.tell(end, sort, Neighbour::Link, &notice);
                }
                Thing::Head(_) | Thing::Tail(_) => unreachable!("they are no control packets"),
            }
        }
    }

    /// Heads join queues of ingress sides; tails are received.
    fn arrive(&mut self) {
        for (end, thing) in self.landing(|thing| matches!(thing, Thing::Head(_) | Thing::Tail(_))) {
            match thing {
                Thing::Head(packet) => {
                    self.packets[packet].switches += 1;
                    let goes_from = self.now + self.config.delay();
                    self.join(end, Sort::Ingress, packet, Neighbour::Link, goes_from);
                }
                Thing::Tail(packet) => {
                    self.packets[packet].delivered = Some(self.now);
                    (0..self.config.packet_flits).for_each(|_| self.throttle.received_flit());
                    let open = &mut self.messages[self.packets[packet].message];
                    open.packets_left -= 1;
                    open.message.delivered = self.now;
                }
                _ => unreachable!("they are control packets"),
            }
        }
    }

    /// Takes what counts in this cycle off the links; each with the end that it comes to.
    fn landing(&mut self, which: impl Fn(&Thing) -> bool) -> Vec<(usize, Thing)> {
        let now = self.now;
        let mut landing = Vec::new();
        for end in &mut self.ends {
            let things = end.flying.extract_if(.., |(at, thing)| *at == now && which(thing));
            landing.extend(things.map(|(_, thing)| (end.partner.expect("a link leads somewhere"), thing)));
        }
        landing
    }

    /// Places become free, credits become owed.
    fn free(&mut self) {
        let now = self.now;
        for end in &mut self.ends {
            end.sending.leaving.retain(|leaving| leaving.free_from > now);
            for leaving in end.receiving.iter_mut().flat_map(|side| side.leaving.extract_if(.., |l| l.free_from <= now))
            {
                end.owed[leaving.counter] += 1;
            }
        }
    }

    /// Packets join their admittance queues.
    fn generate(&mut self) {
        for node in 0..self.sources.len() {
            while let Some((made, first)) =
                self.sources[node].make(self.config, self.now, self.traffic, self.packets.len())
            {
                self.make(node as u32, made, first);
            }
        }
    }

    /// A packet is made; `first`: it begins a message of so many flits.
    fn make(&mut self, source: u32, made: Generated, first: Option<u32>) {
        if let Some(flits) = first {
            let message = Message { source, birth: self.now, destination: made.destination, flits, delivered: 0 };
            self.messages.push(Open { message, packets_left: flits / self.config.packet_flits });
        }
        let message = self.messages.iter().rposition(|open| open.message.source == source).expect("it has begun");
        let route = self.config.route(source, &made);
        self.packets.push(Packet { made, source, route, switches: 0, message, entered: None, delivered: None });
    }

    /// What is left of a packet's route: at an ingress side from this switch on, elsewhere from the next.
    pub(super) fn way(&self, packet: usize, sort: Sort) -> &[usize] {
        let packet = &self.packets[packet];
        let behind = if sort == Sort::Ingress { packet.switches - 1 } else { packet.switches };
        &packet.route[behind..]
    }

    /// The queue that a packet joins at a side of an end.
    pub(super) fn queue_for(&self, end: usize, sort: Sort, packet: usize, from: Neighbour) -> usize {
        let end = &self.ends[end];
        let side = if sort == Sort::Ingress { end.receiving.as_ref().expect("it is a port") } else { &end.sending };
        side.queue_for(self.config, from, self.way(packet, sort), self.packets[packet].made.destination)
    }

    /// A packet joins its queue at a side of an end.
    pub(super) fn join(&mut self, end: usize, sort: Sort, packet: usize, from: Neighbour, goes_from: u64) {
        self.joins += 1;
        let queue = self.queue_for(end, sort, packet, from);
        let at = &mut self.ends[end];
        let side = if sort == Sort::Ingress { at.receiving.as_mut().expect("it is a port") } else { &mut at.sending };
        let notices = side.join(queue, Waiting { packet, goes_from }, from);
        self.post(end, sort, notices);
    }

    /// A side of an end is told something.
    fn tell(&mut self, end: usize, sort: Sort, from: Neighbour, notice: &Notice) {
        let at = &mut self.ends[end];
        let side = if sort == Sort::Ingress { at.receiving.as_mut().expect("it is a port") } else { &mut at.sending };
        let notices = side.told(from, notice);
        self.post(end, sort, notices);
    }

    /// Notices of a side of an end go on their way.
    pub(super) fn post(&mut self, end: usize, sort: Sort, notices: Vec<(Neighbour, Notice)>) {
        for (to, notice) in notices {
            let Neighbour::Port(port) = to else {
                self.ends[end].notices.push_back(notice);
                continue;
            };
            let (router, from) = self.config.place_of(end);
            let sort = if sort == Sort::Ingress { Sort::Egress } else { Sort::Ingress };
            self.across.push(Across { end: self.config.port_end(router, port), sort, from, notice });
        }
    }
}
