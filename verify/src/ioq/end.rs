//! The ends of links: the ports of switches, and adapters.
//!
//! An end sends by its link what its sending side holds, and takes in by the link's other direction what the receiving side
//! gets. Both have control packets to send by the one link that leads away.

use super::config::Config;
use super::recn::Notice;
use super::side::{Place, Side, Sort};
use std::collections::VecDeque;

/// What is on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// The head of a packet on its way to a switch.
    Head(usize),
    /// The tail of a packet on its way to a node.
    Tail(usize),
    /// A notice.
    Notice(Notice),
    /// So many credits of a counter.
    Credits {
        /// The counter.
        counter: usize,
        /// How many.
        number: u32,
    },
}

/// An end.
#[derive(Clone, Debug)]
pub struct End {
    /// The egress or adapter side.
    pub sending: Side,
    /// The ingress side; nothing at an adapter, whose node takes in whatever comes.
    pub receiving: Option<Side>,
    /// The end at the other side of the link.
    pub partner: Option<usize>,
    /// The cycle from which on the link can send the next thing.
    pub idle_from: u64,
    /// Notices that wait for the link.
    pub notices: VecDeque<Notice>,
    /// What has been sent, and the cycle in which it counts at the partner.
    pub flying: Vec<(u64, Thing)>,
    /// By counter: packets that the next ingress side still takes.
    pub credits: Vec<u32>,
    /// By counter of the receiving side: credits owed to the partner.
    pub owed: Vec<u32>,
    /// The counter of `owed` served last.
    pub last_counter: usize,
}

impl Config {
    /// The number of the end that is a port of a switch.
    pub fn port_end(&self, router: usize, port: usize) -> usize {
        router * self.ports() + port
    }

    /// The number of the end that is a node's adapter.
    pub fn adapter_end(&self, node: usize) -> usize {
        self.shared.base.routers() * self.ports() + node
    }

    /// The router that an end belongs to, and its port there, or that its link leads to.
    pub fn place_of(&self, end: usize) -> (usize, usize) {
        let base = &self.shared.base;
        match end.checked_sub(base.routers() * self.ports()) {
            Some(node) => (base.router_of(node as u32), self.node_port(node as u32)),
            None => (end / self.ports(), end % self.ports()),
        }
    }

    /// Credit counters of an ingress side, and the packets of each.
    pub fn counters(&self) -> (usize, u32) {
        let place = Place { sort: Sort::Ingress, of: 0, port: 0, to_node: false };
        let queues = self.queues(&place);
        (if self.shares_memory() { 1 } else { queues }, self.part(self.ingress_packets, queues))
    }

    /// All ends, empty: the ports switch by switch, then the adapters.
    pub fn ends(&self) -> Vec<End> {
        let base = &self.shared.base;
        let (counters, packets) = self.counters();
        let mut ends = Vec::new();
        for (router, port) in (0..base.routers()).flat_map(|r| (0..self.ports()).map(move |p| (r, p))) {
            let to_node = port >= self.network_ports();
            let partner = match to_node {
                true => {
                    let nodes = base.nodes_at(router);
                    nodes.get(port - self.network_ports()).map(|&node| self.adapter_end(node as usize))
                }
                false => base.far(router, port).map(|(next, port)| self.port_end(next, port)),
            };
            let side = |sort| Side::new(self, Place { sort, of: router, port, to_node });
            let credits = if to_node { Vec::new() } else { vec![packets; counters] };
            ends.push(End::new(side(Sort::Egress), Some(side(Sort::Ingress)), partner, credits, counters));
        }
        for node in 0..base.nodes() {
            let port = self.node_port(node as u32);
            let side = Side::new(self, Place { sort: Sort::Adapter, of: node, port, to_node: true });
            let partner = self.port_end(base.router_of(node as u32), port);
            ends.push(End::new(side, None, Some(partner), vec![packets; counters], counters));
        }
        ends
    }
}

impl End {
    fn new(sending: Side, receiving: Option<Side>, partner: Option<usize>, credits: Vec<u32>, counters: usize) -> Self {
        End {
            sending,
            receiving,
            partner,
            idle_from: 0,
            notices: VecDeque::new(),
            flying: Vec::new(),
            credits,
            owed: vec![0; counters],
            last_counter: counters - 1,
        }
    }
}
