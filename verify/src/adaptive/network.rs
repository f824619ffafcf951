//! The network: what happens in a cycle.

use super::config::{Config, Way};
use super::interface::{Interface, Message};
use super::router::{Front, Router};
use crate::reference::buffer::Flit;
use crate::reference::{Admission, Level};
use crate::wormhole::arbiter::Arbiters;
use crate::wormhole::packet::Packet;
use crate::wormhole::throttle::{self, Throttle};
use tailback_traffic::Traffic;

/// A flit on a link.
#[derive(Clone, Copy, Debug)]
struct OnLink {
    flit: Flit,
    arrives: u64,
    router: usize,
    input: usize,
}

/// The credit of a packet on its way back.
#[derive(Clone, Copy, Debug)]
struct Credit {
    arrives: u64,
    router: usize,
    channel: usize,
}

/// The credit of a flit on its way back, for who counts flits.
#[derive(Clone, Copy, Debug)]
struct FlitCredit {
    arrives: u64,
    router: usize,
    channel: usize,
}

/// A message and what is left of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub message: Message,
    pub packets_left: u32,
}

/// A network in the middle of a run.
pub struct Network<'a> {
    pub(super) config: &'a Config,
    pub(super) traffic: &'a Traffic,
    pub(super) now: u64,
    pub(super) routers: Vec<Router>,
    /// By node.
    pub(super) interfaces: Vec<Interface>,
    /// Every packet ever made.
    pub(super) packets: Vec<Packet>,
    /// By packet: the cycle in which it came to its source's router, and its message.
    pub(super) origins: Vec<(Option<u64>, usize)>,
    pub(super) messages: Vec<Open>,
    links: Vec<OnLink>,
    credits: Vec<Credit>,
    flit_credits: Vec<FlitCredit>,
    /// Credits of ejection channels on their way back.
    ejection_credits: Vec<Credit>,
    /// Packets on the links to their nodes, with the cycle in which they are delivered.
    landing: Vec<(u64, usize)>,
    pub(super) arbiters: Arbiters,
    throttle: Throttle,
    /// The packets whose head has left the injection queue and whose tail has not been received.
    pub(super) flying: Vec<usize>,
    /// Routers and inputs that a flit left in this cycle.
    left: Vec<(usize, usize)>,
    /// Flits sent so far.
    pub(super) sent: u64,
}

impl<'a> Network<'a> {
    /// An empty network before cycle 0.
    pub fn new(config: &'a Config, traffic: &'a Traffic) -> Self {
        let base = &config.shared.base;
        let interface = |node| Interface::new(node as u32, config, traffic);
        Network {
            config,
            traffic,
            now: 0,
            routers: vec![Router::new(config); base.routers()],
            interfaces: (0..base.nodes()).map(interface).collect(),
            packets: Vec::new(),
            origins: Vec::new(),
            messages: Vec::new(),
            links: Vec::new(),
            left: Vec::new(),
            credits: Vec::new(),
            flit_credits: Vec::new(),
            ejection_credits: Vec::new(),
            landing: Vec::new(),
            arbiters: Arbiters::new(config.shared.arbiter, base.seed),
            throttle: Throttle::new(&config.shared),
            flying: Vec::new(),
            sent: 0,
        }
    }

    /// Simulates one cycle.
    pub fn step(&mut self) {
        self.deliver();
        self.generate();
        self.transfer();
        self.come_to_front();
        self.admit();
        for router in 0..self.routers.len() {
            let asks = self.asks(router);
            self.allocate(router, &asks);
            self.serve_links(router);
        }
        self.move_flits();
        self.observe();
        self.now += 1;
    }

