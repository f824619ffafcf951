//! Whole points of wormhole networks through the façade.

use crate::common::{changed, facts, outcome, refusal};
use tailback_results::Status;

const SMALL: &str = "
topology = { kind = 'torus', radix = [8, 8] }
router = { kind = 'wormhole', virtual_channels = 3, buffer_flits = 8, sharing = 'owned' }
routing = { kind = 'dimension_order' }
traffic = { load = 0.2, pattern = 'uniform', size = { kind = 'fixed', flits = 16 } }
workload = { kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000, drain_cycles = 4000 }
";

fn small(changes: &[(&str, &str)]) -> String {
    changed(SMALL, changes)
}

const ADAPTIVE: (&str, &str) = ("'dimension_order'", "'adaptive'");
const NO_ESCAPE: (&str, &str) = ("'dimension_order'", "'adaptive', escape = 'none'");
const SHARED: (&str, &str) = ("'owned'", "'shared'");

#[test]
fn a_light_load_is_steady_and_at_the_zero_load_latency() {
    for changes in [
        vec![("0.2", "0.002"), ("buffer_flits = 8", "buffer_flits = 16")],
        vec![("0.2", "0.002"), ("buffer_flits = 8", "buffer_flits = 16"), ADAPTIVE],
        vec![
            ("0.2", "0.002"),
            ("buffer_flits = 8", "buffer_flits = 16, speculative = true, vc_allocation_cycles = 3, routing_cycles = 2"),
        ],
        vec![("0.2", "0.002"), ("buffer_flits = 8", "buffer_flits = 8, vc_allocator = 'central', routing_cycles = 0")],
    ] {
        let spec = small(&changes);
        let (record, facts) = (outcome(&spec).record, facts(&spec));
        assert_eq!(record.status, Status::Steady, "{spec}");
        // The means of hops differ by chance; the rest is exact but for packets that meet.
        let per_hop = facts.zero_load_latency.expect("known") / facts.hops_mean.expect("known");
        let slack = (record.hops_mean.expect("packets") - facts.hops_mean.expect("known")).abs() * per_hop;
        let latency = record.latency_mean.expect("packets");
        let expected = facts.zero_load_latency.expect("known");
        assert!((latency - expected).abs() < slack + 0.6, "{latency} against {expected}: {spec}");
    }
}

#[test]
fn short_buffers_are_warned_of() {
    let warned = |spec: &str| facts(spec).warnings.iter().any(|w| w.contains("until a credit is back"));
    assert!(!warned(&small(&[])));
    assert!(warned(&small(&[("buffer_flits = 8", "buffer_flits = 4")])));
    assert!(!warned(&small(&[("buffer_flits = 8", "buffer_flits = 4"), ("flits = 16", "flits = 4")])));
}

#[test]
fn the_same_point_gives_the_same_digest_with_probes_on() {
    for routing in ["'dimension_order'", "'adaptive'"] {
        let spec = small(&[("'dimension_order'", routing)]);
        let plain = outcome(&spec).record;
        let probes = "{ link_load = true, occupancy_every_cycles = 10, space_time_cycles = 50, congestion = true }";
        let watched = outcome(&format!("probes = {probes}\n{spec}"));
        assert_eq!(plain.digest, watched.record.digest);
        assert_eq!(plain.digest, outcome(&spec).record.digest);
        assert!(watched.space_time.is_some() && watched.link_map.is_some());
    }
}

#[test]
fn every_allocator_and_sharing_runs() {
    let mut digests = Vec::new();
    for vc in ["central", "input_first", "output_first"] {
        for switch in ["input_first", "output_first"] {
            for inputs in ["port", "channel"] {
                for sharing in ["owned", "shared", "shared_whole"] {
                    let router = format!(
                        "'{sharing}', vc_allocator = '{vc}', switch_allocator = '{switch}', crossbar_inputs = '{inputs}'"
                    );
                    let record = outcome(&small(&[
                        ("'owned'", &router),
                        ("measure_cycles = 4000", "measure_cycles = 1000"),
                        ("0.2", "0.3"),
                    ]))
                    .record;
                    assert!(record.status != Status::Deadlocked && record.packets_delivered > 500, "{router}");
                    digests.push(record.digest);
                }
            }
        }
    }
    digests.sort();
    digests.dedup();
    // Without escapes both kinds of shared are one; with a crossbar input a channel both switch allocators are one.
    assert_eq!(digests.len(), 3 * 3 * 2);
}

