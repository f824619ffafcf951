//! Whole points of adaptive cut-through networks through the façade.

use crate::common;
use crate::common::{changed, facts, outcome, prepared, refusal};
use tailback_results::Status;

const SMALL: &str = "
topology = { kind = 'torus', radix = [8, 8] }
router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = 32 }
flow_control = { kind = 'bubble' }
routing = { kind = 'adaptive', escape = 'ring', tie = 'random' }
traffic = { load = 0.2, pattern = 'uniform', size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000, drain_cycles = 4000 }
";

fn small(changes: &[(&str, &str)]) -> String {
    changed(SMALL, changes)
}

const LIGHT: (&str, &str) = ("0.2", "0.002");
const CUT: (&str, &str) = (
    "size = { kind = 'fixed', flits = 8 }",
    "packet_flits = 8, size = { kind = 'bimodal', short_flits = 8, long_flits = 40, long_percent = 20 }",
);
const DOR: (&str, &str) = ("kind = 'adaptive', escape = 'ring'", "kind = 'dimension_order', datelines = 'none'");

fn interface(words: &str) -> String {
    format!("interface = {{ {words} }}\n{SMALL}")
}

#[test]
fn a_light_load_is_steady_and_at_the_zero_load_latency() {
    let router = |more: &str| format!("buffer_flits = 32, {more}");
    for (more, dor) in [
        ("header_cycles = 0", false),
        ("header_cycles = 3, turn_cycles = 1, consumption_cycles = 2", false),
        ("header_cycles = 3, turn_cycles = 5, requests = 'in_turn', crossbar_outputs = 'channel'", false),
        ("header_cycles = 1, turn_cycles = 2, consumption_cycles = 1, requests = 'smart'", true),
    ] {
        let mut spec = small(&[LIGHT, ("buffer_flits = 32", &router(more))]);
        if dor {
            spec = spec.replace(DOR.0, DOR.1);
        }
        let (record, facts) = (outcome(&spec).record, facts(&spec));
        assert_eq!(record.status, Status::Steady, "{spec}");
        // The means of hops and turns differ by chance; the rest is exact but for packets that meet.
        let per_hop = facts.zero_load_latency.expect("known") / facts.hops_mean.expect("known");
        let slack = (record.hops_mean.expect("packets") - facts.hops_mean.expect("known")).abs() * per_hop;
        let (latency, expected) = (record.latency_mean.expect("packets"), facts.zero_load_latency.expect("known"));
        assert!((latency - expected).abs() < slack + 0.6, "{latency} against {expected}: {spec}");
    }
}

#[test]
fn the_zero_load_latency_is_that_of_bubble_1999() {
    // Table 5, random traffic: 4 cycles a hop, one more for a turn and one for consumption; 276.5 and 303.8 ns.
    let spec = |routing: &str, times: &str| {
        format!(
            "topology = {{ kind = 'torus', radix = [16, 16] }}
             router = {{ kind = 'adaptive_cut_through', virtual_channels = 2, buffer_flits = 64, header_cycles = 3, {times} }}
             flow_control = 'bubble'
             routing = {{ {routing}, tie = 'random' }}
             traffic = {{ load = 0.00025, size = {{ kind = 'fixed', flits = 16 }} }}"
        )
    };
    let cycles = |spec: &str| facts(spec).zero_load_latency.expect("known");
    let deterministic = spec("kind = 'dimension_order', datelines = 'none'", "consumption_cycles = 1")
        .replace("virtual_channels = 2, buffer_flits = 64", "virtual_channels = 1, buffer_flits = 128");
    let adaptive = spec("kind = 'adaptive', escape = 'ring'", "turn_cycles = 1, consumption_cycles = 2");
    assert!((cycles(&deterministic) - 276.5 / 5.25).abs() < 1.0, "{}", cycles(&deterministic));
    assert!((cycles(&adaptive) - 303.8 / 5.65).abs() < 1.0, "{}", cycles(&adaptive));
}

