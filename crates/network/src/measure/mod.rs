//! What a network measures: distances, and the load at which its busiest link fills under uniform traffic.
//!
//! Distances count links between routers. Uniform traffic sends from every node to every other node as often, and a load is what
//! each node sends, in flits/node/cycle.

mod by_rule;
mod shortest;

use crate::family::{Built, Minimal};
use crate::graph::{LinkKind, Network};

/// What was counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Routers.
    pub routers: usize,
    /// Nodes.
    pub nodes: usize,
    /// Directed links between routers.
    pub links: usize,
    /// Links of the longest minimal way between routers with nodes; `None` where the network is too large to count.
    pub diameter: Option<u32>,
    /// Links of a minimal way between two different nodes, on average; `None` as above, and for one node.
    pub hops_mean: Option<f64>,
    /// Load at which the busiest link fills when packets take the family's minimal ways \[flits/node/cycle\]; `None` as above, and
    /// without links.
    pub channel_load_bound: Option<f64>,
    /// The same for each kind of link, where there are several.
    pub bounds: Vec<(LinkKind, f64)>,
    /// Load at which the busiest link fills when packets take all shortest ways, at every router evenly over its links that come
    /// closer \[flits/node/cycle\]; `None` as above.
    pub ecmp_bound: Option<f64>,
}

/// The most steps that a count may take: destinations times routers and their network ports.
pub const MOST_STEPS: u64 = 1 << 31;

/// Distances and loads under uniform traffic.
struct Uniform {
    /// Pairs of different nodes by their distance.
    pairs: Vec<u64>,
    /// Flits per cycle on every link at load 1, by [`Network::slot`].
    load: Vec<f64>,
}

impl Uniform {
    fn new(network: &Network) -> Uniform {
        Uniform { pairs: Vec::new(), load: vec![0.0; network.slots()] }
    }

    /// Counts pairs of nodes at a distance.
    fn count(&mut self, distance: u32, pairs: u64) {
        let distance = distance as usize;
        if pairs > 0 && self.pairs.len() <= distance {
            self.pairs.resize(distance + 1, 0);
        }
        if pairs > 0 {
            self.pairs[distance] += pairs;
        }
    }

    /// Counted for one destination of a network that looks the same from every router: all others bring as much, shifted.
    fn shifted(mut self, network: &Network) -> Uniform {
        let (routers, ports) = (network.routers() as u64, network.most_ports());
        self.pairs.iter_mut().for_each(|pairs| *pairs *= routers);
        let mut of_port = vec![0.0; ports];
        self.load.iter().enumerate().for_each(|(slot, load)| of_port[slot % ports] += load);
        self.load.iter_mut().enumerate().for_each(|(slot, load)| *load = of_port[slot % ports]);
        self
    }

    fn diameter(&self) -> u32 {
        self.pairs.len().saturating_sub(1) as u32
    }

    fn mean(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        let sum: f64 = (0u32..).zip(&self.pairs).map(|(distance, &n)| f64::from(distance) * n as f64).sum();
        (pairs > 0).then(|| sum / pairs as f64)
    }

    /// The load at which the busiest link of those of a kind fills.
    fn bound(&self, network: &Network, counts: impl Fn(LinkKind) -> bool) -> Option<f64> {
        let mut busiest = 0.0f64;
        for router in 0..network.routers() as u32 {
            for (port, link) in network.links_of(router).filter(|(_, link)| counts(link.kind)) {
                busiest = busiest.max(self.load[network.slot(router, port)] * f64::from(link.period));
            }
        }
        (busiest > 0.0).then(|| 1.0 / busiest)
    }
}

/// Pairs of different nodes, one at `from` and one at `to`.
fn pairs(network: &Network, from: u32, to: u32) -> u64 {
    let at = u64::from(network.nodes_at(from));
    at * (u64::from(network.nodes_at(to)) - u64::from(from == to && at > 0))
}

