//! Networks without a grid: they run, in parts and from checkpoints alike, and saturate where they must.

use crate::common;
use crate::common::random::{kinds, probes};
use crate::common::same::{controlled, gone_on, in_parts, record};
use tailback_base::rng::{self, Purpose};
use tailback_network::files::Format;
use tailback_sim::bench::switches;
use tailback_sim::{Cause, Prepared, Traced, Which, run, trace};

fn prepared(spec: &str) -> Prepared {
    common::prepared(spec).unwrap_or_else(|errors| panic!("{}", errors.render()))
}

const SHORT: &str = "\n[workload]\nwarmup_cycles = 100\nmeasure_cycles = 500\ndrain_cycles = 2000\n";

/// Members of all families.
const MEMBERS: [&str; 15] = [
    "kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2, local_cycles = 3, global_cycles = 20",
    "kind = 'megafly', leaves = 2, spines = 2, global_links = 2, nodes_per_router = 2",
    "kind = 'hyperx', sides = [4, 3], trunks = [2, 1], nodes_per_router = 3",
    "kind = 'fat_tree', arity = 3, levels = 3, level_cycles = [1, 7]",
    "kind = 'leaf_spine', leaves = 5, spines = 3, nodes_per_router = 4",
    "kind = 'slim_fly', q = 5",
    "kind = 'polarfly', q = 5",
    "kind = 'torus', radix = [4, 8], twist = [[0, 4], [0, 0]]",
    "kind = 'mesh', radix = [4, 4], nodes_per_router = 4, node_order = 'tile'",
    "kind = 'mesh', radix = [6, 6], boundary = { every = [3, 2], cycles = 9 }",
    "kind = 'mesh', radix = [6, 6], boundary = { every = [3, 2], cycles = 4, width = 0.5 }",
    "kind = 'jellyfish', routers = 20, degree = 4",
    "kind = 'crossbar', nodes_per_router = 7",
    "kind = 'express_mesh', side = 4, express_cycles = 3",
    "kind = 'tree4'",
];

/// Routings that go by more than a draw, each with a member.
const ROUTED: [(&str, &str); 19] = [
    ("kind = 'torus', radix = [5, 4]", "kind = 'up_down'"),
    ("kind = 'torus', radix = [5, 4]", "kind = 'up_down', up = 'adaptive', root = 3"),
    ("kind = 'torus', radix = [4, 3, 2]", "kind = 'layered'"),
    ("kind = 'mesh', radix = [5, 4]", "kind = 'least_delay'"),
    ("kind = 'fat_tree', arity = 3, levels = 3", "kind = 'up_down', up = 'd_mod_k'"),
    ("kind = 'fat_tree', arity = 3, levels = 3", "kind = 'up_down', up = 'adaptive'"),
    ("kind = 'leaf_spine', leaves = 5, spines = 3, nodes_per_router = 4", "kind = 'up_down', up = 'spray'"),
    ("kind = 'folded_clos', levels = [[4, 2, 2], [3, 2, 1], [2, 0]]", "kind = 'up_down', up = 'ecmp'"),
    ("kind = 'jellyfish', routers = 20, degree = 4", "kind = 'up_down', up = 'adaptive', root = 3"),
    ("kind = 'slim_fly', q = 5", "kind = 'layered'"),
    ("kind = 'hyperx', sides = [4, 3], trunks = [2, 1], nodes_per_router = 3", "kind = 'minimal_adaptive'"),
    ("kind = 'hyperx', sides = [4, 3], nodes_per_router = 3", "kind = 'dal'"),
    ("kind = 'hyperx', sides = [4, 3, 2], trunks = [2, 1, 1], nodes_per_router = 2", "kind = 'o1turn'"),
    ("kind = 'hyperx', sides = [4, 4], nodes_per_router = 4", "kind = 'o1turn', by = 'queues'"),
    ("kind = 'hyperx', sides = [4, 4], nodes_per_router = 4", "kind = 'dimwar'"),
    ("kind = 'hyperx', sides = [4, 4], nodes_per_router = 4", "kind = 'two_phase'"),
    ("kind = 'hyperx', sides = [4, 4], nodes_per_router = 4", "kind = 'two_phase', detour = 'queues'"),
    (
        "kind = 'hyperx', sides = [4, 4], nodes_per_router = 4",
        "kind = 'two_phase', detour = 'queues', order = 'either'",
    ),
    ("kind = 'hyperx', sides = [3, 3], nodes_per_router = 2", "kind = 'omniwar', deroutes = 2"),
];

fn spec(member: &str, size: &str) -> String {
    let probes = format!("probes = {{ {} }}\n", probes::of_parts_without_a_grid());
    format!(
        "topology = {{ {member} }}\nrouter = {{ virtual_channels = 4, buffer_flits = 20, header_cycles = 2 }}\n\
         traffic = {{ load = 0.6, size = {size} }}\n{probes}{SHORT}"
    )
}

