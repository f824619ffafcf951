//! Networks without a grid, family by family: the latency of a packet alone is the sum of what is on its way, for every pair of nodes,
//! and minimal routing is free of deadlock with the channels that it asks for, and with no fewer.

use crate::common::tested::{Tested, engines};
use crate::common::{families, plain_adaptive};
use families::{built, verdict};
use plain_adaptive::plain;
use tailback_deadlock::{Argument, Verdict};
use tailback_engine::Buffers;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_engine::{Adaptive, CutThrough, DataPath, Ioq, Wormhole};
use tailback_mechanisms::{admission, arbiter, flow_control, recovery, routing};
use tailback_network::family::Built;
use tailback_network::ways::Ways;
use tailback_spec::{Catalogue, Document, View};
use tailback_traffic::pattern::Table;
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Numbering, Tie};
use tailback_verify::{adaptive, adaptive_bridge, input_queued, ioq, ioq_bridge, wormhole, wormhole_bridge};

/// One member of each family, with links of unequal delay where it can have some.
const MEMBERS: [(&str, &str); 18] = [
    ("dragonfly", "routers_per_group=4 global_links=2 local_cycles=3 global_cycles=11"),
    ("dragonfly", "routers_per_group=4 global_links=2 groups=5 local_cycles=3 global_cycles=11"),
    ("dragonfly", "routers_per_group=2 global_links=2 arrangement=\"absolute\" global_cycles=7"),
    ("megafly", "leaves=2 spines=2 global_links=2 nodes_per_router=2 local_cycles=2 global_cycles=9"),
    ("hyperx", "sides=[4,3] trunks=[2,1] dimension_cycles=[1,5]"),
    ("fat_tree", "arity=2 levels=3 level_cycles=[2,6]"),
    ("folded_clos", "levels=[[2,3,1],[4,0,1]] level_cycles=[4]"),
    ("leaf_spine", "leaves=5 spines=3 trunk=2 nodes_per_router=2"),
    ("slim_fly", "q=5 link_cycles=3"),
    ("polarfly", "q=5 link_cycles=2"),
    ("torus", "radix=[4,8] twist=[[0,4],[0,0]] link_cycles=2"),
    ("mesh", "radix=[3,3] nodes_per_router=2 node_order=\"tile\""),
    ("mesh", "radix=[4,4] link_cycles=2 boundary.every=[2,3] boundary.cycles=7"),
    ("mesh", "radix=[4,4] boundary.every=[2,3] boundary.cycles=4 boundary.width=0.5"),
    ("jellyfish", "routers=20 degree=4 link_cycles=2"),
    ("crossbar", "nodes_per_router=6"),
    ("express_mesh", "side=4 link_cycles=2 express_cycles=5"),
    ("tree4", "link_cycles=2"),
];

fn minimal(built: &Built, channels: u32) -> Result<routing::Any, String> {
    routed(built, "minimal", &[], channels)
}

/// A routing of a kind with these parameters.
fn routed(built: &Built, kind: &str, more: &[(&str, i64)], channels: u32) -> Result<routing::Any, String> {
    let more: String = more.iter().map(|(key, value)| format!(", {key} = {value}")).collect();
    let catalogue = Catalogue { sections: vec![routing::section()], ..Catalogue::default() };
    let text = format!("routing = {{ kind = '{kind}'{more} }}");
    let document = Document::parse("spec.toml", text.as_bytes()).expect("readable");
    let resolved = document.resolve(&catalogue).unwrap_or_else(|errors| panic!("{text}: {errors}"));
    let view = resolved.view("routing");
    let build = if routing::is_checked_otherwise(view) { routing::build_for_check } else { routing::build_any };
    build(view, built, channels).map_err(|refusal| refusal.message)
}

/// The fewest channels with which it is built.
fn fewest(built: &Built) -> (u32, routing::Any) {
    (1..=16).find_map(|channels| Some((channels, minimal(built, channels).ok()?))).expect("sixteen are enough")
}

/// A small network that is not there, for what does not depend on it.
fn config(channels: u32) -> Config {
    Config {
        graph: None,
        radix: vec![2],
        wrap: vec![false],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: channels,
        buffer_flits: 4,
        header_cycles: 2,
        credit_cycles: 3,
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
        seed: 7,
    }
}

const FLITS: u32 = 4;

