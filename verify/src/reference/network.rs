//! The network: what happens in a cycle.

use super::buffer::Flit;
use super::config::{Admission, Config, Level, Numbering};
use super::lines::Lines;
use super::packet::{Delivered, Packet};
use super::router::{Feed, Request, Router, Sending};
use super::script::{Name, Script};
use super::sight::Sight;
use super::throttle::Throttle;
use crate::totals::{Whereabouts, totals};
use tailback_engine::Totals;
use tailback_traffic::Traffic;

/// A flit on a link.
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
    port: usize,
    channel: usize,
}

/// Where a head asks to go.
struct Wish {
    output: usize,
    /// The virtual channels it may take and their class; none at an ejection output.
    channels: Vec<usize>,
    class: u32,
}

/// A network in the middle of a run.
pub struct Network<'a> {
    config: &'a Config,
    traffic: &'a Traffic,
    now: u64,
    routers: Vec<Router>,
    throttle: Throttle,
    sight: Sight,
    lines: Lines,
    /// Every packet ever generated.
    packets: Vec<Packet>,
    /// The packets whose head has left the source queue and whose tail has not been received.
    flying: Vec<usize>,
    links: Vec<OnLink>,
    credits: Vec<Credit>,
    /// Routers and inputs that a flit left in this cycle.
    left: Vec<(usize, usize)>,
    /// Routers and outputs that a flit left by in this cycle.
    sent: Vec<(usize, usize)>,
    /// Packets whose last flit left their node in the last cycle.
    departed: Vec<usize>,
    /// By node: places of its ejection buffer that a script holds.
    held: Vec<u32>,
}

