//! The engine against the reference model on random networks of any shape: every packet, buffer and cycle must be the same, and where
//! the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

mod case;
#[path = "../common/twins.rs"]
#[allow(dead_code, reason = "not every test that includes this file needs all of it")]
mod twins;
#[path = "../common/watch.rs"]
mod watch;

use case::{Case, any_case, any_wide_case};
use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::Buffers;
use tailback_engine::contract::queues::Queues;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::cut_through::{Mechanisms, Parts};
use tailback_engine::packet::Packet;
use tailback_engine::{CutThrough, Lazy};
use tailback_engine::{DataPath as _, Network as _};

use tailback_mechanisms::{admission, arbiter, flow_control};
use tailback_network::Network as Wiring;
use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::graph::{Beyond, Graph, Hop};
use tailback_verify::reference::{Config, Network};
use twins::{Trial, buffers, never_delivered, same, same_totals};
use watch::Watch;

/// The routes of a list. The word counts hops, as far as lists tell them apart.
#[derive(Clone)]
struct Listed(Graph, u32);

impl Listed {
    fn new(config: &Config) -> Self {
        Listed(config.graph.clone().expect("it has one"), config.virtual_channels)
    }
}

impl Routing for Listed {
    fn start(&self, router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = match self.0.taste {
            None => self.0.length(router as usize, packet.router as usize),
            Some(_) => 0,
        };
        0
    }

    fn sight(&self) -> Sight {
        match self.0.taste.map(|taste| taste.beyond) {
            None => Sight::Nothing,
            Some(Beyond::Nothing) => Sight::Own,
            Some(Beyond::Signalled) => Sight::Signals(20),
            Some(Beyond::Known) => Sight::Everywhere,
        }
    }

    fn decide(&self, head: Head, packet: &mut Packet, word: &mut u32, queues: &impl Queues) -> Request {
        if head.router == packet.router {
            return Request { port: None, channels: 0 };
        }
        packet.hops += 1;
        let taste = self.0.taste.expect("it looks at queues");
        let sum = |hop: &&Hop| {
            let (port, link) = (hop.port as u8, self.0.link(head.router as usize, hop.port).expect("a link"));
            let there = link.router as u32;
            let beyond = match taste.beyond {
                Beyond::Nothing => 0,
                Beyond::Signalled => queues.signal(there, link.cycles) as u32,
                Beyond::Known => self.flits(link.router, |port, channel| queues.owed_at(there, port, channel)),
            };
            taste.owed * queues.owed_of(port, mask(&hop.channels)) + taste.waiting * queues.waiting(port) + beyond
        };
        let ways = self.ways(head, packet, *word);
        let chosen = ways.iter().min_by_key(sum).expect("a way");
        Request { port: Some(chosen.port as u8), channels: mask(&chosen.channels) }
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        let choice = self.0.taste.is_some() && head.router != packet.router;
        if choice { self.ways(head, packet, word).len() as u32 } else { 1 }
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        if head.router == packet.router {
            return Request { port: None, channels: 0 };
        }
        let hop = &self.ways(head, packet, *word)[option as usize];
        Request { port: Some(hop.port as u8), channels: mask(&hop.channels) }
    }

    fn signal(&self, router: u32, queues: &impl Queues) -> u64 {
        self.flits(router as usize, |port, channel| queues.owed(port, channel)).into()
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        // No list has more than five.
        (word + 1).min(4)
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

impl Listed {
    fn ways(&self, head: Head, packet: &Packet, word: u32) -> &[Hop] {
        self.0.ways(head.router as usize, packet.router as usize, word as usize)
    }

    /// All flits that a router owes, by what it owes to a channel of a port.
    fn flits(&self, router: usize, owed: impl Fn(u8, u8) -> u32) -> u32 {
        let links = self.0.links[router].iter().enumerate().filter(|(_, link)| link.is_some());
        links.map(|(port, _)| (0..self.1 as u8).map(|channel| owed(port as u8, channel)).sum::<u32>()).sum()
    }
}

fn mask(channels: &[usize]) -> u16 {
    channels.iter().fold(0, |mask, channel| mask | 1 << channel)
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
            let wire = Wire { cycles_back: back.cycles, period: link.period, ..Wire::new(link.cycles, LinkKind::Any) };
            if (a, p) < (link.router, link.port) {
                builder.join(port(a, p), port(link.router, link.port), wire).expect("free ports");
            }
        }
    }
    builder.finish().expect("it is connected")
}

fn engine<'a>(config: &Config, traffic: &'a Traffic, buffers: Buffers) -> CutThrough<'a, ByList> {
    let graph = config.graph.as_ref().expect("it has one");
    // Its other mechanisms are those of any network as large.
    let grid = Config { graph: None, radix: vec![2], wrap: vec![false], ..config.clone() };
    let Parts { flow_control, admission, .. } = bridge::parts(&grid, &bridge::grid(&grid));
    let arbiter = bridge::arbiter(config, bridge::inputs(config, config.routers() * config.outputs()));
    let parts = Parts { routing: Listed::new(config), arbiter, flow_control, admission };
    CutThrough::new(wiring(graph), traffic, bridge::router(config), parts, buffers)
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let graph = config.graph.as_ref().expect("it has one");
    let routing = Listed::new(config);
    let network = tailback_deadlock::Network::new(wiring(graph), &routing, config.virtual_channels, Heads::Request);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    let config = &case.config;
    let (mut engine, mut lean) =
        (engine(config, traffic, Buffers::Watched), engine(config, traffic, Buffers::Unwatched));
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

fn traffic(case: &Case) -> Result<Traffic, String> {
    let nodes = case.config.nodes() as u32;
    bridge::traffic_on(&case.config, &Shape { radix: vec![nodes], nodes_per_router: 1 }, &case.traffic)
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    let regressions = "regressions/graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions };
    trial.run(any_case(), traffic, compare);
}

#[test]
fn engine_and_reference_agree_on_wide_routers() {
    let regressions = "regressions/wide_graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 10, regressions };
    trial.run(any_wide_case(), traffic, compare);
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