#[test]
fn congestion_is_recorded_window_by_window() {
    let spec = format!("probes = {{ congestion = true, window_cycles = 500 }}\n{}", small(&[ADAPTIVE, ("0.2", "0.8")]));
    let outcome = outcome(&spec);
    let series = outcome.series.iter().find(|s| s.name == "congestion").expect("asked for");
    let column = |name: &str| &series.columns.iter().find(|c| c.name == name).expect(name).values;
    assert!(series.x.len() >= 10 && series.x[1] == 500.0);
    assert!(column("full_buffers")[9] > 10.0, "{:?}", column("full_buffers"));
    assert!(column("escapes")[9] > 0.0 && column("recovered").iter().all(|&n| n == 0.0));
    assert!(column("threshold").iter().all(|v| v.is_nan()), "nobody throttles");
    let windows = outcome.series.iter().find(|s| s.name == "windows").expect("always");
    assert_eq!(column("throughput")[3], windows.columns[1].values[3]);
    let share = outcome.findings.iter().find(|f| f.name == "escape_share").expect("there are escapes").value;
    assert!(share > 0.0 && share < 1.0, "{share}");
    assert!(!outcome.findings.iter().any(|f| f.name == "recovered_packets"));
}

#[test]
fn a_cycle_of_heads_is_refused_deadlocks_when_allowed_and_is_recovered_from() {
    let prone = small(&[NO_ESCAPE, ("virtual_channels = 3", "virtual_channels = 1"), ("0.2", "0.6")]);
    assert!(refusal(&prone).contains("deadlock"), "{}", refusal(&prone));
    let locked = outcome(&format!("run = {{ allow_deadlock = true }}\n{prone}"));
    assert_eq!(locked.record.status, Status::Deadlocked);
    assert!(locked.diagnosis.lock().expect("evidence").circle.len() >= 2);
    assert!(locked.explanation.contains("wait for each other in a circle"), "{}", locked.explanation);
    let recovering = format!("recovery = 'disha'\n{prone}");
    assert!(facts(&recovering).deadlock_freedom.contains("recovers"));
    let saved = outcome(&recovering);
    assert_eq!(saved.record.status, Status::Saturated);
    let recovered = saved.findings.iter().find(|f| f.name == "recovered_packets").expect("it recovers").value;
    assert!(recovered > 0.0 && saved.record.packets_delivered > 100, "{recovered}");
}

#[test]
fn escapes_without_room_deadlock_as_the_refusal_says() {
    let shared = small(&[ADAPTIVE, SHARED, ("flits = 16", "flits = 4"), ("'uniform'", "'tornado'"), ("0.2", "1.0")])
        .replace("buffer_flits = 8", "buffer_flits = 8, ejection_channels = 'infinite'")
        .replace("measure_cycles = 4000", "measure_cycles = 20000");
    assert!(refusal(&shared).contains("cannot take its escape"));
    let locked = outcome(&format!("run = {{ allow_deadlock = true }}\n{shared}"));
    assert_eq!(locked.record.status, Status::Deadlocked);
    for sharing in ["'owned'", "'shared_whole'"] {
        assert_eq!(outcome(&shared.replace("'shared'", sharing)).record.status, Status::Saturated);
    }
}

#[test]
fn what_a_wormhole_network_cannot_be_is_refused_with_the_reason() {
    let refused = |changes: &[(&str, &str)], reason: &str| {
        let text = refusal(&small(changes));
        assert!(text.contains(reason), "{reason}: {text}");
    };
    refused(
        &[("buffer_flits = 8", "buffer_flits = 8, header_cycles = 1")],
        "belongs to router kinds `cut_through`, `adaptive_cut_through`",
    );
    refused(
        &[("'wormhole'", "'cut_through'"), (", sharing = 'owned'", ", routing_cycles = 1")],
        "belongs to router kinds `wormhole`, `input_queued`",
    );
    refused(&[("'wormhole'", "'worm_hole'")], "has no kind");
    refused(&[("'owned'", "'lent'")], "no choice");
    refused(&[("virtual_channels = 3", "virtual_channels = 16")], "inputs");
    refused(&[("virtual_channels = 3", "virtual_channels = 15, ejection_channels = 5")], "output channels");
    refused(&[("'owned'", "'owned', injection_channels = 60")], "inputs");
    refused(&[("'owned'", "'owned', speculative = true, vc_allocator = 'central'")], "only vc_allocator");
    refused(&[("'owned'", "'owned', speculative = true, vc_allocation_cycles = 0")], "nothing to speculate");
    refused(&[NO_ESCAPE], "deadlock");
    refused(&[ADAPTIVE, SHARED], "cannot take its escape");
    refused(&[("'dimension_order'", "'dimension_order', datelines = 'none'")], "rings without datelines");
    refused(
        &[("'dimension_order'", "'adaptive', escape = 'none' }\nrecovery = { kind = 'disha'"), SHARED],
        "not always notice",
    );
    refused(&[("8, 8", "32000, 32000")], "of memory");
}