/// The data paths, each with a router that takes some time everywhere.
enum Path {
    CutThrough(Config),
    Wormhole(wormhole::Config),
    Adaptive(adaptive::Config),
    InputQueued(Box<input_queued::Config>),
    Ioq(ioq::Config),
}

fn paths(channels: u32) -> [Path; 5] {
    let base = Config { buffer_flits: 16 * FLITS, ..config(channels) };
    let shared = wormhole::Config {
        base: base.clone(),
        routing_cycles: 2,
        vc_allocation_cycles: 1,
        switch_allocation_cycles: 1,
        crossbar_cycles: 3,
        ..wormhole::Config::plain(&[2], false)
    };
    let adaptive = adaptive::Config {
        shared: shared.clone(),
        packet_flits: FLITS,
        consumption_cycles: 5,
        flow_control: adaptive::FlowControl::VirtualCutThrough,
        ..plain(&[2], false)
    };
    let queued = ioq::Config {
        shared: wormhole::Config { base: Config { link_cycles: 3, ..base.clone() }, ..shared.clone() },
        packet_flits: FLITS,
        packet_bytes: 32,
        ingress_packets: 8,
        egress_packets: 8,
        transfer_cycles: 2,
        control_flits: 1,
        credit_batch_packets: 2,
        classes: 1,
        discipline: ioq::Discipline::Single,
    };
    let input =
        input_queued::Config { shared: shared.clone(), routing_cycles: 2, ..input_queued::Config::plain(&[2], false) };
    [
        Path::CutThrough(base),
        Path::Wormhole(shared),
        Path::Adaptive(adaptive),
        Path::InputQueued(Box::new(input)),
        Path::Ioq(queued),
    ]
}

impl Path {
    /// Cycles that a packet alone takes over so many links, on which its head is for `wires` cycles.
    fn alone(&self, hops: u32, wires: u32) -> u64 {
        let routers = hops + 1;
        let cycles = match self {
            Path::CutThrough(config) => wires + routers * config.header_cycles + FLITS,
            Path::Wormhole(config) => {
                let stages = config.routing_cycles + config.vc_allocation_cycles;
                wires + routers * (stages + config.switch_allocation_cycles + config.crossbar_cycles) + FLITS
            }
            Path::Adaptive(config) => {
                wires + routers * config.shared.base.header_cycles + config.consumption_cycles + FLITS
            }
            Path::InputQueued(config) => return config.zero_load(routers, wires, FLITS),
            Path::Ioq(config) => {
                wires + 2 * config.shared.base.link_cycles + hops + 2 + routers * config.delay() as u32 + FLITS
            }
        };
        cycles.into()
    }

    /// Hops and latency of the first packet that arrives.
    fn first(&self, network: &tailback_network::Network, routing: &routing::Any, traffic: &Traffic) -> (u32, u64) {
        let routing = routing.clone();
        let arbiters = bridge::inputs(&config(routing_channels(self)), network.routers() * 64);
        let arbiter = |seed| {
            let table = bridge::of_kind(arbiter::section(), "round_robin");
            arbiter::build(View::new(&table), seed, arbiters)
        };
        let virtual_cut_through = bridge::of_kind(flow_control::section(), "virtual_cut_through");
        let flow_control = flow_control::build(View::new(&virtual_cut_through));
        match self {
            Path::CutThrough(config) => {
                let parts = tailback_engine::cut_through::Parts {
                    routing: routing.into(),
                    arbiter: arbiter(1),
                    flow_control,
                    admission: admission::off(),
                };
                arrival(CutThrough::<Tested>::new(network, traffic, bridge::router(config), parts, Buffers::Unwatched))
            }
            Path::Wormhole(config) => {
                let parts = tailback_engine::wormhole::Parts {
                    routing: routing.into(),
                    selection: wormhole_bridge::selection(config),
                    channel_arbiter: arbiter(1),
                    input_arbiter: arbiter(2),
                    output_arbiter: arbiter(3),
                    admission: admission::off(),
                    recovery: recovery::off(),
                };
                let router = wormhole_bridge::router(config);
                arrival(Wormhole::<Tested>::new(network, traffic, router, parts, Buffers::Unwatched))
            }
            Path::Adaptive(config) => {
                let parts = tailback_engine::adaptive::Parts {
                    routing: routing.into(),
                    selection: wormhole_bridge::selection(&config.shared),
                    arbiter: arbiter(1),
                    flow_control,
                    admission: admission::off(),
                    injection: adaptive_bridge::injection(config, 6, network.nodes()).expect("it works anywhere"),
                };
                let router = adaptive_bridge::router(config);
                arrival(Adaptive::<Tested>::new(network, traffic, router, parts, Buffers::Unwatched))
            }
            Path::InputQueued(config) => {
                arrival(engines::input_queued(config, network, traffic, routing, Buffers::Watched))
            }
            Path::Ioq(config) => {
                let parts = tailback_engine::ioq::Parts {
                    routing: routing.into(),
                    discipline: ioq_bridge::discipline(config, network).expect("it works anywhere"),
                    arbiter: arbiter(1),
                    admission: admission::off(),
                };
                arrival(Ioq::<Tested>::new(network, traffic, ioq_bridge::router(config), parts, Buffers::Unwatched))
            }
        }
    }
}

