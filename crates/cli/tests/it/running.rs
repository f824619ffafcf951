//! `run` without a folder: tables, plots, JSON, threads, standard input, deadlock.

use crate::{SMALL, fed, folder, rows, tailback, timeless};
use tailback_results::schema::COLUMNS;

#[test]
fn a_table_with_units_and_two_plots() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path]);
    assert_eq!(done.code, 0, "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines[0], "small");
    assert!(lines[1].starts_with("traffic.load  accepted  latency"), "{}", done.out);
    assert_eq!(done.out.matches("  steady\n").count(), 3);
    for axis in ["Accepted load [flits/node/cycle]", "Mean latency [cycles]", "Offered load"] {
        assert!(done.out.contains(axis), "{}", done.out);
    }
    assert!(!done.out.contains('\x1b'), "no colours where nobody looks");
    assert!(done.err.starts_with("3 points, "), "{}", done.err);
}

#[test]
fn json_has_exactly_the_columns_in_the_order_of_the_sweep() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path, "--json"]);
    let rows = rows(&done.out);
    let columns: Vec<&str> = std::iter::once("traffic.load").chain(COLUMNS.iter().map(|c| c.name)).collect();
    for row in &rows {
        assert_eq!(row.keys().collect::<Vec<_>>(), columns);
    }
    let loads: Vec<f64> = rows.iter().map(|row| row["traffic.load"].as_f64().unwrap()).collect();
    assert_eq!(loads, [0.05, 0.1, 0.2]);
}

#[test]
fn threads_change_nothing_but_speed() {
    let (_folder, path) = folder(SMALL);
    let run = |threads: &str| timeless(&tailback(&["run", &path, "--json", "--threads", threads]).out);
    let one = run("1");
    assert_eq!(one.len(), 3);
    assert_eq!(one, run("4"));
}

#[test]
fn the_spec_may_come_from_standard_input() {
    let (_folder, path) = folder(SMALL);
    let piped = fed(&["run", "-", "--json"], SMALL.as_bytes());
    assert_eq!(piped.code, 0, "{}", piped.err);
    assert_eq!(timeless(&piped.out), timeless(&tailback(&["run", &path, "--json"]).out));
    let bad = fed(&["check", "-"], b"topology = 3");
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("standard input:1:"), "{}", bad.err);
}

#[test]
fn setting_a_swept_parameter_ends_its_sweep() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path, "--json", "--set", "traffic.load=0.15", "-s", "traffic.pattern=bcmp"]);
    let rows = rows(&done.out);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["offered_load"].as_f64(), Some(0.15));
}

#[test]
fn one_point_is_a_page_with_its_explanation() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path, "--set", "traffic.load=0.15"]);
    for part in [
        "mean latency",
        "in the source queue",
        "latency percentiles",
        "\nsteady  The network accepts what is offered",
        "Time [cycles]",
    ] {
        assert!(done.out.contains(part), "{part} is missing: {}", done.out);
    }
}

#[test]
fn axes_of_the_plot_can_be_chosen() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path, "--y", "latency_p99"]);
    assert!(done.out.contains("Latency p99 [cycles]"), "{}", done.out);
    assert_eq!(done.out.matches("Offered load").count(), 1);
}

#[test]
fn replicas_are_one_row_and_rows_of_their_own_where_seeds_are_asked_for() {
    let (_folder, path) = folder(SMALL);
    let done = tailback(&["run", &path, "--set", "run.replicas=3"]);
    assert_eq!(done.out.matches("  steady\n").count(), 3, "{}", done.out);
    let each = tailback(&["run", &path, "--set", "run.replicas=3", "--per-seed"]);
    assert_eq!(each.out.matches("  steady\n").count(), 9, "{}", each.out);
    assert!(each.out.contains("traffic.load  seed"), "{}", each.out);
}

#[test]
fn files_are_found_beside_the_spec() {
    let spec = format!("{SMALL}\n[traffic.pattern]\nkind = \"permutation\"\nfile = \"to.txt\"\n");
    let (folder, path) = folder(&spec);
    let destinations: String = (0..16).map(|node| format!("{}\n", (node + 5) % 16)).collect();
    std::fs::write(folder.path().join("to.txt"), destinations).unwrap();
    let done = tailback(&["run", &path, "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(rows(&done.out).len(), 3);
}

const DEADLOCK: &str = r#"
[topology]
kind = "torus"
radix = [8]
[router]
virtual_channels = 1
buffer_flits = 4
[routing]
kind = "dimension_order"
datelines = "none"
[traffic]
load = 0.9
size = { kind = "fixed", flits = 4 }
[run]
allow_deadlock = true
"#;

#[test]
fn a_deadlock_is_explained_and_has_its_exit_code() {
    let done = fed(&["run", "-", "--json"], DEADLOCK.as_bytes());
    assert_eq!(done.code, 3, "{}", done.err);
    assert_eq!(rows(&done.out)[0]["status"], "deadlocked");
    assert!(done.err.contains("wait for each other in a circle"), "{}", done.err);
    let refused = fed(&["run", "-"], DEADLOCK.replace("true", "false").as_bytes());
    assert_eq!(refused.code, 2, "without leave it is refused: {}", refused.err);
}

#[test]
fn saturation_is_a_result() {
    let (_folder, path) = folder(SMALL);
    let done =
        tailback(&["run", &path, "--json", "--set", "traffic.load=1.0", "--set", "workload.measure_cycles=3000"]);
    assert_eq!((done.code, rows(&done.out)[0]["status"].as_str()), (0, Some("saturated")), "{}", done.err);
}