#[test]
fn a_recovery_that_would_miss_deadlocks_is_refused_even_where_deadlocks_are_allowed() {
    let spec = small(&[("'dimension_order'", "'adaptive', escape = 'none' }\nrecovery = { kind = 'disha'"), SHARED]);
    assert!(refusal(&format!("run = {{ allow_deadlock = true }}\n{spec}")).contains("not always notice"));
}

#[test]
fn recovery_does_not_go_with_packets_that_pass_their_destination() {
    let spec =
        small(&[("'dimension_order'", "'valiant'"), ("virtual_channels = 3", "virtual_channels = 4"), ("0.2", "0.05")]);
    assert!(refusal(&format!("recovery = 'disha'\n{spec}")).contains("cannot be combined with recovery"));
    assert_eq!(outcome(&spec).record.status, Status::Steady);
}

#[test]
fn cut_through_refuses_what_only_wormhole_does() {
    let cut_through = |routing: &str| {
        small(&[
            ("'wormhole'", "'cut_through'"),
            (", sharing = 'owned'", ""),
            ("buffer_flits = 8", "buffer_flits = 16"),
        ])
        .replace("'dimension_order'", routing)
    };
    assert!(refusal(&cut_through("'adaptive'")).contains("does not run adaptive routing"));
    let recovery = format!("recovery = 'disha'\n{}", cut_through("'dimension_order'"));
    assert!(refusal(&recovery).contains("no recovery lane"));
    let selection = format!("selection = 'random'\n{}", cut_through("'dimension_order'"));
    assert!(facts(&selection).warnings.iter().any(|w| w.contains("selection.kind = random has no effect")));
    assert!(facts(&cut_through("'dimension_order'")).warnings.is_empty());
}

#[test]
fn bounds_of_adaptive_routing_are_those_of_cuts() {
    // On a ring of eight every packet to the opposite node goes up under dimension order; half of the ring is left by two
    // links, whatever the routing, and a router's links out of its half are shared by all its packets.
    let bound = |spec: &str| facts(spec).channel_load_bound.expect("a small network");
    let uniform = small(&[ADAPTIVE]);
    assert!(
        (bound(&uniform) - facts(&uniform).bisection_load.expect("of a grid").min(1.0)).abs() < 1e-9,
        "{}",
        bound(&uniform)
    );
    // Dimension order sends all that a row has for a column over one link; adaptive packets can go around it.
    let transpose = |routing| small(&[("'torus'", "'mesh'"), ("'uniform'", "'trns'"), ("'dimension_order'", routing)]);
    assert!(bound(&transpose("'adaptive'")) > 1.5 * bound(&transpose("'dimension_order'")));
    for routing in ["'adaptive'", "'dimension_order'", "'valiant'", "'o1turn'"] {
        let spec = transpose(routing).replace("virtual_channels = 3", "virtual_channels = 4");
        let bound = bound(&spec);
        let above = outcome(&spec.replace("0.2", &format!("{}", 1.3 * bound))).record;
        assert_eq!(above.status, Status::Saturated, "{routing} carries more than {bound}");
    }
}

#[test]
fn ties_by_sign_load_links_unlike_on_a_ring() {
    let spec = small(&[("'dimension_order'", "'dimension_order', tie = 'sign'")]);
    let random = small(&[("'dimension_order'", "'dimension_order', tie = 'random'")]);
    let bound = |spec: &str| facts(spec).channel_load_bound.expect("a small network");
    assert!(bound(&spec) < bound(&random));
    let plus = small(&[("'dimension_order'", "'dimension_order', tie = 'plus'")]);
    assert!((bound(&plus) - bound(&spec)).abs() < 0.3, "{} {}", bound(&plus), bound(&spec));
}
