//! Routings that go by the links of a network, on tori and meshes: the engine on a grid against the reference model on a list of its links,
//! every packet, buffer and cycle, with ways that are found here as simply as can be. On a grid they give the ways that they give on the
//! same network without coordinates, and what the check says cannot lock does not.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

use crate::common::shapeless::{self, distances};
use crate::common::tested::engines::cut_through_parts;
use crate::common::twins::Trial;
use crate::graphs::{case::Case, side_by_side};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::contract::routing::{Head, Routing};
use tailback_engine::cut_through::Parts;
use tailback_engine::packet::Packet;
use tailback_engine::{Buffers, CutThrough};
use tailback_mechanisms::routing;
use tailback_network::Grid;
use tailback_network::family::{Built, Classes, LinkChannels, Minimal};
use tailback_spec::{Catalogue, Document};
use tailback_traffic::Traffic;
use tailback_verify::bridge;
use tailback_verify::reference::graph::{Beyond, Graph, Hop, Inputs, Link, Mark, Taste};
use tailback_verify::reference::{Arbiter, Config};

/// A routing whose ways are found here, too.
#[derive(Clone, Copy, Debug)]
enum Rule {
    LeastDelay,
    Layered,
    /// Below this router, or the middle one; of several ways the one that owes least.
    UpDown(Option<usize>),
}

impl Rule {
    /// The section of a spec.
    fn section(self) -> String {
        match self {
            Rule::LeastDelay => "routing = 'least_delay'".to_owned(),
            Rule::Layered => "routing = 'layered'".to_owned(),
            Rule::UpDown(None) => "routing = { kind = 'up_down', up = 'adaptive' }".to_owned(),
            Rule::UpDown(Some(root)) => format!("routing = {{ kind = 'up_down', up = 'adaptive', root = {root} }}"),
        }
    }

    /// The ways of the reference model on a graph, for so many channels or the next number that will do; and that.
    fn listed(self, graph: Graph, channels: u32) -> (Graph, u32) {
        match self {
            Rule::LeastDelay => (least_delay(graph, channels as usize), channels),
            Rule::Layered => layered(graph, channels),
            Rule::UpDown(root) => (up_down(graph, root, channels as usize), channels),
        }
    }
}

/// The routing of a section on a grid, and on a list of its links.
fn built(section: &str, config: &Config, on_list: bool) -> routing::Any {
    let catalogue = Catalogue { sections: vec![routing::section()], ..Catalogue::default() };
    let document = Document::parse("spec.toml", section.as_bytes()).expect("readable");
    let resolved = document.resolve(&catalogue).unwrap_or_else(|errors| panic!("{section}: {errors}"));
    let (view, channels) = (resolved.view("routing"), config.virtual_channels);
    let routing = match on_list {
        false => routing::build(view, &bridge::grid(config), channels),
        true => {
            let network = crate::common::listed::wiring(config.graph.as_ref().expect("it has one"));
            let (minimal, classes, channels_of_links) = (Minimal::Shortest, Classes::ByHop, LinkChannels::default());
            let (one_way, notes) = (false, Vec::new());
            let built = Built { network, minimal, classes, channels: channels_of_links, one_way, notes };
            routing::build_any(view, &built, channels)
        }
    };
    routing.unwrap_or_else(|refusal| panic!("{section}: {}", refusal.message))
}

/// The links of the grid of a configuration.
fn links(config: &Config) -> Graph {
    let link = |router: usize, port: usize| {
        let far = config.neighbour(router, port)?;
        Some(Link { router: far, port: port ^ 1, cycles: config.link_cycles, period: 1 })
    };
    let ports = |router| (0..2 * config.radix.len()).map(|port| link(router, port)).collect();
    let routers = config.radix.iter().product::<u32>() as usize;
    let nodes = (0..routers).flat_map(|router| (0..config.nodes_per_router).map(move |_| router)).collect();
    Graph {
        links: (0..routers).map(ports).collect(),
        ports: 2 * config.radix.len(),
        inputs: Inputs::Along,
        nodes,
        one_way: None,
        hops: Vec::new(),
        mark: Mark::Hops,
        exits: vec![Vec::new(); routers],
        taste: None,
    }
}

/// The lists of all pairs, by destination and router: none at the destination.
fn lists(routers: usize, list: impl Fn(usize, usize) -> Vec<Vec<Hop>>) -> Vec<Vec<Vec<Vec<Hop>>>> {
    let of = |to| (0..routers).map(|at| if at == to { Vec::new() } else { list(to, at) }).collect();
    (0..routers).map(of).collect()
}

/// The first port from one router to a neighbour.
fn port_to(graph: &Graph, from: usize, to: usize) -> usize {
    graph.links[from].iter().position(|link| link.is_some_and(|link| link.router == to)).expect("neighbours")
}

fn neighbours(graph: &Graph, router: usize) -> impl Iterator<Item = usize> + '_ {
    graph.links[router].iter().flatten().map(|link| link.router)
}

