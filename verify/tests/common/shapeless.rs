//! Random networks of any shape, with random routes.

use proptest::prelude::*;
use tailback_base::rng::{self, Purpose};
use tailback_verify::reference::graph::{Beyond, Graph, Hop, Inputs, Link, Mark, Taste};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Numbering, Tie};

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
pub struct Dice {
    seed: u64,
    drawn: u64,
}

impl Dice {
    /// One of the first so many numbers.
    pub fn below(&mut self, many: usize) -> usize {
        self.drawn += 1;
        rng::below(rng::draw_u64(self.seed, Purpose::Pattern, 0, self.drawn), many as u64) as usize
    }
}

/// How wide routers are.
#[derive(Clone, Copy, Debug)]
pub struct Width {
    /// The most links of a router.
    pub links: usize,
    /// Ports of a router that have no link, at most.
    pub spare: usize,
    /// The most nodes of a router.
    pub nodes: usize,
    /// Nodes that are drawn for each router, at most.
    pub drawn: usize,
}

/// The usual width.
pub const USUAL: Width = Width { links: 8, spare: 2, nodes: 4, drawn: 2 };

/// A connected graph of so many routers with about so many links beside those of a tree, and its nodes, without routes.
fn bare(dice: &mut Dice, routers: usize, more: usize, width: Width) -> Graph {
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
    let exits = vec![Vec::new(); routers];
    let (inputs, mark) = (Inputs::Back, Mark::Hops);
    let ports = links.iter().map(Vec::len).max().unwrap_or(0);
    Graph { links, ports, inputs, nodes, one_way: None, hops: Vec::new(), mark, exits, taste: None }
}

/// The shape of a butterfly: outputs of a router, and routers of a stage.
#[derive(Clone, Copy, Debug)]
struct Stages {
    k: usize,
    width: usize,
    /// Stages; the last one is the first again.
    many: usize,
}

impl Stages {
    /// The place of the digit that the links behind a stage replace.
    fn stride(self, stage: usize) -> usize {
        self.k.pow((self.many - 1 - stage) as u32)
    }

    fn routers(self) -> usize {
        self.many * self.width
    }

    /// The digit of a router that the links behind a stage replace.
    fn digit(self, stage: usize, router: usize) -> usize {
        router % self.width / self.stride(stage) % self.k
    }

    /// The router of the next stage that has another digit.
    fn next(self, router: usize, digit: usize) -> usize {
        let (stage, stride) = (router / self.width, self.stride(router / self.width));
        let number = router % self.width + digit * stride - self.digit(stage, router) * stride;
        (stage + 1) % self.many * self.width + number
    }
}

/// A folded network: a butterfly with a node at each router of the first stage, and with its ports in any order. With the routes.
fn folded(dice: &mut Dice, channels: usize) -> Graph {
    let (k, many) = (2 + dice.below(2), 1 + dice.below(2));
    let stages = Stages { k, width: k.pow(many as u32), many };
    let routers = stages.routers();
    let mut order = || {
        let mut order: Vec<usize> = (0..k).collect();
        order.rotate_left(dice.below(k));
        if dice.below(2) == 0 {
            order.reverse();
        }
        order
    };
    let orders: Vec<_> = (0..routers).map(|_| (order(), order())).collect();
    let mut links = vec![vec![None; 2 * k]; routers];
    for (router, digit) in (0..routers).flat_map(|router| (0..k).map(move |digit| (router, digit))) {
        let far = stages.next(router, digit);
        let (out, entry) = (orders[router].0[digit], k + orders[far].1[stages.digit(router / stages.width, router)]);
        let cycles = 1 + dice.below(3) as u32;
        links[router][out] = Some(Link { router: far, port: entry, cycles, period: 1 });
        links[far][entry] = Some(Link { router, port: out, cycles, period: 1 });
    }
    let any = |dice: &mut Dice| {
        let some: Vec<usize> = (0..channels).filter(|_| dice.below(2) == 0).collect();
        if some.is_empty() { vec![dice.below(channels)] } else { some }
    };
    let hop = |dice: &mut Dice, at: usize, to: usize| match at == to {
        true => Vec::new(),
        false => {
            let port = orders[at].0[stages.digit(at / stages.width, to)];
            vec![vec![Hop { port, channels: any(dice) }]]
        }
    };
    let hops = (0..routers).map(|to| (0..routers).map(|at| hop(dice, at, to)).collect()).collect();
    let (inputs, mark, exits) = (Inputs::Back, Mark::Hops, vec![Vec::new(); routers]);
    let nodes = (0..stages.width).collect();
    Graph { links, ports: 2 * k, inputs, nodes, one_way: Some(k), hops, mark, exits, taste: None }
}

