//! Random networks of any shape, with random routes.

use proptest::prelude::*;
use tailback_base::rng::{self, Purpose};
use tailback_verify::reference::graph::{Beyond, Graph, Hop, Link, Taste};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Numbering, Tie};

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// The network.
    pub config: Config,
    /// The tables `traffic` and `workload` of the spec.
    pub traffic: String,
    /// Simulated time.
    pub cycles: u64,
    /// The engine's books are audited every so many cycles.
    pub audit_every: u64,
}

/// How routes are drawn.
#[derive(Clone, Copy, Debug)]
pub enum Routes {
    /// Any tree towards each destination, any channels.
    Any,
    /// Shortest ways, a higher channel with every hop as long as there are some.
    Shortest,
    /// Up towards the first router, then down.
    UpDown,
}

/// Numbers drawn one after the other.
struct Dice {
    seed: u64,
    drawn: u64,
}

impl Dice {
    fn below(&mut self, many: usize) -> usize {
        self.drawn += 1;
        rng::below(rng::draw_u64(self.seed, Purpose::Pattern, 0, self.drawn), many as u64) as usize
    }
}

/// How wide routers are.
#[derive(Clone, Copy, Debug)]
struct Width {
    /// The most links of a router.
    links: usize,
    /// Ports of a router that have no link, at most.
    spare: usize,
    /// The most nodes of a router.
    nodes: usize,
    /// Nodes that are drawn for each router, at most.
    drawn: usize,
}

const USUAL: Width = Width { links: 8, spare: 2, nodes: 4, drawn: 2 };

/// A connected graph of so many routers with about so many links beside those of a tree, and its nodes.
fn graph(dice: &mut Dice, routers: usize, more: usize, routes: Routes, channels: usize, width: Width) -> Graph {
    let most = width.links;
    let ports = most + dice.below(width.spare + 1);
    let mut links: Vec<Vec<Option<Link>>> = (0..routers).map(|_| vec![None; 1 + dice.below(ports)]).collect();
    links.iter_mut().for_each(|ports| ports.resize(ports.len().max(most), None));
    for new in 1..routers {
        let old = dice.below(new);
        let old = (0..new).map(|n| (old + n) % new).find(|&old| degree(&links, old) < most);
        join(dice, &mut links, new, old.expect("a tree has leaves"));
    }
    for _ in 0..if routers > 1 { more } else { 0 } {
        let (a, b) = (dice.below(routers), dice.below(routers));
        if a != b && degree(&links, a) < most && degree(&links, b) < most {
            join(dice, &mut links, a, b);
        }
    }
    let mut nodes: Vec<usize> = (0..1 + dice.below(width.drawn * routers)).map(|_| dice.below(routers)).collect();
    nodes.push(dice.below(routers));
    let mut at = vec![0; routers];
    nodes.retain(|&router| {
        at[router] += 1;
        at[router] <= width.nodes
    });
    let mut graph = Graph { links, nodes, hops: Vec::new(), taste: taste(dice) };
    graph.hops = (0..routers).map(|to| hops(dice, &graph, to, routes, channels)).collect();
    graph
}

/// Whether and how heads choose by queues.
fn taste(dice: &mut Dice) -> Option<Taste> {
    let beyond = [Beyond::Nothing, Beyond::Nothing, Beyond::Signalled, Beyond::Known][dice.below(4)];
    let (owed, waiting) = (dice.below(3) as u32, dice.below(3) as u32);
    (dice.below(2) == 0).then_some(Taste { owed, waiting, beyond })
}

fn degree(links: &[Vec<Option<Link>>], router: usize) -> usize {
    links[router].iter().flatten().count()
}