/// Where all links are alike, the way to a router comes from its lowest neighbour that is closer to the source.
fn least_delay(graph: Graph, channels: usize) -> Graph {
    let routers = graph.links.len();
    let first = |to: usize, at: usize| {
        let distance = distances(&graph, at, |_, _| true);
        let closer = |&far: &usize, here: usize| distance[far] < distance[here];
        let mut here = to;
        while distance[here] > 1 {
            here = neighbours(&graph, here).filter(|far| closer(far, here)).min().expect("a closer one");
        }
        vec![vec![Hop { port: port_to(&graph, at, here), channels: (0..channels).collect() }]]
    };
    let hops = lists(routers, first);
    Graph { hops, ..graph }
}

/// A shortest way by the lowest neighbours, and each pair in the first layer in which no links wait for each other in a circle.
fn layered(graph: Graph, channels: u32) -> (Graph, u32) {
    let routers = graph.links.len();
    let lowest = |to: usize, at: usize| {
        let distance = distances(&graph, to, |_, _| true);
        let far = neighbours(&graph, at).filter(|&far| distance[far] < distance[at]).min().expect("a closer one");
        port_to(&graph, at, far)
    };
    let mut layers: Vec<BTreeSet<[(usize, usize); 2]>> = vec![BTreeSet::new()];
    let mut of_pair = vec![vec![0; routers]; routers];
    for (to, from) in (0..routers).flat_map(|to| (0..routers).map(move |from| (to, from))) {
        let (mut at, mut held, mut waits) = (from, None, BTreeSet::new());
        while at != to {
            let link = (at, lowest(to, at));
            waits.extend(held.map(|held| [held, link]));
            (at, held) = (graph.link(at, link.1).expect("a link").router, Some(link));
        }
        let fits = |layer: &BTreeSet<_>| !closes_a_circle(layer | &waits);
        let number = layers.iter().position(fits).unwrap_or(layers.len());
        layers.resize(layers.len().max(number + 1), BTreeSet::new());
        layers[number].extend(waits);
        of_pair[to][from] = number;
    }
    let (count, channels) = (layers.len(), channels.max(layers.len() as u32));
    let of_layer = |layer: usize| {
        let end = |layer: usize| layer * channels as usize / count;
        (end(layer)..end(layer + 1)).collect()
    };
    let list = |to, at| {
        let port = lowest(to, at);
        (0..count).map(|layer| vec![Hop { port, channels: of_layer(layer) }]).collect()
    };
    let hops = lists(routers, list);
    (Graph { hops, mark: Mark::Layer(of_pair), ..graph }, channels)
}

/// Whether some wait for each other in a circle: whoever waits for nobody is taken away until none are left, or none can be.
fn closes_a_circle(mut waits: BTreeSet<[(usize, usize); 2]>) -> bool {
    loop {
        let waiting: BTreeSet<_> = waits.iter().map(|&[from, _]| from).collect();
        let before = waits.len();
        waits.retain(|[_, to]| waiting.contains(to));
        if waits.len() == before {
            return before > 0;
        }
    }
}

/// The shortest of the ways up, then down.
fn up_down(graph: Graph, root: Option<usize>, channels: usize) -> Graph {
    let routers = graph.links.len();
    let sum = |router: &usize| distances(&graph, *router, |_, _| true).iter().sum::<usize>();
    let root = root.unwrap_or_else(|| (0..routers).min_by_key(sum).expect("a router"));
    let level = distances(&graph, root, |_, _| true);
    let mut order: Vec<usize> = (0..routers).collect();
    order.sort_by_key(|&router| (level[router], router));
    let place: Vec<usize> = (0..routers).map(|router| order.iter().position(|&at| at == router).unwrap()).collect();
    let goes_down = |from: usize, to: usize| place[to] > place[from];
    let list = |to: usize, at: usize| {
        let down = distances(&graph, to, goes_down);
        let mut free = down.clone();
        for _ in 0..routers {
            for router in 0..routers {
                for far in neighbours(&graph, router).filter(|&far| !goes_down(router, far)) {
                    free[router] = free[router].min(free[far] + 1);
                }
            }
        }
        let ways = |left: &[usize], may_go_up: bool| {
            let leads = |far: usize| match goes_down(at, far) {
                true => down[far] + 1 == left[at],
                false => may_go_up && free[far] + 1 == left[at],
            };
            let ports = graph.links[at].iter().enumerate();
            let ports = ports.filter(|(_, link)| link.is_some_and(|link| left[at] < routers && leads(link.router)));
            ports.map(|(port, _)| Hop { port, channels: (0..channels).collect() }).collect()
        };
        vec![ways(&free, true), ways(&down, false)]
    };
    let hops = lists(routers, list);
    let taste = Some(Taste { owed: 1, waiting: 1, beyond: Beyond::Nothing });
    Graph { hops, taste, mark: Mark::Down(place), ..graph }
}