#[test]
fn the_same_point_gives_the_same_digest_with_probes_on() {
    for words in ["queues = 1", "kind = 'lpath', queues = 4, channels = 'virtual', router_packets = 2"] {
        let spec = interface(words).replace("0.2", "0.6").replace(CUT.0, CUT.1);
        let plain = outcome(&spec).record;
        let probes = "{ link_load = true, occupancy_every_cycles = 10, space_time_cycles = 50, congestion = true }";
        let watched = outcome(&format!("probes = {probes}\n{spec}"));
        assert_eq!(plain.digest, watched.record.digest);
        assert_eq!(plain.digest, outcome(&spec).record.digest);
        assert!(watched.space_time.is_some() && watched.link_map.is_some());
    }
}

#[test]
fn every_rule_runs_and_is_one_of_its_own() {
    let mut digests = Vec::new();
    for requests in ["parallel", "in_turn", "smart", "random", "shortest"] {
        for outputs in ["link", "channel"] {
            for transit_first in [false, true] {
                let router = format!(
                    "buffer_flits = 32, requests = '{requests}', crossbar_outputs = '{outputs}', \
                     transit_first = {transit_first}"
                );
                let spec = small(&[("buffer_flits = 32", &router), ("0.2", "0.7"), ("4000, d", "1000, d")]);
                let record = outcome(&spec).record;
                assert!(record.status != Status::Deadlocked && record.packets_delivered > 500, "{router}");
                digests.push(record.digest);
            }
        }
    }
    let all = digests.len();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), all);
}

#[test]
fn every_interface_runs_and_stalls_on_full_queues() {
    for kind in common::kinds("interface") {
        for channels in ["physical", "virtual"] {
            let spec = interface(&format!("kind = '{kind}', queues = 4, channels = '{channels}'"))
                .replace("0.2", "1.0")
                .replace("buffer_flits = 32", "buffer_flits = 32, source_queue_packets = 4");
            let record = outcome(&spec).record;
            let (made, offered) = (record.generated_load.expect("a load"), record.offered_load.expect("a load"));
            assert!(made < 0.95 * offered && record.accepted_load.expect("a load") > 0.3, "{kind}: {made}");
        }
    }
}

#[test]
fn messages_are_cut_and_a_collective_of_them_completes() {
    let spec = small(&[
        CUT,
        (
            "kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000, drain_cycles = 4000",
            "kind = 'collective', packets_per_node = 5",
        ),
    ]);
    let record = outcome(&spec).record;
    assert_eq!((record.status, record.packets_in_flight_end), (Status::Completed, 0));
    assert!(record.packets_delivered > 64 * 5, "{} packets of 320 messages", record.packets_delivered);
    assert_eq!(record.flits_delivered, 8 * record.packets_delivered);
    let light = small(&[CUT, LIGHT]);
    assert_eq!(outcome(&light).record.status, Status::Steady);
    assert_eq!(facts(&light).zero_load_latency, None, "packets of a message wait for each other");
}

