//! Stops and waits in words.

use super::{Stop, Story, Wait};
use tailback_base::bits::ones;
use tailback_engine::contract::census::{Name, What};
use tailback_engine::contract::queueing::Side;
use tailback_network::Network;
use tailback_network::graph::LinkKind;
use tailback_probes::levels::direction_name;

impl Story {
    /// The story, a line for each thing that happened.
    pub fn lines(&self, network: &Network) -> Vec<String> {
        let packet = &self.packet;
        let mut lines = vec![format!(
            "Packet {} of node {}: {} flits to node {}, made in cycle {}",
            packet.index, packet.source, packet.flits, packet.destination, packet.birth
        )];
        for (what, from, to) in self.before() {
            lines.push(format!("{from:>8}  source queue: {what}, {}", span(from, to)));
        }
        for stop in &self.stops {
            lines.push(format!("{:>8}  {}", stop.from, stop.name(network)));
            for wait in &stop.waits {
                lines.push(format!(
                    "{:>8}    waits {}: {}",
                    wait.from,
                    span(wait.from, wait.to),
                    wait.words(network, stop.router)
                ));
            }
            lines.extend(stop.left.map(|cycle| format!("{cycle:>8}    leaves by {}", stop.leaves_to(network))));
        }
        lines.push(match self.delivered {
            Some(cycle) => format!("{cycle:>8}  delivered, {} after it was made", span(packet.birth, cycle)),
            None if self.cancelled => format!("{:>8}  interrupted here, and it has not arrived", self.end),
            None => format!("{:>8}  the run ends, and it has not arrived", self.end),
        });
        lines
    }

    /// What a packet did before it came to the front of its source queue, and from when until when.
    pub fn before(&self) -> impl Iterator<Item = (&'static str, u64, u64)> + use<> {
        let (birth, routed) = (self.packet.birth, self.packet.birth + self.routed);
        let spans = [("in the router's pipeline", birth, routed), ("behind earlier packets", routed, self.started)];
        spans.into_iter().filter(|(_, from, to)| to > from)
    }
}

fn span(from: u64, to: u64) -> String {
    match to - from {
        1 => "1 cycle".to_owned(),
        cycles => format!("{cycles} cycles"),
    }
}

impl Stop {
    /// `router [1, 0], x+ channel 0`.
    pub fn name(&self, network: &Network) -> String {
        let queue = match (self.side, self.input) {
            (_, None) => "source queue".to_owned(),
            (None, Some((port, channel))) => format!("{} channel {channel}", input_name(network, self.router, port)),
            (Some(side), Some((port, queue))) => {
                let side = match side {
                    Side::Ingress => format!("in by {}", in_name(network, self.router, port)),
                    Side::Egress => format!("out by {}", port_name(network, self.router, port)),
                    Side::Adapter => "adapter".to_owned(),
                };
                format!("{side}, queue {queue}")
            }
        };
        match network.grid() {
            Some(grid) => format!("router {:?}, {queue}", grid.coordinates(self.router)),
            None => format!("router {}, {queue}", self.router),
        }
    }

    /// Where it left to.
    pub fn leaves_to(&self, network: &Network) -> String {
        match (self.side, self.input) {
            (Some(Side::Adapter), None) => "its adapter".to_owned(),
            (Some(Side::Adapter), Some(_)) => "its link".to_owned(),
            _ => to(network, self.router, self.port),
        }
    }
}

impl Wait {
    /// The reason in words.
    pub fn words(&self, network: &Network, router: u32) -> String {
        let packet = |name: Name| format!("packet {} of node {}", name.index, name.source);
        match self.what {
            What::Leaves(_) => "it leaves".to_owned(),
            What::Behind(name) => format!("behind {}", packet(name)),
            What::Admission => "held by admission".to_owned(),
            What::Routing => "in the router's pipeline".to_owned(),
            What::Channel { ports, free } => {
                let ports: Vec<String> = ones(ports).map(|port| asked(network, router, port as u32)).collect();
                let ports = ports.join(" or ");
                match free {
                    true => format!("a channel of {ports} is free, but it is not the packet's turn yet"),
                    false => format!("all channels of {ports} that it may take are taken"),
                }
            }
            What::Output(port, name) => format!("{} is taken by {}", to(network, router, port), packet(name)),
            What::Room { port, channels, flits } => {
                let channels: Vec<String> = ones(u64::from(channels)).map(|c| c.to_string()).collect();
                format!(
                    "{} channel {} has no room, {flits} flits",
                    port_name(network, router, port),
                    channels.join(" or ")
                )
            }
            What::Held(port) => format!("its queue is held, {} being congested", to(network, router, port)),
            What::Turn(port) => format!("{} is free, but it is not the packet's turn yet", to(network, router, port)),
            What::Flying => "on its way".to_owned(),
        }
    }
}

fn asked(network: &Network, router: u32, port: u32) -> String {
    to(network, router, (port != What::NODE).then_some(port as u8))
}

fn to(network: &Network, router: u32, port: Option<u8>) -> String {
    port.map_or("its node's port".to_owned(), |port| port_name(network, router, port))
}

/// A port of a router, nodes' ports behind those of the network: its direction, or in a network without a grid where it leads.
fn port_name(network: &Network, router: u32, port: u8) -> String {
    let port = usize::from(port);
    match (port.checked_sub(network.most_ports()), network.grid()) {
        (Some(node), _) => format!("the port of node {node} there"),
        (None, Some(_)) => direction_name(port),
        (None, None) => match network.link(router, port) {
            Some(link) => format!("{} to router {}", link_name(link.kind), link.to.router),
            None => format!("port {port}"),
        },
    }
}

/// An input port of a router: its direction of travel, or in a network without a grid where packets come from.
fn input_name(network: &Network, router: u32, port: u8) -> String {
    let port = usize::from(port);
    match (network.grid(), network.link(router, port)) {
        (Some(_), _) => direction_name(port),
        (None, Some(back)) => format!("{} from router {}", link_name(back.kind.back()), back.to.router),
        (None, None) => format!("port {port}"),
    }
}

/// The same of any port, those of nodes among them.
fn in_name(network: &Network, router: u32, port: u8) -> String {
    let of_node = usize::from(port) >= network.most_ports();
    if of_node { port_name(network, router, port) } else { input_name(network, router, port) }
}

fn link_name(kind: LinkKind) -> String {
    if kind == LinkKind::Any { "link".to_owned() } else { format!("{kind} link") }
}
