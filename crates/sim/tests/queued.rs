//! Whole points of networks of input-output-queued switches through the façade.

use crate::common::{changed, facts, outcome, prepared, refusal};
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::{Record, Status};
use tailback_sim::local_rule::{DecideLocally, LocalView};
use tailback_sim::{Control, Diagnosis, Prepared, run};

const SMALL: &str = "
topology = { kind = 'mesh', radix = [4, 4], link_cycles = 3 }
router = { kind = 'input_output_queued', header_cycles = 0 }
queueing = { kind = 'recn' }
routing = { kind = 'dimension_order' }
traffic = { load = 0.2, pattern = 'uniform', size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 8000, drain_cycles = 8000 }
";

fn small(changes: &[(&str, &str)]) -> String {
    changed(SMALL, changes)
}

/// A part of the spec and what is put in its place.
type Change = (&'static str, &'static str);

const LIGHT: Change = ("load = 0.2", "load = 0.004");
const MESSAGES: Change = ("'fixed', flits = 8", "'bimodal', short_flits = 8, long_flits = 40, long_percent = 20");
const KINDS: [&str; 7] = [
    "kind = 'single'",
    "kind = 'voq_sw'",
    "kind = 'voq_sw', egress_index = 'input_port'",
    "kind = 'voq_net'",
    "kind = 'dbbm', queues = 4",
    "kind = 'damq'",
    "kind = 'recn'",
];

fn kinds() -> impl Iterator<Item = String> {
    KINDS.into_iter().map(|kind| small(&[("kind = 'recn'", kind)]))
}

#[test]
fn a_light_load_is_steady_and_at_the_zero_load_latency() {
    for spec in kinds() {
        for router in ["0", "5", "0, crossbar_speedup = 2.0", "1, crossbar_speedup = 3.0"] {
            let spec =
                spec.replace(LIGHT.0, LIGHT.1).replace("header_cycles = 0", &format!("header_cycles = {router}"));
            let (outcome, facts) = (outcome(&spec), facts(&spec));
            let zero = facts.zero_load_latency.expect("all packets are alike");
            let mean = outcome.record.latency_mean.expect("packets arrive");
            assert_eq!(outcome.record.status, Status::Steady, "{spec}");
            assert!(mean >= zero * 0.97 && mean < zero * 1.06, "{mean} and {zero} without load: {spec}");
        }
    }
}

/// A flit is eight bytes here, and so is a packet: every message of 16 flits is cut into 16 packets.
#[test]
fn a_collective_of_cut_messages_ends_when_the_last_packet_is_delivered() {
    let spec = "topology = { kind = 'mesh', radix = [4, 4] }\n\
                router = { kind = 'input_output_queued', packet_bytes = 8, ingress_memory_bytes = 203, egress_memory_bytes = 203 }\n\
                traffic = { pattern = 'trns', size = { kind = 'fixed', flits = 16 } }\n\
                workload = { kind = 'collective', packets_per_node = 100 }\n";
    let record = outcome(spec).record;
    // The diagonal is silent.
    let all = 12 * 100 * 16;
    assert_eq!((record.status, record.packets_delivered), (Status::Completed, all));
    assert_eq!(
        (record.total_packets_generated, record.total_packets_delivered, record.packets_in_flight_end),
        (all, all, 0)
    );
    assert_eq!((record.total_flits_generated, record.total_flits_delivered), (all, all));
    let slow = outcome(&spec.replace("packets_per_node", "limit_cycles = 600, packets_per_node"));
    assert_eq!((slow.record.status, slow.record.total_packets_generated), (Status::Slow, all));
    let Diagnosis::Slow(slow) = slow.diagnosis else { panic!("{:?}", slow.diagnosis) };
    assert_eq!((slow.packets, slow.delivered < all), (all, true));
}

#[test]
fn everything_offered_arrives_under_every_discipline() {
    for spec in kinds() {
        let record = outcome(&spec).record;
        assert_eq!(record.status, Status::Steady, "{spec}");
        let accepted = record.accepted_load.expect("it is measured");
        assert!((accepted - 0.2).abs() < 0.02, "{accepted}: {spec}");
    }
}

