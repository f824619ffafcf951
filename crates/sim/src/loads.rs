//! Loads of links under a pattern, along the very routes that the engine takes; where these depend on the traffic or on
//! more chance than can be counted, what crosses every cut of the network on any route.

mod shapes;

use crate::Prepared;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_engine::contract::routing::{Head, Lesser, Routing, Variety, submasks};
use tailback_engine::packet::Packet;
use tailback_mechanisms::routing::{self, Routes};
use tailback_network::{Grid, NONE};
use tailback_traffic::Course;

/// Link visits that the exact walk may cost: a second or so.
const WORK_MAX: f64 = 4e7;

/// Flits that links carry when every sending node makes one flit a cycle.
#[derive(Clone, Debug)]
pub struct Loads {
    /// Per `router * ports + port`, flits per cycle over what the link can carry: one, or less where it is narrow.
    pub link: Vec<f64>,
    /// The routes of the packets. If they are few, loads are counted on them. Else loads are counted on shortest routes in dimension order:
    /// packets may take others, and only what crosses a cut is the same.
    pub routes: Routes,
    /// Most flits that one node receives \[flits/cycle\].
    pub ejection_max: f64,
    /// Nodes that send.
    pub active: u64,
    /// Mean hops of a packet \[links\].
    pub hops_mean: f64,
    /// Mean number of routers of a grid at which a packet goes on in another dimension; on shortest ways where packets have many.
    pub turns_mean: f64,
    /// Mean cycles that a head spends on links, where these are not alike; else 0.
    pub wires_mean: f64,
    /// Mean cycles that a packet of one flit takes more for narrow links, where these are not alike; else 0.
    pub slow_mean: f64,
    /// Pairs of a sending node and its destination that share the busiest link, in a network without a grid.
    pub sharers: Option<u64>,
}

impl Loads {
    /// Walks all routes of the first pattern, or gives up (`None`) where that would take too long, and once `cancel` is set.
    pub fn walk(prepared: &Prepared, cancel: &AtomicBool) -> Option<Loads> {
        // Answers go other ways than the pattern's, and how many depends on all that arrives.
        // Nodes send another load in each class.
        if prepared.traffic.has_answers() || prepared.traffic.shared().is_some() {
            return None;
        }
        // Which of two ports a packet takes is up to allocators.
        if prepared.routing.has_lesser() == Lesser::Elsewhere {
            return None;
        }
        if prepared.network().grid().is_none() || routing::goes_by_links(prepared.view("routing")) {
            return shapes::walk(prepared, cancel);
        }
        let nodes = prepared.grid().nodes() as u32;
        let uniform_torus = uniform_torus(prepared);
        let sources = if uniform_torus { 1 } else { nodes };
        if flow_count(prepared, sources) * mean_distance_guess(prepared) > WORK_MAX {
            return None;
        }
        let ports = prepared.grid().ports();
        let mut loads = Loads {
            link: vec![0.0; prepared.grid().routers() * ports],
            routes: routing::routes(prepared.view("routing")),
            ejection_max: 0.0,
            active: 0,
            hops_mean: 0.0,
            turns_mean: 0.0,
            wires_mean: 0.0,
            slow_mean: 0.0,
            sharers: None,
        };
        let variety = prepared.routing.variety();
        let mut received = vec![0.0; nodes as usize];
        for source in 0..sources {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let mut sends = false;
            prepared.traffic.flows(source, &mut |destination, share| {
                sends = true;
                received[destination as usize] += share;
                let flow = Flow { source, destination, share };
                let link = &mut loads.link;
                let (hops, turns) = match loads.routes {
                    Routes::Few => {
                        let way = walk_all(prepared, &variety, flow, |at, flits| link[at] += flits);
                        (way.hops, way.turns)
                    }
                    Routes::Shortest | Routes::Detours => {
                        (walk_shortest(prepared.grid(), flow, link), turns(prepared.grid(), flow))
                    }
                };
                loads.turns_mean += share * turns;
                loads.hops_mean += share * hops;
            });
            loads.active += u64::from(sends);
        }
        loads.hops_mean /= loads.active.max(1) as f64;
        loads.turns_mean /= loads.active.max(1) as f64;
        loads.ejection_max = received.into_iter().fold(0.0, f64::max);
        if uniform_torus {
            loads.spread(prepared, ports);
        }
        Some(loads)
    }

