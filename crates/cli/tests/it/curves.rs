//! `curve` and `compare`: statistics through the real binary.

use crate::{SMALL, fed, folder, rows, text};
use serde_json::Value;

const QUICK: [&str; 10] = ["curve", "-", "--points", "4", "--precision", "0.2", "--tolerance", "0.05", "--seeds", "10"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_curve_finds_its_parts() {
    let out = tempfile::tempdir().unwrap();
    let folder = text(&out.path().join("curve"));
    let done = fed(&[&QUICK[..], &["--json", "--out", &folder]].concat(), SMALL.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let curve = &rows(&done.out)[0];
    assert_eq!(curve["complete"].as_bool(), Some(true), "{curve:?}");
    let saturation = number(&curve["saturation"]["mean"]);
    assert!((0.4..1.0).contains(&saturation), "{curve:?}");
    let points = curve["points"].as_array().unwrap();
    assert!(points.windows(2).all(|pair| number(&pair[0]["load"]) < number(&pair[1]["load"])));
    assert!(points.iter().filter(|point| number(&point["load"]) < saturation).count() >= 4);
    // What is called stable is accepted.
    for point in points.iter().filter(|point| point["verdict"] == "stable") {
        let (load, accepted) = (number(&point["load"]), &point["accepted_load"]);
        assert!((number(&accepted["mean"]) - load).abs() < 0.05 * load + number(&accepted["ci95"]), "{point}");
    }
    assert_eq!(
        curve["variants"].as_array().map(Vec::len),
        Some(1),
        "the fields at the top are those of the only variant"
    );
    assert!(number(&curve["sustained"]["accepted_load"]["mean"]) > 0.9 * saturation, "{curve:?}");
    let written = std::fs::read_to_string(out.path().join("curve/curve.json")).unwrap();
    assert_eq!(written, done.out);
    assert!(out.path().join("curve/curve.svg").is_file() && out.path().join("curve/curve.png").is_file());
}

#[test]
fn threads_change_nothing_and_a_spent_budget_is_told() {
    let ask = |threads: &str| {
        let more = ["--max-runs", "60", "--json", "--threads", threads];
        fed(&[&QUICK[..], &more].concat(), SMALL.as_bytes())
    };
    let (one, three) = (ask("1"), ask("3"));
    assert_eq!((one.code, &one.out), (0, &three.out));
    let curve = &rows(&one.out)[0];
    assert!(curve["complete"] == false && curve["runs"].as_u64() <= Some(60), "{curve:?}");
    let text = fed(&[&QUICK[..], &["--max-runs", "60"]].concat(), SMALL.as_bytes());
    assert!(
        text.out.contains("The budget of 60 runs is spent") && text.out.contains("zero-load latency"),
        "{}",
        text.out
    );
}

#[test]
fn a_curve_refuses_what_it_cannot_search() {
    for (more, said) in [
        (["--set", "workload=ramp"], "a search needs the workload `steady`"),
        (["--low", "5"], "is not below the upper end"),
        (["--set", "sweep.\"run.seed\"=[8, 16]"], "`run.seed` is swept"),
        (["--precision", "1.5"], "a share between 0 and 1 is wanted"),
    ] {
        let done = fed(&[&["curve", "-"][..], &more].concat(), SMALL.as_bytes());
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains(said), "{}", done.err);
    }
}

#[test]
fn a_comparison_shows_a_difference_and_only_where_there_is_one() {
    let (_folder, path) = folder(SMALL);
    let done = crate::tailback(&[
        "compare",
        &path,
        "--a",
        "router.buffer_flits=4",
        "--b",
        "router.buffer_flits=32",
        "--set",
        "traffic.load=0.7",
        "--seeds",
        "5",
        "--json",
    ]);
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = rows(&done.out);
    assert_eq!(rows.len(), 2, "accepted load and latency: {}", done.out);
    assert_eq!(rows[0]["verdict"], "B is more", "{}", done.out);
    assert!(number(&rows[0]["ratio_low"]) > 1.0 && rows[0]["pairs"] == 5, "{}", done.out);
    let same = fed(&["compare", "-", "--b", "name='other'", "--seeds", "3"], SMALL.as_bytes());
    assert!(same.out.contains("B is identical to A") && !same.out.contains("times that"), "{}", same.out);
    let alike = ["compare", "-", "--b", "arbiter=random", "--set", "traffic.load=0.2", "--column", "accepted_load"];
    let alike = fed(&[&alike[..], &["--seeds", "3"]].concat(), SMALL.as_bytes());
    assert!(alike.out.contains("no difference shown") && !alike.out.contains("times that"), "{}", alike.out);
}

#[test]
fn a_comparison_needs_points_that_pair_off() {
    let swept = fed(&["compare", "-", "--b", "sweep.\"traffic.load\"=[0.1]"], SMALL.as_bytes());
    assert_eq!(swept.code, 2);
    assert!(swept.err.contains("do not pair off"), "{}", swept.err);
    let column = fed(&["compare", "-", "--b", "routing.tie='plus'", "--column", "speed"], SMALL.as_bytes());
    assert_eq!(column.code, 2);
    assert!(column.err.contains("there is no column `speed`"), "{}", column.err);
}
