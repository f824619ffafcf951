//! Planted misfortunes: each is called by its name, and blamed on the right packets, nodes or links.

use crate::common;
use crate::common::same::controlled;
use crate::common::{changed, outcome, prepared};
use tailback_results::Status;
use tailback_sim::{Diagnosis, Doubt, Outcome, run};

/// A ring of eight without datelines, on which every node sends three routers up.
const RING: &str = "
topology = { kind = 'torus', radix = [8] }
router = { virtual_channels = 1, buffer_flits = 8 }
routing = { datelines = 'none' }
run = { allow_deadlock = true }
traffic = { load = 1.0, pattern = { kind = 'torn', offset = 3 }, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 4000, drain_cycles = 0 }
";

#[test]
fn a_planted_deadlock_is_explained_by_its_ring() {
    let prepared = prepared(RING).unwrap_or_else(|e| panic!("{}", e.render()));
    let outcome = controlled(|control| run(&prepared, control));
    let Diagnosis::Deadlocked(lock) = &outcome.diagnosis else { panic!("{:?}", outcome.diagnosis) };
    assert_eq!((lock.blocked, lock.circle.len()), (8, 8), "every buffer of the ring, and no other");
    for (stuck, next) in lock.circle.iter().zip(lock.circle.iter().cycle().skip(1)) {
        let (head, grid) = (&stuck.head, prepared.grid());
        assert_eq!(stuck.link, (grid.upstream(head.router, 0), head.router));
        assert_eq!((head.port, head.channels), (0, 1));
        assert_eq!(grid.peer(head.router, 0), next.head.router, "it waits for the buffer that the next one is in");
        assert_eq!((8 + head.destination - head.source) % 8, 3);
        assert!(head.room.is_some_and(|flits| flits < 4), "{stuck:?}");
        assert!(outcome.explanation.contains(&stuck.words[1..]), "{}", outcome.explanation);
    }
}

/// Two rows of a torus that lock while the others go on: nothing is ever still.
#[test]
fn a_deadlock_of_a_part_of_a_short_run_is_no_saturation() {
    let part = changed(RING, &[("radix = [8]", "radix = [8, 2]"), ("4000", "9000")]);
    let outcome = outcome(&part);
    assert_eq!(outcome.record.status, Status::Deadlocked, "{}", outcome.explanation);
}

/// Figure 3 of bubble-1999: routers 3 and 4 stand beside links that others keep busy.
const BESIDE: &str = "
topology = { kind = 'torus', radix = [8] }
traffic = { load = 2.0, pattern = 'shfl', size = { kind = 'fixed', flits = 16 } }
workload = { kind = 'steady', warmup_cycles = 2_000, measure_cycles = 20_000, drain_cycles = 0 }
";

#[test]
fn a_planted_starvation_names_the_node_and_since_when() {
    let outcome = outcome(&format!("preset = 'bubble_dor_2d'\n{BESIDE}"));
    assert_eq!(outcome.record.status, Status::Starved, "{}", outcome.explanation);
    let Diagnosis::Starved(nodes) = &outcome.diagnosis else { panic!("{:?}", outcome.diagnosis) };
    assert!(nodes.iter().all(|starving| [3, 4].contains(&starving.node)), "{nodes:?}");
    assert_eq!(outcome.record.longest_wait_node, Some(f64::from(nodes[0].node)));
    assert!(nodes.iter().all(|starving| starving.since < 2_000 && starving.others > 100.0), "{nodes:?}");
    let words = format!("Node {} at [{}] got no packet into the network from cycle ", nodes[0].node, nodes[0].node);
    assert!(outcome.explanation.contains(&words), "{}", outcome.explanation);
}

#[test]
fn a_starvation_is_told_from_a_short_wait_and_holds_in_a_longer_run() {
    // As many cycles as prove nothing yet, then more.
    let of = |cycles: &str| outcome(&format!("preset = 'bubble_dor_2d'\n{}", changed(BESIDE, &[("20_000", cycles)])));
    let short = of("300");
    assert_eq!(short.record.status, Status::Saturated, "{}", short.explanation);
    let waits = short.long_waits.as_ref().expect("nodes 3 and 4 wait");
    assert!(matches!(waits.doubt, Doubt::Few { .. }), "{waits:?}");
    for cycles in ["5_000", "80_000"] {
        let long = of(cycles);
        assert_eq!((long.record.status, long.long_waits), (Status::Starved, None), "{}", long.explanation);
    }
}

#[test]
fn nodes_that_starve_where_the_others_are_not_served_either_are_named_beside_saturation() {
    // The ring ends in a busy node: five nodes get nothing in, the others less than they ask for.
    let sink = "{ kind = 'hot_spot', nodes = [0], share_percent = 100.0 }";
    let sink = changed(BESIDE, &[("load = 2.0", "load = 0.5"), ("'shfl'", sink)]);
    let outcome = outcome(&format!("preset = 'bubble_dor_2d'\n{sink}"));
    let Diagnosis::Saturated(saturation) = &outcome.diagnosis else { panic!("{}", outcome.explanation) };
    assert!(saturation.starving.len() >= 3 && outcome.long_waits.is_none(), "{saturation:?}");
    assert!(outcome.explanation.contains("nodes starve: "), "{}", outcome.explanation);
}