fn join(dice: &mut Dice, links: &mut [Vec<Option<Link>>], a: usize, b: usize) {
    let mut free = |router: usize| {
        let free: Vec<usize> = (0..links[router].len()).filter(|&port| links[router][port].is_none()).collect();
        free[dice.below(free.len())]
    };
    let (from, to) = (free(a), free(b));
    let cycles = |dice: &mut Dice| {
        let most = if dice.below(4) == 0 { 20 } else { 3 };
        1 + dice.below(most) as u32
    };
    links[a][from] = Some(Link { router: b, port: to, cycles: cycles(dice) });
    links[b][to] = Some(Link { router: a, port: from, cycles: cycles(dice) });
}

/// Distances to a router over links for which `along(from, to)` holds; the number of routers where there is no way.
fn distances(graph: &Graph, to: usize, along: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let none = graph.links.len();
    let mut distance = vec![none; none];
    distance[to] = 0;
    for _ in 0..none {
        for router in 0..none {
            for link in graph.links[router].iter().flatten().filter(|link| along(router, link.router)) {
                distance[router] = distance[router].min(distance[link.router] + 1);
            }
        }
    }
    distance
}

/// What heads for `to` ask for, by router and hops made.
fn hops(dice: &mut Dice, graph: &Graph, to: usize, routes: Routes, channels: usize) -> Vec<Vec<Vec<Hop>>> {
    let routers = graph.links.len();
    let all: Vec<usize> = (0..channels).collect();
    let ladder = |ports: Vec<usize>| {
        let rung = |channel| ports.iter().map(|&port| Hop { port, channels: vec![channel] }).collect();
        if ports.is_empty() { Vec::new() } else { (0..channels).map(rung).collect() }
    };
    match routes {
        Routes::Any => {
            let mut hops = vec![Vec::new(); routers];
            let mut inside = vec![to];
            while inside.len() < routers {
                let from = inside[dice.below(inside.len())];
                let outside = |link: &&Link| !inside.contains(&link.router);
                let Some(link) = graph.links[from].iter().flatten().find(outside) else { continue };
                let mut any = |port| {
                    let some: Vec<usize> = all.iter().copied().filter(|_| dice.below(2) == 0).collect();
                    Hop { port, channels: if some.is_empty() { vec![dice.below(channels)] } else { some } }
                };
                let mut ways = vec![any(link.port)];
                // Inwards, too: a packet that came back to a buffer before its tail had left that would be there twice.
                let leads_in = |far: &Option<Link>| far.is_some_and(|far| inside.contains(&far.router));
                let ports = graph.links[link.router].iter().enumerate().filter(|(_, far)| leads_in(far));
                let other =
                    ports.map(|(port, _)| port).find(|&port| port != link.port && (port + to).is_multiple_of(3));
                ways.extend(other.map(any));
                hops[link.router] = vec![ways];
                inside.push(link.router);
            }
            hops
        }
        Routes::Shortest => {
            let distance = distances(graph, to, |_, _| true);
            let next = |router: usize| toward(dice, graph, router, &distance, |_, _| true);
            (0..routers).map(next).map(ladder).collect()
        }
        Routes::UpDown => {
            let level = distances(graph, 0, |_, _| true);
            let up = |from: usize, to: usize| (level[to], to) < (level[from], from);
            let down = distances(graph, to, |from, to| !up(from, to));
            let root = distances(graph, 0, up);
            let one = |ports: Vec<usize>| match ports.is_empty() {
                true => Vec::new(),
                false => vec![ports.into_iter().map(|port| Hop { port, channels: all.clone() }).collect()],
            };
            let next = |router: usize| match down[router] < routers {
                true => toward(dice, graph, router, &down, |from, to| !up(from, to)),
                false => toward(dice, graph, router, &root, up),
            };
            (0..routers).map(next).map(one).collect()
        }
    }
}

/// The ports of a router that lead closer along such links, beginning with any; none where it has arrived.
fn toward(
    dice: &mut Dice,
    graph: &Graph,
    router: usize,
    distance: &[usize],
    along: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let closer = |link: &Link| along(router, link.router) && distance[link.router] < distance[router];
    let ports = graph.links[router].iter().enumerate();
    let mut ports: Vec<usize> =
        ports.filter(|(_, link)| link.as_ref().is_some_and(closer)).map(|(port, _)| port).collect();
    if distance[router] == 0 {
        return Vec::new();
    }
    let first = dice.below(ports.len());
    ports.rotate_left(first);
    ports
}