/// Virtual channels of a link.
fn routing_channels(path: &Path) -> u32 {
    match path {
        Path::CutThrough(config) => config.virtual_channels,
        Path::Wormhole(config) => config.base.virtual_channels,
        Path::Adaptive(config) => config.shared.base.virtual_channels,
        Path::InputQueued(config) => config.shared.base.virtual_channels,
        Path::Ioq(_) => 1,
    }
}

/// Hops and latency of the first packet that arrives.
fn arrival(mut engine: impl DataPath) -> (u32, u64) {
    let mut deliveries = Deliveries::default();
    while deliveries.0.is_empty() {
        engine.step(&mut AnyProbe(&mut deliveries));
        assert!(engine.cycle() < 1000, "it arrives");
    }
    let found = &deliveries.0[0];
    (found.hops, found.delivered - found.birth)
}

#[test]
fn a_packet_alone_takes_the_time_of_its_way() {
    let text = "[traffic]\nload = 1.0\nsize = { kind = \"fixed\", flits = 4 }\n\
                [workload]\nkind = \"collective\"\npackets_per_node = 1";
    for (kind, sets) in MEMBERS {
        let built = built(kind, sets);
        let (network, ways) = (&built.network, Ways::new(&built));
        let (channels, routing) = fewest(&built);
        let (config, paths) = (config(channels), paths(channels));
        let narrow = sets.contains("width");
        let nodes = network.nodes() as u32;
        for (source, destination) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let to = |node: u32| if node == source { destination } else { node };
            let table =
                Table::of_destinations(&(0..nodes).map(to).collect::<Vec<u32>>()).expect("nodes that are there");
            let shape = Shape { radix: vec![nodes], nodes_per_router: 1 };
            let traffic =
                bridge::traffic_on(&config, &shape, text).expect("possible").with_table(&table).expect("as many");
            let (mut at, to, mut wires) = (network.router_of(source), network.router_of(destination), 0);
            let hops = ways.distance(at, to);
            while at != to {
                let link = network.link(at, usize::from(ways.ports(at, to)[0])).expect("a link");
                // On a narrow link every flit takes longer to leave.
                let slow = FLITS * (link.period - 1);
                (at, wires) = (link.to.router, wires + link.cycles + slow);
            }
            // Cut-through alone has narrow links.
            for (n, path) in paths.iter().take(if narrow { 1 } else { paths.len() }).enumerate() {
                let found = path.first(network, &routing, &traffic);
                let expected = (hops, path.alone(hops, wires));
                assert_eq!(found, expected, "{kind} {sets}: node {source} to node {destination}, data path {n}");
            }
        }
    }
}

#[test]
fn minimal_ways_are_free_of_deadlock_with_the_channels_that_they_need() {
    for (kind, sets) in MEMBERS {
        let built = built(kind, sets);
        let (channels, routing) = fewest(&built);
        assert!(matches!(verdict(&built, &routing, channels), Verdict::Free { .. }), "{kind} {sets}");
        let more = minimal(&built, channels + 1).expect("more are taken, too");
        assert!(matches!(verdict(&built, &more, channels + 1), Verdict::Free { .. }), "{kind} {sets}: one more");
    }
    let needed = |kind, sets| fewest(&built(kind, sets)).0;
    assert_eq!(needed("dragonfly", "routers_per_group=4 global_links=2"), 2);
    assert_eq!(needed("fat_tree", "arity=3 levels=3"), 1);
    assert_eq!(needed("megafly", "leaves=2 spines=2 global_links=2"), 1);
    assert_eq!(needed("hyperx", "sides=[3,3,3]"), 1);
    assert_eq!(needed("slim_fly", "q=5"), 2);
    assert_eq!(needed("jellyfish", "routers=64 degree=6 nodes_per_router=2"), 4);
}