    /// Tails have left, credits come, flits arrive.
    fn deliver(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.config.inputs() {
                let front = self.routers[router].inputs[input].front.as_ref();
                if front.is_some_and(|front| front.sent == Some(self.config.packet_flits)) {
                    self.tail_has_left(router, input);
                }
            }
        }
        let now = self.now;
        for (_, packet) in self.landing.extract_if(.., |(arrived, _)| *arrived == now).collect::<Vec<_>>() {
            self.receive(packet);
        }
        for credit in self.ejection_credits.extract_if(.., |credit| credit.arrives == now) {
            self.routers[credit.router].ejection_room[credit.channel] += 1;
        }
        for credit in self.credits.extract_if(.., |credit| credit.arrives == now) {
            self.routers[credit.router].room[credit.channel] += 1;
        }
        for credit in self.flit_credits.extract_if(.., |credit| credit.arrives == now) {
            self.routers[credit.router].behind[credit.channel] -= 1;
        }
        for arrival in self.links.extract_if(.., |flit| flit.arrives == now) {
            let input = &mut self.routers[arrival.router].inputs[arrival.input];
            input.buffer.push(Flit { arrived: now, ..arrival.flit });
            if arrival.flit.number == 0 {
                input.packets.push(arrival.flit.packet);
            }
        }
    }

    /// Input and output are free; a packet sent to an ejection channel is delivered.
    fn tail_has_left(&mut self, router: usize, input: usize) {
        let at = &mut self.routers[router];
        let front = at.inputs[input].front.take().expect("it was sent");
        let (output, way) = front.holds.expect("it was sent by an output");
        at.held[output] = false;
        at.rests_until[output] = self.now + u64::from(self.config.pace.output_gap);
        if let Way::Link((port, _)) = way {
            at.link_rests_until[port] = at.rests_until[output];
        }
        at.inputs[input].rests_until = self.now + u64::from(self.config.pace.input_gap);
        at.inputs[input].granted.retain(|&packet| packet != front.packet);
        at.inputs[input].packets.retain(|&packet| packet != front.packet);
        if input >= self.config.network_inputs() {
            let (node, queue) = self.config.injection_queue(router, input).expect("a packet was there");
            self.interfaces[node].pop(self.config, queue, self.now);
        }
        if way == Way::Ejection {
            self.go_home(router, input, front.packet);
        }
    }

    /// A packet has left its last router.
    fn go_home(&mut self, router: usize, input: usize, packet: usize) {
        let Some(port) = self.config.ejection_port else { return self.receive(packet) };
        let channel = self.config.ejection_channel(input, self.packets[packet].made.destination);
        let arrived = self.now - 1 + u64::from(port.link_cycles);
        let arrives = arrived + u64::from(self.config.shared.base.credit_cycles);
        self.ejection_credits.push(Credit { arrives, router, channel });
        self.landing.push((arrived, packet));
    }

    /// Its node has a packet.
    fn receive(&mut self, packet: usize) {
        self.packets[packet].delivered = Some(self.now);
        self.flying.retain(|&other| other != packet);
        let open = &mut self.messages[self.origins[packet].1];
        open.packets_left -= 1;
        open.message.delivered = self.now;
        (0..self.config.packet_flits).for_each(|_| self.throttle.received_flit());
    }

    /// Heads that nothing is before any more come to the front of their inputs.
    fn come_to_front(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.config.inputs() {
                if self.routers[router].inputs[input].front.is_none()
                    && let Some((packet, arrived)) = self.first(router, input)
                {
                    self.routers[router].inputs[input].front = Some(self.front(router, input, packet, arrived));
                }
            }
        }
    }

    /// The first packet of an input, and the cycle in which its head came.
    fn first(&self, router: usize, input: usize) -> Option<(usize, u64)> {
        if input < self.config.network_inputs() {
            let flit = self.routers[router].inputs[input].buffer.front()?;
            assert_eq!(flit.number, 0, "what follows a tail is a head");
            return Some((flit.packet, flit.arrived));
        }
        let (node, queue) = self.config.injection_queue(router, input)?;
        let packet = *self.interfaces[node].queues[queue].packets.front()?;
        Some((packet, self.origins[packet].0?))
    }

    /// A head that comes to the front now, and arrived in `arrived`.
    fn front(&self, router: usize, input: usize, packet: usize, arrived: u64) -> Front {
        let config = self.config;
        let from = config.from_link(input);
        let candidates = config.shared.candidates(router, from, &self.packets[packet]);
        let extra = match (&candidates, from) {
            (None, _) => config.consumption_cycles,
            (Some(channels), Some((came_by, _))) => {
                let goes_on = |(port, _): &(usize, usize)| port / 2 == came_by / 2;
                let straight = channels.preferred.iter().chain(&channels.fallback).any(goes_on);
                if straight { 0 } else { config.turn_cycles }
            }
            (Some(_), None) => 0,
        };
        let may_ask = arrived + u64::from(config.shared.base.header_cycles + extra);
        let asks_from = self.now.max(may_ask).max(self.routers[router].inputs[input].rests_until);
        Front {
            packet,
            asks_from,
            asks_again: asks_from,
            lost: 0,
            admitted: true,
            candidates,
            pointer: 0,
            holds: None,
            sent: None,
        }
    }

    /// New packets that may ask: may they, in this cycle?
    fn admit(&mut self) {
        for router in 0..self.routers.len() {
            for input in self.config.network_inputs()..self.config.inputs() {
                let at = &self.routers[router];
                let Some(front) = &at.inputs[input].front else { continue };
                let channels = self.config.shared.base.virtual_channels as usize;
                let with_room =
                    |port: usize| (0..channels).filter(|&c| at.room[self.config.number((port, c))] > 0).count();
                let packet = &self.packets[front.packet];
                let admitted = self.throttle.admits(&self.config.shared, self.now, router, packet, with_room);
                self.routers[router].inputs[input].front.as_mut().expect("it was there").admitted = admitted;
            }
        }
    }

    /// Every packet that is being sent sends a flit.
    fn move_flits(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.config.inputs() {
                self.send(router, input);
            }
        }
    }

    fn send(&mut self, router: usize, input: usize) {
        let (config, now) = (self.config, self.now);
        let at = &mut self.routers[router].inputs[input];
        let Some(front) = &mut at.front else { return };
        let (Some(number), Some((_, way))) = (front.sent, front.holds) else { return };
        front.sent = Some(number + 1);
        self.sent += 1;
        let packet = front.packet;
        if let Some((port, channel)) = config.from_link(input) {
            let flit = at.buffer.pop().expect("flits follow their head one a cycle");
            assert_eq!((flit.packet, flit.number), (packet, number), "flits leave in order");
            self.left.push((router, input));
            let (back, port) = config.shared.base.behind(router, port).expect("the flit came from there");
            let arrives = now + u64::from(config.shared.base.credit_cycles);
            let channel = config.number((port, channel));
            self.flit_credits.push(FlitCredit { arrives, router: back, channel });
            if number + 1 == config.packet_flits {
                self.credits.push(Credit { arrives, router: back, channel });
            }
        } else if number == 0 {
            self.packets[packet].entered = Some(now);
            self.flying.push(packet);
        }
        if let Way::Link(link) = way {
            self.packets[packet].hops += u32::from(number == 0);
            self.routers[router].behind[config.number(link)] += 1;
            let (next, port) = config.shared.base.ahead(router, link.0).expect("routes end at the edge");
            let arrives = now + u64::from(config.shared.base.cycles(router, link.0));
            let flit = Flit { packet, number, arrived: now };
            self.links.push(OnLink { flit, arrives, router: next, input: config.number((port, link.1)) });
        }
    }

    /// The end of a cycle: throttles read the buffers.
    fn observe(&mut self) {
        let (routers, channels) = (&self.routers, self.config.shared.base.virtual_channels as usize);
        let spth = self.config.shared.admission == throttle::Admission::Spth;
        let at_edge = spth && matches!(self.config.shared.base.admission, Admission::Spth { level: Level::Edge, .. });
        let left = std::mem::take(&mut self.left);
        let level = |router: usize, port: usize, channel: usize| -> usize {
            let input = port * channels + channel;
            routers[router].inputs[input].buffer.len() + usize::from(at_edge && left.contains(&(router, input)))
        };
        self.throttle.observe(&self.config.shared, self.now, level);
    }
}
