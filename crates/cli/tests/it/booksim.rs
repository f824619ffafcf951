//! `tailback booksim`: files of BookSim 2 from the command line.

use super::{Done, fed, rows, tailback, text};
use serde_json::Value;
use tempfile::TempDir;

/// A mesh of sixteen nodes, which takes a moment.
const MESH: &str = "// A mesh.\ntopology = mesh;\nk = 4;\nn = 2;\nrouting_function = dor;\nnum_vcs = 4;\ninjection_rate = 0.1;\nsample_period = 500;\nseed = 3;\n";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A file of this name and content.
fn file(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("it can be written");
    text(&path)
}

fn booksim(folder: &TempDir, arguments: &[&str]) -> Done {
    let file = file(folder, "mesh.cfg", MESH);
    tailback(&[&["booksim", &file], arguments].concat())
}

#[test]
fn a_file_runs_and_its_record_has_figures_of_booksim() {
    let folder = folder();
    let ran = booksim(&folder, &["--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [record] = &rows(&ran.out)[..] else { panic!("one record") };
    let figures = &record["booksim"];
    assert_eq!((record["status"].as_str(), figures["stable"].as_bool()), (Some("steady"), Some(true)));
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!((number(&figures["hops"]) - 3.5).abs() < 0.2 && (number(&figures["acc"]) - 0.1).abs() < 0.02, "{figures}");
    // Flits are those of packets, but the latency of flits counts those of the warm-up, too.
    assert!((number(&figures["flat"]) - number(&figures["nlat"])).abs() < 0.1, "{figures}");
    assert_eq!(figures["frag"].as_f64(), Some(0.0));
    assert!(!ran.err.contains("near, not exact"), "{}", ran.err);
}

/// Two classes, of which the second one sends long packets to one node.
#[test]
fn classes_have_blocks_and_figures_of_their_own() {
    let folder = folder();
    let classes = ["classes=2", "traffic={uniform,hotspot({5})}", "packet_size={1,5}", "injection_rate={0.1,0.004}"];
    let ran = booksim(&folder, &[&classes[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [record] = &rows(&ran.out)[..] else { panic!("one record") };
    let figures = &record["booksim"];
    let of = |class: usize, key: &str| figures["classes"][class][key].as_f64().expect("a number");
    assert!((record["offered_load"].as_f64().expect("a number") - 0.12).abs() < 1e-9);
    assert!((of(0, "acc") - 0.1).abs() < 0.01 && (of(1, "acc") - 0.02).abs() < 0.01, "{figures}");
    assert!((figures["acc"].as_f64().expect("a number") - of(0, "acc") - of(1, "acc")).abs() < 1e-9, "{figures}");
    assert!(of(1, "plat") > of(0, "plat") + 4.0 && of(1, "acc_min") == 0.0, "{figures}");
    let classic = booksim(&folder, &[&classes[..], &["--classic", "print_csv_results=1"]].concat()).out;
    let order = [
        "Class 0:",
        "Class 1:",
        "latency change",
        "====== Traffic class 0",
        "====== Traffic class 1",
        "results:0,uniform",
        "results:1,hotspot",
    ];
    let places = order.map(|words| classic.find(words).unwrap_or_else(|| panic!("no {words} in {classic}")));
    assert!(places.is_sorted(), "{classic}");
    let left_out = booksim(&folder, &[&classes[..], &["--classic", "measure_stats={1,0}"]].concat()).out;
    assert!(left_out.contains("Class 0:") && !left_out.contains("lass 1"), "{left_out}");
    let several = booksim(&folder, &[&classes[..], &["--rates", "0.1..0.2:0.1"]].concat());
    assert!(several.code == 2 && several.err.contains("one injection_rate for all classes"), "{}", several.err);
}

/// The spec that a file with classes becomes gives the same bits.
#[test]
fn the_spec_of_a_file_with_classes_runs_alike() {
    let folder = folder();
    let classes = ["classes=2", "packet_size={1,3}", "injection_rate={0.1,0.05}", "subnets=2"];
    let spec = file(&folder, "classes.toml", &booksim(&folder, &[&classes[..], &["--spec"]].concat()).out);
    let digest = |out: &str| rows(out)[0]["digest"].clone();
    let run = tailback(&["run", &spec, "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(digest(&run.out), digest(&booksim(&folder, &[&classes[..], &["--json"]].concat()).out));
}

/// Flits of an empty network take as long as heads, and none is apart from the one before.
#[test]
fn flits_of_long_packets_have_latencies() {
    let folder = folder();
    let ran = booksim(&folder, &["packet_size=4", "injection_rate=0.0005", "sample_period=20000", "--json"]);
    let figures = rows(&ran.out)[0]["booksim"].clone();
    let number = |key: &str| figures[key].as_f64().expect("a number");
    assert!((number("nlat") - number("flat") - 3.0).abs() < 0.1 && number("frag") < 0.05, "{figures}");
}

/// A line of three routers as a network file.
const LINE: &str = "router 0 node 0 router 1 3\nrouter 1 node 1 router 0 3 router 2 2\nrouter 2 node 2 router 1 2\n";

#[test]
fn a_network_file_is_found_beside_the_configuration() {
    let folder = folder();
    file(&folder, "line.net", LINE);
    let config =
        "topology = anynet;\nnetwork_file = line.net;\nrouting_function = min;\nnum_vcs = 2;\nsample_period = 500;\n";
    let path = file(&folder, "line.cfg", config);
    let ran = tailback(&["booksim", &path, "injection_rate=0.02", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let hops = rows(&ran.out)[0]["booksim"]["hops"].as_f64().expect("a number");
    assert!(rows(&ran.out)[0]["booksim"]["circle"].is_null(), "nothing is cyclic: {}", ran.out);
    // Routers passed: 1, 2 or 3 on a line of three.
    assert!((hops - 17.0 / 9.0).abs() < 0.2, "{hops}");
    let spec = tailback(&["booksim", &path, "--spec"]);
    let spec = file(&folder, "line.toml", &spec.out);
    assert_eq!(tailback(&["run", &spec]).code, 0);
    // The file says how many nodes there are.
    let last = tailback(&["booksim", &path, "traffic=hotspot({2})", "--spec"]);
    assert!(last.code == 0 && last.out.contains("nodes = [2]"), "{}", last.err);
    let far = tailback(&["booksim", &path, "traffic=hotspot({3})", "--spec"]);
    assert!(far.code == 2 && far.err.contains("hotspot"), "{}", far.err);
    let none = tailback(&["booksim", &path, "network_file=none.net"]);
    assert!(none.code == 2 && none.err.contains("there is no such file here"), "{}", none.err);
    let none = tailback(&["booksim", &path, "network_file=none.net", "traffic=hotspot({2})"]);
    assert!(none.code == 2 && none.err.contains("there is no such file here"), "{}", none.err);
    file(&folder, "node.net", "router 0 node 1 4 router 1\nrouter 1 node 0\n");
    let latency = tailback(&["booksim", &path, "network_file=node.net"]);
    assert!(latency.code == 2 && latency.err.contains("BookSim takes the latency of node 1"), "{}", latency.err);
}

/// Channels of a ring wait for each other, and BookSim runs it.
#[test]
fn a_file_whose_channels_are_cyclic_runs_unless_it_must_not() {
    let folder = folder();
    let ring: String =
        (0..5).map(|r| format!("router {r} node {r} router {} 1 router {} 1\n", (r + 1) % 5, (r + 4) % 5)).collect();
    file(&folder, "ring.net", &ring);
    let config =
        "topology = anynet;\nnetwork_file = ring.net;\nrouting_function = min;\nnum_vcs = 2;\nsample_period = 200;\n";
    let path = file(&folder, "ring.cfg", config);
    let ran = tailback(&["booksim", &path, "injection_rate=0.02"]);
    assert!(ran.code == 0 && ran.err.contains("packets can wait for each other forever"), "{}", ran.err);
    let json = tailback(&["booksim", &path, "injection_rate=0.02", "--json"]);
    let row = rows(&json.out)[0].clone();
    let circle = row["booksim"]["circle"].as_array().unwrap_or_else(|| panic!("{row:?}"));
    assert!(circle.len() > 2 && json.err.contains(circle[0].as_str().expect("words")), "{row:?}");
    assert!(tailback(&["booksim", &path, "--spec"]).out.contains("allow_deadlock = true"));
    assert_eq!(tailback(&["booksim", &path, "--strict", "--check"]).code, 2);
}

/// Latency of packets that meet nobody: the wires of nodes, one cycle, the stages and the link of each router, and flits behind the head.
#[test]
fn networks_of_booksim_have_its_zero_load_latency() {
    let folder = folder();
    let all = "num_vcs = 4; routing_delay = 1; credit_delay = 1; use_noc_latency = 0; injection_rate = 0.001; sample_period = 5000;\n";
    let layout = "c = 4; x = 4; y = 4; xr = 2; yr = 2; k = 4; n = 2;";
    let latency = |text: &str| {
        let path = file(&folder, "some.cfg", &format!("{all}{text}"));
        let ran = tailback(&["booksim", &path, "--json"]);
        assert_eq!(ran.code, 0, "{text}: {}", ran.err);
        let figures = rows(&ran.out)[0]["booksim"].clone();
        let number = |key: &str| figures[key].as_f64().expect("a number");
        (number("plat"), number("hops"))
    };
    for text in [
        "topology = mesh; routing_function = xy_yx; k = 4; n = 2;",
        "topology = fly; routing_function = dest_tag; k = 4; n = 1;",
        "topology = fly; routing_function = dest_tag; k = 4; n = 2;",
        "topology = fly; routing_function = dest_tag; k = 2; n = 4;",
        "topology = fattree; routing_function = nca; k = 3; n = 3;",
        "topology = qtree; routing_function = nca; k = 4; n = 3;",
        "topology = tree4; routing_function = nca; k = 4; n = 3;",
        "topology = torus; routing_function = min_adapt; k = 5; n = 2;",
        "topology = mesh; routing_function = planar_adapt; k = 4; n = 2;",
        "topology = mesh; routing_function = dor; k = 4; n = 2; subnets = 3;",
        &format!("topology = cmesh; routing_function = dor; {layout}"),
        &format!("topology = flatfly; routing_function = valiant; {layout}"),
        &format!("topology = flatfly; routing_function = ugal; {layout}"),
        &format!("topology = cmesh; routing_function = dor_no_express; {layout}"),
        &format!("topology = flatfly; routing_function = ran_min; {layout}"),
    ] {
        let (plat, hops) = latency(text);
        // Two wires of nodes and a cycle; four stages at each router, and a link of a cycle between two.
        let expected = 3.0 + 4.0 * hops + (hops - 1.0);
        assert!((plat - expected).abs() < 0.01 * expected, "{text}: {plat} for {expected}, {hops} routers");
    }
    // All ways of a butterfly are as long.
    assert_eq!(latency("topology = fly; routing_function = dest_tag; k = 2; n = 4;").1, 4.0);
}

/// Packets that meet nobody take the time of the formula.
#[test]
fn an_empty_network_has_the_latency_of_the_pipeline() {
    let folder = folder();
    let few = ["injection_rate=0.002", "sample_period=20000"];
    let ran = booksim(&folder, &[&few[..], &["--json"]].concat());
    let spec = booksim(&folder, &[&few[..], &["--spec"]].concat());
    let checked = fed(&["check", "-", "--json"], spec.out.as_bytes());
    let expected = rows(&checked.out)[0]["zero_load_latency"].as_f64().expect("a number");
    let found = rows(&ran.out)[0]["booksim"]["plat"].as_f64().expect("a number");
    assert!((found - expected).abs() < 0.02 * expected, "{found} for {expected}");
}

#[test]
fn the_spec_gives_the_same_bits() {
    let folder = folder();
    let spec = booksim(&folder, &["--spec"]);
    let path = file(&folder, "mesh.toml", &spec.out);
    let direct = &rows(&booksim(&folder, &["--json"]).out)[0];
    let by_spec = &rows(&tailback(&["run", &path, "--json"]).out)[0];
    assert_eq!((&direct["digest"], &direct["booksim"]), (&by_spec["digest"], &by_spec["booksim"]));
}

#[test]
fn arguments_come_after_files_and_rates_run_in_one_go() {
    let folder = folder();
    let ran = booksim(&folder, &["injection_rate=0.05", "seed=9", "--rates", "0.05..0.15:0.05", "--json"]);
    let loads: Vec<f64> = rows(&ran.out).iter().filter_map(|record| record["traffic.load"].as_f64()).collect();
    assert_eq!(loads, [0.05, 0.1, 0.15]);
    let wrong = booksim(&folder, &["--rates", "0.5..0.1:0.1"]);
    assert_eq!((wrong.code, wrong.err.contains("--rates takes A..B:STEP")), (2, true), "{}", wrong.err);
}

#[test]
fn classic_output_has_the_lines_that_scripts_search() {
    let folder = folder();
    let ran = booksim(&folder, &["--classic", "--classic-exit", "print_csv_results=1"]);
    assert_eq!(ran.code, 255, "{}", ran.err);
    for line in [
        "Warmed up ...Time used is 1500 cycles",
        "====== Overall Traffic Statistics ======",
        "====== Traffic class 0 ======",
        "Packet latency average = ",
        "Hops average = ",
        "Time taken is ",
        "results:0,uniform,0,0.1,",
        "latency change    = ",
        "Accepted flit rate average= ",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let unstable = booksim(&folder, &["--classic", "--classic-exit", "latency_thres=12.0"]);
    assert_eq!(unstable.code, 0, "{}", unstable.err);
    assert!(unstable.out.contains("exceeded 12 cycles. Aborting simulation.\nSimulation unstable, ending ..."));
}

#[test]
fn what_cannot_run_is_refused_with_the_key_and_its_place() {
    let folder = folder();
    let refused = |arguments: &[&str]| {
        let ran = booksim(&folder, arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.out);
        ran.err
    };
    assert!(
        refused(&["vc_alloc_delay=2"])
            .contains("argument `vc_alloc_delay=2`:1:1: `vc_alloc_delay = 2`: BookSim aborts")
    );
    assert!(refused(&["use_map=1"]).contains("`use_map` is a key of GPGPU-Sim"));
    assert!(refused(&["k=abc"]).contains("`k` takes an integer, not `abc`"));
    assert!(refused(&["limit=3"]).contains("--legacy"));
    // The allocator looks at no priority, but which flit stands for a crossbar input does depend on it.
    assert!(refused(&["priority=local_age", "num_vcs=2"]).contains("none that changes from flit to flit"));
    assert_eq!(booksim(&folder, &["priority=age", "num_vcs=2", "--check"]).code, 0);
    assert_eq!(booksim(&folder, &["limit=3", "--legacy", "--check"]).code, 0);
    let broken = file(&folder, "broken.cfg", "k = 8;\nn 2;\n");
    let ran = tailback(&["booksim", &broken]);
    assert!(ran.code == 2 && ran.err.contains("broken.cfg:2:3: expected `=` after `n`"), "{}", ran.err);
    let endless = tailback(&["booksim", "/dev/zero"]);
    assert!(endless.code == 2 && endless.err.contains("longer than a configuration may be (1 MiB)"), "{}", endless.err);
    let none = tailback(&["booksim", "k=8"]);
    assert!(none.code == 2 && none.err.contains("there is no file among the arguments"), "{}", none.err);
    assert_eq!(tailback(&["booksim", "/nowhere/at/all"]).code, 2);
}

#[test]
fn every_key_is_explained_in_a_line() {
    let folder = folder();
    let ran = booksim(&folder, &["--explain", "alloc_iters=2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = |key: &str| ran.out.lines().find(|line| line.starts_with(&format!("{key} "))).unwrap_or_default();
    assert!(line("num_vcs").contains("mesh.cfg:6:1") && line("num_vcs").contains("router.virtual_channels = 4"));
    assert!(line("alloc_iters").contains("no effect"), "{}", line("alloc_iters"));
    assert!(line("xr").contains("default"));
}
