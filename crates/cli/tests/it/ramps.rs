//! Ramps: a critical load, or why there is none.

use crate::{SMALL, fed, files, folder, tailback, text};
use std::process::Command;

/// The command of a guide's block that has `words` in it.
fn block(words: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let guide = std::fs::read_to_string(format!("{root}/docs/guide.md")).expect("the guide");
    let mut blocks = guide.split("```sh run\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(words)).unwrap_or_else(|| panic!("no block with {words}")).to_owned()
}

#[test]
fn the_ramp_of_the_guide_has_a_critical_load() {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_tailback"));
    let path =
        format!("{}:{}", binary.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &block("kind = 'ramp'")])
        .env("PATH", path)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let done = crate::done(shell.output().expect("a shell"));
    assert_eq!(done.code, 0, "{}", done.err);
    let line =
        done.out.lines().find(|line| line.starts_with("  critical load  ")).unwrap_or_else(|| panic!("{}", done.out));
    let load: f64 = line.split_whitespace().nth(2).and_then(|load| load.parse().ok()).expect("a number");
    // A steady run carries 0.27 and does not carry 0.3.
    assert!((0.24..0.3).contains(&load), "{line}");
    assert!(!done.out.contains("no critical load"), "{}", done.out);
}

/// One that is too steep.
const STEEP: &str = "workload={ kind = 'ramp', end_load_flits_per_node_cycle = 0.8, cycles = 50_000 }";

#[test]
fn a_ramp_without_one_says_which_condition_failed_and_what_to_change() {
    let spec = SMALL.replace("[sweep]\n\"traffic.load\" = [0.05, 0.1, 0.2]", "");
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("ramp");
    let done = fed(&["run", "-", "--set", STEEP, "--out", &text(&out)], spec.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let words = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "No critical load was found: no slope between the baseline loads 0.01 and 0.04",
        "make workload.cycles, 50000 now, ",
    ] {
        assert!(words.contains(told), "{}", done.out);
    }
    let why = std::fs::read_to_string(out.join("why.jsonl")).expect("why");
    let why: serde_json::Value = serde_json::from_str(&why).expect("an object");
    assert!(why["ramp"].as_str().is_some_and(|ramp| ramp.starts_with("no critical load was found")), "{why}");
    assert!(std::fs::read_to_string(out.join("report.html")).expect("a report").contains("o critical load was found"));
    assert!(!files(&out, "jsonl").is_empty());
}

#[test]
fn of_several_ramps_each_has_a_line() {
    let spec = SMALL.replace("\"traffic.load\" = [0.05, 0.1, 0.2]", "\"traffic.pattern\" = ['uniform', 'bcmp']");
    let (_folder, path) = folder(&spec);
    let done = tailback(&["run", &path, "--set", STEEP]);
    assert_eq!(done.code, 0, "{}", done.err);
    for pattern in ["uniform", "bcmp"] {
        let line = format!("ramp of {pattern} (seed 1): no critical load was found: ");
        assert_eq!(done.out.matches(&line).count(), 1, "{}", done.out);
    }
}
