//! The anatomy of congestion from the command line: what is printed, and what is left in the folder.

use crate::{fed, files, folder, rows, tailback, text};
use std::fs;

const HOT: &str = r#"
[topology]
kind = "mesh"
radix = [4, 3]
[router]
virtual_channels = 1
buffer_flits = 8
[traffic]
load = 0.5
pattern = { kind = "hot_spot", nodes = [6], share_percent = 60 }
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 1000
measure_cycles = 2000
drain_cycles = 0
[probes]
anatomy_every_cycles = 20
"#;

/// The text without its line breaks.
fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_point_is_taken_apart_in_words_tables_json_and_a_picture() {
    let (folder, path) = folder(HOT);
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    for words in ["A hot spot, not the network: node 6", "Blocked time", "Culprits", "Victims", "head-of-line"] {
        assert!(words_of(&done.out).contains(words), "{words}: {}", done.out);
    }
    let why = rows(&fs::read_to_string(out.join("why.jsonl")).expect("a file")).remove(0);
    let anatomy = &why["anatomy"];
    assert_eq!((anatomy["looks"].as_u64(), anatomy["every_cycles"].as_u64()), (Some(100), Some(20)));
    assert_eq!(anatomy["roots"][0]["node"].as_u64(), Some(6), "{anatomy}");
    let blocked = &anatomy["blocked_packet_cycles"];
    let parts = ["same", "other", "head_of_line"].map(|part| blocked[part].as_u64().expect("a number"));
    assert_eq!(Some(parts.iter().sum()), blocked["behind"].as_u64());
    assert_eq!(anatomy["flows"]["culprits"][0]["destination"].as_u64(), Some(6), "{anatomy}");
    assert_ne!(anatomy["flows"]["victims"][0]["destination"].as_u64(), Some(6), "{anatomy}");
    let tables: Vec<String> = files(&out.join("series"), "csv").iter().map(|path| text(path)).collect();
    for name in ["anatomy", "anatomy_trees", "anatomy_links", "anatomy_flows", "anatomy_speeds"] {
        assert!(tables.iter().any(|table| table.ends_with(&format!("-{name}.csv"))), "{name}: {tables:?}");
    }
    let id = why["point_id"].as_str().expect("a text");
    let svg = fs::read_to_string(out.join(format!("pictures/{id}-anatomy.svg"))).expect("a file");
    assert!(svg.contains("<circle") && svg.contains("packets blocked in trees"));
    let report = fs::read_to_string(out.join("report.html")).expect("a file");
    assert!(report.contains("Roots of congestion trees") && report.contains("Congestion trees. Left"));
}

#[test]
fn a_third_dimension_has_no_map_and_no_looks_no_tables() {
    let cube = HOT.replace("[4, 3]", "[3, 2, 2]");
    let (folder, path) = folder(&cube);
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("no picture of anatomy: a map has two dimensions"), "{}", done.err);
    let late = fed(&["run", "-", "--set", "probes.anatomy_every_cycles=5000"], HOT.as_bytes());
    assert!(words_of(&late.out).contains("nobody looked") && !late.out.contains("Blocked time"), "{}", late.out);
    let off = fed(&["run", "-", "--why", "--json", "--set", "probes.anatomy_every_cycles=0"], HOT.as_bytes());
    assert!(rows(&off.out)[0].get("anatomy").is_none());
}

#[test]
fn a_sweep_over_the_load_tells_what_is_sustained() {
    let sweep = format!("{HOT}\n[sweep]\n\"traffic.load\" = [0.05, 0.2, 0.6]\n");
    let done = fed(&["run", "-"], sweep.as_bytes());
    assert!(done.out.contains("sustained") && done.out.contains("% of the peak"), "{}", done.out);
}
