//! Networks without a grid, family by family: the latency of a packet alone is the sum of what is on its way, for every pair of nodes,
//! and minimal routing is free of deadlock with the channels that it asks for, and with no fewer.

#[path = "common/families.rs"]
mod families;

use families::{built, verdict};
use tailback_deadlock::{Argument, Verdict};
use tailback_engine::Buffers;
use tailback_engine::CutThrough;
use tailback_engine::contract::routing::{Head, Request, Routing, Sight};
use tailback_engine::packet::Packet;
use tailback_engine::{DataPath as _, Network as _};
use tailback_mechanisms::routing;
use tailback_network::family::Built;
use tailback_network::ways::Ways;
use tailback_spec::{Catalogue, Document};
use tailback_traffic::Shape;
use tailback_traffic::pattern::Table;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Numbering, Tie};

/// One member of each family, with links of unequal delay where it can have some.
const MEMBERS: [(&str, &str); 11] = [
    ("dragonfly", "routers_per_group=4 global_links=2 local_cycles=3 global_cycles=11"),
    ("dragonfly", "routers_per_group=4 global_links=2 groups=5 local_cycles=3 global_cycles=11"),
    ("dragonfly", "routers_per_group=2 global_links=2 arrangement=\"absolute\" global_cycles=7"),
    ("megafly", "leaves=2 spines=2 global_links=2 nodes_per_router=2 local_cycles=2 global_cycles=9"),
    ("hyperx", "sides=[4,3] trunks=[2,1] dimension_cycles=[1,5]"),
    ("fat_tree", "arity=2 levels=3 level_cycles=[2,6]"),
    ("folded_clos", "levels=[[2,3,1],[4,0,1]] level_cycles=[4]"),
    ("leaf_spine", "leaves=5 spines=3 trunk=2 nodes_per_router=2"),
    ("slim_fly", "q=5 link_cycles=3"),
    ("jellyfish", "routers=20 degree=4 link_cycles=2"),
    ("crossbar", "nodes_per_router=6"),
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
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::None,
        numbering: Numbering::Reset,
        keeps_channel: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 7,
    }
}

const FLITS: u64 = 4;

#[test]
fn a_packet_alone_takes_the_time_of_its_way() {
    let text = "[traffic]\nload = 1.0\nsize = { kind = \"fixed\", flits = 4 }\n\
                [workload]\nkind = \"collective\"\npackets_per_node = 1";
    for (kind, sets) in MEMBERS {
        let built = built(kind, sets);
        let (network, ways) = (&built.network, Ways::new(&built));
        let (channels, routing) = fewest(&built);
        let config = config(channels);
        let nodes = network.nodes() as u32;
        for (source, destination) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let to = |node: u32| if node == source { destination } else { node };
            let table =
                Table::of_destinations(&(0..nodes).map(to).collect::<Vec<u32>>()).expect("nodes that are there");
            let shape = Shape { radix: vec![nodes], nodes_per_router: 1 };
            let traffic =
                bridge::traffic_on(&config, &shape, text).expect("possible").with_table(&table).expect("as many");
            let parts = bridge::parts(&config, &bridge::grid(&config));
            let arbiter = bridge::arbiter(&config, bridge::inputs(&config, network.routers() * 64));
            let parts = tailback_engine::cut_through::Parts { routing: routing.clone(), arbiter, ..parts };
            let mut engine: CutThrough<'_, tailback_mechanisms::Bundle> =
                CutThrough::new(network, &traffic, bridge::router(&config), parts, Buffers::Unwatched);
            let mut deliveries = Deliveries::default();
            while deliveries.0.is_empty() {
                engine.step(&mut deliveries);
                assert!(engine.cycle() < 1000, "{kind}: it arrives");
            }
            let (mut at, to, mut wires) = (network.router_of(source), network.router_of(destination), 0);
            let hops = ways.distance(at, to);
            while at != to {
                let link = network.link(at, usize::from(ways.ports(at, to)[0])).expect("a link");
                (at, wires) = (link.to.router, wires + u64::from(link.cycles));
            }
            let expected = wires + u64::from(hops + 1) * u64::from(config.header_cycles) + FLITS;
            let found = &deliveries.0[0];
            let taken = found.delivered - found.birth;
            assert_eq!((found.hops, taken), (hops, expected), "{kind} {sets}: node {source} to node {destination}");
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
