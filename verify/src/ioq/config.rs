//! The numbers and choices of a network of input-output-queued switches.

use crate::wormhole;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::Generated;

/// A network of input-output-queued switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What other routers have too: the network, the delays of heads and links, the packets of an admittance queue, routing,
    /// arbiter, admission, the seed. All the rest means nothing here.
    pub shared: wormhole::Config,
    /// Length of every packet \[flits\]: *L*.
    pub packet_flits: u32,
    /// The same in bytes, for the thresholds.
    pub packet_bytes: u32,
    /// Memory of an ingress side \[packets\].
    pub ingress_packets: u32,
    /// Memory of an egress or adapter side \[packets\].
    pub egress_packets: u32,
    /// Time of a packet through the crossbar \[cycles\]: *X*.
    pub transfer_cycles: u32,
    /// Length of a control packet \[flits\]: *C*.
    pub control_flits: u32,
    /// Credits that are due.
    pub credit_batch_packets: u32,
    /// Which queue a packet joins.
    pub discipline: Discipline,
    /// Message classes: node `n` is a port of class `n % classes`, and each class has queues of its own.
    pub classes: u32,
}

/// Which queue of a side a packet joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discipline {
    /// The only one.
    Single,
    /// By output port, in parted memory.
    VoqSw(EgressIndex),
    /// By destination, in parted memory.
    VoqNet,
    /// By destination modulo the number of queues, in parted memory.
    Dbbm(u32),
    /// By output port, in shared memory.
    Damq,
    /// Set aside where there is congestion on the way.
    Recn(Recn),
}

/// How `voq_sw` sorts packets on egress sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EgressIndex {
    /// By output port at the next switch.
    NextTurn,
    /// By ingress port.
    InputPort,
    /// Not at all.
    Single,
}

/// The numbers of RECN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recn {
    /// Set-aside queues of a side.
    pub set_aside_queues: u32,
    /// A detection or standard queue with more is congested \[bytes\].
    pub detection_bytes: u32,
    /// A set-aside queue with more tells its upstream neighbours \[bytes\].
    pub notification_bytes: u32,
    /// A set-aside queue with more stops them \[bytes\].
    pub xoff_bytes: u32,
    /// One with less lets them go on \[bytes\].
    pub xon_bytes: u32,
}

impl Config {
    /// The network that throttles see: a link has one channel, and its buffer is the memory of the next ingress side.
    pub fn as_throttles_see_it(&self) -> wormhole::Config {
        let mut seen = self.shared.clone();
        seen.base.virtual_channels = 1;
        seen.base.buffer_flits = self.ingress_packets * self.packet_flits;
        seen
    }

    /// Network ports of a switch.
    pub fn network_ports(&self) -> usize {
        self.shared.base.ports()
    }

    /// All its ports: network ports, then a port a node.
    pub fn ports(&self) -> usize {
        self.network_ports() + self.shared.base.nodes_per_router as usize
    }

    /// The port of its switch that leads to a node.
    pub fn node_port(&self, node: u32) -> usize {
        self.network_ports() + self.shared.base.local(node)
    }

    /// Cycles before a head that has arrived may ask for the crossbar: *D*.
    pub fn delay(&self) -> u64 {
        u64::from(self.shared.base.header_cycles.max(self.packet_flits.saturating_sub(self.transfer_cycles)))
    }

    /// Whether all queues of a side share its memory.
    pub fn shares_memory(&self) -> bool {
        matches!(self.discipline, Discipline::Damq | Discipline::Recn(_))
    }

    /// Time of what a port or an adapter sends on its link \[cycles\]. Those of nodes are as long as any in a grid.
    pub fn cycles(&self, end: usize) -> u64 {
        let base = &self.shared.base;
        let (router, port) = (end / self.ports(), end % self.ports());
        let of_node = router >= base.routers() || port >= self.network_ports();
        u64::from(if of_node { base.link_cycles } else { base.cycles(router, port) })
    }

    /// Latency of a packet in an empty network whose links are all alike.
    pub fn zero_load(&self, hops: u32) -> u64 {
        let (hops, link) = (u64::from(hops), u64::from(self.shared.base.link_cycles));
        (hops + 2) * (link + 1) + (hops + 1) * self.delay() + u64::from(self.packet_flits)
    }

    /// The output ports at the switches on the way of a packet; the last is its destination's.
    pub fn route(&self, source: u32, made: &Generated) -> Vec<usize> {
        let mut packet = wormhole::packet::Packet::new(source, *made, self.shared.plan(source, made));
        let mut router = self.shared.base.router_of(source);
        let mut route = Vec::new();
        while let Some(candidates) = self.shared.candidates(router, None, &packet) {
            let mut ports: Vec<usize> =
                candidates.preferred.iter().chain(&candidates.fallback).map(|&(port, _)| port).collect();
            ports.sort_unstable();
            ports.dedup();
            let step = made.index * 256 + route.len() as u64;
            let draw = rng::draw_u64(self.shared.base.seed, Purpose::Request, source, step);
            let port = ports[rng::below(draw, ports.len() as u64) as usize];
            router = self.shared.base.ahead(router, port).expect("ways end at the edge").0;
            route.push(port);
            packet.hops += 1;
        }
        route.push(self.node_port(made.destination));
        route
    }
}