    /// One source of a symmetric network stands for all: what it sends over all links of a direction, every link carries.
    fn spread(&mut self, prepared: &Prepared, ports: usize) {
        let nodes_per_router = f64::from(prepared.grid().nodes_per_router());
        let sums: Vec<f64> = (0..ports).map(|p| self.link.iter().skip(p).step_by(ports).sum()).collect();
        for (at, link) in self.link.iter_mut().enumerate() {
            *link = sums[at % ports] * nodes_per_router;
        }
        self.active = prepared.grid().nodes() as u64;
        self.ejection_max = 1.0;
    }

    /// The mean load of the links of each direction \[flits/cycle\].
    pub fn by_direction(&self, grid: &Grid) -> Vec<f64> {
        let mean = |port: usize| {
            let links = (0..grid.routers() as u32).filter(|&router| grid.peer(router, port) != NONE).count();
            self.link.iter().skip(port).step_by(grid.ports()).sum::<f64>() / links.max(1) as f64
        };
        (0..grid.ports()).map(mean).collect()
    }

    /// The busiest link and its load \[flits/cycle\].
    pub fn busiest(&self) -> Option<(usize, f64)> {
        busiest(&self.link)
    }

    /// The busiest cut, and the mean load of its links: no route avoids it. On a line it is made of the links that lead
    /// one way past a position, on a ring of those that lead out of half of it.
    pub fn busiest_cut(&self, grid: &Grid) -> Option<(Cut, f64)> {
        let ports = grid.ports();
        let positions = grid.radix().iter().copied().max().unwrap_or(0);
        // Sums over all links by which a port leaves a position of its dimension.
        let mut sums = vec![0.0; positions as usize * ports];
        for (at, link) in self.link.iter().enumerate() {
            let position = grid.coordinates((at / ports) as u32)[at % ports / 2] as usize;
            sums[position * ports + at % ports] += link;
        }
        let sum = |position: u32, port: usize| sums[position as usize * ports + port];
        let cuts = (0..ports).flat_map(|port| (0..grid.radix()[port / 2]).map(move |position| Cut { port, position }));
        let load = |cut: Cut| {
            let (k, wrap) = (grid.radix()[cut.port / 2], grid.wrap()[cut.port / 2]);
            let links = grid.routers() as f64 / f64::from(k);
            if !wrap {
                return sum(cut.position, cut.port) / links;
            }
            let half = k / 2 - 1;
            let behind = (cut.position + if cut.port.is_multiple_of(2) { k - half } else { half }) % k;
            (sum(cut.position, cut.port) + sum(behind, cut.port ^ 1)) / (2.0 * links)
        };
        let loads: Vec<(Cut, f64)> = cuts.map(|cut| (cut, load(cut))).collect();
        let most = busiest(&loads.iter().map(|c| c.1).collect::<Vec<f64>>())?.0;
        Some(loads[most])
    }
}

/// A cut through one dimension, named by the last router before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The port that leads over it.
    pub port: usize,
    /// Coordinate of the routers before it.
    pub position: u32,
}

fn busiest(loads: &[f64]) -> Option<(usize, f64)> {
    loads.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
}

/// Uniform traffic on a torus looks the same from every router.
fn uniform_torus(prepared: &Prepared) -> bool {
    let pattern = prepared.view("traffic").sub("pattern").kind();
    let first = !matches!(prepared.course(), Course::Phases | Course::Program);
    let alike = routing::treats_routers_alike(prepared.view("routing"));
    first && alike && matches!(pattern, "uniform" | "rand") && prepared.grid().wrap().iter().all(|&w| w)
}

fn flow_count(prepared: &Prepared, sources: u32) -> f64 {
    let mut flows = 0u64;
    prepared.traffic.flows(0, &mut |_, _| flows += 1);
    // Node 0 is a fixed point of many permutations.
    prepared.traffic.flows(sources / 2, &mut |_, _| flows += 1);
    flows.max(1) as f64 * f64::from(sources)
}

