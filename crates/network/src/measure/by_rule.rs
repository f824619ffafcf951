//! The ways of a rule, one destination after another.

use super::{Uniform, destinations, flow, pairs};
use crate::family::Rule;
use crate::graph::Network;

/// Uniform traffic over the ways of a rule, at every router evenly over the ports that it gives.
pub fn walk(network: &Network, rule: &dyn Rule) -> Uniform {
    let mut uniform = Uniform::new(network);
    let mut ways = Ways::new(network.routers());
    for to in destinations(network) {
        ways.ask(network, rule, to);
        ways.pour(network, to, &mut uniform);
    }
    uniform
}

/// The ways to a destination.
struct Ways {
    /// The ports by router, at `first[router] .. first[router + 1]`.
    ports: Vec<usize>,
    first: Vec<usize>,
    distance: Vec<u32>,
    flow: Vec<f64>,
    order: Vec<u32>,
}

impl Ways {
    fn new(routers: usize) -> Ways {
        let order = (0..routers as u32).collect();
        Ways { ports: Vec::new(), first: Vec::new(), distance: Vec::new(), flow: vec![0.0; routers], order }
    }

    fn ask(&mut self, network: &Network, rule: &dyn Rule, to: u32) {
        self.ports.clear();
        self.first.clear();
        for router in 0..network.routers() as u32 {
            self.first.push(self.ports.len());
            if router != to {
                rule.ports(router, to, &mut self.ports);
            }
        }
        self.first.push(self.ports.len());
        self.distance.clear();
        self.distance.resize(network.routers(), u32::MAX);
        self.distance[to as usize] = 0;
        let mut trail = Vec::new();
        for router in 0..network.routers() as u32 {
            let mut at = router;
            while self.distance[at as usize] == u32::MAX {
                assert!(trail.len() < network.routers(), "a rule leads to its destination");
                trail.push(at);
                at = self.far(network, at, self.ports[self.first[at as usize]]);
            }
            let mut distance = self.distance[at as usize];
            for at in trail.drain(..).rev() {
                distance += 1;
                self.distance[at as usize] = distance;
            }
        }
        self.order.sort_unstable_by_key(|&router| std::cmp::Reverse((self.distance[router as usize], router)));
    }

    fn far(&self, network: &Network, router: u32, port: usize) -> u32 {
        network.peer(router, port).expect("a rule leads along links").router
    }

    fn pour(&mut self, network: &Network, to: u32, uniform: &mut Uniform) {
        for router in 0..network.routers() as u32 {
            uniform.count(self.distance[router as usize], pairs(network, router, to));
            self.flow[router as usize] = flow(network, router, to);
        }
        for at in 0..self.order.len() - 1 {
            let router = self.order[at];
            let ports = self.first[router as usize]..self.first[router as usize + 1];
            let share = self.flow[router as usize] / ports.len() as f64;
            for port in ports.map(|i| self.ports[i]) {
                let far = self.far(network, router, port);
                debug_assert_eq!(
                    self.distance[far as usize] + 1,
                    self.distance[router as usize],
                    "ways are equally long"
                );
                uniform.load[network.slot(router, port)] += share;
                self.flow[far as usize] += share;
            }
        }
    }
}
