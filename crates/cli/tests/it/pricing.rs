//! `cost` and the presets.

use crate::{fed, rows, tailback};

#[test]
fn the_routers_of_the_paper() {
    insta::assert_snapshot!("cost", tailback(&["cost"]).out);
    insta::assert_snapshot!("cost_of_one", tailback(&["cost", "bubble_adaptive_2d"]).out);
    insta::assert_snapshot!(
        "cost_of_a_variant",
        tailback(&["cost", "vc_adaptive_2d", "--channels", "4", "--queue-phits", "48"]).out
    );
}

#[test]
fn prices_for_programs() {
    let all = tailback(&["cost", "--json"]);
    let routers = rows(&all.out);
    assert_eq!((all.code, routers.len()), (0, 8));
    let one = &rows(&tailback(&["cost", "bubble_adaptive_2d", "--json"]).out)[0];
    let area = one["area_mm2"].as_object().unwrap();
    assert!((area["value"].as_f64().unwrap() - 18.76).abs() < 0.005 && area["source"] == "measured", "{area:?}");
    assert_eq!((one["cycles_least"].as_u64(), one["cycles_most"].as_u64()), (Some(4), Some(5)));
    // With --dimensions the two presets of a design are one router.
    assert_eq!(rows(&tailback(&["cost", "--json", "--dimensions", "4"]).out).len(), 4);
}

#[test]
fn what_cannot_be_priced_is_told() {
    let unknown = tailback(&["cost", "bubble"]);
    assert!(unknown.code == 2 && unknown.err.contains("bubble_adaptive_2d"), "{}", unknown.err);
    let narrow = tailback(&["cost", "vc_adaptive_2d", "--channels", "2"]);
    assert!(narrow.code == 2 && narrow.err.contains("needs 3"), "{}", narrow.err);
    assert_eq!(tailback(&["cost", "--dimensions", "9"]).code, 2);
}

const SPEC: &str = "preset = \"bubble_adaptive_2d\"\ntopology = { kind = \"torus\", radix = [4, 4] }\n\
                    traffic = { load = 0.1, size = { kind = \"fixed\", flits = 16 } }\n\
                    workload = { kind = \"steady\", warmup_cycles = 100, measure_cycles = 2000, drain_cycles = 1000 }\n";

#[test]
fn presets_are_listed_explained_and_run() {
    let list = tailback(&["list", "presets"]);
    assert!(list.out.contains("vc_dor_3d") && list.out.contains("cycle_ns = 5.65"), "{}", list.out);
    let explained = fed(&["explain", "-"], SPEC.as_bytes());
    assert_eq!(explained.code, 0, "{}", explained.err);
    let marked =
        |line: &str, mark: &str| explained.out.lines().any(|l| l.starts_with(line) && l.trim_end().ends_with(mark));
    assert!(marked("cycle_ns = 5.65", "preset") && marked("kind = \"bubble\"", "preset"), "{}", explained.out);
    let run = fed(&["run", "-", "--json", "--set", "router.header_cycles=9"], SPEC.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    let slow = rows(&run.out)[0]["latency_mean_ns"].as_f64().unwrap();
    let fast = rows(&fed(&["run", "-", "--json"], SPEC.as_bytes()).out)[0]["latency_mean_ns"].as_f64().unwrap();
    assert!(slow > fast + 5.65 * 6.0 * 2.0, "{slow} {fast}");
    let unknown = fed(&["check", "-"], SPEC.replace("bubble_adaptive_2d", "bubble_adaptiv_2d").as_bytes());
    assert!(unknown.err.contains("did you mean `bubble_adaptive_2d`"), "{}", unknown.err);
}