#[test]
fn bubbles_and_datelines_protect_and_nothing_else() {
    let why = |spec: &str| facts(spec).deadlock_freedom;
    assert!(
        why(SMALL).starts_with("free of deadlock") && why(SMALL).contains("a bubble in every ring"),
        "{}",
        why(SMALL)
    );
    assert!(why(&small(&[DOR])).contains("a bubble in every ring"));
    assert!(
        why(&small(&[("escape = 'ring'", "escape = 'dateline'"), ("'bubble'", "'virtual_cut_through'")]))
            .contains("dateline")
    );
    assert!(why(&small(&[("'bubble'", "'bubble', scope = 'ring'")])).contains("bubble"));
    let bare = |routing: (&str, &str)| small(&[routing, ("'bubble'", "'virtual_cut_through'")]);
    for (routing, reason, help) in [
        (("'ring'", "'ring'"), "one escape channel over rings without datelines", "flow_control = \"bubble\""),
        (DOR, "rings without datelines", "flow_control = \"bubble\""),
        (("'ring'", "'none'"), "no escape channels", "escape that cannot deadlock"),
    ] {
        let text = refusal(&bare(routing));
        assert!(text.contains(reason) && text.contains(help), "{text}");
        let allowed = format!("run = {{ allow_deadlock = true }}\n{}", bare(routing));
        assert!(facts(&allowed).deadlock_freedom.starts_with("it can deadlock"));
    }
    assert!(refusal(&small(&[("'ring'", "'none'")])).contains("no escape channels"), "a bubble alone is no help");
    assert!(refusal(&small(&[("'bubble'", "'bubble', escape_packets = 1")])).contains("bubble of one packet"));
    let long = ("radix = [8, 8]", "radix = [8, 8], link_cycles = 9");
    let late = refusal(&small(&[long]));
    assert!(late.contains("knows its own queue too late: 2 packets of 8 flits"), "{late}");
    assert!(why(&small(&[long, ("'bubble'", "'bubble', escape_packets = 3")])).starts_with("free"));
    assert!(why(&small(&[long, ("'bubble'", "'bubble', scope = 'ring'")])).starts_with("free"));
}

#[test]
fn a_ring_without_bubbles_deadlocks_as_the_refusal_says() {
    let spec = small(&[
        DOR,
        ("'bubble'", "'virtual_cut_through'"),
        ("0.2", "1.0"),
        ("virtual_channels = 3", "virtual_channels = 1"),
    ]);
    let locked = outcome(&format!("run = {{ allow_deadlock = true }}\n{spec}"));
    assert_eq!(locked.record.status, Status::Deadlocked);
    assert!(locked.diagnosis.lock().expect("evidence").circle.len() >= 2);
    let saved = outcome(&spec.replace("'virtual_cut_through'", "'bubble'")).record;
    assert_eq!(saved.status, Status::Saturated);
}

#[test]
fn the_bubble_around_the_ring_is_marked_ideal() {
    assert!(!outcome(&small(&[LIGHT])).record.ideal);
    assert!(outcome(&small(&[LIGHT, ("'bubble'", "'bubble', scope = 'ring'")])).record.ideal);
}

#[test]
fn what_an_adaptive_cut_through_network_cannot_be_is_refused_with_the_reason() {
    let refused = |changes: &[(&str, &str)], reason: &str| {
        let text = refusal(&small(changes));
        assert!(text.contains(reason), "{reason}: {text}");
    };
    refused(&[("buffer_flits = 32", "buffer_flits = 36")], "set router.buffer_flits to 32 or 40");
    refused(&[("buffer_flits = 32", "buffer_flits = 7")], "never fits a buffer of 7");
    refused(&[("kind = 'fixed', flits = 8", "kind = 'bimodal'")], "the lengths of traffic.size vary");
    refused(&[("load = 0.2", "load = 0.2, packet_flits = 5")], "cannot be cut into packets of 5");
    refused(&[("buffer_flits = 32", "buffer_flits = 8")], "holds 1, so no packet could ever enter");
    refused(&[("'bubble'", "'bubble', escape_packets = 5")], "set flow_control.escape_packets to 4 or less");
    refused(&[("'bubble'", "'bubble', new_packets = 5")], "no new packet could ever leave its node");
    refused(&[("'bubble'", "'bubble', scope = 'ring', escape_packets = 33")], "the shortest ring together hold 32");
    refused(&[("'bubble'", "'bubble', scope = 'ring', escape_packets = 32, new_packets = 5")], "the own queue");
    refused(&[("virtual_channels = 3", "virtual_channels = 16")], "inputs");
    refused(&[("virtual_channels = 3", "virtual_channels = 3, ejection_channels = 61")], "outputs");
    refused(
        &[("buffer_flits = 32", "buffer_flits = 32, routing_cycles = 1")],
        "belongs to router kinds `wormhole`, `input_queued`",
    );
    refused(&[("buffer_flits = 32", "buffer_flits = 32, requests = 'serial'")], "no choice");
    refused(&[("8, 8", "32000, 32000")], "of memory");
    let also = |section: &str, reason: &str| {
        let text = refusal(&format!("{section}\n{SMALL}"));
        assert!(text.contains(reason), "{reason}: {text}");
    };
    also("recovery = 'disha'", "no recovery lane");
    also("admission = 'entropy'", "packets move as wholes");
    also("interface = { queues = 5 }", "4 here, and not 5");
    also("interface = { kind = 'lpath', queues = 2 }", "each of the 4 directions");
    also("interface = { kind = 'shp' }", "a node has 1");
}

