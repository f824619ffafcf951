//! The network: what happens in a cycle.

use super::config::{Config, Way};
use super::packet::{Delivered, Flit, Packet};
use super::recovery::Token;
use super::router::{Front, Router};
use super::throttle::Throttle;
use crate::reference::source::SourceQueue;
use crate::totals::{Whereabouts, totals};
use std::collections::BTreeMap;
use tailback_engine::Totals;
use tailback_traffic::Traffic;

/// A flit on its way from one switch to the next buffer.
#[derive(Clone, Copy, Debug)]
struct OnLink {
    flit: Flit,
    arrives: u64,
    router: usize,
    input: usize,
}

/// A credit on its way back.
#[derive(Clone, Copy, Debug)]
struct Credit {
    arrives: u64,
    router: usize,
    output: usize,
    tail: bool,
}

/// A network in the middle of a run.
pub struct Network<'a> {
    pub(super) config: &'a Config,
    traffic: &'a Traffic,
    pub(super) now: u64,
    pub(super) routers: Vec<Router>,
    /// By node.
    queues: Vec<SourceQueue>,
    /// Every packet ever generated.
    pub(super) packets: Vec<Packet>,
    /// Flits that switches have sent.
    sent: u64,
    /// Packets generated that have not got an injection channel, by node, in order.
    outside: Vec<Vec<usize>>,
    links: Vec<OnLink>,
    credits: Vec<Credit>,
    /// Flits on their way to a node, with the cycle in which they are received.
    receptions: Vec<(Flit, u64)>,
    pub(super) token: Token,
    pub(super) throttle: Throttle,
}

impl<'a> Network<'a> {
    /// An empty network before cycle 0.
    pub fn new(config: &'a Config, traffic: &'a Traffic) -> Self {
        let nodes = config.base.nodes();
        let queue = |node| {
            SourceQueue::new(node as u32, config.base.source_queue_packets, traffic).cutting(config.packet_flits)
        };
        Network {
            config,
            traffic,
            now: 0,
            routers: vec![Router::new(config); config.base.routers()],
            queues: (0..nodes).map(queue).collect(),
            packets: Vec::new(),
            sent: 0,
            outside: vec![Vec::new(); nodes],
            links: Vec::new(),
            credits: Vec::new(),
            receptions: Vec::new(),
            token: Token::At(0),
            throttle: Throttle::new(config),
        }
    }

    /// Simulates one cycle.
    pub fn step(&mut self) {
        self.token.step(self.config, self.now);
        self.deliver();
        self.generate();
        self.admit();
        for router in 0..self.routers.len() {
            self.allocate_lane(router);
            let heads = self.allocate_channels(router);
            self.allocate_switch(router, &heads);
        }
        self.recover();
        self.observe();
        self.now += 1;
    }

    /// Flits, credits and received flits that are due.
    fn deliver(&mut self) {
        let now = self.now;
        for router in &mut self.routers {
            router.free_outputs(now);
        }
        for credit in self.credits.extract_if(.., |credit| credit.arrives == now) {
            self.routers[credit.router].credit(self.config, credit.output, credit.tail);
        }
        for arrival in self.links.extract_if(.., |flit| flit.arrives == now) {
            self.routers[arrival.router].inputs[arrival.input].receive(arrival.flit);
        }
        for (flit, cycle) in self.receptions.extract_if(.., |&mut (_, cycle)| cycle == now) {
            self.throttle.received_flit();
            if flit.tail {
                self.packets[flit.packet].delivered = Some(cycle);
            }
        }
        for router in 0..self.routers.len() {
            for input in 0..self.config.network_channels() {
                self.come_to_front(router, input);
            }
        }
    }

    /// A head that nothing is before any more comes to the front of its buffer.
    fn come_to_front(&mut self, router: usize, input: usize) {
        let at = &mut self.routers[router].inputs[input];
        let (None, Some(&flit)) = (at.front, at.flits.front()) else { return };
        assert_eq!(flit.number, 0, "what follows a tail is a head");
        let asks_from = self.now + u64::from(self.config.routing_cycles);
        let in_lane = self.config.from_link(input).is_some_and(|(_, channel)| Some(channel) == self.config.lane());
        let packet = flit.packet;
        at.front = Some(Front { packet, asks_from, holds: None, failures: 0, in_lane, admitted: true });
        if in_lane && self.config.lane_port(router, &self.packets[packet]).is_none() {
            self.token = Token::At(router);
        }
    }

    /// Nodes make the packets of this cycle, and new ones take injection channels.
    fn generate(&mut self) {
        for node in 0..self.queues.len() {
            while let Some(made) = self.queues[node].generate(self.now, self.traffic) {
                self.queues[node].push(self.packets.len());
                self.outside[node].push(self.packets.len());
                let packet = Packet::new(node as u32, made, self.config.plan(node as u32, &made));
                self.packets.push(Packet { message: self.queues[node].message(), ..packet });
            }
            let local = node % self.config.base.nodes_per_router as usize;
            for input in Router::injection_inputs(self.config, local) {
                self.fill_injection_channel(node, input);
            }
        }
    }

    fn fill_injection_channel(&mut self, node: usize, input: usize) {
        let at = &mut self.routers[self.config.base.router_of(node as u32)].inputs[input];
        if at.front.is_some() || self.outside[node].is_empty() {
            return;
        }
        let packet = self.outside[node].remove(0);
        let made = self.packets[packet].made;
        at.flits.extend(self.packets[packet].flits(packet));
        let asks_from = self.now.max(made.cycle + u64::from(self.config.routing_cycles));
        at.front = Some(Front { packet, asks_from, holds: None, failures: 0, in_lane: false, admitted: false });
    }

