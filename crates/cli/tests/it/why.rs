//! How runs end and why: exit codes, paragraphs, JSON objects, pictures of circles.

use crate::{SMALL, fed, folder, rows, tailback, text};

const RING: &str = r#"
[topology]
kind = "torus"
radix = [8]
[router]
virtual_channels = 1
buffer_flits = 8
[routing]
kind = "dimension_order"
datelines = "none"
[traffic]
load = 1.0
pattern = { kind = "torn", offset = 3 }
size = { kind = "fixed", flits = 4 }
"#;

const BESIDE: &str = r#"
preset = "bubble_dor_2d"
topology = { kind = "torus", radix = [8] }
traffic = { load = 2.0, pattern = "shfl", size = { kind = "fixed", flits = 16 } }
workload = { kind = "steady", warmup_cycles = 1_000, measure_cycles = 6_000, drain_cycles = 0 }
"#;

#[test]
fn a_deadlock_is_an_object_and_a_picture() {
    let (folder, path) = folder(RING);
    let out = text(&folder.path().join("out"));
    let done = tailback(&["run", &path, "--set", "run.allow_deadlock=true", "--why", "--out", &out]);
    assert_eq!(done.code, 3, "{}", done.err);
    let row = &rows(&done.out)[0];
    assert_eq!((row["status"].as_str(), row["exit_code"].as_u64()), (Some("deadlocked"), Some(3)));
    let circle = row["deadlocked"]["circle"].as_array().expect("a list");
    assert_eq!(circle.len(), 8);
    for (stuck, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        assert_eq!(stuck["waits_for"]["router"], next["buffer"]["router"]);
        assert!(stuck["waits_for"]["room_flits"].as_u64().is_some_and(|flits| flits < 4), "{stuck}");
    }
    let written = std::fs::read_to_string(folder.path().join("out/why.jsonl")).expect("a file");
    assert_eq!(written, done.out);
    let id = row["point_id"].as_str().expect("a text");
    let svg = std::fs::read_to_string(folder.path().join(format!("out/pictures/{id}-deadlock.svg"))).expect("a file");
    assert!(svg.contains(">8</text>") && svg.contains("waits for room"), "{svg}");
    let report = std::fs::read_to_string(folder.path().join("out/report.html")).expect("a file");
    assert!(report.contains("Packets that wait for each other for ever"));
}

#[test]
fn a_starvation_has_its_exit_code_and_names_the_node() {
    let done = fed(&["run", "-", "--why"], BESIDE.as_bytes());
    assert_eq!(done.code, 5, "{}", done.err);
    let row = &rows(&done.out)[0];
    assert_eq!(row["status"], "starved");
    let nodes: Vec<u64> = row["starved"].as_array().into_iter().flatten().filter_map(|n| n["node"].as_u64()).collect();
    assert!(!nodes.is_empty() && nodes.iter().all(|node| [3, 4].contains(node)), "{row:?}");
    assert!(done.err.contains("starved: node"), "{}", done.err);
    let page = fed(&["run", "-"], BESIDE.as_bytes());
    assert_eq!((page.code, page.out.matches("starved: node").count()), (5, 0), "said once, on standard error");
}

#[test]
fn why_is_told_in_the_order_of_the_sweep() {
    let (_folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[1.0, 0.05]"));
    let done = tailback(&["run", &path, "--why", "--threads", "3"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = rows(&done.out);
    let statuses: Vec<&str> = rows.iter().filter_map(|row| row["status"].as_str()).collect();
    assert_eq!(statuses, ["saturated", "steady"]);
    assert!(rows[0]["saturated"]["accepted_load"].as_f64().is_some_and(|load| load < 1.0), "{:?}", rows[0]);
    assert!(!rows[1].contains_key("steady"), "there is nothing behind it");
    assert_eq!(tailback(&["run", &path, "--why", "--json"]).code, 2, "one or the other");
}

#[test]
fn check_draws_the_circle_of_what_it_refuses() {
    let (folder, path) = folder(RING);
    let (svg, png) = (text(&folder.path().join("circle.svg")), text(&folder.path().join("circle.png")));
    let done = tailback(&["check", &path, "--svg", &svg, "--png", &png]);
    assert_eq!(done.code, 2, "{}", done.err);
    let drawn = std::fs::read_to_string(&svg).expect("a file");
    assert!(drawn.contains("1: a packet from (") && drawn.contains("and waits for"), "{drawn}");
    assert!(std::fs::read(&png).is_ok_and(|bytes| bytes.starts_with(b"\x89PNG")));
    let whole = tailback(&[
        "check",
        &path,
        "--svg",
        &svg,
        "--set",
        "routing.datelines=one",
        "--set",
        "router.virtual_channels=2",
    ]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert!(whole.err.contains("no picture"), "{}", whole.err);
    let deep = tailback(&[
        "check",
        &path,
        "--svg",
        &svg,
        "--set",
        "topology.radix=[4, 4, 4]",
        "--set",
        "traffic.pattern=uniform",
    ]);
    assert!(deep.code == 2 && deep.err.contains("a map has two dimensions"), "{}", deep.err);
}