#[test]
fn messages_are_cut_and_tracked() {
    for spec in kinds() {
        let record = outcome(&spec.replace("flits = 8", "flits = 40").replace("load = 0.2", "load = 0.1")).record;
        assert_eq!(record.status, Status::Steady, "{spec}");
        let (message, packet) = (record.message_latency_mean, record.latency_mean);
        // The last of five packets ends a message.
        assert!(message > packet.map(|packet| packet + 10.0), "{message:?} {packet:?}");
        let mixed = outcome(&spec.replace(MESSAGES.0, MESSAGES.1)).record;
        assert!(mixed.status == Status::Steady && mixed.message_latency_mean.is_some());
    }
    assert_eq!(facts(&small(&[MESSAGES])).zero_load_latency, None, "packets of a message are in each other's way");
}

const THRESHOLDS: &str = "detection_bytes = 512, notification_bytes = 512, xoff_bytes = 512, xon_bytes = 256";

/// Victims and culprits of a hot spot in an 8x8 mesh with small memories.
fn hot(kind: &str) -> Record {
    let changes = [
        ("[4, 4]", "[8, 8]"),
        ("header_cycles = 0", "ingress_memory_bytes = 4096, egress_memory_bytes = 4096"),
        ("kind = 'recn'", kind),
        ("load = 0.2", "load = 0.4"),
        ("pattern = 'uniform'", "pattern = { kind = 'hot_sources', destination = 32, one_in = 4 }"),
    ];
    outcome(&small(&changes)).record
}

fn recn(more: &str) -> Record {
    hot(&format!("kind = 'recn', {THRESHOLDS}{more}"))
}

#[test]
fn recn_spares_the_victims() {
    let victims = |record: Record| record.victim_load.expect("there are hot sources");
    let single = victims(hot("kind = 'single'"));
    let voq_sw = victims(hot("kind = 'voq_sw'"));
    let recn = victims(recn(""));
    assert!(recn > 0.385, "all of it gets through: {recn}");
    assert!(voq_sw < 0.8 * recn && single < 0.6 * recn, "{single}, {voq_sw} and {recn}");
}

#[test]
fn set_aside_queues_stay_within_their_limit_and_are_few_without_congestion() {
    let record = recn(", set_aside_queues = 3");
    for most in [record.set_aside_max_ingress, record.set_aside_max_egress] {
        assert!(most.is_some_and(|most| (1.0..=3.0).contains(&most)), "{most:?}");
    }
    let quiet = outcome(&small(&[LIGHT])).record;
    assert_eq!((quiet.set_aside_max_ingress, quiet.set_aside_max_egress), (Some(0.0), Some(0.0)));
    assert_eq!(hot("kind = 'voq_sw'").set_aside_max_ingress, None);
}

#[test]
fn routes_with_a_choice_run_where_order_need_not_hold() {
    for kind in ["kind = 'voq_sw'", "kind = 'damq'", "kind = 'dbbm', queues = 8"] {
        let spec = small(&[("kind = 'recn'", kind), ("kind = 'dimension_order'", "kind = 'turn_model'")]);
        assert_eq!(outcome(&spec).record.status, Status::Steady, "{kind}");
        let order = facts(&spec).details.into_iter().find(|d| d.0 == "order").expect("it is said").1;
        assert!(order.starts_with("not kept: a turn model leaves packets a choice"), "{order}");
    }
}