    /// The switch sends the next flit of the packet at an input into the channel that the packet holds.
    pub(super) fn send(&mut self, router: usize, input: usize) {
        let (config, now) = (self.config, self.now);
        let at = &mut self.routers[router].inputs[input];
        let front = at.front.expect("somebody asked for the switch");
        let (output, _) = front.holds.expect("it holds a channel");
        let flit = at.flits.pop_front().expect("it has a flit");
        self.sent += 1;
        assert_eq!(flit.packet, front.packet, "a packet's flits follow each other");
        if flit.tail {
            at.front = None;
            self.routers[router].tail_sent(config, output, now);
        }
        self.leave_input(router, input, flit);
        match config.way(output) {
            Way::Ejection(_) => self.receptions.push((flit, now + config.ejection_cycles())),
            Way::Network { port, channel } => {
                if input < config.network_channels() && Some(channel) != config.lane() {
                    self.throttle.sent(config, router);
                }
                self.packets[flit.packet].hops += u32::from(flit.number == 0);
                let next = config.base.neighbour(router, port).expect("routes end at the edge");
                self.routers[router].outputs[output].credits -= 1;
                let arrives = now + config.flight_cycles();
                self.links.push(OnLink { flit, arrives, router: next, input: output });
            }
        }
    }

    /// A flit has left an input: its place is given back upstream, or its packet leaves the source queue.
    fn leave_input(&mut self, router: usize, input: usize, flit: Flit) {
        let (config, now) = (self.config, self.now);
        if let Some((port, _)) = config.from_link(input) {
            let upstream = config.base.upstream(router, port).expect("the flit came from there");
            let arrives = now + config.credit_cycles();
            self.credits.push(Credit { arrives, router: upstream, output: input, tail: flit.tail });
            return;
        }
        let packet = &mut self.packets[flit.packet];
        packet.entered.get_or_insert(now);
        if flit.tail {
            self.queues[packet.source as usize].remove(flit.packet, now + 1);
        }
    }

    /// Flits that left the buffers of a port at a router in cycle `sent`, if their credits are still on their way.
    #[cfg(test)]
    pub(super) fn credits_sent(&self, router: usize, port: usize, sent: u64) -> usize {
        let upstream = self.config.base.upstream(router, port);
        let arrives = sent + self.config.credit_cycles();
        let from_there = |c: &&Credit| Some(c.router) == upstream && c.output / self.config.width() == port;
        self.credits.iter().filter(|credit| credit.arrives == arrives).filter(from_there).count()
    }

    /// Flits in the buffer of a virtual channel at the end of the last cycle.
    pub fn level(&self, router: usize, port: usize, channel: usize) -> usize {
        self.routers[router].inputs[port * self.config.width() + channel].flits.len()
    }

    /// Flits in all buffers at the end of the last cycle, those of the lane included.
    pub fn buffered_flits(&self) -> u64 {
        let network = 0..self.config.network_channels();
        let in_router =
            |router: &Router| router.inputs[network.clone()].iter().map(|i| i.flits.len() as u64).sum::<u64>();
        self.routers.iter().map(in_router).sum()
    }

    /// Packets whose head has left the source queue and whose tail had not been received in the last cycle.
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
        let mut dry = self.queues.iter().map(|queue| queue.is_dry(self.traffic));
        self.in_flight() == 0 && dry.all(|dry| dry)
    }

    /// Packets received up to the last cycle, by source and index.
    pub fn delivered(&self) -> Vec<Delivered> {
        let mut list: Vec<Delivered> = self.packets.iter().filter_map(Packet::delivery).collect();
        list.sort_unstable();
        list
    }

    /// Messages of which all packets were received up to the last cycle: source, birth of the first packet, destination, flits, and the
    /// cycle of the last delivery; sorted. None where messages are not cut.
    pub fn messages(&self) -> Vec<(u32, u64, u32, u32, u64)> {
        let mut all: BTreeMap<(u32, usize), Vec<&Packet>> = BTreeMap::new();
        for packet in self.packets.iter().filter(|_| self.config.packet_flits.is_some()) {
            all.entry((packet.source, packet.message.0)).or_default().push(packet);
        }
        let whole = |packets: Vec<&Packet>| {
            let delivered = packets.iter().filter_map(|packet| packet.delivered);
            let received = packets.iter().filter(|packet| packet.delivered.is_some()).map(|packet| packet.made.flits);
            let Packet { made, source, message: (_, flits), .. } = packets[0];
            let last = delivered.max().filter(|_| received.sum::<u32>() == *flits)?;
            Some((*source, made.cycle, made.destination, *flits, last))
        };
        let mut list: Vec<_> = all.into_values().filter_map(whole).collect();
        list.sort_unstable();
        list
    }

    /// Source, index and birth of the packets that have not asked for a channel yet, by source and index.
    pub fn backlog(&self) -> Vec<(u32, u64, u64)> {
        let fronts = self.routers.iter().flat_map(|router| &router.inputs[self.config.network_channels()..]);
        let fronts = fronts.filter_map(|input| input.front.filter(|front| front.asks_from >= self.now));
        let waiting = fronts.map(|front| front.packet).chain(self.outside.iter().flatten().copied());
        let describe = |id: usize| (self.packets[id].source, self.packets[id].made.index, self.packets[id].made.cycle);
        let mut list: Vec<_> = waiting.map(describe).collect();
        list.sort_unstable();
        list
    }

    /// Flits sent so far, by all switches.
    pub fn flits_sent(&self) -> u64 {
        self.sent
    }
}