#[test]
fn parts_and_checkpoints_change_nothing() {
    let plain = MEMBERS.map(|member| (member, "kind = 'minimal'"));
    for (n, (member, routing)) in plain.into_iter().chain(ROUTED).enumerate() {
        let sizes = [
            "{ kind = 'fixed', flits = 4 }",
            "{ kind = 'bimodal', short_flits = 2, long_flits = 9, long_percent = 40 }",
        ];
        let prepared = prepared(&format!("routing = {{ {routing} }}\n{}", spec(member, sizes[n % 2])));
        let member = format!("{member}, {routing}");
        let whole = record(&prepared);
        assert!(whole.packets_delivered > 100, "{member}");
        [2, 3].into_iter().for_each(|parts| in_parts(&prepared, &whole, parts, &member));
        assert!(gone_on(&prepared, &whole, &member), "{member}: there was time for a checkpoint");
    }
}

/// The other data paths, with what each needs to run on any network.
const OTHERS: [(&str, &str); 4] = [
    ("wormhole", "router = { kind = 'wormhole', virtual_channels = 4, buffer_flits = 16 }"),
    ("adaptive_cut_through", "router = { kind = 'adaptive_cut_through', virtual_channels = 4, buffer_flits = 16 }"),
    ("input_queued", "router = { kind = 'input_queued', virtual_channels = 4, buffer_flits = 16 }"),
    (
        "input_output_queued",
        "router = { kind = 'input_output_queued', packet_bytes = 32, ingress_memory_bytes = 8192, egress_memory_bytes = 8192 }\n\
         queueing = 'voq_net'",
    ),
];

/// Members all of whose links carry a flit per cycle: those that other data paths than cut-through run on.
fn members_of_one_width() -> impl Iterator<Item = &'static str> {
    MEMBERS.into_iter().filter(|member| !member.contains("width"))
}

/// They run, are proved free of deadlock, send no more than links carry, and go on from a checkpoint as if nothing had been.
#[test]
fn other_routers_run_on_members_of_all_families() {
    for (router, table) in OTHERS {
        for member in members_of_one_width() {
            let probes = probes::of_parts_without_a_grid();
            let at = |load: f64| {
                prepared(&format!(
                    "topology = {{ {member} }}\n{table}\ntraffic = {{ load = {load:?}, size = {{ kind = 'fixed', flits = 4 }} }}\n\
                     probes = {{ {probes} }}\nworkload = {{ warmup_cycles = 300, measure_cycles = 600, drain_cycles = 0 }}\n"
                ))
            };
            // A little more than links carry.
            let bound = at(1.0).facts().channel_load_bound.expect("it is small");
            let prepared = at((1.1 * bound).min(1.0));
            let facts = prepared.facts();
            assert_eq!(facts.deadlock_argument, Some("acyclic"), "{router}, {member}");
            let whole = record(&prepared);
            let accepted = whole.accepted_load.expect("it was measured");
            assert!(accepted > 0.1 * bound, "{router}, {member}: {accepted} of {bound}");
            // Beyond the bound nodes close to each other may deliver more than others. All of it crosses links, a flit a cycle each.
            let network = prepared.network();
            let crossed = accepted * network.nodes() as f64 * whole.hops_mean.expect("packets arrive");
            let most = network.links() as f64;
            // A packet whose flits arrive on both sides of the edge of the window counts as a whole.
            assert!(crossed <= 1.01 * most, "{router}, {member}: {crossed} flits a cycle over {most} links");
            assert!(gone_on(&prepared, &whole, &format!("{router}, {member}")), "there was time for a checkpoint");
        }
    }
}

/// Whatever routing a data path takes goes on from a checkpoint, with a grid and without.
#[test]
fn every_routing_goes_on_from_a_checkpoint_under_every_router() {
    let grids = ["kind = 'torus', radix = [4, 4]", "kind = 'mesh', radix = [4, 4]"];
    let others = ["kind = 'hyperx', sides = [3, 3], nodes_per_router = 2", "kind = 'fat_tree', arity = 2, levels = 3"];
    let dragonfly = "kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2";
    let boundary = "kind = 'mesh', radix = [4, 4], boundary = { every = [2, 2], cycles = 3 }";
    let cut_through = ("cut_through", "router = { kind = 'cut_through', virtual_channels = 4, buffer_flits = 16 }");
    let mut gone = std::collections::BTreeMap::new();
    for (router, table) in OTHERS.into_iter().chain([cut_through]) {
        let table = table.replace("virtual_channels = 4", "virtual_channels = 6");
        for member in grids.into_iter().chain(others).chain([dragonfly, boundary]) {
            for routing in kinds("routing") {
                let spec = format!(
                    "topology = {{ {member} }}\n{table}\nrouting = '{routing}'\nrun.allow_deadlock = true\n\
                     traffic = {{ load = 0.3, size = {{ kind = 'fixed', flits = 4 }} }}\n\
                     workload = {{ warmup_cycles = 20, measure_cycles = 540, drain_cycles = 0 }}\n"
                );
                let Ok(prepared) = common::prepared(&spec) else { continue };
                let name = format!("{router}, {member}, {routing}");
                assert!(gone_on(&prepared, &record(&prepared), &name), "{name}: there was time for a checkpoint");
                *gone.entry((router, routing)).or_insert(0) += 1;
            }
        }
    }
    let routings = |router: &str| gone.keys().filter(|(of, _)| *of == router).count();
    for (router, least) in [("cut_through", 14), ("wormhole", 9), ("adaptive_cut_through", 9), ("input_queued", 11)] {
        assert!(routings(router) >= least, "{router}: {gone:?}");
    }
    assert!(routings("input_output_queued") >= 5, "{gone:?}");
}

