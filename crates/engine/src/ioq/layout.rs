//! How sides and links are numbered, and how long things take.
//!
//! Port `p` of switch `s` has number `s * ports + p`: its ingress side, its egress side, and the link out of it. Behind those of
//! all switches come the adapters, node by node, among the *out sides*, which have a link each.

use super::router::Router;
use crate::contract::queueing::{Place, Side};
use tailback_network::{Grid, NONE};

/// Where a link leads that brings packets to a node, or nowhere.
pub(super) const NODE: u32 = u32::MAX;

/// Sides and times.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Ports of a switch.
    pub ports: usize,
    /// Ports of a switch that lead to other switches.
    pub network: usize,
    /// Nodes of a switch.
    pub nodes: usize,
    /// Nodes of the network.
    pub all_nodes: usize,
    /// Ingress sides, and egress sides, of all switches.
    pub sides: usize,
    /// Egress and adapter sides.
    pub outs: usize,
    /// Cycles on a link.
    pub link: u64,
    /// Cycles through a crossbar.
    pub transfer: u64,
    /// Cycles that a packet holds a link.
    pub flits: u64,
    /// Cycles that a control packet holds a link.
    pub control: u64,
    /// Cycles from the arrival of a head until it may ask.
    pub delay: u64,
}

impl Layout {
    pub fn new(grid: &Grid, config: &Router) -> Self {
        let (network, nodes) = (grid.ports(), grid.nodes_per_router() as usize);
        let ports = network + nodes;
        let sides = grid.routers() * ports;
        Layout {
            ports,
            network,
            nodes,
            all_nodes: grid.nodes(),
            sides,
            outs: sides + grid.nodes(),
            link: u64::from(grid.link_cycles()),
            transfer: u64::from(config.transfer_cycles),
            flits: u64::from(config.packet_flits),
            control: u64::from(config.control_flits),
            delay: config.delay(),
        }
    }

    /// The ingress side that the link of an out side leads to, or [`NODE`]. Read backwards: the out side whose link leads to
    /// an ingress side has the number of the side that the link of the same port leads to, except at ports to nodes.
    pub fn behind(&self, grid: &Grid, out: usize) -> u32 {
        if out >= self.sides {
            let node = out - self.sides;
            return (node / self.nodes * self.ports + self.network + node % self.nodes) as u32;
        }
        self.neighbour(grid, out)
    }

    /// The out side whose link leads to an ingress side, or [`NODE`] at the edge of a mesh.
    pub fn upstream(&self, grid: &Grid, side: usize) -> u32 {
        match side % self.ports {
            port if port >= self.network => (self.sides + self.node_at(side / self.ports, port)) as u32,
            _ => self.neighbour(grid, side),
        }
    }

    /// The port at the other end of a port's links, as a number.
    fn neighbour(&self, grid: &Grid, side: usize) -> u32 {
        let (switch, port) = (side / self.ports, side % self.ports);
        if port >= self.network {
            return NODE;
        }
        match grid.peer(switch as u32, port) {
            NONE => NODE,
            peer => peer * self.ports as u32 + (port ^ 1) as u32,
        }
    }

    /// How queues at a port's ingress side are named: by the direction in which packets come, opposite to that in which the
    /// link of the port leads out.
    pub fn comes_by(&self, port: usize) -> u8 {
        (if port < self.network { port ^ 1 } else { port }) as u8
    }

    /// The node at a switch's port.
    pub fn node_at(&self, switch: usize, port: usize) -> usize {
        switch * self.nodes + port - self.network
    }

    /// An ingress side, for its discipline.
    pub fn ingress(&self, side: usize) -> Place {
        let port = side % self.ports;
        Place { side: Side::Ingress, port: port as u8, node: port >= self.network }
    }

    /// An out side, for its discipline.
    pub fn out(&self, out: usize) -> Place {
        if out < self.sides {
            return Place { side: Side::Egress, ..self.ingress(out) };
        }
        let port = self.network + (out - self.sides) % self.nodes;
        Place { side: Side::Adapter, port: port as u8, node: true }
    }
}

/// Words of 64 bits for a set of so many.
pub(super) fn words(members: usize) -> usize {
    members.div_ceil(64)
}

/// Places for the ports of a route: Valiant's go to any router and on from there.
pub(super) fn longest_route(grid: &Grid) -> usize {
    let across: u32 = grid.radix().iter().map(|&k| k - 1).sum();
    (2 * across as usize + 1).next_multiple_of(8)
}
