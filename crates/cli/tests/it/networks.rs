//! `topology`: networks of all kinds, their files, and what simulations do not take yet.

use crate::{fed, folder, rows, tailback, text};
use std::path::Path;

const DRAGONFLY: [&str; 8] =
    ["--kind", "dragonfly", "--set", "routers_per_group=4", "--set", "global_links=2", "--set", "nodes_per_router=2"];

fn topology(more: &[&str]) -> crate::Done {
    tailback(&[&["topology"], more].concat())
}

fn measures(more: &[&str]) -> serde_json::Value {
    let done = topology(&[more, &["--json"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    rows(&done.out).remove(0).into()
}

#[test]
fn a_network_is_measured() {
    insta::assert_snapshot!("topology", topology(&DRAGONFLY).out);
    insta::assert_snapshot!("topology_kinds", topology(&[]).out);
    insta::assert_snapshot!("topology_parameters", topology(&["--kind", "dragonfly", "--parameters"]).out);
    let row = measures(&DRAGONFLY);
    assert_eq!(
        (row["routers"].as_u64(), row["links"].as_u64(), row["diameter"].as_u64()),
        (Some(36), Some(180), Some(3))
    );
    assert!((row["hops_mean"].as_f64().unwrap() - 2.338028).abs() < 1e-6, "{row}");
    assert!((row["channel_load_bound"].as_f64().unwrap() - 1.044118).abs() < 1e-6, "{row}");
    assert!((row["ecmp_bound"].as_f64().unwrap() - 0.755319).abs() < 1e-6, "{row}");
}

#[test]
fn a_network_is_written_and_read_back() {
    let (_folder, path) = folder("");
    let file = |name: &str| text(&Path::new(&path).with_file_name(name));
    let (native, anynet) = (file("dragonfly.net"), file("dragonfly.anynet"));
    let done = topology(&[&DRAGONFLY[..], &["-o", &native]].concat());
    assert!(done.code == 0 && done.out.contains("mean distance"), "{} {}", done.out, done.err);
    let again = topology(&[&native, "--format", "native"]);
    assert_eq!(again.out, std::fs::read_to_string(&native).unwrap());
    assert_eq!(topology(&[&native, "--format", "anynet", "-o", &anynet]).code, 0);
    // As a file it is any graph: its minimal ways are the shortest ones.
    for file in [&native, &anynet] {
        let row = measures(&[file]);
        assert_eq!(
            (row["kind"].as_str(), row["routers"].as_u64(), row["nodes"].as_u64()),
            (Some("file"), Some(36), Some(72))
        );
        assert_eq!(row["channel_load_bound"], row["ecmp_bound"]);
        assert!((row["ecmp_bound"].as_f64().unwrap() - 0.755319).abs() < 1e-6, "{row}");
    }
    // A file of another kind is not replaced, nor is the one that is read.
    let spec = file("spec.toml");
    std::fs::write(&spec, "topology = { kind = 'torus', radix = [4, 4] }\n").unwrap();
    assert_eq!(topology(&[&native, "-o", &spec]).code, 2);
    assert_eq!(topology(&[&native, "-o", &native, "--force"]).code, 2);
}

#[test]
fn a_spec_may_name_a_file_beside_it() {
    let (_folder, path) = folder("topology = { kind = 'file', path = 'small.net' }\n[traffic]\nload = 0.1\n");
    std::fs::write(Path::new(&path).with_file_name("small.net"), "routers 2\n0 1\nnode 0 0\nnode 1 1\n").unwrap();
    let row = measures(&[&path]);
    assert_eq!((row["routers"].as_u64(), row["hops_mean"].as_f64()), (Some(2), Some(1.0)));
}

#[test]
fn a_grid_that_is_simulated_has_the_bound_that_check_prints() {
    // Both ways round a ring of an odd length are never as long, so that all dimension orders are one.
    let spec = "topology = { kind = 'torus', radix = [5, 7] }\ntraffic.load = 0.1\n";
    let checked = &rows(&fed(&["check", "-", "--json"], spec.as_bytes()).out)[0];
    let measured = &rows(&fed(&["topology", "-", "--json"], spec.as_bytes()).out)[0];
    for key in ["routers", "nodes", "links", "hops_mean", "channel_load_bound"] {
        let (a, b) = (checked[key].as_f64().unwrap(), measured[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-9, "{key}: {a} {b}");
    }
}

#[test]
fn other_networks_are_not_simulated() {
    let spec = "topology = { kind = 'slim_fly', q = 5 }\ntraffic.load = 0.1\n";
    for verb in ["run", "check", "explain", "curve", "saturation"] {
        let done = fed(&[verb, "-"], spec.as_bytes());
        assert_eq!(done.code, 2, "{verb}");
        assert!(done.err.contains("only plain tori and meshes are simulated so far"), "{verb}: {}", done.err);
        assert!(
            done.err.contains("kind `slim_fly`") && done.err.contains("standard input:1:21"),
            "{verb}: {}",
            done.err
        );
    }
    assert_eq!(measures(&["--kind", "slim_fly", "--set", "q=5"])["routers"].as_u64(), Some(50));
    assert_eq!(fed(&["topology", "-"], spec.as_bytes()).code, 0);
}

#[test]
fn what_makes_no_network_is_told_at_its_place() {
    let (_folder, path) = folder("");
    let file = text(&Path::new(&path).with_file_name("wrong.net"));
    std::fs::write(&file, "routers 2\n0 1\n0 2\nnode 0 0\n").unwrap();
    for (arguments, says) in [
        (vec![file.as_str()], "(native): line 3, column 3: there is no router 2"),
        (vec!["no-such.net"], "cannot open"),
        (vec!["--kind", "dragonflie"], "did you mean `dragonfly`?"),
        (vec!["--kind", "dragonfly"], "`topology.routers_per_group` is missing"),
        (vec!["--kind", "slim_fly", "--set", "q=9"], "must be an odd prime number"),
        (vec!["--kind", "slim_fly", "--set", "q=5", "--set", "radix=[4]"], "belongs to"),
        (vec!["--kind", "fat_tree", "--set", "arity=1000", "--set", "levels=9"], "are the most"),
        (vec!["--set", "q=5"], "give a spec, or --kind"),
        (vec!["--json"], "there is no network to print"),
        (vec!["--kind", "crossbar", "--format", "table", "-o", "x"], "--format table is none"),
    ] {
        let done = topology(&arguments);
        assert!(done.code == 2 && done.err.contains(says), "{arguments:?}: {}", done.err);
    }
}