/// Packets may take some of the channels to the nodes of some routers.
pub fn with_exits(dice: &mut Dice, graph: &mut Graph, channels: usize) {
    for exits in &mut graph.exits {
        let some = dice.below(2) == 0;
        *exits = (0..channels).filter(|_| some && dice.below(2) == 0).collect();
    }
}

/// Whether and how heads choose by queues.
pub fn taste(dice: &mut Dice) -> Option<Taste> {
    let beyond = [Beyond::Nothing, Beyond::Nothing, Beyond::Signalled, Beyond::Known][dice.below(4)];
    let (owed, waiting) = (dice.below(3) as u32, dice.below(3) as u32);
    (dice.below(2) == 0).then_some(Taste { owed, waiting, beyond })
}

/// Some links carry less than a flit per cycle, both ways alike.
pub fn narrowed(dice: &mut Dice, mut graph: Graph) -> Graph {
    for (a, p) in
        (0..graph.links.len()).flat_map(|a| (0..graph.links[a].len()).map(move |p| (a, p))).collect::<Vec<_>>()
    {
        let Some(far) = graph.links[a][p].filter(|far| (a, p) < (far.router, far.port)) else { continue };
        let period = if dice.below(6) == 0 { 2 + dice.below(3) as u32 } else { 1 };
        for (router, port) in [(a, p), (far.router, far.port)] {
            graph.links[router][port].as_mut().expect("links are two-way").period = period;
        }
    }
    graph
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
    links[a][from] = Some(Link { router: b, port: to, cycles: cycles(dice), period: 1 });
    links[b][to] = Some(Link { router: a, port: from, cycles: cycles(dice), period: 1 });
}

/// Distances to a router over links for which `along(from, to)` holds; the number of routers where there is no way.
pub fn distances(graph: &Graph, to: usize, along: impl Fn(usize, usize) -> bool) -> Vec<usize> {
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

/// What a network is drawn from: the seed of its dice, routers, links beside those of a tree, and how routes are drawn.
pub type Drawn = (u64, usize, usize, Routes);

/// Any of these.
pub fn drawn() -> impl Strategy<Value = Drawn> {
    let routers = prop_oneof![1 => Just(1usize), 8 => 2usize..=12, 3 => 13usize..=40];
    (any::<u64>(), routers, 0usize..40, routes())
}

/// Any way to draw routes.
pub fn routes() -> impl Strategy<Value = Routes> {
    prop_oneof![Just(Routes::Any), Just(Routes::Shortest), Just(Routes::UpDown)]
}

/// The network that is drawn so, with so many virtual channels; all else is as plain as can be. With the dice that drew it.
pub fn config(drawn: Drawn, virtual_channels: u32) -> (Config, Dice) {
    wide_config(drawn, virtual_channels, USUAL)
}

/// A folded one, from the same seed.
pub fn folded_config((seed, ..): Drawn, virtual_channels: u32) -> (Config, Dice) {
    let mut dice = Dice { seed, drawn: 0 };
    let graph = folded(&mut dice, virtual_channels as usize);
    (plain(graph, virtual_channels, seed), dice)
}

/// The same with routers of another width.
pub fn wide_config((seed, routers, more, routes): Drawn, virtual_channels: u32, width: Width) -> (Config, Dice) {
    let mut dice = Dice { seed, drawn: 0 };
    let mut graph = bare(&mut dice, routers, more, width);
    graph.hops = (0..routers).map(|to| hops(&mut dice, &graph, to, routes, virtual_channels as usize)).collect();
    (plain(graph, virtual_channels, seed), dice)
}

/// A network that is as plain as can be in all else.
fn plain(graph: Graph, virtual_channels: u32, seed: u64) -> Config {
    let most = (0..graph.links.len()).map(|router| graph.nodes_at(router).len()).max().unwrap_or(1);
    Config {
        graph: Some(graph),
        radix: Vec::new(),
        wrap: Vec::new(),
        nodes_per_router: most as u32,
        link_cycles: 1,
        virtual_channels,
        buffer_flits: 8,
        header_cycles: 0,
        credit_cycles: 1,
        ejection_channels: Some(1),
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::None,
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed,
    }
}