#[test]
fn what_can_deadlock_runs_when_it_is_allowed() {
    let torus = |routing: &str| {
        let text = small(&[("'mesh'", "'torus'"), ("[4, 4]", "[6, 6]"), ("kind = 'recn'", "kind = 'voq_sw'")]);
        text.replace("kind = 'dimension_order'", routing)
    };
    for routing in [
        "kind = 'dimension_order'",
        "kind = 'dimension_order', tie = 'random'",
        "kind = 'valiant'",
        "kind = 'o1turn'",
        "kind = 'adaptive', escape = 'none'",
    ] {
        assert!(refusal(&torus(routing)).contains("would deadlock"), "{routing}");
        let allowed = format!("run = {{ allow_deadlock = true }}\n{}", torus(routing));
        assert_eq!(outcome(&allowed).record.status, Status::Steady, "{routing}");
        assert!(facts(&allowed).deadlock_freedom.starts_with("it can deadlock"));
    }
    assert!(prepared(&torus("kind = 'dimension_order'").replace("[6, 6]", "[3, 3]")).is_ok(), "no cycle in rings of 3");
    let escape = format!("run = {{ allow_deadlock = true }}\n{}", torus("kind = 'adaptive'"));
    assert!(refusal(&escape).contains("escape channels are virtual channels"));
}

#[test]
fn queues_tell_enough_packets_apart_to_be_free_where_channels_would_not() {
    let torus = |radix: &str, queueing: &str, routing: &str| {
        small(&[
            ("'mesh'", "'torus'"),
            ("[4, 4]", radix),
            ("kind = 'recn'", queueing),
            ("kind = 'dimension_order'", routing),
            ("load = 0.2", "load = 1.0"),
        ])
    };
    let free =
        |spec: &str| facts(spec).deadlock_argument == Some("acyclic") && outcome(spec).diagnosis.lock().is_none();
    // A queue for each destination: nobody waits for packets that go elsewhere.
    assert!(free(&torus("[6, 6]", "kind = 'voq_net'", "kind = 'adaptive', escape = 'none'")));
    // Queues by the next turn but one: two hops along a ring of four or five are one wait, and no circle.
    assert!(free(&torus("[5, 5]", "kind = 'voq_sw'", "kind = 'dimension_order'")));
    assert!(prepared(&torus("[6, 6]", "kind = 'voq_sw'", "kind = 'dimension_order'")).is_err());
    assert!(
        prepared(&torus("[5, 5]", "kind = 'voq_sw', egress_index = 'single'", "kind = 'dimension_order'")).is_err()
    );
}

#[test]
fn finite_admittance_queues_stall_their_node() {
    let spec = small(&[
        ("header_cycles = 0", "source_queue_packets = 1"),
        ("load = 0.2", "load = 0.9"),
        ("pattern = 'uniform'", "pattern = { kind = 'hot_sources', destination = 5, one_in = 2 }"),
    ]);
    let record = outcome(&spec).record;
    assert_eq!(record.status, Status::Saturated);
    assert!(record.culprit_load.expect("hot sources") < 0.15);
}

#[test]
fn probes_do_not_change_what_they_watch() {
    let watched = "probes = { link_load = true, node_load = true, injection_queues = true, channel_occupancy = true, \
                   set_aside_queues = true, occupancy_every_cycles = 100, congestion = true }";
    let plain = outcome(SMALL);
    let all = outcome(&format!("{watched}\n{SMALL}"));
    assert_eq!(plain.record.digest, all.record.digest);
    assert!(all.record.injection_queue_mean.is_some_and(|mean| mean < 1.0));
}

#[test]
fn a_cycle_is_a_flits_time_on_a_link() {
    let record = outcome(&small(&[LIGHT, ("header_cycles = 0", "link_gbps = 16.0")])).record;
    assert_eq!(record.cycle_ns, Some(4.0));
    let (cycles, ns) = (record.latency_mean.expect("packets"), record.latency_mean_ns.expect("a cycle has a length"));
    assert!((ns - 4.0 * cycles).abs() < 1e-9);
    let clocked = |ns: &str| format!("clock = {{ cycle_ns = {ns} }}\n{SMALL}");
    assert!(prepared(&clocked("8.0")).is_ok());
    assert!(refusal(&clocked("4.0")).contains("8 bytes at 8 Gb/s take 8 ns, and not 4 ns"));
}

