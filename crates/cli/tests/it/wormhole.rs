//! Wormhole networks from the command line.

use crate::{fed, files, folder, rows, tailback, text};

const WORMHOLE: &str = r#"
[topology]
kind = "torus"
radix = [4, 4]
[router]
kind = "wormhole"
virtual_channels = 3
buffer_flits = 4
sharing = "owned"
[routing]
kind = "adaptive"
[traffic]
load = 0.2
size = { kind = "fixed", flits = 8 }
[workload]
kind = "steady"
warmup_cycles = 100
measure_cycles = 1000
drain_cycles = 1000
"#;

/// Adaptive routing without escapes on rings.
fn prone() -> String {
    WORMHOLE
        .replace("kind = \"adaptive\"", "kind = \"adaptive\"\nescape = \"none\"")
        .replace("load = 0.2", "load = 1.0")
}

#[test]
fn a_deadlock_has_its_exit_code_unless_it_is_recovered_from() {
    let refused = fed(&["run", "-"], prone().as_bytes());
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("no escape channels") && refused.err.contains("[recovery]"), "{}", refused.err);
    let set = ["run", "-", "--json", "--set", "router.virtual_channels=1"];
    let locked = fed(&[&set[..], &["--set", "run.allow_deadlock=true"]].concat(), prone().as_bytes());
    assert_eq!(locked.code, 3, "{}", locked.err);
    assert_eq!(rows(&locked.out)[0]["status"], "deadlocked");
    assert!(locked.err.contains("wait for each other in a circle"), "{}", locked.err);
    let recovered = fed(&[&set[..], &["--set", "recovery=disha"]].concat(), prone().as_bytes());
    assert_eq!(
        (recovered.code, rows(&recovered.out)[0]["status"].as_str()),
        (0, Some("saturated")),
        "{}",
        recovered.err
    );
}

#[test]
fn the_page_of_a_point_says_what_was_recovered() {
    let done = fed(&["run", "-", "--set", "recovery=disha"], prone().as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("recovered packets") && !done.out.contains("escape share"), "{}", done.out);
    let escaped = fed(&["run", "-"], WORMHOLE.as_bytes());
    assert!(escaped.out.contains("escape share") && !escaped.out.contains("recovered packets"), "{}", escaped.out);
}

#[test]
fn congestion_is_a_series_and_a_picture() {
    let (folder, path) = folder(&format!("{WORMHOLE}[probes]\ncongestion = true\n"));
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let tables = files(&out.join("series"), "csv");
    let table = tables.iter().find(|path| text(path).contains("-congestion")).expect("it is written");
    let head = std::fs::read_to_string(table).unwrap().lines().next().unwrap().to_owned();
    for column in ["full_buffers", "threshold", "estimate", "recovered", "escapes", "throughput"] {
        assert!(head.contains(column), "{head}");
    }
    assert!(files(&out.join("pictures"), "svg").iter().any(|path| text(path).contains("-congestion")));
    let capsules = tailback(&["verify", &text(&out.join("capsules"))]);
    assert_eq!(capsules.code, 0, "{}", capsules.err);
}

#[test]
fn an_explained_wormhole_spec_is_the_same_spec() {
    let explained = fed(&["explain", "-"], WORMHOLE.as_bytes());
    let id = |spec: &[u8]| rows(&fed(&["check", "-", "--json"], spec).out)[0]["point_id"].clone();
    assert_eq!(id(explained.out.as_bytes()), id(WORMHOLE.as_bytes()));
}

#[test]
fn specs_that_cannot_be() {
    for (set, reason) in [
        ("router.header_cycles=1", "belongs to router kind"),
        ("router.sharing=lent", "no choice"),
        ("router.sharing=shared", "cannot take its escape"),
        ("router.speculative=true -s router.vc_allocator=central", "only vc_allocator"),
        ("router.speculative=true -s router.vc_allocation_cycles=0", "nothing to speculate on"),
        ("router.virtual_channels=2", "escape channels"),
        ("router.virtual_channels=16", "inputs"),
        ("router.injection_channels=64", "inputs"),
        ("router.kind=cut_through -s router.buffer_flits=8", "sharing"),
        ("router={kind='cut_through',virtual_channels=3}", "does not run adaptive routing"),
    ] {
        let set = format!("check - -s {set}");
        let done = fed(&set.split(' ').collect::<Vec<_>>(), WORMHOLE.as_bytes());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{set}: {}", done.err);
        assert!(done.err.contains(reason), "{set}: {}", done.err);
    }
}

#[test]
fn saturation_of_a_wormhole_network_is_found() {
    let done = fed(&["saturation", "-", "--tolerance", "0.2", "--json"], WORMHOLE.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(rows(&done.out)[0]["carried_load"].as_f64().unwrap() > 0.05);
}
