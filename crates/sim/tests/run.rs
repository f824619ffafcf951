//! Whole points through the façade.

use crate::common;
use crate::common::data_paths::PATHS;
use crate::common::{outcome, prepared};
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::Status;
use tailback_sim::{Control, run, run_in_parts};

const SMALL: &str = "
topology = { kind = 'torus', radix = [8, 8] }
router = { virtual_channels = 2, buffer_flits = 16 }
traffic = { load = 0.2, pattern = 'uniform', size = { kind = 'fixed', flits = 8 } }
workload = { kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000 }
";

#[test]
fn a_light_load_is_steady_and_near_zero_load_latency() {
    let outcome = outcome(&SMALL.replace("0.2", "0.01"));
    let record = outcome.record;
    assert_eq!(record.status, Status::Steady);
    let zero_load = record.hops_mean.expect("packets") + 8.0;
    let latency = record.latency_mean.expect("packets");
    assert!(latency >= zero_load && latency < zero_load + 0.5, "{latency} against {zero_load}");
    assert!((record.accepted_load.expect("a load") - 0.01).abs() < 0.002);
}

#[test]
fn the_same_point_gives_the_same_digest_with_probes_on() {
    let plain = outcome(SMALL).record;
    let watched = outcome(&format!(
        "probes = {{ link_load = true, occupancy_every_cycles = 10, space_time_cycles = 50, node_load = true, \
         channel_occupancy = true, injection_queues = true }}\n{SMALL}"
    ));
    assert_eq!(plain.digest, watched.record.digest);
    assert!(watched.space_time.is_some() && watched.link_map.is_some());
    assert_ne!(plain.digest, outcome(&SMALL.replace("0.2", "0.21")).record.digest);
}

#[test]
fn the_digest_is_of_what_was_simulated_and_of_nothing_else() {
    for path in &PATHS {
        let spec = path.spec().replace("load = 0.01", "load = 0.1").replace(
            "warmup_cycles = 0, measure_cycles = 20000",
            "warmup_cycles = 1000, measure_cycles = 2000, drain_cycles = 0",
        );
        let digest = outcome(&spec).record.digest;
        for probes in [
            "window_cycles = 1",
            "window_cycles = 777",
            &common::random::probes::of_parts(),
            &common::random::probes::all(),
        ] {
            assert_eq!(outcome(&format!("probes = {{ {probes} }}\n{spec}")).record.digest, digest, "{probes}, {spec}");
        }
        let prepared = prepared(&spec).unwrap_or_else(|e| panic!("{}", e.render()));
        for parts in [2, 3] {
            let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: parts };
            assert_eq!(run(&prepared, &control).record.digest, digest, "{parts} threads, {spec}");
            assert_eq!(run_in_parts(&prepared, &control, parts).record.digest, digest, "{parts} parts, {spec}");
        }
        // Where in the same time the measured window lies, and what its end is called, is no part of what was simulated.
        let window = |warmup, measure| {
            let was = "warmup_cycles = 1000, measure_cycles = 2000";
            outcome(&spec.replace(was, &format!("warmup_cycles = {warmup}, measure_cycles = {measure}"))).record
        };
        assert_eq!(window(0, 3000).digest, digest, "{spec}");
        assert_eq!(window(2990, 10).digest, digest, "{spec}");
        assert_ne!(window(1000, 2001).digest, digest, "{spec}");
        for (from, to) in [("load = 0.1", "load = 0.1001"), ("link_cycles = 3", "link_cycles = 2")] {
            assert_ne!(outcome(&spec.replace(from, to)).record.digest, digest, "{spec}");
        }
        assert_ne!(outcome(&format!("run = {{ seed = 7 }}\n{spec}")).record.digest, digest, "{spec}");
    }
}