/// Heads of input-queued routers that look at queues, when they are routed or when they leave their nodes.
#[test]
fn input_queued_routers_show_their_own_queues() {
    for (routing, cycles) in [("kind = 'ugal_l'", 0), ("kind = 'ugal_l', draws = 2", 1), ("kind = 'par'", 1)] {
        let spec = format!(
            "topology = {{ kind = 'dragonfly', global_links = 2, routers_per_group = 4, nodes_per_router = 2 }}\n\
             router = {{ kind = 'input_queued', virtual_channels = 6, buffer_flits = 8, routing_cycles = {cycles} }}\n\
             routing = {{ {routing} }}\ntraffic = {{ load = 0.4, pattern = 'shift' }}\n\
             workload = {{ warmup_cycles = 300, measure_cycles = 600, drain_cycles = 0 }}\n"
        );
        let prepared = prepared(&spec);
        let whole = record(&prepared);
        assert!(whole.packets_delivered > 100, "{routing}");
        assert!(gone_on(&prepared, &whole, routing), "{routing}: there was time for a checkpoint");
    }
}

/// What a spec is refused for.
fn refusal(spec: &str) -> String {
    match common::prepared(spec) {
        Ok(_) => panic!("it is taken: {spec}"),
        Err(errors) => errors.render().to_string(),
    }
}

/// The number of nodes decides whether there are tiles, and is asked for before it is known to be one.
#[test]
fn tiles_of_a_wrong_number_of_nodes_are_refused() {
    let refused = refusal("topology = { kind = 'mesh', radix = [4, 4], nodes_per_router = 0, node_order = 'tile' }\n");
    assert!(refused.contains("nodes_per_router"), "{refused}");
}

#[test]
fn what_other_routers_do_not_do_without_a_grid_is_refused_by_name() {
    let dragonfly = "topology = { kind = 'dragonfly', routers_per_group = 4, global_links = 2 }";
    for (kind, more, says) in [
        ("wormhole", "routing = 'ugal_l'", "ugal_l routing looks at the queues of routers"),
        ("wormhole", "selection = 'turn'", "selection \"turn\" goes by the coordinates of a grid"),
        ("wormhole", "recovery = 'disha'", "a recovery lane goes by the coordinates"),
        (
            "wormhole",
            "router.speculative = true\nrouter.vc_allocator = 'central'",
            "a speculative request names the channel",
        ),
        ("wormhole", "router.virtual_channels = 16", "inputs"),
        ("input_queued", "routing = 'ugal_g'", "ugal_g routing looks at the queues of routers"),
        (
            "input_queued",
            "routing = 'par'\nrouter.routing_cycles = 0",
            "without routing cycles a router would have to know",
        ),
        ("input_queued", "topology.nodes_per_router = 1020", "a router would have"),
        ("adaptive_cut_through", "routing = 'adaptive'", "goes by coordinates"),
        ("adaptive_cut_through", "router.turn_cycles = 1", "the time of a turn goes by the coordinates"),
        ("adaptive_cut_through", "router.requests = 'smart'", "router.requests = \"smart\" goes by the coordinates"),
        ("adaptive_cut_through", "flow_control = 'bubble'", "bubble flow control, which keeps room in rings, goes by"),
        (
            "adaptive_cut_through",
            "interface = { kind = 'dor', queues = 5 }",
            "interface \"dor\" goes by the coordinates",
        ),
        ("input_output_queued", "queueing = 'recn'", "recn names a congested point by the way there"),
        ("input_output_queued", "queueing = 'damq'", "packets can wait for each other in a circle"),
        ("input_output_queued", "routing = 'par'", "par routing looks at the queues of routers"),
        ("input_output_queued", "topology.nodes_per_router = 64", "a switch would have"),
    ] {
        let channels = if kind == "input_output_queued" || more.contains("virtual_channels") {
            ""
        } else {
            "router.virtual_channels = 5\n"
        };
        let spec = format!("{}\nrouter.kind = '{kind}'\n{channels}{more}\ntraffic.load = 0.1\n", dotted(dragonfly));
        let text = refusal(&spec);
        assert!(text.contains(says), "{kind}, {more}: {text}");
    }
}

