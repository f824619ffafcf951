//! The engine against the reference model on random networks of any shape: every packet, buffer and cycle must be the same, and where
//! the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

mod case;
#[path = "../common/twins.rs"]
#[allow(dead_code, reason = "not every test that includes this file needs all of it")]
mod twins;

use case::{Case, any_case};
use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::contract::probe::EndOfCycle;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::cut_through::{MAX_PORTS, Mechanisms, Parts};
use tailback_engine::packet::Packet;
use tailback_engine::{CutThrough, Delivery, Lazy, Probe};

use tailback_mechanisms::{admission, arbiter, flow_control};
use tailback_network::Network as Wiring;
use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::graph::Graph;
use tailback_verify::reference::{Config, Network};
use twins::{Trial, buffers, never_delivered, same, same_totals};

/// The routes of a list. The word counts hops.
#[derive(Clone)]
struct Listed(Graph);

impl Routing for Listed {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = self.0.route(router as usize, packet.router as usize).len() as u32;
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let hops = &self.0.hops[packet.router as usize][head.router as usize];
        if head.router == packet.router {
            return Request { port: None, channels: 0 };
        }
        let hop = &hops[(*word as usize).min(hops.len() - 1)];
        Request {
            port: Some(hop.port as u8),
            channels: hop.channels.iter().fold(0, |mask, channel| mask | 1 << channel),
        }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word + 1
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

struct ByList;

impl Mechanisms for ByList {
    type Sources<'t> = Lazy<'t>;
    type Routing = Listed;
    type Arbiter = arbiter::Any;
    type FlowControl = flow_control::Any;
    type Admission = admission::Any;
}

/// The engine's network.
fn wiring(graph: &Graph) -> Wiring {
    let ports: Vec<u32> = graph.links.iter().map(|ports| ports.len() as u32).collect();
    let seats = Seats::listed(ports.len(), graph.nodes.iter().map(|&router| router as u32).collect());
    let mut builder = Builder::new(&ports, seats).expect("it is small");
    let port = |router: usize, port: usize| Port { router: router as u32, port: port as u32 };
    for (a, ports) in graph.links.iter().enumerate() {
        for (p, link) in ports.iter().enumerate().filter_map(|(p, link)| Some((p, (*link)?))) {
            let back = graph.link(link.router, link.port).expect("links are two-way");
            let wire = Wire { cycles_back: back.cycles, ..Wire::new(link.cycles, LinkKind::Any) };
            if (a, p) < (link.router, link.port) {
                builder.join(port(a, p), port(link.router, link.port), wire).expect("free ports");
            }
        }
    }
    builder.finish().expect("it is connected")
}

fn engine<'a>(config: &Config, traffic: &'a Traffic, needs_occupancy: bool) -> CutThrough<'a, ByList> {
    let graph = config.graph.as_ref().expect("it has one");
    // Its other mechanisms are those of any network as large.
    let grid = Config { graph: None, radix: vec![2], wrap: vec![false], ..config.clone() };
    let Parts { flow_control, admission, .. } = bridge::parts(&grid, &bridge::grid(&grid));
    let arbiter = bridge::arbiter(config, bridge::inputs(config, config.routers() * MAX_PORTS));
    let parts = Parts { routing: Listed(graph.clone()), arbiter, flow_control, admission };
    CutThrough::new(wiring(graph), traffic, bridge::router(config), parts, needs_occupancy)
}

/// What the engine shows.
#[derive(Default)]
struct Watch {
    deliveries: Deliveries,
    in_flight: u64,
    /// Flits in the buffers, by router, port and virtual channel.
    levels: Vec<usize>,
    /// Routers, ports and virtual channels.
    size: (usize, usize, usize),
}

impl Probe for Watch {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.in_flight = end.in_flight;
        let occupancy = end.occupancy.expect("it was asked for");
        let level = |(router, port, channel)| usize::from(occupancy.level(router as u32, port, channel));
        self.levels = buffers(self.size).map(level).collect();
    }
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let graph = config.graph.as_ref().expect("it has one");
    let routing = Listed(graph.clone());
    let network = tailback_deadlock::Network::new(wiring(graph), &routing, config.virtual_channels, Heads::Request);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let (mut engine, mut lean) = (engine(config, traffic, true), engine(config, traffic, false));
    let mut lean_deliveries = Deliveries::default();
    let mut reference = Network::new(config, traffic);
    let size = (config.routers(), config.ports(), config.virtual_channels as usize);
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut watch);
        lean.step(&mut lean_deliveries);
        reference.step();
        same(&format!("cycle {cycle}: counters without levels"), lean.counters(), engine.counters())?;
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(size).zip(&watch.levels) {
            let name = format!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
            same(&name, level, reference.level(router, port, channel))?;
        }
        if cycle % case.audit_every == 0 {
            same_totals(cycle, engine.totals(), reference.totals())?;
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
            lean.audit().map_err(|error| format!("cycle {cycle}, without levels: {error}"))?;
        }
    }
    for deliveries in [watch.deliveries, lean_deliveries] {
        let (found, expected) = (deliveries.sorted(), reference.delivered());
        found.iter().zip(&expected).try_for_each(|(found, expected)| same("a packet", found, expected))?;
        same("packets delivered", found.len(), expected.len())?;
    }
    let Some(deadlock) = engine.deadlock() else { return same("still", engine.is_still(), false) };
    if is_free(config) {
        return Err(format!("these routes were said to be free of deadlock: {deadlock:?}"));
    }
    (0..300).for_each(|_| reference.step());
    never_delivered(&deadlock, &reference.delivered())
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    let regressions = "regressions/graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions };
    let traffic = |case: &Case| {
        let nodes = case.config.nodes() as u32;
        bridge::traffic_on(&case.config, &Shape { radix: vec![nodes], nodes_per_router: 1 }, &case.traffic)
    };
    trial.run(any_case(), traffic, compare);
}

/// Some of the random networks lock, and of some the check says that they cannot: else the test above would show little.
#[test]
fn random_routes_lock_and_do_not() {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases: Vec<Case> = (0..60).map(|_| any_case().new_tree(&mut runner).expect("a case").current()).collect();
    let free = cases.iter().filter(|case| is_free(&case.config)).count();
    assert!((15..=55).contains(&free), "{free} of 60");
}
