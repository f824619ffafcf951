//! Ctrl-C: finished points are kept, the running one is marked, and the exit code says so.
#![cfg(unix)]

use crate::{SMALL, command, done, folder, rows, text};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The second point would take days.
fn endless() -> String {
    let sweep = "zip = [[\"traffic.load\", \"workload.measure_cycles\"]]\n\"workload.measure_cycles\" = [1000, 900_000_000_000]\n";
    SMALL.replace("[0.05, 0.1, 0.2]", "[0.05, 0.1]").replace("measure_cycles = 1000\n", "") + sweep
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(600), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_finished_is_kept() {
    let (folder, path) = folder(&endless());
    let out = folder.path().join("out");
    let mut command = command(&["run", &path, "--json", "--threads", "1", "--out", &text(&out)]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let records = || std::fs::read_to_string(out.join("records.jsonl")).unwrap_or_default();
    wait_for("the first point ends", || records().lines().count() == 1);
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    let done = done(child.wait_with_output().unwrap());
    assert_eq!(done.code, 130, "{}", done.err);
    let statuses: Vec<String> = rows(&records()).iter().map(|row| row["status"].to_string()).collect();
    assert_eq!(statuses, ["\"steady\"", "\"interrupted\""]);
    assert_eq!(rows(&done.out).len(), 2, "both are printed");
    assert!(done.err.contains("what is finished is kept"), "{}", done.err);
    assert!(out.join("report.html").is_file() && out.join("records.parquet").is_file());
    assert_eq!(crate::files(&out.join("capsules"), "json").len(), 1, "an interrupted run has no capsule");
}
