//! Routing by the lists of a reference graph, and its network, for the engines.

use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_network::Network as Wiring;
use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_verify::reference::Config;
use tailback_verify::reference::graph::{Beyond, Graph, Hop};

/// The routes of a list, the channels of a link, and the last number of hops that a list tells apart. The word counts hops up to that.
#[derive(Clone)]
pub struct Listed(Graph, u32, u32);

impl Listed {
    /// The routes of a configuration.
    pub fn new(config: &Config) -> Self {
        let graph = config.graph.clone().expect("it has one");
        let longest = graph.hops.iter().flatten().map(Vec::len).max().unwrap_or(0);
        Listed(graph, config.virtual_channels, longest.max(1) as u32 - 1)
    }
}

impl Routing for Listed {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = match self.0.taste {
            None => self.0.length(router as usize, packet.router as usize),
            Some(_) => 0,
        };
        0
    }

    fn sight(&self) -> Sight {
        match self.0.taste.map(|taste| taste.beyond) {
            None => Sight::Nothing,
            Some(Beyond::Nothing) => Sight::Own,
            Some(Beyond::Signalled) => Sight::Signals(20),
            Some(Beyond::Known) => Sight::Everywhere,
        }
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        if head.router == packet.router {
            return Request { port: None, channels: mask(&self.0.exits[head.router as usize]) };
        }
        packet.hops += 1;
        let taste = self.0.taste.expect("it looks at queues");
        let sum = |hop: &&Hop| {
            let (port, link) = (hop.port as u8, self.0.link(head.router as usize, hop.port).expect("a link"));
            let there = link.router as u32;
            let beyond = match taste.beyond {
                Beyond::Nothing => 0,
                Beyond::Signalled => queues.signal(there, link.cycles) as u32,
                Beyond::Known => self.flits(link.router, |port, channel| queues.owed_at(there, port, channel)),
            };
            taste.owed * queues.owed_of(port, mask(&hop.channels)) + taste.waiting * queues.waiting(port) + beyond
        };
        let ways = self.ways(head, packet, *word);
        let chosen = ways.iter().min_by_key(sum).expect("a way");
        Request { port: Some(chosen.port as u8), channels: mask(&chosen.channels) }
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let choice = self.0.taste.is_some() && head.router != packet.router;
        if choice { self.ways(head, packet, word).len() as u32 } else { 1 }
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        if head.router == packet.router {
            return Request { port: None, channels: mask(&self.0.exits[head.router as usize]) };
        }
        let hop = &self.ways(head, packet, *word)[option as usize];
        Request { port: Some(hop.port as u8), channels: mask(&hop.channels) }
    }

    fn signal(&self, router: u32, queues: &impl Queues) -> u64 {
        self.flits(router as usize, |port, channel| queues.owed(port, channel)).into()
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        (word + 1).min(self.2)
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

impl Listed {
    fn ways(&self, head: Head, packet: &Packet, word: u32) -> &[Hop] {
        self.0.ways(head.router as usize, packet.router as usize, word as usize)
    }

    /// All flits that a router owes, by what it owes to a channel of a port.
    fn flits(&self, router: usize, owed: impl Fn(u8, u8) -> u32) -> u32 {
        let links = self.0.links[router].iter().enumerate().filter(|(_, link)| link.is_some());
        links.map(|(port, _)| (0..self.1 as u8).map(|channel| owed(port as u8, channel)).sum::<u32>()).sum()
    }
}

fn mask(channels: &[usize]) -> u16 {
    channels.iter().fold(0, |mask, channel| mask | 1 << channel)
}

/// The engine's network.
pub fn wiring(graph: &Graph) -> Wiring {
    let ports: Vec<u32> = graph.links.iter().map(|ports| ports.len() as u32).collect();
    let seats = Seats::listed(ports.len(), graph.nodes.iter().map(|&router| router as u32).collect());
    let builder = Builder::new(&ports, seats).expect("it is small");
    let mut builder = match graph.one_way {
        Some(out) => builder.with_loops().folded(out as u32),
        None => builder,
    };
    let port = |router: usize, port: usize| Port { router: router as u32, port: port as u32 };
    for (a, ports) in graph.links.iter().enumerate() {
        for (p, link) in ports.iter().enumerate().filter_map(|(p, link)| Some((p, (*link)?))) {
            let back = graph.link(link.router, link.port).expect("links are two-way");
            let wire = Wire { cycles_back: back.cycles, period: link.period, ..Wire::new(link.cycles, LinkKind::Any) };
            if (a, p) < (link.router, link.port) {
                builder.join(port(a, p), port(link.router, link.port), wire).expect("free ports");
            }
        }
    }
    builder.finish().expect("it is connected")
}