/// Half a ring away both ways are as long, and with next to no load packets arrive in the same cycles by either.
#[test]
fn the_digest_sees_which_way_packets_went() {
    for path in PATHS.iter().filter(|path| !path.queued()) {
        let with = |tie: &str| {
            let spec = path.spec().replace("load = 0.01", "load = 0.0005").replace("20000", "5000");
            outcome(&format!("routing = {{ kind = 'dimension_order', tie = '{tie}' }}\n{spec}")).record
        };
        let (up, down) = (with("plus"), with("minus"));
        let seen = |record: &tailback_results::Record| {
            (record.packets_delivered, record.latency_mean, record.latency_p99, record.hops_mean, record.cycles)
        };
        assert_eq!(seen(&up), seen(&down), "{}", path.spec());
        assert_ne!(up.digest, down.digest, "{}", path.spec());
        assert_eq!(with("plus").digest, up.digest);
    }
}

#[test]
fn overload_saturates_below_the_bound() {
    let prepared = prepared(&SMALL.replace("0.2", "1.0")).unwrap_or_else(|e| panic!("{}", e.render()));
    let facts = prepared.facts();
    let bound = facts.channel_load_bound.expect("a small network");
    assert!(facts.warnings.iter().any(|w| w.contains("above the bound")));
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    let record = run(&prepared, &control).record;
    assert_eq!(record.status, Status::Saturated);
    let accepted = record.accepted_load.expect("a load");
    assert!(accepted <= bound && accepted > 0.5 * bound, "{accepted} against {bound}");
}

#[test]
fn a_collective_completes_and_loses_nothing() {
    let record = outcome(&SMALL.replace(
        "workload = { kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000 }",
        "workload = { kind = 'collective', packets_per_node = 5 }",
    ))
    .record;
    assert_eq!((record.status, record.packets_delivered, record.packets_in_flight_end), (Status::Completed, 320, 0));
    assert_eq!(record.duration, Some(record.cycles as f64));
}

#[test]
fn rings_without_datelines_are_refused_and_deadlock_when_allowed() {
    let spec = format!("routing = {{ datelines = 'none' }}\n{}", SMALL.replace("0.2", "1.0"));
    let refusal = prepared(&spec).err().expect("a refusal").render();
    assert!(refusal.contains("deadlock") && refusal.contains("test.toml:1"), "{refusal}");
    let outcome = outcome(&format!("run = {{ allow_deadlock = true }}\n{spec}"));
    assert_eq!(outcome.record.status, Status::Deadlocked);
    assert!(outcome.diagnosis.lock().expect("evidence").circle.len() >= 2);
    assert!(outcome.explanation.contains("waits for room"));
}

#[test]
fn impossible_networks_are_refused_with_the_reason() {
    let refuse = |spec: &str| prepared(spec).err().map(|e| e.render()).expect("a refusal");
    assert!(refuse(&SMALL.replace("buffer_flits = 16", "buffer_flits = 4")).contains("never fits a buffer"));
    assert!(
        refuse(&SMALL.replace("virtual_channels = 2", "virtual_channels = 1")).contains("needs 2 virtual channels")
    );
    assert!(refuse(&SMALL.replace("[8, 8]", "[32000, 32000]")).contains("of memory"));
    assert!(refuse(&SMALL.replace("[8, 8]", "[1000000000]")).contains("of memory"));
    assert!(refuse(&SMALL.replace("'uniform'", "'shfl'").replace("[8, 8]", "[6, 6]")).contains("power of two"));
    let throttled = format!("admission = {{ kind = 'spth', margin_flits = 16 }}\n{SMALL}");
    assert!(refuse(&throttled).contains("nothing would ever be injected"));
    let mesh = format!("routing = {{ datelines = 'one' }}\n{}", SMALL.replace("torus", "mesh"));
    assert!(refuse(&mesh).contains("nothing for a dateline to cut"));
    let wide = SMALL.replace("virtual_channels = 2", "virtual_channels = 16");
    assert!(refuse(&wide).contains("inputs"));
}