/// A routing whose packets take any channel.
struct InOneClass(routing::Any);

impl Routing for InOneClass {
    fn start(&self, router: u32, packet: &mut Packet, draw: impl FnOnce() -> u32) -> u32 {
        self.0.start(router, packet, draw)
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        self.option(head, packet, word, 0)
    }

    fn sight(&self) -> Sight {
        self.0.sight()
    }

    fn options(&self, head: Head, packet: &Packet, word: u32) -> u32 {
        self.0.options(head, packet, word)
    }

    fn option(&self, head: Head, packet: &Packet, word: &mut u32, option: u32) -> Request {
        let request = self.0.option(head, packet, word, option);
        Request { channels: u16::from(request.port.is_some()), ..request }
    }

    fn input_class(&self, _input: Option<(u8, u8)>) -> u32 {
        0
    }

    fn advance(&self, port: u8, word: u32) -> u32 {
        self.0.advance(port, word)
    }

    fn fits(&self, router: u32, packet: &Packet, word: u32) -> bool {
        self.0.fits(router, packet, word)
    }
}

/// The routings of a HyperX need the channels that they ask for; in one class those close a circle that go on in any order, or back.
#[test]
fn routings_of_a_hyperx_are_free_with_their_channels_and_not_in_one_class() {
    for sides in ["sides=[4,4]", "sides=[3,3,3]"] {
        let built = built("hyperx", sides);
        let dimensions = if sides.len() > 11 { 3 } else { 2 };
        for (kind, more, channels) in [
            ("minimal", &[][..], 1),
            ("minimal_adaptive", &[], dimensions),
            ("dal", &[], 2 * dimensions),
            ("dimwar", &[], 2),
            ("omniwar", &[("deroutes", 1)], dimensions + 1),
            ("omniwar", &[("deroutes", 2)], dimensions + 2),
        ] {
            if channels > 1 {
                let fewer =
                    routed(&built, kind, more, channels - 1).err().unwrap_or_else(|| panic!("{kind} with fewer"));
                assert!(fewer.contains(&format!("needs {channels} virtual channels")), "{fewer}");
            }
            let routing = routed(&built, kind, more, channels).expect("enough channels");
            let free = verdict(&built, &routing, channels);
            assert!(matches!(free, Verdict::Free { argument: Argument::Acyclic, .. }), "{kind} on {sides}: {free:?}");
            let one = verdict(&built, &InOneClass(routing), 1);
            assert_eq!(matches!(one, Verdict::Circle(_)), channels > 1, "{kind} on {sides} in one class: {one:?}");
        }
    }
}

#[test]
fn one_class_is_enough_for_up_down_and_layers_for_shortest_ways() {
    for (kind, sets, layers) in [
        ("slim_fly", "q=5", 2),
        ("jellyfish", "routers=20 degree=4 nodes_per_router=2", 2),
        ("jellyfish", "routers=64 degree=6 nodes_per_router=2", 3),
        ("hyperx", "sides=[4,4] nodes_per_router=4", 1),
        ("fat_tree", "arity=4 levels=3", 1),
    ] {
        let built = built(kind, sets);
        let up_down = routed(&built, "up_down", &[], 1).expect("one channel");
        assert!(matches!(verdict(&built, &up_down, 1), Verdict::Free { argument: Argument::Acyclic, .. }), "{kind}");
        let layered = routed(&built, "layered", &[], layers).expect("a channel per layer");
        let free = verdict(&built, &layered, layers);
        assert!(matches!(free, Verdict::Free { argument: Argument::Acyclic, .. }), "{kind} {sets}: {free:?}");
        let one = verdict(&built, &InOneClass(layered), 1);
        assert_eq!(matches!(one, Verdict::Circle(_)), layers > 1, "{kind} {sets} in one layer");
    }
}