/// A table in one line, key by key, so that others can be added.
fn dotted(table: &str) -> String {
    let (name, rest) = table.split_once(" = { ").expect("a table");
    let keys = rest.trim_end_matches(" }").split(", ").map(|key| format!("{name}.{key}\n"));
    keys.collect()
}

/// Not all routers keep the length of a packet's way with it.
#[test]
fn every_choice_of_ways_up_runs_under_all_routers() {
    let networks = ["kind = 'fat_tree', arity = 3, levels = 3", "kind = 'mesh', radix = [4, 3]"];
    for (router, table) in OTHERS {
        for (up, network) in
            ["random", "ecmp", "spray"].into_iter().flat_map(|up| networks.map(|network| (up, network)))
        {
            let prepared = prepared(&format!(
                "topology = {{ {network} }}\n{table}\nrouting = {{ kind = 'up_down', up = '{up}' }}\n\
                 traffic = {{ load = 0.2, size = {{ kind = 'fixed', flits = 4 }} }}\n{SHORT}"
            ));
            let name = format!("{router}, {up}, {network}");
            assert_eq!(prepared.facts().deadlock_argument, Some("acyclic"), "{name}");
            assert!(record(&prepared).packets_delivered > 50, "{name}");
        }
    }
}

/// Routings that go by links alone find the same on a grid as on its links, and go on from there as on any network.
#[test]
fn a_grid_and_its_links_have_the_same_ways() {
    let writes = Format::named("native").expect("it is known");
    for (n, topology) in ["kind = 'torus', radix = [5, 4]", "kind = 'mesh', radix = [4, 3, 2]"].into_iter().enumerate()
    {
        let path = scratch(&format!("grid-{n}.net"));
        let grid = prepared(&format!("topology = {{ {topology}, link_cycles = 2, nodes_per_router = 2 }}\n{SHORT}"));
        std::fs::write(&path, writes.write(grid.network()).expect("it can be said")).expect("written");
        for routing in ["'up_down'", "{ kind = 'up_down', up = 'ecmp', root = 7 }", "'layered'", "'least_delay'"] {
            for (router, table) in OTHERS.into_iter().chain([("cut_through", "router.virtual_channels = 4")]) {
                let facts = |topology: &str| {
                    prepared(&format!(
                        "topology = {{ {topology} }}\n{table}\nrouting = {routing}\nrun.allow_deadlock = true\n\
                         traffic = {{ load = 0.1, size = {{ kind = 'fixed', flits = 4 }} }}\n{SHORT}"
                    ))
                    .facts()
                };
                let on_grid = facts(&format!("{topology}, link_cycles = 2, nodes_per_router = 2"));
                let on_links = facts(&format!("kind = 'file', path = {path:?}, link_cycles = 2"));
                let name = format!("{topology}, {routing}, {router}");
                // Ways that are drawn are too many to be counted.
                let counted = !routing.contains("up_down");
                let close = |a: Option<f64>, b: Option<f64>| match (a, b) {
                    (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{name}: {a} and {b}"),
                    found => assert!(found == (None, None) && !counted, "{name}: {found:?}"),
                };
                close(on_grid.hops_mean, on_links.hops_mean);
                close(on_grid.channel_load_bound, on_links.channel_load_bound);
                close(on_grid.zero_load_latency, on_links.zero_load_latency);
                assert_eq!(on_grid.deadlock_argument, on_links.deadlock_argument, "{name}");
                assert!(routing == "'least_delay'" || on_grid.deadlock_argument == Some("acyclic"), "{name}");
            }
        }
    }
}

/// Trees need no classes of channels: any discipline will do there.
#[test]
fn switches_without_channels_run_on_trees_with_any_discipline() {
    for queueing in ["single", "voq_sw", "dbbm", "damq", "voq_net"] {
        let spec = format!(
            "topology = {{ kind = 'fat_tree', arity = 3, levels = 3, level_cycles = [1, 7] }}\nqueueing = '{queueing}'\n\
             router.kind = 'input_output_queued'\ntraffic.load = 0.5\n{SHORT}"
        );
        let prepared = prepared(&spec);
        assert_eq!(prepared.facts().deadlock_argument, Some("acyclic"), "{queueing}");
        assert!(record(&prepared).packets_delivered > 100, "{queueing}");
    }
}

#[test]
fn the_story_and_the_cause_are_told_under_all_routers() {
    for (router, table) in OTHERS {
        let spec = |load: f64| {
            format!(
                "topology = {{ kind = 'leaf_spine', leaves = 3, spines = 1, nodes_per_router = 2 }}\n{table}\n\
                 traffic = {{ load = {load:?}, size = {{ kind = 'fixed', flits = 4 }} }}\n\
                 probes = {{ link_load = true, anatomy_every_cycles = 20 }}\n\
                 workload = {{ warmup_cycles = 500, measure_cycles = 2000, drain_cycles = 0 }}\n"
            )
        };
        let prepared = prepared(&spec(0.2));
        let traced =
            controlled(|control| trace(&prepared, Which::From(0, 0, Some(5)), 20_000, control)).expect("there is one");
        let Traced::Found(story) = traced else { panic!("nobody cancelled it") };
        let stops: Vec<String> = story.stops.iter().map(|stop| stop.name(prepared.network())).collect();
        let passes = |from: u32, to: u32| {
            let from = format!("link from router {from}");
            assert!(
                stops.iter().any(|stop| stop.starts_with(&format!("router {to}, ")) && stop.contains(&from)),
                "{router}: {stops:?}"
            );
        };
        passes(0, 3);
        passes(3, 2);
        let full = self::prepared(&spec(1.0));
        let why = controlled(|control| run(&full, control)).why.paragraph();
        assert!(why.contains("link from router ") && why.contains(" to router 3"), "{router}: {why}");
    }
}

/// At a low load packets hardly meet: their mean latency is that of the formula, under every router.
#[test]
fn the_latency_at_a_low_load_is_that_of_an_empty_network_under_all_routers() {
    for (router, table) in OTHERS {
        let table = table.replace("buffer_flits = 16", "buffer_flits = 64");
        for member in members_of_one_width() {
            let spec = format!(
                "topology = {{ {member} }}\n{table}\ntraffic = {{ load = 0.002, size = {{ kind = 'fixed', flits = 4 }} }}\n\
                 workload = {{ warmup_cycles = 100, measure_cycles = 40000, drain_cycles = 2000 }}\n"
            );
            let prepared = prepared(&spec);
            let expected = prepared.facts().zero_load_latency.expect("it is small");
            let found = record(&prepared).latency_mean.expect("some packets arrive");
            assert!((found - expected).abs() < 0.05 * expected, "{router}, {member}: {found} for {expected}");
        }
    }
}

/// Trees of more routers than are looked at as a whole have a small one that stands for them, and say so; files have none.
#[test]
fn large_networks_are_proved_by_a_smaller_one_of_their_family() {
    let large = "topology = { kind = 'fat_tree', arity = 2, levels = 10 }\n";
    for routing in
        ["", "routing = { kind = 'up_down', up = 'd_mod_k' }\n", "routing = { kind = 'up_down', up = 'adaptive' }\n"]
    {
        let facts = prepared(&format!("{routing}{large}{SHORT}")).facts();
        assert_eq!((facts.routers, facts.deadlock_argument), (5120, Some("acyclic")), "{routing}");
        let proof = facts.deadlock_details.join(" ");
        assert!(proof.contains("on a smaller fat_tree of 32 routers, which stands for this one"), "{routing}: {proof}");
    }
    let small = prepared(&format!("topology = {{ kind = 'fat_tree', arity = 4, levels = 4 }}\n{SHORT}")).facts();
    assert!(!small.deadlock_details.join(" ").contains("stands for"), "it is looked at as a whole");
    let path = scratch("line.net");
    let links: String = (1..5000).map(|router| format!("{} {router}\n", router - 1)).collect();
    std::fs::write(&path, format!("routers 5000\n{links}node 0 0\nnode 1 700\nnode 2 4999\n")).expect("written");
    let spec = format!("routing = 'up_down'\ntopology = {{ kind = 'file', path = {path:?} }}\n{SHORT}");
    let facts = prepared(&spec).facts();
    assert_eq!((facts.routers, facts.deadlock_argument), (5000, Some("acyclic")));
    assert!(!facts.deadlock_details.join(" ").contains("stands for"));
}

/// Any graph in any number of parts: the digest is that of one part.
#[test]
fn random_graphs_are_the_same_in_parts() {
    for seed in 0..12u64 {
        let mut draws = (0u64..).map(|n| rng::draw_u64(seed, Purpose::Pattern, 7, n));
        let mut below = |many: u64| rng::below(draws.next().expect("without end"), many);
        let routers = 2 + below(38);
        let mut text = format!("routers {routers}\n");
        for new in 1..routers {
            text += &format!("{} {new} cycles {} {}\n", below(new), 1 + below(9), 1 + below(9));
        }
        for _ in 0..below(20) {
            let (a, b) = (below(routers), below(routers));
            if a != b {
                text += &format!("{a} {b} cycles {} period {}\n", 1 + below(30), 1 + below(3));
            }
        }
        for node in 0..2 + below(30) {
            text += &format!("node {node} {}\n", below(routers));
        }
        let path = scratch(&format!("{seed}.net"));
        std::fs::write(&path, text).expect("written");
        let size = [
            "{ kind = 'fixed', flits = 4 }",
            "{ kind = 'bimodal', short_flits = 2, long_flits = 9, long_percent = 40 }",
        ];
        let credits = 1 + below(3);
        let spec = format!(
            "routing = 'up_down'\nrouter = {{ buffer_flits = 20, header_cycles = 1, credit_cycles = {credits} }}\n\
             topology = {{ kind = 'file', path = {path:?} }}\ntraffic = {{ load = 0.4, size = {} }}\n\
             [workload]\nwarmup_cycles = 0\nmeasure_cycles = 400\ndrain_cycles = 0\n",
            size[seed as usize % 2]
        );
        let prepared = prepared(&spec);
        let whole = record(&prepared);
        assert!(whole.packets_delivered > 0, "graph {seed}");
        [2, 5].into_iter().for_each(|parts| in_parts(&prepared, &whole, parts, &format!("graph {seed}")));
    }
}

/// A file of this run of the tests.
fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tailback-shapes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder.join(name)
}