impl<'a> Network<'a> {
    /// An empty network before cycle 0.
    pub fn new(config: &'a Config, traffic: &'a Traffic) -> Self {
        assert!(traffic.max_flits() <= config.buffer_flits, "a packet fits into a buffer");
        Network {
            config,
            traffic,
            now: 0,
            routers: (0..config.routers()).map(|id| Router::new(id, config, traffic)).collect(),
            throttle: Throttle::new(config),
            sight: Sight::new(config),
            lines: Lines::new(config),
            packets: Vec::new(),
            flying: Vec::new(),
            links: Vec::new(),
            credits: Vec::new(),
            left: Vec::new(),
            sent: Vec::new(),
            departed: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Simulates one cycle in which nodes do what a script says, and not what the traffic says.
    pub fn step_by(&mut self, script: &mut dyn Script) {
        self.deliver();
        let name = |packets: &[Packet], id: &usize| (packets[*id].source, packets[*id].made.index);
        let delivered = (0..self.packets.len()).filter(|&id| self.packets[id].delivered == Some(self.now));
        let delivered: Vec<Name> = delivered.map(|id| name(&self.packets, &id)).collect();
        let left: Vec<Name> = self.departed.iter().map(|id| name(&self.packets, id)).collect();
        self.departed.clear();
        script.hears(self.now, &delivered, &left);
        self.generate_by(script);
        let nodes = self.config.routers() as u32 * self.config.nodes_per_router;
        self.held = (0..nodes).map(|node| script.holds(node, self.now)).collect();
        self.decide();
        self.allocate();
        let entered = self.flying.iter().filter(|&&id| self.packets[id].entered == Some(self.now));
        let entered: Vec<Name> = entered.map(|id| name(&self.packets, id)).collect();
        script.entered(self.now, &entered);
        self.move_flits();
        self.observe();
        self.now += 1;
    }

    /// Nodes without a packet ask the script for one.
    fn generate_by(&mut self, script: &mut dyn Script) {
        for router in &mut self.routers {
            for input in &mut router.inputs {
                let Feed::Node(queue) = &mut input.feed else { continue };
                if queue.front().is_some() {
                    continue;
                }
                if let Some(made) = script.next(queue.node(), self.now) {
                    let route = self.config.route(queue.node(), made.index, made.destination);
                    queue.push(self.packets.len());
                    self.packets.push(Packet::new(queue.node(), made, route));
                }
            }
        }
    }

    /// Whether a node's ejection buffer has a place for another packet, beside those that it is being sent.
    fn has_place(&self, node: u32) -> bool {
        let Some(places) = self.config.ejection_packets else { return true };
        let ports = self.config.ports();
        let inputs = self.routers.iter().flat_map(|router| &router.inputs);
        let coming = inputs.filter_map(|input| input.sending).filter(|sending| sending.output >= ports);
        let coming = coming.filter(|sending| self.packets[sending.packet].made.destination == node).count() as u32;
        coming + self.held[node as usize] < places
    }

    /// Simulates one cycle.
    pub fn step(&mut self) {
        self.deliver();
        self.generate();
        self.decide();
        self.allocate();
        self.move_flits();
        self.observe();
        self.now += 1;
    }

    /// Tails, flits and credits that were sent arrive.
    fn deliver(&mut self) {
        let now = self.now;
        self.flying.retain(|&id| self.packets[id].delivered != Some(now));
        for arrival in self.links.extract_if(.., |flit| flit.arrives == now) {
            match &mut self.routers[arrival.router].inputs[arrival.input].feed {
                Feed::Link(buffer) => buffer.push(Flit { arrived: now, ..arrival.flit }),
                Feed::Node(_) => unreachable!("links end in buffers"),
            }
        }
        for credit in self.credits.extract_if(.., |credit| credit.arrives == now) {
            self.routers[credit.router].outputs[credit.port].credits[credit.channel] += 1;
        }
    }

    /// Nodes make the packets of this cycle.
    fn generate(&mut self) {
        for router in &mut self.routers {
            for input in &mut router.inputs {
                let Feed::Node(queue) = &mut input.feed else { continue };
                while let Some(made) = queue.generate(self.now, self.traffic) {
                    let source = queue.node();
                    let by_list = self.config.graph.is_some();
                    let route =
                        if by_list { Vec::new() } else { self.config.route(source, made.index, made.destination) };
                    queue.push(self.packets.len());
                    self.packets.push(Packet::new(source, made, route));
                }
            }
        }
    }

    /// Heads that may ask for the first time choose one of the hops listed for them, by what the queues of their router were at the end of
    /// the last cycle.
    fn decide(&mut self) {
        if self.config.cross_line.is_some() {
            self.choose_orders();
        }
        let Some(graph) = &self.config.graph else { return };
        for router in 0..self.routers.len() {
            for input in 0..self.routers[router].inputs.len() {
                let Some(id) = self.head(router, input) else { continue };
                let packet = &mut self.packets[id];
                let to = self.config.router_of(packet.made.destination);
                if packet.decided.is_none() && router != to {
                    packet.been.push(router);
                    let mark = graph.mark(&packet.been, to);
                    let hop = self.sight.choose(graph, router, graph.ways(router, to, mark));
                    packet.decided = Some(hop.clone());
                }
            }
        }
    }

    /// New packets that may ask for the first time choose their order.
    fn choose_orders(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.routers[router].inputs.len() {
                let Some(id) = self.head(router, input) else { continue };
                let packet = &mut self.packets[id];
                if packet.order.is_none() {
                    let (name, destination) = ((packet.source, packet.made.index), packet.made.destination);
                    let order = self.lines.choose(self.config, packet);
                    packet.order = Some(order);
                    packet.route = self.config.route_in_order(order, router, name, destination);
                }
            }
        }
    }

    /// Every output that is idle grants itself to one of the heads that ask for it. An input asks for one output only and
    /// an output looks at its own credits only, so the order of routers and outputs does not matter.
    fn allocate(&mut self) {
        for router in 0..self.routers.len() {
            let requests = self.requests(router);
            for output in 0..self.config.outputs() {
                let for_it: Vec<Request> = requests.iter().filter(|r| r.output == output).cloned().collect();
                if !for_it.is_empty() && !self.routers[router].outputs[output].held {
                    let winner = self.routers[router].pick(&for_it, router, output, self.now, self.config);
                    self.grant(router, &winner);
                }
            }
        }
    }

    /// The heads of a router that may ask, are admitted and have room for the whole packet, in order of their inputs.
    fn requests(&self, router: usize) -> Vec<Request> {
        let mut requests = Vec::new();
        for input in 0..self.routers[router].inputs.len() {
            let Some(id) = self.head(router, input) else { continue };
            let wish = self.wish(router, input, id);
            let new = matches!(self.routers[router].inputs[input].feed, Feed::Node(_));
            let to_network = wish.output < self.config.ports();
            if !to_network && !self.has_place(self.packets[id].made.destination) {
                continue;
            }
            if new && to_network && !self.throttle.admits(self.config, router, wish.output, &wish.channels) {
                continue;
            }
            let packet = &self.packets[id];
            let credits = &self.routers[router].outputs[wish.output].credits;
            let roomy = wish.channels.iter().copied().find(|&c| credits[c] >= packet.made.flits);
            let Some(channel) = roomy.or((!to_network).then_some(0)) else { continue };
            let age = (packet.made.cycle, packet.source);
            requests.push(Request { input, packet: id, output: wish.output, channel, class: wish.class, age });
        }
        requests
    }

    /// The packet whose head is at the front of an input and has been in the router long enough: behind a narrow link so long that its
    /// flits can leave one per cycle.
    fn head(&self, router: usize, input: usize) -> Option<usize> {
        let (number, input) = (input, &self.routers[router].inputs[input]);
        if input.sending.is_some() {
            return None;
        }
        let (packet, here_since) = match &input.feed {
            Feed::Link(buffer) => {
                let flit = buffer.front()?;
                assert_eq!(flit.number, 0, "what is not being sent begins with a head");
                let port = number / self.config.virtual_channels as usize;
                let (upstream, output) = self.config.behind(router, port).expect("the flit came from there");
                let gaps = u64::from(self.packets[flit.packet].made.flits - 1);
                (flit.packet, flit.arrived + gaps * (self.config.period(upstream, output) - 1))
            }
            Feed::Node(queue) => {
                let packet = queue.front()?;
                (packet, self.packets[packet].made.cycle)
            }
        };
        (here_since + u64::from(self.config.header_cycles) <= self.now).then_some(packet)
    }

    /// What the head of a packet asks for at a router.
    fn wish(&self, router: usize, input: usize, id: usize) -> Wish {
        let config = self.config;
        let packet = &self.packets[id];
        if let Some(hop) = &packet.decided {
            return Wish { output: hop.port, channels: hop.channels.clone(), class: 0 };
        }
        let Some(&port) = packet.route.get(packet.hops) else {
            let local = config.local(packet.made.destination);
            let lane = input % config.ejection_outputs();
            let output = config.ports() + local * config.ejection_outputs() + lane;
            return Wish { output, channels: Vec::new(), class: packet.class };
        };
        if let Some(order) = packet.order {
            let class = config.class_in_order(router, &packet.route[packet.hops..]);
            return Wish { output: port, channels: config.channels_in_order(order, class), class };
        }
        let turns = packet.hops == 0 || packet.route[packet.hops - 1] / 2 != port / 2;
        let before = if turns && config.numbering == Numbering::Reset { 0 } else { packet.class };
        let class = before + u32::from(config.changes_class(router, &packet.route[packet.hops..], turns));
        let channels = match config.message_classes {
            1 => config.kept(config.channels_of(class), !turns, input % config.virtual_channels as usize),
            _ => config.channels_of_message(packet.made.destination, class, (!turns).then_some(input)),
        };
        Wish { output: port, channels, class }
    }

    /// A packet gets an output, and all the room it needs downstream.
    fn grant(&mut self, router: usize, winner: &Request) {
        let packet = &mut self.packets[winner.packet];
        let at = &mut self.routers[router];
        if winner.output < self.config.ports() {
            at.outputs[winner.output].credits[winner.channel] -= packet.made.flits;
            packet.hops += 1;
            packet.decided = None;
            packet.class = winner.class;
        }
        at.outputs[winner.output].held = true;
        let input = &mut at.inputs[winner.input];
        input.sending = Some(Sending {
            packet: winner.packet,
            since: self.now,
            sent: 0,
            output: winner.output,
            channel: winner.channel,
        });
        if matches!(input.feed, Feed::Node(_)) {
            packet.entered = Some(self.now);
            self.flying.push(winner.packet);
        }
    }

    /// Every packet that holds an output sends a flit, or on a narrow link the next part of one: the flit goes with its last part.
    fn move_flits(&mut self) {
        for router in 0..self.routers.len() {
            for input in 0..self.routers[router].inputs.len() {
                let Some(sending) = self.routers[router].inputs[input].sending else { continue };
                let parts = self.config.period(router, sending.output);
                if (self.now + 1 - sending.since).is_multiple_of(parts) {
                    self.send(router, input, sending);
                }
            }
        }
    }

    fn send(&mut self, router: usize, input: usize, mut sending: Sending) {
        let flit = self.take_flit(router, input, sending);
        sending.sent += 1;
        let last = sending.sent == self.packets[sending.packet].made.flits;
        self.sent.push((router, sending.output));
        if sending.output < self.config.ports() {
            let (next, port) = self.config.ahead(router, sending.output).expect("routes end at the edge");
            let input = port * self.config.virtual_channels as usize + sending.channel;
            let arrives = self.now + u64::from(self.config.cycles(router, sending.output));
            self.links.push(OnLink { flit, arrives, router: next, input });
        } else if last {
            self.packets[sending.packet].delivered = Some(self.now + 1);
        }
        let at = &mut self.routers[router];
        at.inputs[input].sending = (!last).then_some(sending);
        at.outputs[sending.output].held = !last;
        if let (Feed::Node(queue), true) = (&mut at.inputs[input].feed, last) {
            queue.pop(self.now + 1);
            self.departed.push(sending.packet);
        }
    }

    /// The next flit of the packet that an input sends; a buffer's place is given back upstream.
    fn take_flit(&mut self, router: usize, input: usize, sending: Sending) -> Flit {
        self.left.push((router, input));
        let flit = match &mut self.routers[router].inputs[input].feed {
            Feed::Node(_) => return Flit { packet: sending.packet, number: sending.sent, arrived: self.now },
            Feed::Link(buffer) => buffer.pop().expect("flits follow their head one a cycle"),
        };
        assert_eq!((flit.packet, flit.number), (sending.packet, sending.sent), "flits leave in order");
        let channels = self.config.virtual_channels as usize;
        let (port, channel) = (input / channels, input % channels);
        let (upstream, port) = self.config.behind(router, port).expect("the flit came from there");
        let arrives = self.now + u64::from(self.config.credit_cycles);
        self.credits.push(Credit { arrives, router: upstream, port, channel });
        flit
    }

    fn observe(&mut self) {
        let (routers, channels) = (&self.routers, self.config.virtual_channels as usize);
        let at_edge = matches!(self.config.admission, Admission::Spth { level: Level::Edge, .. });
        let left = std::mem::take(&mut self.left);
        self.throttle.observe(self.config, |router, port, channel| {
            let input = port * channels + channel;
            level(&routers[router], input) + usize::from(at_edge && left.contains(&(router, input)))
        });
        let sent = std::mem::take(&mut self.sent);
        self.lines.observe(self.config, &self.routers, &sent);
        let mut waiting = Vec::new();
        for router in 0..self.routers.len() {
            let heads = (0..self.routers[router].inputs.len()).filter_map(|input| self.head(router, input));
            let asks = |id: usize| Some((self.packets[id].decided.as_ref()?.port, self.packets[id].made.flits));
            waiting.push(heads.filter_map(asks).collect());
        }
        self.sight.observe(self.config, &self.routers, waiting);
    }

    /// Flits in the buffer of a virtual channel at the end of the last cycle.
    pub fn level(&self, router: usize, port: usize, channel: usize) -> usize {
        level(&self.routers[router], port * self.config.virtual_channels as usize + channel)
    }

    /// Flits in all buffers at the end of the last cycle.
    pub fn buffered_flits(&self) -> u64 {
        let inputs = |router: &Router| (0..router.inputs.len()).map(|i| level(router, i) as u64).sum::<u64>();
        self.routers.iter().map(inputs).sum()
    }

    /// Packets whose head has left the source queue and whose tail had not been received in the last cycle.
    pub fn in_flight(&self) -> u64 {
        self.flying.len() as u64
    }

    /// What became of all packets up to the last cycle.
    pub fn totals(&self) -> Totals {
        let place = |packet: &Packet| Whereabouts::of(packet.entered.is_some(), packet.delivery(self.now).is_some());
        totals(self.packets.iter().map(|packet| (packet.made.flits, place(packet))))
    }

    /// Whether every node has made and sent its last packet, and all are delivered.
    pub fn has_ended(&self) -> bool {
        let inputs = self.routers.iter().flat_map(|router| &router.inputs);
        let mut sources = inputs.filter_map(|input| match &input.feed {
            Feed::Node(queue) => Some(queue),
            Feed::Link(_) => None,
        });
        self.flying.is_empty() && sources.all(|queue| queue.is_dry(self.traffic))
    }

    /// Packets received up to the last cycle, by source and index.
    pub fn delivered(&self) -> Vec<Delivered> {
        let mut list: Vec<Delivered> = self.packets.iter().filter_map(|p| p.delivery(self.now)).collect();
        list.sort_unstable();
        list
    }

    /// Source, index and birth of the packets generated that have not come to ask at the head of their source queue.
    pub fn backlog(&self) -> Vec<(u32, u64, u64)> {
        let mut list = Vec::new();
        for router in &self.routers {
            for input in &router.inputs {
                let Feed::Node(queue) = &input.feed else { continue };
                let waiting: Vec<&Packet> = queue.waiting().map(|id| &self.packets[id]).collect();
                let header = u64::from(self.config.header_cycles);
                let ready = |p: &&Packet| queue.front_since().max(p.made.cycle + header) < self.now;
                let asking = waiting.first().is_some_and(ready);
                list.extend(waiting.iter().skip(usize::from(asking)).map(|p| (p.source, p.made.index, p.made.cycle)));
            }
        }
        list
    }
}

/// Flits in an input; a node's packets are not in the network.
fn level(router: &Router, input: usize) -> usize {
    match &router.inputs[input].feed {
        Feed::Link(buffer) => buffer.len(),
        Feed::Node(_) => 0,
    }
}
