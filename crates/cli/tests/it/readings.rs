//! `reproduce --reading` and `--readings`, on a study of somebody's own.

use crate::{tailback, text};
use std::path::Path;

const STUDY: &str = r#"key = "asks"
title = "A mesh, read in several ways"
along = "load"
declared = "plain"
[[question]]
name = "header"
asks = "How long does a head take in a router?"
[[question.candidate]]
name = "none"
why = "Links alone are counted."
[[question.candidate]]
name = "two"
why = "A router of two stages."
set = ["router.header_cycles=2"]
[[question]]
name = "arbiter"
asks = "Which packet comes first?"
[[question.candidate]]
name = "turns"
why = "It is simple."
[[question.candidate]]
name = "oldest"
why = "It is fair."
set = ["arbiter=oldest_first"]
[reading.plain]
why = "no delay"
choice = { header = "none", arbiter = "turns" }
[search]
from = "plain"
items = ["table"]
met = "abs(measured / paper - 1) <= 0.10"
score = "cells + claims"
best = 1
[spec.mesh]
[label.load]
of = "traffic.load"
[[item]]
name = "table"
summary = "latency"
specs = ["mesh"]
[[item.table]]
row = "mesh"
[[item.table.cell]]
column = "latency"
unit = "cycles"
printed = "printed('latency.start')"
value = "start(mean(latency_mean))"
[[item.table.cell]]
column = "way"
printed = "2.6"
value = "start(mean(hops_mean))"
choose = { held_back = "1 > 0" }
[[item.claim]]
id = "c1"
holds = "rising(mean(latency_mean) for load)"
told = "{[mean(latency_mean) for load]} cycles"
"#;

const SPEC: &str = "topology = { kind = 'mesh', radix = [4, 4] }\nsweep = { 'traffic.load' = [0.05, 0.4] }\n\
                    workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 1000 }\n";

/// The folder of the study, with this text.
fn study(folder: &Path, study: &str) -> String {
    let targets = "[latency]\nstart = 18.0\n[claims]\nc1 = 'Latency rises with the load.'\n";
    for (file, content) in [("study.toml", study), ("targets.toml", targets), ("mesh.toml", SPEC)] {
        std::fs::write(folder.join(file), content).expect("it can be written");
    }
    text(folder)
}

#[test]
fn a_search_prints_the_matrix_and_goes_on_with_its_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = study(folder.path(), STUDY);
    let out = text(&folder.path().join("out"));
    let ask = |more: &[&str]| tailback(&[&["reproduce", &own, "--readings", "--out", &out], more].concat());
    let first = ask(&[]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(
        first.out.contains("4 of 4 readings were tried. The score is fixed in the study: cells + claims."),
        "{}",
        first.out
    );
    assert!(
        first.out.contains("Best by this score: plain with header = two (header = two, arbiter = turns)"),
        "{}",
        first.out
    );
    assert!(first.out.contains("Held back: 1 table mesh way."), "{}", first.out);
    assert!(first.out.contains("The reading plain with header = two whole"), "{}", first.out);
    let runs = crate::files(&folder.path().join("out/runs"), "json");
    assert_eq!(runs.len(), 8, "four readings of two loads; the best one whole has the same runs");
    for file in ["readings.jsonl", "report.html"] {
        assert!(folder.path().join("out").join(file).is_file(), "{file}");
    }
    let refused = ask(&[]);
    assert!(refused.code == 2 && refused.err.contains("--resume goes on with them"), "{}", refused.err);
    std::fs::remove_file(&runs[0]).expect("it is there");
    let json = ask(&["--resume", "--json"]);
    let lines: Vec<serde_json::Value> =
        json.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!((lines[0]["rank"].as_u64(), lines[0]["reading"].as_str()), (Some(1), Some("plain with header = two")));
    assert_eq!(ask(&["--resume"]).out, first.out);
}

#[test]
fn a_reading_is_chosen_by_its_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = study(folder.path(), STUDY);
    let named = tailback(&["reproduce", &own, "--reading", "plain", "--json"]);
    let claim = named.out.lines().last().expect("a claim");
    let claim: serde_json::Value = serde_json::from_str(claim).expect("a line of JSON");
    assert_eq!((claim["reading"].as_str(), claim["verdict"].as_str()), (Some("plain"), Some("holds")), "{claim}");
    assert_eq!(tailback(&["reproduce", &own, "--json"]).out, named.out, "the declared one");
    let searched = tailback(&["reproduce", &own, "--reading", "plain with header = two"]);
    assert!(
        searched.out.contains("Reading plain with header = two: header = two, arbiter = turns."),
        "{}",
        searched.out
    );
    let unknown = tailback(&["reproduce", &own, "--reading", "fancy"]);
    assert!(
        unknown.code == 2 && unknown.err.contains("`asks` has no reading `fancy`; it has plain"),
        "{}",
        unknown.err
    );
}

#[test]
fn what_cannot_be_searched_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = study(folder.path(), STUDY);
    for (arguments, told) in [
        (&["--budget", "1"][..], "--readings"),
        (&["--readings", "--budget", "0"], "expected a number of minutes above zero"),
        (&["--readings", "--budget", "soon"], "expected a number of minutes above zero"),
        (&["--readings", "--reading", "plain"], "cannot be used with"),
        (&["table", "--readings"], "cannot be used with"),
    ] {
        let done = tailback(&[&["reproduce", &own], arguments].concat());
        assert!(done.code == 2 && done.err.contains(told), "{arguments:?}: {}", done.err);
    }
    for (old, new, told) in [
        (
            "header = \"none\", a",
            "heads = \"none\", a",
            "line 27, key `heads`: expected one of the questions header, arbiter",
        ),
        (
            "header = \"none\", a",
            "header = \"one\", a",
            "expected one of the candidates of `header` none, two, found `one`",
        ),
        ("header = \"none\", a", "a", "line 25, key `plain`: expected a choice for the question `header`, found none"),
        (
            "why = \"no delay\"",
            "why = \"no delay\"\nfrom = \"plain\"",
            "a reading that is not from itself, found plain from plain",
        ),
        ("router.header_cycles", "router.heads", "the spec `mesh` does not take this candidate"),
    ] {
        assert!(STUDY.contains(old), "{old}");
        let broken = tempfile::tempdir().expect("a temporary folder");
        let own = study(broken.path(), &STUDY.replacen(old, new, 1));
        let done = tailback(&["reproduce", &own, "--readings"]);
        assert!(
            done.code == 2 && done.err.contains("study.toml, line") && done.err.contains(told),
            "{new}: {}",
            done.err
        );
    }
    let nothing = tailback(&["reproduce", "dally-towles-2004", "--readings"]);
    assert!(nothing.code == 2 && nothing.err.contains("`dally-towles-2004` has no `[search]`"), "{}", nothing.err);
}