#[test]
fn probes_that_need_a_grid_are_refused_and_the_others_run() {
    for probe in switches() {
        let (name, value) = (probe.param.name, probe.value(100));
        let spec = format!(
            "topology = {{ kind = 'crossbar', nodes_per_router = 4 }}\ntraffic.load = 0.5\nprobes = {{ {name} = {value} }}\n{SHORT}"
        );
        match (common::prepared(&spec), probe.needs_grid) {
            (Ok(prepared), false) => assert!(record(&prepared).packets_delivered > 100, "{name}"),
            (Err(errors), true) => {
                let text = errors.render();
                assert!(text.contains(&format!("probe {name} goes by the coordinates of a grid")), "{text}");
            }
            (Err(errors), false) => panic!("{name}: {}", errors.render()),
            (Ok(_), true) => panic!("probe {name} says that it needs a grid, and is not refused without one"),
        }
    }
}

/// Eight nodes of a group send all they have over the one link to the next group.
#[test]
fn adversarial_traffic_fills_the_one_global_link() {
    let spec = |more: &str| {
        format!(
            "[topology]\nkind = 'dragonfly'\nrouters_per_group = 4\nglobal_links = 2\nnodes_per_router = 2\nlocal_cycles = 10\n\
             global_cycles = 100\n[router]\nbuffer_flits = 256\n[traffic]\nsize = {{ kind = 'fixed', flits = 8 }}\n{more}\n\
             [workload]\nwarmup_cycles = 5000\nmeasure_cycles = 10000\ndrain_cycles = 0\n"
        )
    };
    for seed in 1..=5 {
        let more = format!("load = 1.0\npattern = {{ kind = 'adversarial', group_nodes = 8 }}\n[run]\nseed = {seed}\n");
        let prepared = prepared(&spec(&more));
        let bound = prepared.facts().channel_load_bound.expect("it is small");
        assert!((bound - 0.125).abs() < 1e-9, "{bound}");
        let accepted = record(&prepared).accepted_load.expect("it was measured");
        // Within 2 %: a packet whose flits arrive on both sides of the edge of the window counts as a whole.
        assert!((0.1225..=0.1275).contains(&accepted), "seed {seed}: {accepted}");
    }
}

