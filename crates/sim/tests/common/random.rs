//! Random small specs.

#[path = "probes.rs"]
pub mod probes;

use proptest::prelude::*;
use tailback_sim::catalogue;
use tailback_spec::{Entry, Fallback, Kind};

/// The kinds of a section that need no file.
pub fn kinds(section: &str) -> Vec<&'static str> {
    let section = catalogue().section(section).expect("a section");
    let needs_file =
        |entry: &Entry| entry.params.iter().any(|p| p.kind == Kind::Path && p.fallback == Fallback::Required);
    section.entries.iter().filter(|entry| !needs_file(entry)).map(|entry| entry.name).collect()
}

/// A kind of a section, with its defaults.
fn kind(section: &str) -> impl Strategy<Value = &'static str> {
    prop::sample::select(kinds(section))
}

/// No throttle, or one of them.
fn throttle(kinds: Vec<&'static str>) -> impl Strategy<Value = &'static str> {
    prop_oneof![1 => Just("off"), 2 => prop::sample::select(kinds)]
}

/// Silent cycles at the end of phases.
pub const SILENCE: u64 = 600;

/// Every kind of workload. Phases end with [`SILENCE`], so that what was made can be delivered.
fn workload() -> impl Strategy<Value = String> {
    let phase = (10u32..200, 0.0..1.5f64, kind("traffic.pattern"));
    let phases = prop::collection::vec(phase, 1..3).prop_map(|phases| {
        let phase =
            |(cycles, load, pattern)| format!("{{ cycles = {cycles}, load = {load}, pattern = '{pattern}' }}, ");
        let all: String = phases.into_iter().map(phase).collect();
        format!("{{ kind = 'phases', phases = [{all}{{ cycles = {SILENCE}, load = 0.0, pattern = 'uniform' }}] }}")
    });
    prop_oneof![
        Just("{ kind = 'steady', warmup_cycles = 100, measure_cycles = 400, drain_cycles = 500 }".to_owned()),
        Just("{ kind = 'collective', packets_per_node = 3, limit_cycles = 20000 }".to_owned()),
        Just("{ kind = 'ramp', end_load_flits_per_node_cycle = 0.9, cycles = 800, window_cycles = 50 }".to_owned()),
        phases,
    ]
}

prop_compose! {
    pub fn topology()(
        kind in prop_oneof!["torus", "mesh"],
        radix in prop::collection::vec(prop_oneof![40 => 2i64..8, 1 => 0i64..2], 1..4),
        nodes in prop_oneof![20 => 1i64..4, 1 => Just(0)],
        link in 1i64..5,
    ) -> String {
        format!("topology = {{ kind = '{kind}', radix = {radix:?}, nodes_per_router = {nodes}, link_cycles = {link} }}\n")
    }
}

prop_compose! {
    pub fn router()(
        channels in prop_oneof![20 => 2i64..6, 1 => 0i64..2],
        buffer in prop_oneof![20 => 8i64..40, 1 => 0i64..8],
        header in 0i64..4,
        credit in prop_oneof![20 => 1i64..4, 1 => Just(0)],
        queue in prop_oneof![Just("'infinite'"), Just("1"), Just("3")],
        ejection in prop_oneof![Just("'infinite'"), Just("1"), Just("2")],
    ) -> String {
        format!("router = {{ virtual_channels = {channels}, buffer_flits = {buffer}, header_cycles = {header}, \
                 credit_cycles = {credit}, source_queue_packets = {queue}, ejection_channels = {ejection} }}\n")
    }
}

prop_compose! {
    pub fn wormhole()(
        numbers in (prop_oneof![20 => 2i64..6, 1 => 1i64..18], 1i64..12, 1i64..4, 1i64..3),
        times in (0i64..3, 0i64..3, 0i64..3, 0i64..3),
        sharing in prop_oneof!["owned", "shared", "shared_whole"],
        vc in prop_oneof!["central", "input_first", "output_first"],
        switch in prop_oneof!["input_first", "output_first"],
        inputs in prop_oneof!["port", "channel"],
        speculative in prop_oneof![9 => Just(false), 1 => Just(true)],
        queue in prop_oneof![Just("'infinite'"), Just("1"), Just("3")],
        ejection in prop_oneof![Just("'infinite'"), Just("1"), Just("2")],
    ) -> String {
        let ((channels, buffer, credit, injection), (r, a, s, x)) = (numbers, times);
        format!("router = {{ kind = 'wormhole', virtual_channels = {channels}, buffer_flits = {buffer}, \
                 credit_cycles = {credit}, injection_channels = {injection}, routing_cycles = {r}, \
                 vc_allocation_cycles = {a}, switch_allocation_cycles = {s}, crossbar_cycles = {x}, \
                 sharing = '{sharing}', vc_allocator = '{vc}', switch_allocator = '{switch}', \
                 crossbar_inputs = '{inputs}', speculative = {speculative}, source_queue_packets = {queue}, \
                 ejection_channels = {ejection} }}\n")
    }
}

prop_compose! {
    pub fn adaptive()(
        numbers in (prop_oneof![20 => 1i64..6, 1 => 1i64..18], prop_oneof![20 => 1i64..5, 1 => Just(0)], 1i64..4),
        times in (0i64..3, 0i64..3, 0i64..3),
        // Packets of 1 to 6 flits, alone or of messages.
        (flits, cut) in (1i64..7, any::<bool>()),
        outputs in prop_oneof!["link", "channel"],
        requests in prop_oneof!["parallel", "in_turn", "smart", "random", "shortest"],
        first in (any::<bool>(), any::<bool>()),
        queue in prop_oneof![Just("'infinite'"), Just("1"), Just("3")],
        ejection in prop_oneof![Just("'infinite'"), Just("1"), Just("2")],
        interface in (kind("interface"), prop_oneof![3 => 1i64..5, 1 => 1i64..13]),
        channels in prop_oneof!["physical", "virtual"],
        bubble in prop_oneof![
            1 => Just("'virtual_cut_through'".to_owned()),
            3 => (1i64..4, 0i64..3, prop_oneof!["local", "ring"]).prop_map(|(escape, new, scope)| format!(
                "{{ kind = 'bubble', escape_packets = {escape}, new_packets = {new}, scope = '{scope}' }}"
            )),
        ],
        load in 0.0..1.5f64,
        pattern in kind("traffic.pattern"),
        workload in workload(),
    ) -> String {
        let ((virtual_channels, packets, credit), (h, t, c)) = (numbers, times);
        let size = if cut {
            format!("packet_flits = {flits}, size = {{ kind = 'distribution', flits = [{flits}, {}], weights = [2, 1] }}", 4 * flits)
        } else {
            format!("size = {{ kind = 'fixed', flits = {flits} }}")
        };
        let buffer = (packets * flits).max(1);
        format!("router = {{ kind = 'adaptive_cut_through', virtual_channels = {virtual_channels}, buffer_flits = {buffer}, \
                 credit_cycles = {credit}, header_cycles = {h}, turn_cycles = {t}, consumption_cycles = {c}, \
                 crossbar_outputs = '{outputs}', requests = '{requests}', escape_first = {}, transit_first = {}, \
                 source_queue_packets = {queue}, ejection_channels = {ejection} }}\n\
                 interface = {{ kind = '{}', queues = {}, channels = '{channels}', router_packets = 2 }}\n\
                 flow_control = {bubble}\n\
                 traffic = {{ load = {load}, pattern = '{pattern}', {size} }}\nworkload = {workload}\n",
                 first.0, first.1, interface.0, interface.1)
    }
}

prop_compose! {
    pub fn adaptive_mechanisms()(
        routing in prop::sample::select(&ROUTINGS[..]),
        selection in kind("selection"),
        arbiter in kind("arbiter"),
        admission in throttle(kinds("admission")),
        allow in any::<bool>(),
        congestion in any::<bool>(),
    ) -> String {
        format!("routing = {routing}\nselection = '{selection}'\narbiter = '{arbiter}'\nadmission = '{admission}'\n\
                 run = {{ allow_deadlock = {allow} }}\nprobes = {{ congestion = {congestion} }}\n")
    }
}

const ROUTINGS: [&str; 11] = [
    "{ kind = 'dimension_order' }",
    "{ kind = 'dimension_order', tie = 'random' }",
    "{ kind = 'dimension_order', datelines = 'none' }",
    "{ kind = 'adaptive' }",
    "{ kind = 'adaptive', escape = 'mesh' }",
    "{ kind = 'adaptive', escape = 'none' }",
    "{ kind = 'adaptive', escape = 'ring', tie = 'random' }",
    "'turn_model'",
    "'valiant'",
    "'o1turn'",
    "{ kind = 'cross_line', propagation = 'stealing' }",
];

prop_compose! {
    pub fn wormhole_mechanisms()(
        routing in prop::sample::select(&ROUTINGS[..]),
        selection in kind("selection"),
        arbiter in kind("arbiter"),
        recovery in prop_oneof![3 => Just("'off'"), 1 => Just("{ kind = 'disha', lane_flits = 2 }"),
            1 => Just("{ kind = 'disha', token = 'instant' }")],
        admission in throttle(kinds("admission")),
        allow in any::<bool>(),
        congestion in any::<bool>(),
    ) -> String {
        format!("routing = {routing}\nselection = '{selection}'\narbiter = '{arbiter}'\nrecovery = {recovery}\n\
                 admission = '{admission}'\nrun = {{ allow_deadlock = {allow} }}\n\
                 probes = {{ congestion = {congestion} }}\n")
    }
}

prop_compose! {
    pub fn mechanisms()(
        datelines in prop_oneof![3 => Just("auto"), 1 => Just("none"), 1 => Just("one"), 1 => Just("two")],
        numbering in prop_oneof!["reset", "carry"],
        tie in prop_oneof!["plus", "minus", "sign", "alternate", "random"],
        arbiter in kind("arbiter"),
        admission in prop_oneof![
            Just("'off'".to_owned()),
            (0i64..10, 0i64..9).prop_map(|(m, l)| format!("{{ kind = 'spth', margin_flits = {m}, register_bits = {l} }}")),
        ],
        allow in any::<bool>(),
    ) -> String {
        format!("routing = {{ datelines = '{datelines}', channel_numbering = '{numbering}', tie = '{tie}' }}\n\
                 arbiter = '{arbiter}'\nadmission = {admission}\nrun = {{ allow_deadlock = {allow} }}\n")
    }
}

prop_compose! {
    pub fn traffic()(
        pattern in kind("traffic.pattern"),
        load in 0.0..1.5f64,
        flits in prop_oneof![20 => 1i64..9, 1 => 0i64..20],
        workload in workload(),
    ) -> String {
        format!("traffic = {{ load = {load}, pattern = '{pattern}', size = {{ kind = 'fixed', flits = {flits} }} }}\n\
                 workload = {workload}\n")
    }
}

/// A generated program of every kind, small.
pub fn program() -> impl Strategy<Value = String> {
    let ranks = || 2u32..9;
    let algorithms = |kind: &'static str, algorithms: &'static [&'static str]| {
        (prop::sample::select(algorithms), 2u32..9, 1u32..60).prop_map(move |(algorithm, ranks, flits)| {
            format!("kind = '{kind}', algorithm = '{algorithm}', ranks = {ranks}, flits = {flits}")
        })
    };
    let alone = |kind: &'static str| {
        (2u32..9, 1u32..40).prop_map(move |(ranks, flits)| format!("kind = '{kind}', ranks = {ranks}, flits = {flits}"))
    };
    let asks = (ranks(), 1u32..8, 1u32..6, 1u32..9, (1u32..9, 1u32..9), 0u32..20);
    let asks = asks.prop_map(|(ranks, servers, window, count, (request, reply), think)| {
        format!(
            "kind = 'request_reply', ranks = {ranks}, servers = {}, window = {window}, count = {count}, \
             request_flits = {request}, reply_flits = {reply}, think_cycles = {think}",
            servers.min(ranks - 1)
        )
    });
    let halo = (1u32..4, 1u32..4, 1u32..12, 1u32..3).prop_map(|(x, y, flits, iterations)| {
        format!(
            "kind = 'halo', dimensions = [{x}, {y}], flits = {flits}, iterations = {iterations}, compute_cycles = 9"
        )
    });
    let pipeline = (2u32..6, 1u32..20, 1u32..4).prop_map(|(ranks, flits, batches)| {
        format!("kind = 'pipeline', ranks = {ranks}, flits = {flits}, microbatches = {batches}, compute_cycles = 7")
    });
    let generate = prop_oneof![
        2 => algorithms("all_reduce", &["ring", "halving_doubling", "recursive_doubling", "double_binary_tree"]),
        1 => algorithms("all_to_all", &["pairwise", "spread"]),
        1 => algorithms("reduce_scatter", &["ring", "halving_doubling"]),
        1 => alone("all_gather"),
        1 => alone("broadcast"),
        1 => alone("reduce"),
        1 => alone("incast"),
        1 => ranks().prop_map(|ranks| format!("kind = 'barrier', ranks = {ranks}")),
        1 => halo,
        1 => pipeline,
        3 => asks,
    ];
    let placement = prop_oneof![3 => Just("packed"), 1 => Just("random")];
    (generate, placement).prop_map(|(generate, placement)| {
        format!("workload = {{ kind = 'program', placement = '{placement}', generate = {{ {generate} }} }}\n")
    })
}