#[test]
fn check_says_what_the_queues_are() {
    let said = |spec: &str, name: &str| facts(spec).details.into_iter().find(|d| d.0 == name).map(|d| d.1);
    let voq = small(&[("kind = 'recn'", "kind = 'voq_sw'")]);
    assert_eq!(said(&voq, "cycle").as_deref(), Some("8 ns"));
    assert_eq!(said(&voq, "links").as_deref(), Some("8 Gb/s each way: one flit of 8 bytes per cycle"));
    assert_eq!(said(&voq, "packets").as_deref(), Some("64 bytes: 8 cycles on a link, 8 through the crossbar"));
    assert_eq!(said(&voq, "ingress side").as_deref(), Some("5 queues of 25.6 KiB (409 packets) each"));
    assert_eq!(said(&voq, "egress side to a node").as_deref(), Some("a queue of 128.0 KiB (2048 packets)"));
    assert_eq!(
        said(SMALL, "ingress side").as_deref(),
        Some("up to 13 queues in one memory of 128.0 KiB (2048 packets)")
    );
    assert_eq!(said(SMALL, "adapter").as_deref(), Some("up to 9 queues in one memory of 128.0 KiB (2048 packets)"));
    let order = said(SMALL, "order").expect("it is said");
    assert!(order.starts_with("kept: dimension order gives") && order.contains("markers"), "{order}");
    assert!(!said(&voq, "order").expect("it is said").contains("markers"));
    let idle = facts(&format!("selection = 'turn'\n{SMALL}")).warnings;
    assert!(idle.iter().any(|w| w.contains("selection.kind = turn has no effect")), "{idle:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |changes: &[Change], reason: &str| {
        let text = refusal(&small(changes));
        assert!(text.contains(reason), "{reason}: {text}");
    };
    let router = |more: &'static str| ("header_cycles = 0", more);
    let recn = |more: &'static str| ("kind = 'recn'", more);
    refused(&[router("flit_bytes = 12")], "set router.packet_bytes to 60 or 72");
    refused(&[router("flit_bytes = 128")], "set router.packet_bytes to 128");
    refused(
        &[("flits = 8", "flits = 12")],
        "messages of 12 flits cannot be cut into packets of 8 flits (64 bytes of 8 each)",
    );
    refused(&[router("packet_bytes = 128")], "cannot be cut into packets of 16 flits");
    refused(&[router("ingress_memory_bytes = 63")], "has no room for a packet of 64");
    refused(&[router("egress_memory_bytes = 63")], "set router.egress_memory_bytes to 64");
    let voq = recn("kind = 'voq_sw'");
    refused(&[voq, router("ingress_memory_bytes = 319")], "divided among 5 queues under voq_sw");
    refused(&[voq, router("egress_memory_bytes = 319")], "320 bytes together");
    refused(&[recn("kind = 'voq_net'"), router("egress_memory_bytes = 1023")], "16 queues under voq_net");
    refused(&[recn("kind = 'recn', xon_bytes = 1311")], "between 1310 and 1311 bytes");
    refused(&[("link_cycles = 3", "link_cycles = 3, nodes_per_router = 61")], "a switch would have 65 ports (4 to its");
    refused(&[("link_cycles = 3", "link_cycles = 3, nodes_per_router = 53")], "57 ports and 8 set-aside queues");
    refused(&[("[4, 4]", "[40, 40]")], "a notice can name a congested point by 63");
    refused(&[recn("kind = 'single'"), ("[4, 4]", "[255, 2]")], "a packet carries 255");
    let turns = ("kind = 'dimension_order'", "kind = 'turn_model'");
    refused(&[turns], "recn needs deterministic routing");
    refused(&[("'mesh'", "'torus'"), ("'dimension_order'", "'dimension_order', tie = 'random'")], "one or the other");
    refused(&[router("virtual_channels = 2")], "belongs to router kinds");
    refused(&[router("routing_cycles = 1")], "belongs to router kinds `wormhole`, `input_queued`");
    refused(&[("load = 0.2", "load = 0.2, packet_flits = 8")], "leave traffic.packet_flits out");
    refused(&[recn("kind = 'single'"), ("[4, 4]", "[32000, 32000]")], "of memory");
    let also = |section: &str, reason: &str| {
        let text = refusal(&format!("{section}\n{SMALL}"));
        assert!(text.contains(reason), "{reason}: {text}");
    };
    also("recovery = 'disha'", "has no recovery lane");
    also("admission = 'u_channels'", "one port with one channel");
    also("admission = 'entropy'", "packets move as wholes");
    also("admission = 'inc'", "packets move as wholes");
    for throttle in ["spth", "self_tuned", "global_threshold"] {
        let text = refusal(&format!("admission = '{throttle}'\n{}", small(&[voq])));
        assert!(text.contains("a memory that is divided among queues is not full"), "{text}");
        assert!(prepared(&format!("admission = '{throttle}'\n{SMALL}")).is_ok(), "{throttle}");
    }
    also("admission = { kind = 'spth', margin_flits = 16384 }", "is busy even when it is empty");
    also("flow_control = 'bubble'", "credits alone say what fits");
    also("interface = { queues = 2 }", "no injection interface");
    let large = small(&[router("ingress_memory_bytes = 1000000")]);
    assert!(prepared(&large).is_ok());
    assert!(refusal(&format!("probes = {{ congestion = true }}\n{large}")).contains("count up to 65535 flits"));
}