/// At a low load packets hardly meet: their mean latency is that of the formula.
#[test]
fn the_latency_at_a_low_load_is_that_of_an_empty_network() {
    for member in MEMBERS {
        let spec = spec(member, "{ kind = 'fixed', flits = 4 }").replace("load = 0.6", "load = 0.002");
        let prepared = prepared(&spec.replace("measure_cycles = 500", "measure_cycles = 40000"));
        let expected = prepared.facts().zero_load_latency.expect("it is small");
        let found = record(&prepared).latency_mean.expect("some packets arrive");
        assert!((found - expected).abs() < 0.05 * expected, "{member}: {found} for {expected}");
    }
}

/// Eight nodes of a group and one link to the next group: the cause, the link with its kind and groups, and who shares it.
#[test]
fn why_minimal_ways_saturate_is_told_with_the_link_and_who_shares_it() {
    let spec = "[topology]\nkind = 'dragonfly'\nrouters_per_group = 4\nglobal_links = 2\nnodes_per_router = 2\nlocal_cycles = 10\n\
         global_cycles = 100\n[router]\nbuffer_flits = 256\n[traffic]\nload = 0.5\nsize = { kind = 'fixed', flits = 8 }\n\
         pattern = { kind = 'adversarial', group_nodes = 8 }\n[probes]\nlink_load = true\nanatomy_every_cycles = 50\n\
         [workload]\nwarmup_cycles = 3000\nmeasure_cycles = 4000\ndrain_cycles = 0\n";
    let prepared = prepared(spec);
    let facts = prepared.facts();
    let busiest = facts.busiest_link.expect("it was counted");
    assert!(busiest.starts_with("the global link from router "), "{busiest}");
    assert!(busiest.contains(" of group ") && busiest.ends_with("which 64 pairs of nodes share"), "{busiest}");
    let outcome = controlled(|control| run(&prepared, control));
    let why = outcome.why.paragraph();
    assert_eq!(outcome.why.cause, Cause::Links, "{why}");
    for words in [
        "The roots of the worst congestion trees are the global link from router ",
        "which 64 pairs of nodes share, is full at a load of 0.125 flits/node/cycle",
        "a routing that takes other ways does",
        "All links of a kind together: local ",
    ] {
        assert!(why.contains(words), "{words}: {why}");
    }
    let dissected = outcome.anatomy.expect("somebody looked");
    assert!(dissected.anatomy.knows_ways && dissected.anatomy.lives.trees > 0 && dissected.speeds.is_empty());
    let flows = dissected.anatomy.flows.total();
    assert!(flows.culprit > 0, "{flows:?}");
    assert!(outcome.series.iter().all(|table| table.name != "anatomy_speeds"));
}