/// Any case.
pub fn any_case() -> impl Strategy<Value = Case> {
    let routers = prop_oneof![1 => Just(1usize), 8 => 2usize..=12, 3 => 13usize..=40];
    let arbiter = prop_oneof![Just(Arbiter::RoundRobin), Just(Arbiter::Random), Just(Arbiter::OldestFirst)];
    cases(routers, 0usize..40, 1u32..=4, arbiter, Just(USUAL), 100u64..400)
}

/// Any case with wide routers.
pub fn any_wide_case() -> impl Strategy<Value = Case> {
    let width = (9usize..=64, prop_oneof![Just(4usize), Just(40), Just(1024)]).prop_map(|(links, nodes)| {
        let spare = usize::min(2, 64 - links);
        Width { links, spare, nodes, drawn: nodes.min(80) }
    });
    let arbiter = prop_oneof![
        Just(Arbiter::RoundRobin),
        Just(Arbiter::Random),
        Just(Arbiter::OldestFirst),
        Just(Arbiter::TwoLevel)
    ];
    cases(1usize..=5, 0usize..150, 1u32..=8, arbiter, width, 50u64..150)
}

fn cases(
    routers: impl Strategy<Value = usize>,
    more: impl Strategy<Value = usize>,
    channels: impl Strategy<Value = u32>,
    arbiter: impl Strategy<Value = Arbiter>,
    width: impl Strategy<Value = Width>,
    cycles: impl Strategy<Value = u64>,
) -> impl Strategy<Value = Case> {
    let routes = prop_oneof![Just(Routes::Any), Just(Routes::Shortest), Just(Routes::UpDown)];
    let shape = (any::<u64>(), routers, more, routes, width);
    let wires = (channels, 0u32..=5, prop_oneof![3 => Just(1u32), 2 => 2u32..=12]);
    let sizes = (prop_oneof![3 => Just(1u32..=1), 1 => Just(1u32..=3)], 1u32..=8, 1u32..=3);
    let queues = (1u32..=2, proptest::option::of(1u32..=4));
    let time = (0.02f64..1.2, cycles, 1u64..40);
    (shape, wires, arbiter, sizes, queues, time, any::<u64>()).prop_map(
        |((dice, routers, more, routes, width), wires, arbiter, (lengths, flits, packets), queues, time, seed)| {
            let (virtual_channels, header_cycles, credit_cycles) = wires;
            let mut dice = Dice { seed: dice, drawn: 0 };
            let graph = graph(&mut dice, routers, more, routes, virtual_channels as usize, width);
            let most = (0..routers).map(|router| graph.nodes_at(router).len()).max().unwrap_or(1);
            let longest = flits * lengths.end();
            let config = Config {
                graph: Some(graph),
                radix: Vec::new(),
                wrap: Vec::new(),
                nodes_per_router: most as u32,
                link_cycles: 1,
                virtual_channels,
                buffer_flits: longest * packets + (seed % 2) as u32,
                header_cycles,
                credit_cycles,
                ejection_channels: Some(queues.0),
                source_queue_packets: queues.1,
                arbiter,
                datelines: Datelines::None,
                numbering: Numbering::Reset,
                keeps_channel: false,
                tie: Tie::Plus,
                admission: Admission::Off,
                seed,
            };
            let size = match lengths.end() {
                1 => format!("{{ kind = \"fixed\", flits = {flits} }}"),
                _ => format!(
                    "{{ kind = \"bimodal\", short_flits = {flits}, long_flits = {longest}, long_percent = 40 }}"
                ),
            };
            let (load, cycles, audit_every) = time;
            let load = load.min(f64::from(flits));
            Case { config, traffic: format!("[traffic]\nload = {load:?}\nsize = {size}\n"), cycles, audit_every }
        },
    )
}