#[test]
fn the_other_routers_have_no_queues_to_sort() {
    for router in ["cut_through", "wormhole", "adaptive_cut_through"] {
        let spec = format!(
            "topology = {{ kind = 'mesh', radix = [4, 4] }}\nrouter = '{router}'\nqueueing = 'voq_sw'\n\
             traffic = {{ load = 0.2, size = {{ kind = 'fixed', flits = 8 }} }}"
        );
        assert!(refusal(&spec).contains("`voq_sw` sorts packets into the queues of"), "{router}");
        assert!(prepared(&spec.replace("voq_sw", "single")).is_ok(), "{router}");
    }
}

#[test]
fn switches_of_more_than_64_ports_are_refused_for_that_alone() {
    let spec = |nodes: u32| {
        let nodes = format!("radix = [4, 4], nodes_per_router = {nodes}, link_cycles = 3");
        let wide = [("radix = [4, 4], link_cycles = 3", nodes.as_str()), LIGHT, ("kind = 'recn'", "kind = 'voq_sw'")];
        small(&wide).replace("header_cycles = 0", "ingress_memory_bytes = 131072, egress_memory_bytes = 131072")
    };
    prepared(&spec(60)).unwrap_or_else(|errors| panic!("{}", errors.render()));
    for nodes in [61, 64] {
        let said = refusal(&spec(nodes));
        assert!(said.contains(&format!("a switch would have {} ports", nodes + 4)), "{said}");
        assert!(!said.contains("wait for each other"), "{said}");
    }
}

/// Starts a packet where the egress side of its port is free, as `alo` does in such a switch.
struct Free;

impl DecideLocally for Free {
    fn decide(&mut self, _cycle: u64, view: LocalView<'_>, open: &mut [bool]) {
        for (useful, open) in open.iter_mut().enumerate() {
            *open = (0..view.room.len()).all(|port| useful >> port & 1 == 0 || view.room[port] & view.all != 0);
        }
    }
}

#[test]
fn a_rule_from_outside_is_heard_as_a_throttle_is() {
    let heavy = |throttle: &str| format!("admission = '{throttle}'\n{}", small(&[("load = 0.2", "load = 0.7")]));
    let ready = |throttle: &str| prepared(&heavy(throttle)).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let (cancel, cycles_done) = (AtomicBool::new(false), AtomicU64::new(0));
    let control = Control { cancel: &cancel, cycles_done: &cycles_done, threads: 1 };
    let digest = |prepared: &Prepared| run(prepared, &control).record.digest;
    let ruled = ready("off").with_local_rule(Free, 1).unwrap_or_else(|errors| panic!("{}", errors.render()));
    assert_eq!(digest(&ruled), digest(&ready("alo")));
    assert_ne!(digest(&ruled), digest(&ready("off")));
}
