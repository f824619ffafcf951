//! Stops and waits in words.

use super::{Stop, Wait};
use tailback_base::bits::ones;
use tailback_engine::contract::census::{Name, What};
use tailback_engine::contract::queueing::Side;
use tailback_network::Grid;
use tailback_probes::levels::direction_name;

impl Stop {
    /// `router [1, 0], x+ channel 0`.
    pub fn name(&self, grid: &Grid) -> String {
        let queue = match (self.side, self.input) {
            (_, None) => "source queue".to_owned(),
            (None, Some((port, channel))) => format!("{} channel {channel}", direction_name(usize::from(port))),
            (Some(side), Some((port, queue))) => {
                let side = match side {
                    Side::Ingress => format!("in by {}", port_name(grid, port)),
                    Side::Egress => format!("out by {}", port_name(grid, port)),
                    Side::Adapter => "adapter".to_owned(),
                };
                format!("{side}, queue {queue}")
            }
        };
        format!("router {:?}, {queue}", grid.coordinates(self.router))
    }

    /// Where it left to.
    pub fn leaves_to(&self, grid: &Grid) -> String {
        match (self.side, self.input) {
            (Some(Side::Adapter), None) => "its adapter".to_owned(),
            (Some(Side::Adapter), Some(_)) => "its link".to_owned(),
            _ => to(grid, self.port),
        }
    }
}

impl Wait {
    /// The reason in words.
    pub fn words(&self, grid: &Grid) -> String {
        let packet = |name: Name| format!("packet {} of node {}", name.index, name.source);
        match self.what {
            What::Leaves(_) => "it leaves".to_owned(),
            What::Behind(name) => format!("behind {}", packet(name)),
            What::Admission => "held by admission".to_owned(),
            What::Routing => "in the router's pipeline".to_owned(),
            What::Channel { ports, free } => {
                let ports: Vec<String> = ones(u64::from(ports)).map(|port| asked(grid, port as u32)).collect();
                let ports = ports.join(" or ");
                match free {
                    true => format!("a channel of {ports} is free, but it is not the packet's turn yet"),
                    false => format!("all channels of {ports} that it may take are taken"),
                }
            }
            What::Output(port, name) => format!("{} is taken by {}", to(grid, port), packet(name)),
            What::Room { port, channels, flits } => {
                let channels: Vec<String> = ones(u64::from(channels)).map(|c| c.to_string()).collect();
                format!("{} channel {} has no room, {flits} flits", port_name(grid, port), channels.join(" or "))
            }
            What::Held(port) => format!("its queue is held, {} being congested", to(grid, port)),
            What::Turn(port) => format!("{} is free, but it is not the packet's turn yet", to(grid, port)),
            What::Flying => "on its way".to_owned(),
        }
    }
}

fn asked(grid: &Grid, port: u32) -> String {
    to(grid, (port != What::NODE).then_some(port as u8))
}

fn to(grid: &Grid, port: Option<u8>) -> String {
    port.map_or("its node's port".to_owned(), |port| port_name(grid, port))
}

/// A port of a router, nodes' ports behind those of the network.
fn port_name(grid: &Grid, port: u8) -> String {
    match usize::from(port).checked_sub(grid.ports()) {
        None => direction_name(usize::from(port)),
        Some(node) => format!("the port of node {node} there"),
    }
}