#[test]
fn a_line_has_a_buffer_less_than_a_ring() {
    let mesh = [("'torus'", "'mesh'"), ("'bubble'", "'bubble', scope = 'ring', escape_packets = 29")];
    assert!(refusal(&small(&mesh)).contains("the 7 buffers around the shortest ring together hold 28"));
}

#[test]
fn the_other_routers_refuse_what_they_do_not_do() {
    let others = ["{ buffer_flits = 32 }", "{ kind = 'wormhole', virtual_channels = 3 }"];
    for router in others {
        let of = |section: &str| {
            let traffic = "traffic = { load = 0.2, packet_flits = 0, size = { kind = 'fixed', flits = 8 } }";
            format!("topology = {{ kind = 'torus', radix = [8, 8] }}\nrouter = {router}\n{traffic}\n{section}")
        };
        assert!(prepared(&of("")).is_ok());
        assert!(refusal(&of("flow_control = 'bubble'")).contains("only the adaptive cut-through data path does"));
        assert!(refusal(&of("interface = { queues = 2 }")).contains("has an injection interface"));
        assert!(refusal(&of("interface = { channels = 'virtual' }")).contains("has an injection interface"));
        let cut = of("").replace("packet_flits = 0", "packet_flits = 8");
        let wormhole = router.contains("wormhole");
        assert_eq!(prepared(&cut).is_ok(), wormhole);
        assert!(wormhole || refusal(&cut).contains("sends each message as one packet"));
    }
}

#[test]
fn choices_that_change_nothing_are_warned_of() {
    let warned = |spec: &str, words: &str| facts(spec).warnings.iter().any(|w| w.contains(words));
    assert!(facts(SMALL).warnings.is_empty(), "{:?}", facts(SMALL).warnings);
    let selection = format!("selection = 'turn'\n{SMALL}");
    assert!(facts(&selection).warnings.is_empty());
    let smart = selection.replace("buffer_flits = 32", "buffer_flits = 32, requests = 'smart'");
    assert!(warned(&smart, "selection.kind = turn has no effect"));
    let first = small(&[("buffer_flits = 32", "buffer_flits = 32, escape_first = true")]);
    assert!(
        facts(&first).warnings.is_empty()
            && warned(&first.replace(DOR.0, DOR.1), "router.escape_first = true has no effect")
    );
    let models =
        small(&[("'torus'", "'mesh'"), ("kind = 'adaptive', escape = 'ring', tie = 'random'", "kind = 'turn_model'")]);
    assert!(warned(&models, "flow_control.kind = bubble has no effect"));
}

#[test]
fn what_piles_up_in_queues_without_end_counts_as_memory() {
    let bytes = |load: &str, queue: &str| {
        let router = format!("buffer_flits = 32, source_queue_packets = {queue}");
        let long = ("measure_cycles = 4000", "measure_cycles = 99000");
        facts(&small(&[("0.2", load), long, ("buffer_flits = 32", &router)])).memory_bytes
    };
    // Uniform traffic fills the bisection at 1 flit a node and cycle: 6,250 packets a node are left at 1.5.
    assert_eq!(bytes("1.5", "4"), bytes("0.5", "4"));
    assert_eq!(bytes("0.9", "'infinite'"), bytes("0.5", "'infinite'"));
    let more = bytes("1.5", "'infinite'") - bytes("0.5", "'infinite'");
    assert!((64 * 6_250 * 32..64 * 16_384 * 128).contains(&more), "{more}");
}