/// The mean over all buffers of a kind is that of the buffers one by one.
#[test]
fn buffers_are_added_up_by_the_kind_of_their_link() {
    let spec = "topology = { kind = 'fat_tree', arity = 2, levels = 3 }\ntraffic = { load = 0.7, size = { kind = 'fixed', flits = 4 } }\n\
         probes = { channel_occupancy = true, link_load = true, occupancy_every_cycles = 10, congestion = true }\n\
         [workload]\nwarmup_cycles = 100\nmeasure_cycles = 500\ndrain_cycles = 0\n";
    let outcome = controlled(|control| run(&prepared(spec), control));
    let table = |name: &str| outcome.series.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("{name}"));
    let kinds = table("channels_by_kind");
    let names: Vec<&str> = kinds.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["up_occupancy", "up_utilisation", "down_occupancy", "down_utilisation"]);
    let links = table("links");
    let used: f64 = links.column("utilisation").expect("a column").iter().sum();
    let by_kind: f64 = ["up", "down"]
        .iter()
        .flat_map(|kind| kinds.column(&format!("{kind}_utilisation")).expect("a column"))
        .map(|mean| mean * 16.0)
        .sum();
    assert!((used - by_kind).abs() < 1e-9 * used && used > 1.0, "{used} {by_kind}");
    let occupied = |kind: &str| kinds.column(&format!("{kind}_occupancy")).expect("a column").iter().sum::<f64>();
    assert!(occupied("up") > 0.0 && occupied("down") > 0.0);
    let samples = table("occupancy");
    assert!(samples.column("up_vc0_mean").is_some_and(|mean| mean.iter().any(|&flits| flits > 0.0)));
    assert!(table("congestion").column("full_buffers").is_some_and(|full| full.iter().all(|value| value.is_finite())));
}

/// Where draws cannot be told apart, loads are counted hop by hop, with the same result as the network's own measures.
#[test]
fn the_bound_of_a_large_random_graph_is_that_of_its_measures() {
    let of = |routers: u32| {
        let spec = format!(
            "topology = {{ kind = 'jellyfish', routers = {routers}, degree = 6, nodes_per_router = 2 }}\n\
             router = {{ virtual_channels = 5, buffer_flits = 64 }}\ntraffic.load = 0.1\n"
        );
        prepared(&spec).facts()
    };
    for routers in [20, 64] {
        let facts = of(routers);
        let (bound, minimal) = (facts.channel_load_bound, facts.shape.minimal_bound);
        let (bound, minimal) = (bound.expect("it is counted"), minimal.expect("it is small"));
        assert!((bound - minimal.min(1.0)).abs() < 1e-9, "{routers}: {bound} {minimal}");
        assert!(facts.zero_load_latency.is_some(), "{routers}");
        assert!(facts.warnings.iter().all(|warning| !warning.contains("too large")), "{:?}", facts.warnings);
    }
}

#[test]
fn buffers_below_the_round_trip_of_their_link_are_told_by_kind_of_link() {
    let warnings = |buffer: u32, channels: u32| {
        let spec = format!(
            "topology = {{ kind = 'dragonfly', routers_per_group = 4, global_links = 2, local_cycles = 10, global_cycles = 100 }}\n\
             router = {{ virtual_channels = {channels}, buffer_flits = {buffer} }}\n\
             traffic = {{ load = 0.1, size = {{ kind = 'fixed', flits = 8 }} }}\n"
        );
        let warnings = prepared(&spec).facts().warnings;
        warnings.into_iter().filter(|warning| warning.starts_with("buffers behind")).collect::<Vec<String>>()
    };
    assert_eq!(warnings(256, 2), Vec::<String>::new());
    let global = warnings(64, 2);
    assert_eq!(global.len(), 1, "{global:?}");
    assert!(global[0].starts_with("buffers behind global links of 100 cycles hold 64 flits per channel"), "{global:?}");
    assert!(global[0].contains("one channel alone cannot fill"), "{global:?}");
    let both = warnings(16, 2);
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(both[0].contains("local links of 10 cycles") && both[1].contains("at most 0."), "{both:?}");
}