fn mean_distance_guess(prepared: &Prepared) -> f64 {
    let grid = prepared.grid();
    let per_dimension = |(&k, &wrap): (&u32, &bool)| f64::from(k) / if wrap { 4.0 } else { 3.0 };
    1.0 + grid.radix().iter().zip(grid.wrap()).map(per_dimension).sum::<f64>()
}

/// What one node sends another.
#[derive(Clone, Copy)]
struct Flow {
    source: u32,
    destination: u32,
    /// Share of the packets of the source, 0 to 1.
    share: f64,
}

/// What a packet of a flow meets on its way, in the mean.
#[derive(Clone, Copy, Default)]
struct Way {
    hops: f64,
    /// Cycles on links.
    cycles: f64,
    /// Cycles that narrow links take more for each flit of a packet.
    slow: f64,
    /// Routers at which it goes on in another dimension of a grid.
    turns: f64,
}

/// Tells of the links of a flow's routes, which packets take equally often, and what share of each it takes.
fn walk_all(prepared: &Prepared, variety: &Variety, flow: Flow, mut link: impl FnMut(usize, f64)) -> Way {
    let network = prepared.network();
    let width = network.most_ports();
    let Flow { source, destination, share } = flow;
    let new = Packet { source, destination, router: network.router_of(destination), ..Packet::default() };
    let coins = prepared.routing.coins(network.router_of(source), &new);
    let draws = || variety.draws.iter().flat_map(move |&draw| submasks(coins).map(move |coins| draw | coins));
    let part = 1.0 / (draws().count() as u64 * variety.indices) as f64;
    let mut way = Way::default();
    for (index, choice) in (0..variety.indices).flat_map(|index| draws().map(move |choice| (index, choice))) {
        let mut packet = Packet { index, ..new };
        let mut router = network.router_of(source);
        let mut word = prepared.routing.start(router, &mut packet, || choice);
        let mut input: Option<(u8, u8)> = None;
        while let Some(port) = prepared.routing.request(Head { router, input }, &packet, &mut word).port {
            let wire = network.link(router, usize::from(port)).expect("a routing leads along links");
            link(router as usize * width + usize::from(port), share * part * f64::from(wire.period));
            word = prepared.routing.advance(port, word);
            way.cycles += part * f64::from(wire.cycles);
            way.slow += part * f64::from(wire.period - 1);
            let turns = input.is_some_and(|(from, _)| from / 2 != port / 2);
            way.turns += if turns { part } else { 0.0 };
            let ahead = network.ahead(router, usize::from(port)).expect("it is there");
            router = ahead.router;
            input = Some((ahead.port as u8, 0));
            way.hops += part;
        }
    }
    way
}

/// Times that a flow ends a dimension before its last: every dimension that it goes in but one, in whatever order.
fn turns(grid: &Grid, flow: Flow) -> f64 {
    let (from, to) = (grid.router_of(flow.source), grid.router_of(flow.destination));
    let (here, there) = (grid.coordinates(from), grid.coordinates(to));
    let dimensions = here.iter().zip(there).filter(|(a, b)| a != b).count();
    dimensions.saturating_sub(1) as f64
}

/// Adds a flow to the links of a shortest route; returns its hops.
fn walk_shortest(grid: &Grid, flow: Flow, link: &mut [f64]) -> f64 {
    let (mut router, to) = (grid.router_of(flow.source), grid.router_of(flow.destination));
    let mut hops = 0.0;
    for d in 0..grid.dimensions() {
        let (k, there) = (grid.radix()[d], grid.coordinates(to)[d]);
        let here = grid.coordinates(router)[d];
        let up = if grid.wrap()[d] { 2 * ((there + k - here) % k) <= k } else { there > here };
        let port = 2 * d + usize::from(!up);
        for _ in 0..grid.ring_distance(d, here, there) {
            link[router as usize * grid.ports() + port] += flow.share;
            router = grid.peer(router, port);
            hops += 1.0;
        }
    }
    hops
}
