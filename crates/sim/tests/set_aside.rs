//! Culprits, victims, set-aside queues and congestion trees of a run, from a spec.

use crate::common::{column, outcome, table};
use tailback_results::Status;
use tailback_sim::Outcome;

/// A mesh of 16 switches of which four nodes send everything to node 10.
const HOT: &str = "topology = { kind = 'mesh', radix = [4, 4], link_cycles = 3 }\n\
    router = { kind = 'input_output_queued', ingress_memory_bytes = 8192, egress_memory_bytes = 8192 }\n\
    traffic = { load = 0.8, size = { kind = 'fixed', flits = 8 }, pattern = { kind = 'hot_sources', destination = 10 } }\n\
    workload = { kind = 'steady', warmup_cycles = 4000, measure_cycles = 8000, drain_cycles = 0 }\n\
    probes = { set_aside_queues = true, window_cycles = 1000 }\n";

const RECN: &str =
    "queueing = { kind = 'recn', detection_bytes = 640, notification_bytes = 640, xoff_bytes = 640, xon_bytes = 320 }";

#[test]
fn a_congestion_tree_is_seen_from_all_sides() {
    let outcome = outcome(&format!("{HOT}{RECN}"));
    let record = &outcome.record;
    assert_eq!(record.status, Status::Saturated);
    // The hot node takes a flit a cycle, shared by four culprits and, a little, by twelve victims.
    let (culprit, victim) = (record.culprit_load.expect("hot"), record.victim_load.expect("the others"));
    assert!(culprit <= 0.25 && culprit > 0.05 && victim > 2.0 * culprit, "{culprit} {victim}");
    let all = record.accepted_load.expect("a load");
    assert!((4.0 * culprit + 12.0 * victim - 16.0 * all).abs() < 1e-9);
    let most = [record.set_aside_max_ingress, record.set_aside_max_egress, record.set_aside_max_adapter];
    let mean = [record.set_aside_mean_ingress, record.set_aside_mean_egress, record.set_aside_mean_adapter];
    assert!(most[0] >= Some(1.0) && most[1] >= Some(1.0) && most.iter().all(|most| *most <= Some(8.0)), "{most:?}");
    assert!(mean.iter().zip(most).all(|(mean, most)| *mean <= most) && mean[0] > Some(0.0), "{mean:?}");
    let series = table(&outcome, "set_aside");
    assert_eq!(series.x.len(), 12);
    let late = |name: &str| column(series, name)[4..].iter().copied().fold(0.0, f64::max);
    assert_eq!((Some(late("ingress_largest")), Some(late("egress_largest"))), (most[0], most[1]));
    let measured = column(series, "ingress_in_use")[4..].iter().sum::<f64>() / 8.0;
    // 48 links and 16 nodes.
    assert!((measured / 64.0 - mean[0].unwrap_or_default()).abs() < 1e-9);
    trees_are_told(&outcome);
}

fn trees_are_told(outcome: &Outcome) {
    let trees = table(outcome, "congestion_trees");
    let (router, port) = (column(trees, "router"), column(trees, "port"));
    // Port 4 of switch 10 leads to node 10.
    let hot = (0..trees.x.len()).find(|&tree| (router[tree], port[tree]) == (10.0, 4.0)).expect("the hot node's tree");
    assert!(column(trees, "ingress")[hot] >= 1.0 && (1.0..=7.0).contains(&column(trees, "distance")[hot]));
    let words = &outcome.explanation;
    assert!(
        words.starts_with("saturated: ") && words.contains("congested point") && words.contains("set-aside"),
        "{words}"
    );
}

#[test]
fn what_is_not_there_is_null() {
    let without_queues = outcome(&format!("{HOT}queueing = 'voq_net'"));
    let record = &without_queues.record;
    assert_eq!((record.set_aside_max_ingress, record.set_aside_mean_adapter), (None, None));
    assert!(record.culprit_load.is_some() && record.victim_load.is_some());
    assert!(
        without_queues.series.iter().all(|series| !["set_aside", "congestion_trees"].contains(&series.name.as_str()))
    );
    let uniform = outcome(&format!(
        "{}{RECN}",
        HOT.replace("{ kind = 'hot_sources', destination = 10 }", "'uniform'").replace("0.8", "0.1")
    ));
    let record = &uniform.record;
    assert_eq!((record.culprit_load, record.victim_load), (None, None));
    assert_eq!((record.set_aside_max_ingress, record.set_aside_mean_ingress), (Some(0.0), Some(0.0)), "a light load");
    assert!(!uniform.explanation.contains("congested"), "{}", uniform.explanation);
    assert_eq!(table(&uniform, "congestion_trees").x.len(), 0);
}

#[test]
fn the_probe_changes_no_result() {
    let text = format!("{HOT}{RECN}");
    let plain = outcome(&text.replace("set_aside_queues = true", "set_aside_queues = false"));
    assert!(plain.series.iter().all(|series| series.name != "set_aside"));
    assert_eq!(plain.record.digest, outcome(&text).record.digest);
}