/// Load that rises to a torus's saturation and beyond.
const RAMP: &str = "
topology = { kind = 'torus', radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'ramp', end_load_flits_per_node_cycle = 0.6, cycles = 100_000 }
";

#[test]
fn a_ramp_without_a_critical_load_says_why_and_its_advice_helps() {
    let found = |outcome: &Outcome| outcome.findings.iter().any(|finding| finding.name == "critical_load");
    let steep = outcome(RAMP);
    let remark = steep.ramp_remark.clone().expect("a remark");
    assert!(!found(&steep) && steep.explanation.contains(&remark[1..]), "{}", steep.explanation);
    assert!(remark.contains("no slope between the baseline loads 0.01 and 0.04"), "{remark}");
    assert!(remark.ends_with("make workload.cycles, 100000 now, 610000 or more"), "{remark}");
    let short = outcome(&changed(RAMP, &[("100_000", "20_000")])).ramp_remark.expect("a remark");
    assert!(short.contains("has 200 windows, the method needs at least 450"), "{short}");
    assert!(short.ends_with("make workload.cycles, 20000 now, 610000 or more"), "{short}");
    let longer = outcome(&changed(RAMP, &[("100_000", "610_000")]));
    assert!(found(&longer) && longer.ramp_remark.is_none(), "{:?} {:?}", longer.findings, longer.ramp_remark);
}

#[test]
fn a_ramp_that_ends_too_low_is_told_to_go_higher() {
    for (end, reason) in [("0.2", "never stays low"), ("0.005", "no slope between")] {
        let low = outcome(&changed(RAMP, &[("0.6", end)])).ramp_remark.expect("a remark");
        assert!(low.contains(reason) && low.contains(&format!("_cycle, {end} now, larger")), "{low}");
    }
    assert_eq!(outcome(LINE).ramp_remark, None, "no ramp");
}

#[test]
fn who_is_served_late_is_not_starved() {
    let outcome = outcome(&format!("preset = 'bubble_adaptive_2d'\n{BESIDE}"));
    assert_eq!(outcome.record.status, Status::Saturated, "{}", outcome.explanation);
}

/// A line of eight under uniform traffic: most flits cross its middle.
const LINE: &str = "
topology = { kind = 'mesh', radix = [8] }
router = { virtual_channels = 1, buffer_flits = 8 }
traffic = { load = 1.0, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 2_000, measure_cycles = 40_000, drain_cycles = 0 }
";

#[test]
fn saturation_names_the_links_that_bind() {
    let outcome = outcome(LINE);
    let Diagnosis::Saturated(saturation) = &outcome.diagnosis else { panic!("{:?}", outcome.diagnosis) };
    assert!(saturation.heads.is_some_and(|heads| heads > 1.0), "{saturation:?}");
    let mut links: Vec<(u32, Option<u32>)> = saturation.binding.iter().map(|b| (b.router, b.port)).collect();
    links.sort_unstable();
    assert_eq!(links, [(3, Some(0)), (4, Some(1))], "{}", outcome.explanation);
    assert!(outcome.explanation.contains("x+ of [3]"), "{}", outcome.explanation);
}

#[test]
fn a_node_that_all_send_to_binds() {
    let hot = changed(
        LINE,
        &[("load = 1.0", "load = 0.5, pattern = { kind = 'hot_spot', nodes = [6], share_percent = 100.0 }")],
    );
    let outcome = outcome(&hot);
    let Diagnosis::Saturated(saturation) = &outcome.diagnosis else { panic!("{:?}", outcome.diagnosis) };
    assert_eq!(saturation.binding.first().map(|b| (b.router, b.port)), Some((6, None)), "{}", outcome.explanation);
}

#[test]
fn a_limit_that_comes_too_early_is_slowness() {
    let workload = "workload = { kind = 'collective', packets_per_node = 200, limit_cycles = 2000 }";
    let spec = LINE.lines().filter(|line| !line.contains("workload")).collect::<Vec<_>>().join("\n");
    let slow = outcome(&format!("{spec}\n{workload}"));
    assert_eq!(slow.record.status, Status::Slow, "{}", slow.explanation);
    let Diagnosis::Slow(found) = slow.diagnosis else { panic!("{:?}", slow.diagnosis) };
    assert!(found.packets == 1600 && found.delivered < 1600 && found.last_delivery > 1900, "{found:?}");
    let whole = outcome(&format!("{spec}\n{}", workload.replace("2000", "1000000")));
    assert_eq!(whole.record.status, Status::Completed);
    let foretold = 2000 + found.cycles_left.expect("some arrived");
    assert!(foretold.abs_diff(whole.record.cycles) < whole.record.cycles / 4, "{foretold} {}", whole.record.cycles);
}

#[test]
fn large_networks_are_checked_on_a_stand_in_and_say_so() {
    let details = |radix: u32| common::facts(&LINE.replace("[8]", &format!("[{radix}, {radix}]"))).deadlock_details;
    assert!(details(32).iter().all(|told| !told.contains("stand for")), "{:?}", details(32));
    assert!(details(80).iter().any(|told| told.contains("which stand for [80, 80]")), "{:?}", details(80));
}