prop_compose! {
    /// A network for programs, under each data path, with message classes where it has channels.
    pub fn for_programs()(
        kind in prop_oneof!["torus", "mesh"],
        radix in prop_oneof![Just("[8]"), Just("[3, 3]"), Just("[2, 2, 2]"), Just("[5, 2]")],
        (classes, each) in (1u32..4, 1u32..4),
        places in prop_oneof![2 => Just("'infinite'".to_owned()), 1 => (1u32..5).prop_map(|places| places.to_string())],
        path in 0usize..6,
        (header, packet, nodes) in (0u32..3, 1u32..9, 1u32..3),
        allow in any::<bool>(),
    ) -> String {
        let channels = classes * each;
        let shared = format!("virtual_channels = {channels}, message_classes = {classes}");
        let router = match path {
            0 | 1 => format!(
                "kind = 'cut_through', {shared}, buffer_flits = 9, header_cycles = {header}, ejection_channels = 1, ejection_packets = {places}"
            ),
            2 => format!("kind = 'wormhole', {shared}, buffer_flits = 5"),
            3 => format!("kind = 'adaptive_cut_through', {shared}, buffer_flits = 18"),
            4 => format!("kind = 'input_queued', {shared}, buffer_flits = 5"),
            _ => "kind = 'input_output_queued'".to_owned(),
        };
        let queueing = if path == 5 { "queueing = 'voq_net'\n" } else { "" };
        let traffic = if path == 5 { String::new() } else { format!("traffic = {{ packet_flits = {packet} }}\n") };
        format!(
            "topology = {{ kind = '{kind}', radix = {radix}, nodes_per_router = {nodes} }}\nrouter = {{ {router} }}\n{queueing}{traffic}\
             run = {{ allow_deadlock = {allow} }}\n"
        )
    }
}