/// What the nodes at `from` send to those at `to` at load 1 \[flits/cycle\].
fn flow(network: &Network, from: u32, to: u32) -> f64 {
    pairs(network, from, to) as f64 / (network.nodes() as f64 - 1.0)
}

/// The routers towards which uniform traffic is counted: all with nodes, or one where each sees the same network.
fn destinations(network: &Network) -> Vec<u32> {
    let ends = (0..network.routers() as u32).filter(|&router| network.nodes_at(router) > 0);
    ends.take(if is_alike(network) { 1 } else { usize::MAX }).collect()
}

/// Whether a network looks the same from every router, port by port: all its dimensions are rings.
fn is_alike(network: &Network) -> bool {
    network.is_plain_grid() && network.grid().is_some_and(|grid| grid.wrap().iter().all(|&wrap| wrap))
}

/// What the destinations bring that were counted, and all others.
fn whole(counted: Uniform, network: &Network) -> Uniform {
    if is_alike(network) { counted.shifted(network) } else { counted }
}

/// The steps that [`measure`] takes.
pub fn steps(network: &Network) -> u64 {
    let ends = if is_alike(network) { 1 } else { network.routers() as u64 };
    ends * (network.slots() as u64 + network.routers() as u64)
}

/// Measures a network.
pub fn measure(built: &Built) -> Measures {
    let network = &built.network;
    let (routers, nodes, links) = (network.routers(), network.nodes(), network.links());
    let ends = destinations(network).len();
    let mut measures = Measures {
        routers,
        nodes,
        links,
        diameter: None,
        hops_mean: None,
        channel_load_bound: None,
        bounds: Vec::new(),
        ecmp_bound: None,
    };
    if ends as u64 * (network.slots() as u64 + routers as u64) > MOST_STEPS {
        return measures;
    }
    let shortest = whole(shortest::walk(network), network);
    measures.ecmp_bound = shortest.bound(network, |_| true);
    let minimal = match &built.minimal {
        Minimal::Shortest => shortest,
        Minimal::Rule(rule) => whole(by_rule::walk(network, rule.as_ref()), network),
    };
    measures.diameter = Some(minimal.diameter());
    measures.hops_mean = minimal.mean();
    measures.channel_load_bound = minimal.bound(network, |_| true);
    let kinds = kinds(network);
    let bound = |&kind: &LinkKind| Some((kind, minimal.bound(network, |other| other == kind)?));
    measures.bounds = if kinds.len() > 1 { kinds.iter().filter_map(bound).collect() } else { Vec::new() };
    measures
}

/// The kinds of a network's links.
fn kinds(network: &Network) -> Vec<LinkKind> {
    let mut kinds = Vec::new();
    for router in 0..network.routers() as u32 {
        for (_, link) in network.links_of(router) {
            if !kinds.contains(&link.kind) {
                kinds.push(link.kind);
            }
        }
    }
    kinds.sort_unstable();
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::testing::built;

    /// One destination tells of all where every router sees the same network.
    #[test]
    fn a_torus_is_counted_from_one_router() {
        for sets in ["radix=[4,8]", "radix=[5,3] nodes_per_router=2", "radix=[2,3,4]", "radix=[2,2]", "radix=[7]"] {
            let torus = built("torus", sets);
            assert_eq!(destinations(&torus.network).len(), 1);
            let quick = measure(&torus);
            let listed = Built { network: torus.network.clone().without_coordinates(), ..torus };
            assert_eq!(destinations(&listed.network).len(), listed.network.routers());
            let whole = measure(&listed);
            assert_eq!((quick.diameter, quick.links), (whole.diameter, whole.links), "{sets}");
            let pairs = [
                (quick.hops_mean, whole.hops_mean),
                (quick.channel_load_bound, whole.channel_load_bound),
                (quick.ecmp_bound, whole.ecmp_bound),
            ];
            for (one, all) in pairs {
                assert!((one.unwrap() - all.unwrap()).abs() < 1e-9, "{sets}: {one:?} and {all:?}");
            }
        }
        assert_eq!(destinations(&built("mesh", "radix=[4,4]").network).len(), 16);
    }
}
