//! Loads of links under a pattern, along the very routes that the engine takes.

use crate::Prepared;
use tailback_engine::contract::routing::{Head, Routing};
use tailback_engine::packet::Packet;

/// Link visits that the exact walk may cost: a second or so.
const WORK_MAX: f64 = 4e7;

/// Flits that links carry when every sending node makes one flit a cycle.
#[derive(Clone, Debug)]
pub struct Loads {
    /// Per `router * ports + port` \[flits/cycle\].
    pub link: Vec<f64>,
    /// Most flits that one node receives \[flits/cycle\].
    pub ejection_max: f64,
    /// Nodes that send.
    pub active: u64,
    /// Mean hops of a packet \[links\].
    pub hops_mean: f64,
}

impl Loads {
    /// Walks all routes of the first pattern, or gives up (`None`) where that would take too long.
    pub fn walk(prepared: &Prepared) -> Option<Loads> {
        let nodes = prepared.grid.nodes() as u32;
        let uniform_torus = uniform_torus(prepared);
        let sources = if uniform_torus { 1 } else { nodes };
        if flow_count(prepared, sources) * mean_distance_guess(prepared) > WORK_MAX {
            return None;
        }
        let ports = prepared.grid.ports();
        let mut loads =
            Loads { link: vec![0.0; prepared.grid.routers() * ports], ejection_max: 0.0, active: 0, hops_mean: 0.0 };
        let mut received = vec![0.0; nodes as usize];
        for source in 0..sources {
            let mut sends = false;
            prepared.traffic.flows(source, &mut |destination, share| {
                sends = true;
                received[destination as usize] += share;
                loads.hops_mean += share * walk_flow(prepared, source, destination, share, &mut loads.link);
            });
            loads.active += u64::from(sends);
        }
        loads.hops_mean /= loads.active.max(1) as f64;
        loads.ejection_max = received.into_iter().fold(0.0, f64::max);
        if uniform_torus {
            loads.spread(prepared, ports);
        }
        Some(loads)
    }

    /// One source of a symmetric network stands for all: what it sends over all links of a direction, every link carries.
    fn spread(&mut self, prepared: &Prepared, ports: usize) {
        let nodes_per_router = f64::from(prepared.grid.nodes_per_router());
        let sums: Vec<f64> = (0..ports).map(|p| self.link.iter().skip(p).step_by(ports).sum()).collect();
        for (at, link) in self.link.iter_mut().enumerate() {
            *link = sums[at % ports] * nodes_per_router;
        }
        self.active = prepared.grid.nodes() as u64;
        self.ejection_max = 1.0;
    }

    /// The busiest link and its load \[flits/cycle\].
    pub fn busiest(&self) -> Option<(usize, f64)> {
        self.link.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }
}

/// Uniform traffic on a torus looks the same from every router.
fn uniform_torus(prepared: &Prepared) -> bool {
    let pattern = prepared.view("traffic").sub("pattern").kind();
    let first = prepared.view("workload").kind() != "phases";
    first && matches!(pattern, "uniform" | "rand") && prepared.grid.wrap().iter().all(|&w| w)
}

fn flow_count(prepared: &Prepared, sources: u32) -> f64 {
    let mut flows = 0u64;
    prepared.traffic.flows(0, &mut |_, _| flows += 1);
    // Node 0 is a fixed point of many permutations.
    prepared.traffic.flows(sources / 2, &mut |_, _| flows += 1);
    flows.max(1) as f64 * f64::from(sources)
}

fn mean_distance_guess(prepared: &Prepared) -> f64 {
    let grid = &prepared.grid;
    let per_dimension = |(&k, &wrap): (&u32, &bool)| f64::from(k) / if wrap { 4.0 } else { 3.0 };
    1.0 + grid.radix().iter().zip(grid.wrap()).map(per_dimension).sum::<f64>()
}

/// Adds a flow to the links of its route, half by each direction where a tie may fall either way; returns its hops.
fn walk_flow(prepared: &Prepared, source: u32, destination: u32, share: f64, link: &mut [f64]) -> f64 {
    let grid = &prepared.grid;
    let mut hops = 0.0;
    for (index, choice) in [(0, 0), (1, u32::MAX)] {
        let mut packet =
            Packet { source, destination, router: grid.router_of(destination), index, ..Packet::default() };
        let mut router = grid.router_of(source);
        let mut word = prepared.routing.start(router, &mut packet, || choice);
        let mut input = None;
        while let Some(port) = prepared.routing.request(Head { router, input }, &packet, &mut word).port {
            link[router as usize * grid.ports() + usize::from(port)] += share / 2.0;
            word = prepared.routing.advance(port, word);
            router = grid.peer(router, usize::from(port));
            input = Some((port, 0));
            hops += 0.5;
        }
    }
    hops
}
