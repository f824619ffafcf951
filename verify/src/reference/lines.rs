//! Cross-Line routing: registers that tell a router which buffers of the rows ahead are busy, and what packets make of them.

use super::config::{Config, CrossLine, Wires};
use super::packet::{Order, Packet};
use super::router::Router;
use tailback_base::rng::{self, Purpose};

/// What a router knows of one direction: whether a buffer `m + 1` routers away is busy, by `m`.
type Register = Vec<bool>;

/// The registers of all routers, by router and port.
#[derive(Clone, Debug)]
pub struct Lines {
    info: Vec<Vec<Register>>,
}

impl Lines {
    /// All registers clear.
    pub fn new(config: &Config) -> Self {
        let registers: Vec<Register> = match config.cross_line {
            Some(chosen) => (0..config.ports()).map(|port| vec![false; length(config, chosen, port)]).collect(),
            None => Vec::new(),
        };
        Lines { info: vec![registers; config.routers()] }
    }

    /// The end of a cycle in which flits went out by `sent`: routers and ports.
    pub fn observe(&mut self, config: &Config, routers: &[Router], sent: &[(usize, usize)]) {
        let Some(chosen) = config.cross_line else { return };
        let before = self.info.clone();
        let outputs = (0..config.routers()).flat_map(|router| (0..config.ports()).map(move |port| (router, port)));
        for (router, port) in outputs {
            let Some(next) = config.neighbour(router, port) else { continue };
            let order = if port < 2 { Order::XFirst } else { Order::YFirst };
            let credits = &routers[router].outputs[port].credits;
            let busy = config.channels_of_order(order).iter().any(|&c| credits[c] <= chosen.margin_flits);
            let arrives = chosen.wires == Wires::Own || !sent.contains(&(next, port ^ 1));
            // What did not arrive stays as it was.
            let ahead = if arrives { before[next][port].clone() } else { behind_first(&before[router][port]) };
            let mut register = vec![busy];
            register.extend(ahead);
            register.truncate(length(config, chosen, port));
            self.info[router][port] = register;
        }
    }

    /// The order that a packet takes from its source on.
    pub fn choose(&self, config: &Config, packet: &Packet) -> Order {
        let (source, index, destination) = (packet.source, packet.made.index, packet.made.destination);
        let tossed = match rng::draw(config.seed, Purpose::Tie, source, index)[0] >> 31 {
            0 => Order::XFirst,
            _ => Order::YFirst,
        };
        let router = config.router_of(source);
        let leg = |order: Order| -> Vec<usize> {
            let route = config.route_in_order(order, router, (source, index), destination);
            route.iter().copied().take_while(|&port| port / 2 == order.first()).collect()
        };
        let (x, y) = (leg(Order::XFirst), leg(Order::YFirst));
        let busy = |leg: &[usize]| self.info[router][leg[0]].iter().take(leg.len()).filter(|&&bit| bit).count();
        if x.is_empty() || y.is_empty() {
            return tossed;
        }
        match busy(&x).cmp(&busy(&y)) {
            std::cmp::Ordering::Less => Order::XFirst,
            std::cmp::Ordering::Equal => tossed,
            std::cmp::Ordering::Greater => Order::YFirst,
        }
    }
}

fn behind_first(register: &Register) -> Register {
    register.iter().skip(1).copied().collect()
}

/// Bits of the registers of a port.
fn length(config: &Config, chosen: CrossLine, port: usize) -> usize {
    chosen.register_bits.unwrap_or(config.radix[port / 2] / 2).min(16) as usize
}
