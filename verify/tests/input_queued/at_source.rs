//! Listed routes of which packets choose the first hop by queues, and take the usual way from there.

use super::listed::Listed;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_verify::reference::Config;
use tailback_verify::reference::graph::Graph;

/// The routing.
#[derive(Clone)]
pub struct AtSource {
    listed: Listed,
    graph: Graph,
}

impl AtSource {
    /// The routes of a configuration.
    pub fn new(config: &Config) -> Self {
        AtSource { listed: Listed::new(config), graph: config.graph.clone().expect("it has one") }
    }

    /// Hops of the usual way from a router, behind the first one.
    fn usual(&self, mut at: usize, to: usize) -> u32 {
        let mut made = 1;
        while at != to {
            let port = self.graph.ways(at, to, made)[0].port;
            at = self.graph.link(at, port).expect("routes follow links").router;
            made += 1;
        }
        made as u32
    }
}

impl Routing for AtSource {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.listed.start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.listed.request(head, packet, word)
    }

    fn sight(&self) -> Sight {
        Sight::Own
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        assert!(head.input.is_none(), "a packet decides at its source");
        let request = self.listed.decide(head, packet, word, queues);
        packet.hops = request.port.map_or(0, |port| {
            let next = self.graph.link(head.router as usize, port.into()).expect("routes follow links").router;
            self.usual(next, packet.router as usize)
        });
        request
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        if head.input.is_none() { self.listed.options(head, packet, word) } else { 1 }
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        self.listed.option(head, packet, word, option)
    }

    fn advance(&self, port: u8, word: u32) -> u32 {
        self.listed.advance(port, word)
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        self.listed.fits(router, packet, word)
    }
}