#[test]
fn a_reason_hides_no_other() {
    let told = |spec: &str, words: &[&str]| {
        let refusal = prepared(spec).err().expect("a refusal");
        let messages: Vec<&str> = refusal.errors().iter().map(|e| e.message.as_str()).collect();
        assert_eq!(messages.len(), words.len(), "{messages:?}");
        for word in words {
            assert!(messages.iter().any(|message| message.contains(word)), "{word}: {messages:?}");
        }
    };
    let pattern = SMALL.replace("'uniform'", "'shfl'").replace("[8, 8]", "[6, 6]").replace("= 16", "= 4");
    told(&pattern, &["power of two", "never fits a buffer"]);
    let rings =
        format!("routing = {{ kind = 'dimension_order', datelines = 'none' }}\n{}", pattern.replace("= 4,", "= 16,"));
    told(&rings, &["power of two", "never fits a buffer", "would deadlock"]);
    // Too large: what does not depend on the size is told beside it, and the pattern where the size may stay.
    let many =
        pattern.replace("virtual_channels = 2", "virtual_channels = 1").replace("[6, 6]", "[60000, 60000, 60000]");
    told(&many, &["more than ids can name", "never fits a buffer", "needs 2 virtual"]);
    let sizes = "{ kind = 'bimodal', short_flits = 8, long_flits = 4 }";
    let sizes = SMALL.replace("{ kind = 'fixed', flits = 8 }", sizes).replace("[8, 8]", "[30000, 30000]");
    told(&sizes, &["of memory", "are not longer than"]);
    let limited =
        format!("run.memory_limit_mib = 1\nprobes.space_time_row = 1000\n{pattern}").replace("[6, 6]", "[1000, 1000]");
    told(&limited, &["may need", "power of two", "never fits a buffer", "1000 is not one of them"]);
    told(
        &SMALL.replace("[8, 8]", "[60000, 60000, 60000, 60000, 60000]"),
        &["more than 1.8e19 routers with more than 1.8e19"],
    );
}

#[test]
fn a_table_that_fills_the_memory_is_refused_before_it_is_read() {
    let spec = |limit: &str| {
        format!(
            "topology = {{ kind = 'mesh', radix = [64, 64] }}\nrouting = {{ kind = 'table', file = 'none' }}\n\
             run.memory_limit_mib = {limit}\n"
        )
    };
    let refused = |limit| prepared(&spec(limit)).err().expect("there is no such file").render();
    // 4096 squared times eight bytes.
    assert!(refused("100").contains("of memory") && !refused("200").contains("of memory"), "{}", refused("100"));
}

#[test]
fn series_that_fill_the_memory_are_refused() {
    let long = SMALL.replace("measure_cycles = ", "measure_cycles = 10_000_000_");
    assert!(prepared(&long).is_ok(), "two hundred windows of any length fit");
    for probe in ["window_cycles = 1", "occupancy_every_cycles = 1"] {
        let refusal = prepared(&format!("{long}\nprobes.{probe}\n")).err().expect("a refusal").render();
        assert!(refusal.contains("the time series of a run of this length would need"), "{refusal}");
        assert!(refusal.contains(&format!("probes.{probe}")), "{refusal}");
    }
    let endless = "workload = { kind = 'ramp', cycles = 1_000_000_000_000, window_cycles = 1 }";
    let ramp = format!("topology = {{ kind = 'torus', radix = [8, 8] }}\n{endless}\n");
    assert!(prepared(&ramp).err().is_some_and(|e| e.render().contains("time series")));
}

#[test]
fn cancelling_marks_the_record() {
    let prepared = prepared(SMALL).unwrap_or_else(|e| panic!("{}", e.render()));
    let outcome =
        run(&prepared, &Control { cancel: &AtomicBool::new(true), cycles_done: &AtomicU64::new(0), threads: 1 });
    assert_eq!((outcome.record.status, outcome.record.cycles), (Status::Interrupted, 0));
}

#[test]
fn the_uniform_bound_of_a_torus_is_its_bisection() {
    let facts = prepared(SMALL).unwrap_or_else(|e| panic!("{}", e.render())).facts();
    let bound = facts.channel_load_bound.expect("known");
    // Eight routers a ring: ties at distance 4 all go up, so the up links carry 10/6 of the down links' load.
    assert!(Some(bound) < facts.bisection_load, "{bound} {:?}", facts.bisection_load);
    let split = format!("routing = {{ tie = 'random' }}\n{SMALL}");
    let facts = prepared(&split).unwrap_or_else(|e| panic!("{}", e.render())).facts();
    assert!((facts.channel_load_bound.expect("known") - facts.bisection_load.expect("of a grid")).abs() < 1e-9);
}
