//! How sides and links are numbered, and how long things take.
//!
//! Port `p` of switch `s` has number `s * ports + p`: its ingress side, its egress side, and the link out of it. Behind those of
//! all switches come the adapters, node by node, among the *out sides*, which have a link each.

use super::router::{ROUTE_MAX, Router};
use crate::contract::queueing::{Place, Side};
use tailback_network::Network;
use tailback_network::graph::Seats;
use tailback_network::routes::most_hops;

/// Where a link leads that brings packets to a node, or nowhere.
pub(super) const NODE: u32 = u32::MAX;

/// Sides and times.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Ports of a switch.
    pub ports: usize,
    /// Ports of a switch that lead to other switches, where it has as many as any: ports of nodes come behind them.
    pub network: usize,
    /// Where the nodes are.
    pub seats: Seats,
    /// Nodes of the network.
    pub all_nodes: usize,
    /// Ingress sides, and egress sides, of all switches.
    pub sides: usize,
    /// Egress and adapter sides.
    pub outs: usize,
    /// Cycles on the longest link.
    pub link: u64,
    /// Whether there are shorter ones.
    pub uneven: bool,
    /// Cycles through a crossbar.
    pub transfer: u64,
    /// Cycles that a packet holds a link.
    pub flits: u64,
    /// Cycles that a control packet holds a link.
    pub control: u64,
    /// Cycles from the arrival of a head until it may ask.
    pub delay: u64,
    /// The bit in which an input is named otherwise than the output of its port: in a grid, 1.
    opposite: usize,
}

impl Layout {
    pub fn new(wiring: &Network, config: &Router) -> Self {
        let (network, nodes) = (wiring.most_ports(), wiring.most_nodes() as usize);
        let ports = network + nodes;
        let sides = wiring.routers() * ports;
        Layout {
            ports,
            network,
            seats: wiring.seats().clone(),
            all_nodes: wiring.nodes(),
            sides,
            outs: sides + wiring.nodes(),
            link: wiring.delays().1.max(config.adapter_cycles).into(),
            uneven: wiring.delays() != (config.adapter_cycles, config.adapter_cycles),
            transfer: u64::from(config.transfer_cycles),
            flits: u64::from(config.packet_flits),
            control: u64::from(config.control_flits),
            delay: config.delay(),
            opposite: usize::from(wiring.has_computed_links()),
        }
    }

    /// The ingress side that the link of an out side leads to, or [`NODE`]. Read backwards: the out side whose link leads to
    /// an ingress side has the number of the side that the link of the same port leads to, except at ports to nodes.
    pub fn behind(&self, wiring: &Network, out: usize) -> u32 {
        if out >= self.sides {
            let (switch, port) = self.home((out - self.sides) as u32);
            return (switch * self.ports + port) as u32;
        }
        self.neighbour(wiring, out)
    }

    /// The out side whose link leads to an ingress side, or [`NODE`] where there is no link.
    pub fn upstream(&self, wiring: &Network, side: usize) -> u32 {
        match side % self.ports {
            port if port >= self.network => {
                self.node_at(side / self.ports, port).map_or(NODE, |node| (self.sides + node) as u32)
            }
            _ => self.neighbour(wiring, side),
        }
    }

    /// The port at the other end of a port's links, as a number.
    fn neighbour(&self, wiring: &Network, side: usize) -> u32 {
        let (switch, port) = (side / self.ports, side % self.ports);
        let there = |port: &usize| *port < wiring.ports(switch as u32);
        let far = Some(port).filter(there).and_then(|port| wiring.peer(switch as u32, port));
        far.map_or(NODE, |far| far.router * self.ports as u32 + far.port)
    }

    /// By how many cycles what the link of an out side brings comes sooner than by the longest one.
    pub fn sooner(&self, (wiring, config): (&Network, &Router), out: usize) -> u16 {
        let (switch, port) = (out / self.ports, out % self.ports);
        let cycles = match out < self.sides && port < self.network {
            true if port < wiring.ports(switch as u32) => wiring.link(switch as u32, port).map(|link| link.cycles),
            true => None,
            false => Some(config.adapter_cycles),
        };
        cycles.map_or(0, |cycles| (self.link - u64::from(cycles)) as u16)
    }

    /// How queues at a port's ingress side are named. In a grid, by the direction in which packets come, opposite to that in which the
    /// link of the port leads out.
    pub fn comes_by(&self, port: usize) -> u8 {
        (if port < self.network { port ^ self.opposite } else { port }) as u8
    }

    /// The switch and the port of a node.
    #[inline]
    pub fn home(&self, node: u32) -> (usize, usize) {
        (self.seats.router_of(node) as usize, self.network + self.seats.seat(node) as usize)
    }

    /// The node at a switch's port, if there is one.
    pub fn node_at(&self, switch: usize, port: usize) -> Option<usize> {
        let (switch, seat) = (switch as u32, port.checked_sub(self.network)? as u32);
        (seat < self.seats.at(switch)).then(|| self.seats.node(switch, seat) as usize)
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
        let (_, port) = self.home((out - self.sides) as u32);
        Place { side: Side::Adapter, port: port as u8, node: true }
    }
}

/// Words of 64 bits for a set of so many.
pub(super) fn words(members: usize) -> usize {
    members.div_ceil(64)
}

/// Places for the ports of a route: Valiant's go to any router and on from there.
pub(super) fn longest_route(wiring: &Network) -> usize {
    let hops = match wiring.grid().filter(|_| wiring.has_computed_links()) {
        Some(grid) => 2 * grid.radix().iter().map(|&k| k as usize - 1).sum::<usize>(),
        None => most_hops(wiring).min(ROUTE_MAX as usize - 1),
    };
    (hops + 1).next_multiple_of(8)
}