const QUEUEINGS: [&str; 6] = [
    "'single'",
    "'voq_sw'",
    "'voq_net'",
    "{ kind = 'dbbm', queues = 2 }",
    "'damq'",
    "{ kind = 'recn', detection_bytes = 16, notification_bytes = 16, xoff_bytes = 24, xon_bytes = 8 }",
];

prop_compose! {
    pub fn queued()(
        (packet, messages) in (1i64..9, 1i64..4),
        (ingress, egress) in (4i64..20, 4i64..20),
        (speedup, header, control, batch) in (1i64..4, 0i64..4, 1i64..20, 1i64..4),
        queue in prop_oneof![Just("'infinite'"), Just("1"), Just("3")],
        queueing in prop::sample::select(&QUEUEINGS[..]),
        (routing, arbiter) in (prop::sample::select(&ROUTINGS[..2]), kind("arbiter")),
        admission in throttle(kinds("admission")),
        load in 0.0..1.5f64,
        pattern in kind("traffic.pattern"),
        workload in workload(),
    ) -> String {
        let bytes = 8 * packet;
        format!("router = {{ kind = 'input_output_queued', packet_bytes = {bytes}, ingress_memory_bytes = {}, \
                 egress_memory_bytes = {}, crossbar_speedup = {speedup}.0, header_cycles = {header}, \
                 control_bytes = {control}, credit_batch_packets = {batch}, source_queue_packets = {queue} }}\n\
                 queueing = {queueing}\nrouting = {routing}\narbiter = '{arbiter}'\nadmission = '{admission}'\nrun = {{ allow_deadlock = true }}\n\
                 traffic = {{ load = {load}, pattern = '{pattern}', size = {{ kind = 'fixed', flits = {} }} }}\n\
                 workload = {workload}\n", ingress * bytes, egress * bytes, packet * messages)
    }
}