#[test]
fn the_story_of_a_packet_names_routers_and_where_links_lead() {
    let prepared = prepared(
        "topology = { kind = 'leaf_spine', leaves = 3, spines = 1, nodes_per_router = 2 }\ntraffic.load = 0.2\n",
    );
    let traced =
        controlled(|control| trace(&prepared, Which::From(0, 0, Some(5)), 20_000, control)).expect("there is one");
    let Traced::Found(story) = traced else { panic!("nobody cancelled it") };
    let network = prepared.network();
    let stops: Vec<String> = story.stops.iter().map(|stop| stop.name(network)).collect();
    assert_eq!(stops[0], "router 0, source queue");
    assert!(stops[1].starts_with("router 3, up link from router 0 channel "), "{stops:?}");
    assert!(stops[2].starts_with("router 2, down link from router 3 channel "), "{stops:?}");
    let left: Vec<String> = story.stops.iter().map(|stop| stop.leaves_to(network)).collect();
    assert_eq!(left, ["up link to router 3", "down link to router 2", "its node's port"]);
}

/// What a network accepts of a permutation under a load of 1, of periodic packets of 8 flits.
fn accepted(network: &str, pattern: &str, process: &str) -> f64 {
    let spec = format!(
        "{network}\ntraffic = {{ load = 1.0, pattern = {{ {pattern} }}, process = {{ {process} }}, size = {{ kind = 'fixed', flits = 8 }} }}\n\
         workload = {{ warmup_cycles = 500, measure_cycles = 2000, drain_cycles = 0 }}\n"
    );
    record(&prepared(&spec)).accepted_load.expect("it was measured")
}

#[test]
fn d_mod_k_carries_shifts_of_a_fat_tree() {
    let network = "topology = { kind = 'fat_tree', arity = 4, levels = 3 }\nrouting = { kind = 'up_down', up = 'd_mod_k' }\n\
                   router = { buffer_flits = 32 }";
    for shift in [1, 2, 3, 4, 5, 15, 16, 17, 21, 32, 47, 48, 63] {
        let found = accepted(network, &format!("kind = 'shift', offset = {shift}"), "kind = 'periodic'");
        assert!(found >= 0.99, "shift by {shift}: {found}");
    }
    // Four flows share a link where bits are reversed, and draws share links in most patterns.
    assert!(accepted(network, "kind = 'brev'", "kind = 'periodic'") < 0.75);
    let random = network.replace("d_mod_k", "random");
    assert!(accepted(&random, "kind = 'shift', offset = 21", "kind = 'periodic'") < 0.95);
}

#[test]
fn dimwar_goes_round_the_links_that_complement_fills() {
    let network = |routing: &str| {
        format!(
            "topology = {{ kind = 'hyperx', sides = [4, 4], nodes_per_router = 4 }}\nrouting = '{routing}'\n\
             router = {{ virtual_channels = 4, buffer_flits = 64 }}"
        )
    };
    let of = |routing| accepted(&network(routing), "kind = 'bcmp'", "kind = 'bernoulli'");
    let (minimal, dimwar) = (of("minimal"), of("dimwar"));
    assert!((minimal - 0.25).abs() < 0.005, "{minimal}");
    assert!(dimwar > 0.45, "{dimwar}");
}

/// A table holds what an engine computes: the same bits.
#[test]
fn a_table_runs_as_the_routing_that_it_was_written_from() {
    use tailback_network::routes::Engine;
    let network = "topology = { kind = 'jellyfish', routers = 20, degree = 4, nodes_per_router = 2 }";
    let with = |routing: &str| {
        let traffic = "router = { virtual_channels = 3, buffer_flits = 16 }\n[traffic]\nload = 0.4\n";
        prepared(&format!("{network}\nrouting = {routing}\n{traffic}{SHORT}"))
    };
    let layered = with("'layered'");
    let document = tailback_spec::Document::parse("s.toml", network.as_bytes()).expect("readable");
    let resolved = document.resolve(tailback_sim::catalogue()).expect("a spec");
    let built = tailback_network::family::build(resolved.view("topology")).expect("it was built");
    let routes = Engine::named("layered").expect("an engine").routes(&built).expect("it is small");
    let path = std::env::temp_dir().join(format!("tailback-layered-{}", std::process::id()));
    std::fs::write(&path, routes.text(&built.network)).expect("a writable folder");
    let table = with(&format!("{{ kind = 'table', file = '{}' }}", path.display()));
    std::fs::remove_file(&path).expect("it was just written");
    let [layered, table] = [&layered, &table].map(record);
    assert!(layered.packets_delivered > 100);
    assert_eq!(
        (layered.packets_delivered, layered.latency_mean, layered.cycles),
        (table.packets_delivered, table.latency_mean, table.cycles)
    );
    assert_eq!(layered.digest, table.digest);
}
