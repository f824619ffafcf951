//! What sweeps of very many points take: no more than what has to be held.

use crate::{Done, done, folder};
use std::path::Path;
use std::process::{Command, Stdio};

const NETWORK: &str = "topology = { kind = 'torus', radix = [4, 4] }\n";

/// Runs the program with an address space of so many MiB.
fn within(mebibytes: u32, arguments: &[&str]) -> Done {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {}; exec \"$@\"", mebibytes * 1024);
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tailback")]).args(arguments);
    // Threads reserve arenas of address space that they do not use.
    command.env_remove("COLUMNS").env("MALLOC_ARENA_MAX", "1").stdin(Stdio::null());
    done(command.output().expect("it starts"))
}

#[test]
fn a_hundred_thousand_seeds_are_checked_as_one() {
    let (_folder, spec) = folder(&format!("{NETWORK}run.replicas = 100000\n"));
    let found = within(300, &["check", &spec]);
    assert_eq!(found.code, 0, "{}", found.err);
    assert!(found.out.contains("is fine: 100,000 points"), "{}", found.out);
}

#[test]
fn so_are_as_many_loads() {
    let sweep = "[sweep]\n\"traffic.load\" = { from = 0.001, to = 0.5, points = 100000 }\n";
    let (_folder, spec) = folder(&format!("{NETWORK}{sweep}"));
    let found = within(300, &["check", &spec]);
    assert_eq!(found.code, 0, "{}", found.err);
    assert!(found.out.contains("100,000 points, sweeping traffic.load"), "{}", found.out);
}

/// Points that differ in more than seed and load are looked at one by one, by several threads, and told of in their order.
#[test]
fn many_points_of_other_kinds_are_checked_side_by_side() {
    let sweep = "traffic.size = { kind = 'fixed', flits = 4 }\n[sweep]\n\"router.buffer_flits\" = { from = 8, to = 6007, step = 1 }\n";
    let (_folder, spec) = folder(&format!("{NETWORK}{sweep}"));
    let found = within(300, &["check", &spec]);
    assert_eq!(found.code, 0, "{}", found.err);
    assert!(found.out.contains("6,000 points, sweeping router.buffer_flits"), "{}", found.out);
    // All are wrong that have less room, and are told once each.
    let refused = within(300, &["check", &spec, "--set", "traffic.size.flits=100"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    let told = refused.err.matches("a packet of 100 flits never fits a buffer of").count();
    assert!(refused.err.contains(&format!("... and {} more errors", 92 - told)), "{}", refused.err);
}

/// Rows come as they are made, the last one as good as the first.
#[test]
fn rows_of_many_points_are_not_held() {
    let sweep = "[sweep]\n\"traffic.load\" = { from = 0.001, to = 0.5, points = 5000 }\n";
    let (_folder, spec) = folder(&format!("{NETWORK}{sweep}"));
    let found = within(100, &["check", &spec, "--json"]);
    assert_eq!((found.code, found.out.lines().count()), (0, 5000), "{}", found.err);
    let last = found.out.lines().last().expect("there are some");
    assert!(last.contains("\"traffic.load\":0.5") && last.contains("\"offered_load\":0.5"), "{last}");
}

/// Points of a run are made when their turn comes.
#[test]
fn points_that_wait_are_not_held() {
    let more = "run.replicas = 5000\nworkload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 1, drain_cycles = 0 }\n";
    let (_folder, spec) = folder(&format!("{NETWORK}{more}"));
    let found = within(100, &["run", &spec, "--json", "--threads", "1"]);
    assert_eq!((found.code, found.out.lines().count()), (0, 5000), "{}", found.err);
}

#[test]
fn a_billion_points_are_refused_at_once() {
    for more in [
        "run.replicas = 1_000_000_000\n",
        "[sweep]\n\"traffic.load\" = { from = 0.001, to = 0.5, points = 1_000_000_000 }\n",
        "[sweep]\n\"run.seed\" = { from = 1, to = 100_000, step = 1 }\n\"traffic.load\" = { from = 0.1, to = 0.2, points = 10_000 }\n",
    ] {
        for verb in ["check", "run", "explain"] {
            let (_folder, spec) = folder(&format!("{NETWORK}{more}"));
            let found = within(60, &[verb, &spec]);
            assert_eq!((found.code, found.out.as_str()), (2, ""), "{verb}: {}", found.err);
            assert!(
                found.err.contains("1,000,000,000 runs") && found.err.contains("at most 1,000,000 fit"),
                "{}",
                found.err
            );
        }
    }
}

/// What is refused for its load is not taken for another load's brother.
#[test]
fn loads_that_a_process_cannot_have_are_found_one_by_one() {
    let process = "traffic.process = { kind = 'on_off', mean_on_cycles = 100, mean_off_cycles = 900 }\n";
    let sweep = "[sweep]\n\"traffic.load\" = [0.01, 0.02, 1.0, 0.03]\n";
    let workload = "workload = { kind = 'steady', warmup_cycles = 10, measure_cycles = 100, drain_cycles = 0 }\n";
    let (kept, spec) = folder(&format!("{NETWORK}{process}{workload}{sweep}"));
    let found = within(300, &["check", &spec]);
    assert_eq!(found.code, 2, "{}", found.out);
    assert!(found.err.contains("a load of 1 "), "{}", found.err);
    let out = kept.path().join("out").display().to_string();
    let found = within(300, &["sweep", &spec, "--out", &out, "--no-progress"]);
    assert_eq!(found.code, 1, "{}", found.err);
    assert_eq!(std::fs::read_to_string(Path::new(&out).join("records.jsonl")).unwrap().lines().count(), 3);
}