const ALLOCATORS: [&str; 9] = [
    "islip",
    "separable_input_first",
    "separable_output_first",
    "wavefront",
    "rr_wavefront",
    "max_size",
    "pim",
    "loa",
    "select",
];

prop_compose! {
    /// Heads that ask for the switch before they have a channel.
    fn speculation()(
        kind in prop_oneof!["shared", "separate"],
        needs in prop_oneof!["nothing", "channel", "credit"],
        yields in prop_oneof!["grants", "requests"],
        (allocator, rounds) in (prop::sample::select(&ALLOCATORS[..]), 1i64..4),
        arbiter in prop_oneof!["round_robin", "matrix"],
    ) -> String {
        format!(", speculation = '{kind}', speculation_needs = '{needs}', speculation_yields = '{yields}', \
                 speculation_allocator = '{allocator}', speculation_allocator_iterations = {rounds}, \
                 speculation_allocator_arbiter = '{arbiter}'")
    }
}

prop_compose! {
    pub fn input_queued()(
        (channels, buffer) in (prop_oneof![20 => 1i64..6, 1 => 1i64..18], 1i64..12),
        (r, x, d) in (0i64..4, 1i64..4, 0i64..3),
        (input, output, internal) in (1i64..4, 1i64..4, prop_oneof![2 => Just(1.0), 1 => Just(1.5), 1 => Just(2.0)]),
        waits in prop_oneof![2 => Just("'infinite'"), 1 => Just("1"), 1 => Just("3")],
        allocators in prop::array::uniform2((prop::sample::select(&ALLOCATORS[..]), 1i64..4, prop_oneof!["round_robin", "matrix"])),
        groups in prop_oneof![2 => Just(1u32), 1 => 2u32..4],
        order in prop_oneof!["by_port", "by_channel"],
        sharing in prop_oneof!["owned", "shared"],
        (needs, hold) in (any::<bool>(), any::<bool>()),
        speculation in prop_oneof![2 => Just(String::new()), 1 => speculation()],
        queue in prop_oneof![Just("'infinite'"), Just("1"), Just("3")],
        routing in prop::sample::select(&ROUTINGS[..]),
        (allow, planes) in (any::<bool>(), prop_oneof![3 => Just(1i64), 1 => 2i64..4]),
    ) -> String {
        let [(vc, vc_rounds, vc_arbiter), (switch, switch_rounds, switch_arbiter)] = allocators;
        format!("router = {{ kind = 'input_queued', virtual_channels = {channels}, buffer_flits = {buffer}, routing_cycles = {r}, \
                 crossbar_cycles = {x}, credit_cycles = {d}, input_speedup = {input}, output_speedup = {output}, planes = {planes}, \
                 internal_speedup = {internal:?}, vc_allocator = '{vc}', vc_allocator_iterations = {vc_rounds}, \
                 vc_allocator_arbiter = '{vc_arbiter}', switch_allocator = '{switch}', \
                 switch_allocator_iterations = {switch_rounds}, switch_allocator_arbiter = '{switch_arbiter}', \
                 vc_allocator_groups = {groups}, switch_allocator_groups = {groups}, sharing = '{sharing}', channel_needs_credit = {needs}, hold_switch = {hold}, output_queue_flits = {waits}, vc_requests = '{order}', source_queue_packets = {queue}{speculation} }}\n\
                 routing = {routing}\nrun = {{ allow_deadlock = {allow} }}\n")
    }
}

/// Probes that add up over parts.
pub fn probed() -> String {
    format!("probes = {{ {} }}\n", probes::of_parts())
}

prop_compose! {
    /// What may change between runs in parts: packets of one length or several, throttles, probes, all that is drawn above.
    pub fn divisible(throttles: Vec<&'static str>)(
        drawn in (topology(), router(), mechanisms()),
        admission in throttle(throttles.clone()),
        probes in prop_oneof![
            Just(String::new()),
            Just(probed()),
        ],
        several in any::<bool>(),
        traffic in traffic(),
    ) -> String {
        let (topology, router, mechanisms) = drawn;
        let mechanisms = mechanisms.lines().map(|line| match line.starts_with("admission") {
            true => format!("admission = '{admission}'\n"),
            false => format!("{line}\n"),
        });
        let traffic = match several {
            true => traffic.replace("kind = 'fixed', flits = ", "kind = 'distribution', weights = [1, 2], flits = [7, ")
                .replace(" } }\n", "] } }\n"),
            false => traffic,
        };
        format!("{topology}{router}{}{probes}{traffic}", mechanisms.collect::<String>())
    }
}
