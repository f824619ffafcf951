//! All shortest ways of the graph, one destination after another.

use super::{Uniform, destinations, flow, pairs};
use crate::graph::Network;

/// Uniform traffic over all shortest ways, at every router evenly over its links that come closer.
pub fn walk(network: &Network) -> Uniform {
    let mut uniform = Uniform::new(network);
    let mut tree = Tree::new(network.routers());
    for to in destinations(network) {
        tree.grow(network, to);
        tree.pour(network, to, &mut uniform);
    }
    uniform
}

/// Distances to a destination, and what flows towards it.
struct Tree {
    distance: Vec<u32>,
    /// Routers from the destination outwards.
    order: Vec<u32>,
    flow: Vec<f64>,
    closer: Vec<(usize, u32)>,
}

impl Tree {
    fn new(routers: usize) -> Tree {
        Tree { distance: vec![0; routers], order: Vec::new(), flow: vec![0.0; routers], closer: Vec::new() }
    }

    fn grow(&mut self, network: &Network, to: u32) {
        self.distance.fill(u32::MAX);
        self.order.clear();
        self.order.push(to);
        self.distance[to as usize] = 0;
        let mut next = 0;
        while let Some(&router) = self.order.get(next) {
            next += 1;
            let beyond = self.distance[router as usize] + 1;
            for port in 0..network.ports(router) {
                let Some(far) = network.peer(router, port) else { continue };
                let distance = &mut self.distance[far.router as usize];
                if *distance == u32::MAX {
                    *distance = beyond;
                    self.order.push(far.router);
                }
            }
        }
    }

    fn pour(&mut self, network: &Network, to: u32, uniform: &mut Uniform) {
        for &router in &self.order {
            uniform.count(self.distance[router as usize], pairs(network, router, to));
            self.flow[router as usize] = flow(network, router, to);
        }
        for &router in self.order[1..].iter().rev() {
            let here = self.distance[router as usize];
            self.closer.clear();
            for port in 0..network.ports(router) {
                let far = network.peer(router, port);
                self.closer.extend(far.filter(|f| self.distance[f.router as usize] < here).map(|f| (port, f.router)));
            }
            let share = self.flow[router as usize] / self.closer.len() as f64;
            for &(port, far) in &self.closer {
                uniform.load[network.slot(router, port)] += share;
                self.flow[far as usize] += share;
            }
        }
    }
}
