//! `curve` of a program: completion time over a number of the spec.

use crate::{Done, fed, folder, rows, tailback, text};
use serde_json::Value;
use std::path::Path;

const RING: &str = "topology = { kind = 'torus', radix = [8] }
router = { kind = 'cut_through', buffer_flits = 32, header_cycles = 1 }
traffic = { packet_flits = 8 }
workload = { kind = 'program', generate = { kind = 'all_reduce', ranks = 8, flits = 1024 } }
";

fn curve(spec: &str, more: &[&str]) -> Done {
    fed(&[&["curve", "-"], more].concat(), spec.as_bytes())
}

/// Sizes and durations of a curve.
fn durations(variant: &Value) -> Vec<(f64, f64)> {
    let points = variant["points"].as_array().unwrap();
    let of = |point: &Value| (point["x"].as_f64().unwrap(), point["duration_cycles"]["mean"].as_f64().unwrap());
    points.iter().map(of).collect()
}

#[test]
fn a_ring_meets_the_formula_at_every_size() {
    let done = curve(RING, &["--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let found = &rows(&done.out)[0];
    let sizes: Vec<f64> = (4..=10).map(|size| f64::from(1 << size)).collect();
    let formula: Vec<(f64, f64)> = sizes.iter().map(|&flits| (flits, 14.0 * (flits / 8.0 + 3.0))).collect();
    assert_eq!(durations(&found["variants"][0]), formula);
    let points = found["variants"][0]["points"].as_array().unwrap();
    assert!(points.iter().skip(1).all(|point| point["seeds"] == 1), "nothing in it is random");
    assert!(points.iter().all(|point| point["bound_cycles"] == point["duration_cycles"]["mean"]));
    let page = curve(RING, &["--vary", "workload.generate.flits=512,1024"]);
    assert!(page.out.contains("1,834") && page.out.contains("chain"), "{}", page.out);
}

#[test]
fn a_folder_keeps_what_was_run() {
    let out = tempfile::tempdir().unwrap();
    let root = text(&out.path().join("sizes"));
    let ask =
        |to: &str| curve(RING, &["--vary", &format!("workload.generate.flits=64..{to}"), "--json", "--out", &root]);
    let first = ask("256");
    assert_eq!(first.code, 0, "{}", first.err);
    let records = || rows(&std::fs::read_to_string(out.path().join("sizes/records.jsonl")).unwrap());
    assert_eq!(records().len(), 4, "three sizes, and a second seed of the smallest");
    let second = ask("512");
    assert!(second.err.contains("4 runs kept from before"), "{}", second.err);
    assert_eq!(records().len(), 5);
    let files = ["curve.json", "curve.csv", "curve.svg", "curve.png", "records.csv", "report.html", "spec.toml"];
    files.iter().for_each(|file| assert!(out.path().join("sizes").join(file).is_file(), "{file}"));
    assert_eq!(std::fs::read_to_string(out.path().join("sizes/curve.json")).unwrap(), second.out);
    let table = std::fs::read_to_string(out.path().join("sizes/curve.csv")).unwrap();
    assert!(table.starts_with("variant,workload.generate.flits,duration,"), "{table}");
    std::fs::write(out.path().join("sizes/curve.json"), "my notes\n").unwrap();
    let third = ask("512");
    assert!(third.code == 2 && third.err.contains("something other than the curve of a program"), "{}", third.err);
}

#[test]
fn what_is_swept_gives_curves_and_what_is_random_gives_seeds() {
    let sweep = format!(
        "{RING}[sweep]\n'workload.placement' = ['packed', 'random']\n'workload.generate.algorithm' = ['ring', 'halving_doubling']\n\
         topology = [{{ kind = 'torus', radix = [8] }}, {{ kind = 'hyperx', sides = [8], nodes_per_router = 1 }}]\n\
         arbiter = ['round_robin', 'oldest_first']\n"
    );
    let done = curve(&sweep, &["--vary", "workload.generate.flits=64,256", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let found = &rows(&done.out)[0];
    let variants = found["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 16);
    for variant in variants {
        let parameter = |name: &str| variant["parameters"][name].as_str().unwrap_or_default().to_owned();
        let seeds = variant["points"][1]["seeds"].as_u64();
        if parameter("workload.placement") == "packed" && parameter("workload.generate.algorithm") == "ring" {
            assert_eq!(seeds, Some(1), "{variant}");
        }
        for point in variant["points"].as_array().unwrap() {
            assert!(point["bound_cycles"].as_f64() <= point["duration_cycles"]["mean"].as_f64(), "{point}");
        }
    }
    let placed = |variant: &&Value| variant["parameters"]["workload.placement"] == "random";
    let random: Vec<&Value> = variants.iter().filter(placed).collect();
    assert!(random.iter().any(|variant| variant["points"][0]["seeds"] == 5), "{random:?}");
    assert!(found["headline"].as_str().unwrap().starts_with("Fastest: "));
    let all = curve(RING, &["--vary", "workload.generate.flits=64,256", "--seeds", "6", "--json"]);
    assert_eq!(rows(&all.out)[0]["runs"], 12);
}

#[test]
fn what_cannot_be_varied_is_refused() {
    for (more, expected) in [
        (&["--high", "0.5"][..], "--high is about loads"),
        (&["--max-runs", "9"], "--max-runs is about loads"),
        (&["--vary", "workload.generate.flits"], "PATH=FROM..TO is wanted"),
        (&["--vary", "workload.generate.flits=8..4"], "PATH=FROM..TO is wanted"),
        (&["--vary", "workload.generate.algorithm=ring,double_binary_tree"], "--vary"),
        (&["--vary", "workload.generate.algorithm=['ring','double_binary_tree']"], "a curve goes along numbers"),
        (&["--vary", "workload.generate.flit=1..4"], "flit"),
        (&["--vary", "workload.generate.flits=1..4", "--low", "0.1"], "cannot be used with"),
    ] {
        let done = curve(RING, more);
        assert_eq!(done.code, 2, "{more:?}: {}", done.out);
        assert!(done.err.contains(expected), "{more:?}: {}", done.err);
    }
    let steady = curve("topology = { kind = 'torus', radix = [4] }\n", &["--vary", "router.buffer_flits=8..16"]);
    assert!(steady.code == 2 && steady.err.contains("--vary is of programs"), "{}", steady.err);
}

#[test]
fn a_file_needs_a_number_and_a_program_that_is_stuck_says_so() {
    let (_folder, spec) = folder("");
    let beside = |name: &str| text(&Path::new(&spec).with_file_name(name));
    let (goal, asked) = (beside("x.goal"), beside("file.toml"));
    let rank = |peer: u32| format!("r: recv 8b from {peer}\ns: send 8b to {peer}\ns requires r\n");
    std::fs::write(&goal, format!("num_ranks 2\nrank 0 {{\n{}}}\nrank 1 {{\n{}}}\n", rank(1), rank(0))).unwrap();
    let text = "topology = { kind = 'torus', radix = [4] }\nrouter = { kind = 'cut_through', buffer_flits = 32 }\n\
                workload = { kind = 'program', file = 'x.goal', bytes_per_flit = 1 }\n";
    std::fs::write(&asked, text).unwrap();
    let done = tailback(&["curve", &asked]);
    assert!(done.code == 2 && done.err.contains("no size to vary"), "{}", done.err);
    let done = tailback(&["curve", &asked, "--vary", "router.buffer_flits=16..64"]);
    assert_eq!(done.code, 3, "{}\n{}", done.out, done.err);
    assert!(done.out.contains("stuck") && done.err.contains("receive"), "{}\n{}", done.out, done.err);
}