/// A torus or a mesh of thirty routers at most.
fn grids() -> impl Strategy<Value = Config> {
    let radix = prop_oneof![
        proptest::collection::vec(2u32..=9, 1),
        proptest::collection::vec(2u32..=5, 2),
        proptest::collection::vec(2u32..=3, 3)
    ];
    (radix, any::<bool>(), 1u32..=2, 1u32..=3, 1u32..=3, any::<u64>()).prop_map(
        |(radix, wraps, nodes_per_router, link_cycles, channels, seed)| {
            let (plain, _) = shapeless::config((seed, 1, 0, shapeless::Routes::Any), channels);
            let wrap = vec![wraps; radix.len()];
            let config = Config { radix, wrap, nodes_per_router, link_cycles, graph: None, seed, ..plain };
            let graph = Some(links(&config));
            Config { graph, ..config }
        },
    )
}

fn any_case() -> impl Strategy<Value = (Case, Rule)> {
    let rule = prop_oneof![
        Just(Rule::LeastDelay),
        Just(Rule::Layered),
        Just(Rule::UpDown(None)),
        (0usize..2).prop_map(|root| Rule::UpDown(Some(root)))
    ];
    let arbiter = prop_oneof![Just(Arbiter::RoundRobin), Just(Arbiter::Random), Just(Arbiter::OldestFirst)];
    let wires = (0u32..=4, prop_oneof![3 => Just(1u32), 2 => 2u32..=9], proptest::option::of(1u32..=4));
    let time = (0.02f64..1.2, 100u64..300, 1u64..40);
    (grids(), rule, arbiter, wires, (1u32..=8, 1u32..=3), time).prop_map(
        |(config, rule, arbiter, wires, (flits, packets), (load, cycles, audit_every))| {
            let (header_cycles, credit_cycles, source_queue_packets) = wires;
            let (graph, virtual_channels) = rule.listed(links(&config), config.virtual_channels);
            let buffer_flits = flits * packets + (config.seed % 2) as u32;
            let config = Config {
                graph: Some(graph),
                virtual_channels,
                buffer_flits,
                header_cycles,
                credit_cycles,
                source_queue_packets,
                arbiter,
                ..config
            };
            let load = load.min(f64::from(flits));
            let traffic = format!("[traffic]\nload = {load:?}\nsize = {{ kind = \"fixed\", flits = {flits} }}\n");
            (Case { config, traffic, cycles, audit_every }, rule)
        },
    )
}

/// Whether the check says that packets can never lock on the grid.
fn is_free(grid: &Grid, routing: &routing::Any, channels: u32) -> bool {
    let network = tailback_deadlock::Network::new(grid, routing, channels, Heads::Request);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

fn compare((case, rule): &(Case, Rule), traffic: &Traffic) -> Result<(), String> {
    let (config, section) = (&case.config, rule.section());
    let (grid, routing) = (bridge::grid(config), built(&section, config, false));
    let plain = Config { graph: None, ..config.clone() };
    let engine = |buffers: Buffers| {
        let parts = cut_through_parts(Parts { routing: routing.clone(), ..bridge::parts(&plain, &grid) });
        CutThrough::new(&grid, traffic, bridge::router(config), parts, buffers)
    };
    let free = is_free(&grid, &routing, config.virtual_channels);
    if !free && !matches!(rule, Rule::LeastDelay) {
        return Err(format!("{section} can lock on {:?}", config.radix));
    }
    side_by_side(case, traffic, engine, || free)
}

#[test]
fn engine_and_reference_agree_on_grids() {
    let trial =
        Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions: "regressions/by_links.txt" };
    trial.run(any_case(), |(case, _)| bridge::traffic(&case.config, &case.traffic), compare);
}

/// The ports of a packet's way, and the channels of each.
fn way(routing: &routing::Any, config: &Config, packet: Packet, draw: u32) -> Vec<(u8, u16)> {
    let (mut packet, mut at, mut way) = (packet, config.router_of(packet.source) as u32, Vec::new());
    let mut word = routing.start(at, &mut packet, || draw);
    loop {
        let request = routing.request(Head { router: at, input: None }, &packet, &mut word);
        let Some(port) = request.port else { return way };
        way.push((port, request.channels));
        word = routing.advance(port, word);
        at = config.neighbour(at as usize, port.into()).expect("ways lead along links") as u32;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn ways_on_a_grid_are_those_on_its_links(config in grids(), draw in any::<u32>(), up in 0usize..4, root in 0usize..2) {
        let config = Config { virtual_channels: 8, ..config };
        let up = ["random", "ecmp", "spray", "adaptive"][up];
        let routings = [
            "routing = 'least_delay'".to_owned(),
            "routing = 'layered'".to_owned(),
            format!("routing = {{ kind = 'up_down', up = '{up}' }}"),
            format!("routing = {{ kind = 'up_down', up = '{up}', root = {root} }}"),
        ];
        for section in routings {
            let (on_grid, on_list) = (built(&section, &config, false), built(&section, &config, true));
            for (source, destination) in (0..config.nodes() as u32).flat_map(|a| (0..config.nodes() as u32).map(move |b| (a, b))) {
                let router = config.router_of(destination) as u32;
                let packet = Packet { source, destination, router, index: draw.into(), ..Packet::default() };
                prop_assert_eq!(way(&on_grid, &config, packet, draw), way(&on_list, &config, packet, draw), "{}", section);
            }
        }
    }
}
