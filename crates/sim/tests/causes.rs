//! Causes are tested like code: a cause is a setting under which the effect goes away. Every network here saturates for one reason; the
//! change that removes the reason makes the named cause disappear, or the accepted load rise.

use crate::common::{changed, outcome, prepared};
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::Status;
use tailback_sim::remedy::{Remedy, Trial, Tried};
use tailback_sim::{Cause, Outcome};

/// A torus whose packets with half a ring to go all take x+ and y+.
const TORUS: &str = "
topology = { kind = 'torus', radix = [8, 8] }
router = { kind = 'cut_through', virtual_channels = 3, buffer_flits = 32 }
routing = { kind = 'dimension_order', tie = 'plus' }
traffic = { load = 0.8, size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 4000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50, link_load = true }
";

fn accepted(outcome: &Outcome) -> f64 {
    outcome.record.accepted_load.expect("a steady workload")
}

fn text(outcome: &Outcome, label: &str) -> String {
    let line = outcome.why.lines.iter().find(|line| line.label == label);
    line.unwrap_or_else(|| panic!("no {label}: {}", outcome.explanation)).text.clone()
}

#[test]
fn a_direction_binds_until_ties_alternate() {
    let bound = outcome(TORUS);
    let Cause::Direction { ports } = &bound.why.cause else { panic!("{}", bound.explanation) };
    assert_eq!(ports.first(), Some(&0), "x+: {}", bound.explanation);
    let words = text(&bound, "What binds");
    assert!(words.starts_with("The network, not the nodes: its x+"), "{words}");
    assert!(words.contains("packets with half a ring to go all take x+ and y+ (routing.tie = \"plus\")"), "{words}");
    let cured = outcome(&changed(TORUS, &[("'plus'", "'alternate'")]));
    assert!(!matches!(cured.why.cause, Cause::Direction { .. }), "{}", cured.explanation);
    assert!(accepted(&cured) > 1.15 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

#[test]
fn the_other_way_round_it_is_the_other_direction() {
    let bound = outcome(&changed(TORUS, &[("'plus'", "'minus'")]));
    let Cause::Direction { ports } = &bound.why.cause else { panic!("{}", bound.explanation) };
    assert_eq!(ports.first(), Some(&1), "x-: {}", bound.explanation);
    assert!(text(&bound, "What binds").contains("all take x- and y-"), "{}", bound.explanation);
}

#[test]
fn a_pattern_that_goes_one_way_is_named_and_not_the_ties() {
    let one_way = changed(TORUS, &[("load = 0.8", "load = 0.6, pattern = { kind = 'torn', offset = 3 }")]);
    let bound = outcome(&one_way);
    assert!(matches!(bound.why.cause, Cause::Direction { .. }), "{}", bound.explanation);
    assert!(text(&bound, "What binds").contains("No packet takes x-: it is the pattern"), "{}", bound.explanation);
}

#[test]
fn a_hot_spot_binds_until_nobody_sends_there_more_often() {
    let hot = changed(
        TORUS,
        &[("load = 0.8", "load = 0.3, pattern = { kind = 'hot_spot', nodes = [27], share_percent = 10 }")],
    );
    let bound = outcome(&hot);
    assert_eq!(bound.why.cause, Cause::HotSpot { nodes: vec![27] }, "{}", bound.explanation);
    assert!(text(&bound, "What binds").starts_with("A hot spot, not the network: node 27."), "{}", bound.explanation);
    let cured = outcome(&changed(&hot, &[("share_percent = 10", "share_percent = 0")]));
    assert!(!matches!(cured.why.cause, Cause::HotSpot { .. }), "{}", cured.explanation);
    assert!(accepted(&cured) > 2.0 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
    let blind = outcome(&changed(&hot, &[("anatomy_every_cycles = 50, ", "")]));
    assert!(text(&blind, "What binds").contains("packets wait at the front of a buffer"), "{}", blind.explanation);
    assert!(blind.why.options.contains("probes.anatomy_every_cycles="), "{}", blind.why.options);
}

/// A small torus with short ways: links have time left when every node receives all that it can take in.
const EJECTION: &str = "
topology = { kind = 'torus', radix = [4, 4] }
router = { kind = 'cut_through', virtual_channels = 6, buffer_flits = 16, ejection_channels = 1 }
routing = { kind = 'dimension_order', tie = 'alternate' }
traffic = { load = 1.0, size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 6000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50, link_load = true }
";

#[test]
fn ejection_binds_until_nodes_take_in_more_at_a_time() {
    let bound = outcome(EJECTION);
    assert_eq!(bound.why.cause, Cause::Ejection, "{}", bound.explanation);
    assert!(text(&bound, "What binds").contains("one packet at a time"), "{}", bound.explanation);
    let cured = outcome(&changed(EJECTION, &[("ejection_channels = 1", "ejection_channels = 4")]));
    assert_ne!(cured.why.cause, Cause::Ejection, "{}", cured.explanation);
    assert!(accepted(&cured) > 1.01 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

#[test]
fn admission_binds_until_it_is_switched_off() {
    let open = changed(
        WORMS,
        &[
            ("virtual_channels = 1, buffer_flits = 4", "virtual_channels = 4, buffer_flits = 8"),
            ("flits = 32", "flits = 8"),
            ("load = 0.5", "load = 0.8"),
        ],
    );
    let throttle = "admission = { kind = 'global_threshold', threshold_buffers = 0 }";
    let throttled = format!("{open}\n{throttle}\n");
    let bound = outcome(&throttled);
    assert_eq!(bound.why.cause, Cause::Admission, "{}", bound.explanation);
    assert!(text(&bound, "What binds").contains("of their source queues"), "{}", bound.explanation);
    let cured = outcome(&changed(&throttled, &[(throttle, "admission = 'off'")]));
    assert_ne!(cured.why.cause, Cause::Admission, "{}", cured.explanation);
    assert!(accepted(&cured) > 1.2 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

/// Long worms in short buffers.
const WORMS: &str = "
topology = { kind = 'mesh', radix = [8, 8] }
router = { kind = 'wormhole', virtual_channels = 1, buffer_flits = 4 }
traffic = { load = 0.5, size = { kind = 'fixed', flits = 32 } }
workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 4000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50, link_load = true }
";

#[test]
fn virtual_channels_bind_until_there_are_more() {
    let bound = outcome(WORMS);
    assert_eq!(bound.why.cause, Cause::Channels, "{}", bound.explanation);
    assert!(text(&bound, "What binds").contains("wait for a virtual channel that another packet holds"));
    let cured = outcome(&changed(WORMS, &[("virtual_channels = 1", "virtual_channels = 2")]));
    assert_ne!(cured.why.cause, Cause::Channels, "{}", cured.explanation);
    assert!(accepted(&cured) > 1.2 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

/// Switches with one queue per input.
const SWITCHES: &str = "
topology = { kind = 'mesh', radix = [4, 4] }
router = { kind = 'input_output_queued' }
queueing = { kind = 'single' }
traffic = { load = 0.9 }
workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 8000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50, link_load = true }
";

#[test]
fn head_of_line_blocking_binds_until_every_output_has_a_queue() {
    let bound = outcome(SWITCHES);
    assert_eq!(bound.why.cause, Cause::HeadOfLine, "{}", bound.explanation);
    let cured = outcome(&changed(SWITCHES, &[("'single'", "'voq_sw'")]));
    assert_ne!(cured.why.cause, Cause::HeadOfLine, "{}", cured.explanation);
    assert!(accepted(&cured) > 1.1 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

#[test]
fn links_bind_in_the_middle_of_a_mesh_until_they_are_passed_by_fewer() {
    let mesh = changed(TORUS, &[("'torus'", "'mesh'")]);
    let bound = outcome(&mesh);
    assert_eq!(bound.why.cause, Cause::Links, "{}", bound.explanation);
    assert!(text(&bound, "What binds").starts_with("The network, not the nodes. The roots"), "{}", bound.explanation);
    let cured = outcome(&changed(&mesh, &[("load = 0.8", "load = 0.8, pattern = 'neighbour'")]));
    assert_ne!(cured.why.cause, Cause::Links, "{}", cured.explanation);
    assert!(accepted(&cured) > 1.2 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

#[test]
fn both_ways_of_the_first_dimension_are_no_matter_of_ties() {
    let narrow =
        [("'torus'", "'mesh'"), ("virtual_channels = 3, buffer_flits = 32", "virtual_channels = 1, buffer_flits = 8")];
    let bound = outcome(&changed(TORUS, &narrow));
    assert_eq!(bound.why.cause, Cause::Direction { ports: vec![0, 1] }, "{}", bound.explanation);
    assert!(
        text(&bound, "What binds")
            .ends_with("All packets take the x links first (routing.kind = \"dimension_order\").")
    );
    let cured = outcome(&changed(TORUS, &[narrow[0]]));
    assert!(accepted(&cured) > 1.2 * accepted(&bound), "{} {}", accepted(&cured), accepted(&bound));
}

/// Figure 3 of bubble-1999: routers 3 and 4 stand beside links that others keep busy.
const BESIDE: &str = "
preset = 'bubble_dor_2d'
topology = { kind = 'torus', radix = [8] }
traffic = { load = 2.0, pattern = 'shfl', size = { kind = 'fixed', flits = 16 } }
workload = { kind = 'steady', warmup_cycles = 2_000, measure_cycles = 8_000, drain_cycles = 0 }
";

#[test]
fn starvation_ends_with_a_second_queue_per_node() {
    let starved = outcome(BESIDE);
    assert_eq!(
        (starved.record.status, &starved.why.cause),
        (Status::Starved, &Cause::Starvation),
        "{}",
        starved.explanation
    );
    assert!(
        starved.why.headline.contains("no packet into the network, while the other nodes do"),
        "{}",
        starved.why.headline
    );
    let remedies = tried(BESIDE, 3);
    let Tried::Measured(gain) = find(&remedies, "interface.queues = 2") else { panic!("{remedies:?}") };
    assert!(gain.broken.0 == 3 && gain.broken.1 == 0 && gain.helps(), "{gain:?}");
}

fn tried(spec: &str, seeds: u64) -> Vec<Remedy> {
    let prepared = prepared(spec).unwrap_or_else(|e| panic!("{}", e.render()));
    let trial = Trial::new(&prepared, seeds, &AtomicBool::new(false)).expect("nobody cancels it");
    let mut heard = 0;
    let runs = trial.runs();
    let found = trial.run(2, &AtomicBool::new(false), &AtomicU64::new(0), |ended| heard = ended);
    assert_eq!((heard, found.failed), (runs, None));
    found.all
}

fn find<'a>(remedies: &'a [Remedy], setting: &str) -> &'a Tried {
    &remedies.iter().find(|remedy| remedy.setting == setting).unwrap_or_else(|| panic!("{setting}: {remedies:?}")).tried
}

#[test]
fn remedies_of_the_torus_are_measured_and_what_does_not_fit_is_refused() {
    let remedies = tried(TORUS, 5);
    let tie =
        remedies.iter().find(|remedy| remedy.setting == "routing.tie = \"alternate\"").expect("it is a candidate");
    let Tried::Measured(gain) = &tie.tried else { panic!("{tie:?}") };
    assert!(gain.helps() && gain.runs == 5 && gain.interval.is_some(), "{gain:?}");
    assert!(tie.words.starts_with("Today packets with half a ring to go all take x+ and y+;"), "{}", tie.words);
    assert!(tie.words.ends_with(": bound 0.788 -> 0.984."), "{}", tie.words);
    let first = &remedies[0];
    assert!(matches!(&first.tried, Tried::Measured(gain) if gain.helps()), "the best comes first: {first:?}");
    let Tried::Refused { reason } = find(&remedies, "routing = \"adaptive\"") else { panic!("{remedies:?}") };
    assert!(!reason.is_empty());
}

#[test]
fn nothing_is_called_a_gain_where_every_run_is_the_same() {
    // With three channels of four packets each, one is always free: the throttle never holds anybody.
    let short = changed(
        TORUS,
        &[("warmup_cycles = 2000, measure_cycles = 4000", "warmup_cycles = 500, measure_cycles = 1500")],
    );
    let same: Vec<Remedy> = tried(&short, 2).into_iter().filter(|remedy| remedy.tried == Tried::Same).collect();
    for remedy in same {
        let (path, value) = remedy.setting.split_once(" = ").expect("a setting");
        let changed = outcome(&format!("{short}\n{path} = {value}\n"));
        assert_eq!(changed.record.digest, outcome(&short).record.digest, "{}", remedy.setting);
    }
}

#[test]
fn a_cancelled_trial_keeps_what_is_whole() {
    let prepared = prepared(TORUS).unwrap_or_else(|e| panic!("{}", e.render()));
    assert!(Trial::new(&prepared, 1, &AtomicBool::new(true)).is_none());
    let trial = Trial::new(&prepared, 1, &AtomicBool::new(false)).expect("nobody cancels it");
    let (cancel, cycles) = (AtomicBool::new(false), AtomicU64::new(0));
    let found = trial.run(1, &cancel, &cycles, |ended| {
        if ended == 2 {
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    let measured = found.all.iter().filter(|r| matches!(r.tried, Tried::Measured(_) | Tried::Same)).count();
    assert!((1..=2).contains(&measured), "{:?}", found.all);
    assert!(found.all.iter().any(|remedy| remedy.tried == Tried::Not), "{:?}", found.all);
}

/// A ring without datelines, on which every node sends three routers up.
const RING: &str = "
topology = { kind = 'torus', radix = [8] }
router = { virtual_channels = 2, buffer_flits = 8 }
routing = { kind = 'dimension_order', datelines = 'none' }
run = { allow_deadlock = true }
traffic = { load = 1.0, pattern = { kind = 'torn', offset = 3 }, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 8000, drain_cycles = 0 }
";

#[test]
fn a_deadlock_ends_with_a_dateline() {
    let locked = outcome(RING);
    assert_eq!(
        (locked.record.status, &locked.why.cause),
        (Status::Deadlocked, &Cause::Deadlock),
        "{}",
        locked.explanation
    );
    assert!(locked.why.headline.starts_with("Deadlock, found in cycle "), "{}", locked.why.headline);
    let remedies = tried(RING, 3);
    let Tried::Measured(gain) = find(&remedies, "routing.datelines = \"auto\"") else { panic!("{remedies:?}") };
    assert_eq!(gain.broken, (3, 0));
    assert!(gain.helps() && gain.verdict().starts_with("measured: 0 of 3 runs end in deadlock"), "{}", gain.verdict());
}
