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
    let done = tailback(&["run", &path, "--set", "run.allow_deadlock=true", "--why", "--json", "--out", &out]);
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
    let done = fed(&["run", "-", "--why", "--json"], BESIDE.as_bytes());
    assert_eq!(done.code, 5, "{}", done.err);
    let row = &rows(&done.out)[0];
    assert_eq!(row["status"], "starved");
    let nodes: Vec<u64> = row["starved"].as_array().into_iter().flatten().filter_map(|n| n["node"].as_u64()).collect();
    assert!(!nodes.is_empty() && nodes.iter().all(|node| [3, 4].contains(node)), "{row:?}");
    let said = "get no packet into the network, while the other nodes do";
    assert_eq!(done.err.matches(said).count(), 1, "{}", done.err);
    let page = fed(&["run", "-"], BESIDE.as_bytes());
    assert_eq!((page.code, page.out.matches(said).count()), (5, 0), "said once, on standard error");
}

#[test]
fn why_is_told_in_the_order_of_the_sweep() {
    let (_folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[1.0, 0.05]"));
    let done = tailback(&["run", &path, "--why", "--json", "--threads", "3"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = rows(&done.out);
    let statuses: Vec<&str> = rows.iter().filter_map(|row| row["status"].as_str()).collect();
    assert_eq!(statuses, ["saturated", "steady"]);
    assert!(rows[0]["saturated"]["accepted_load"].as_f64().is_some_and(|load| load < 1.0), "{:?}", rows[0]);
    assert!(!rows[1].contains_key("steady"), "there is nothing behind it");
    let words = tailback(&["run", &path, "--why", "--threads", "3"]).out;
    let heads: Vec<&str> =
        words.lines().filter(|line| line.starts_with("traffic.load") || !line.starts_with(' ')).collect();
    assert!(
        heads[0].starts_with("traffic.load = 1") && heads[1].starts_with("saturated  The network accepts"),
        "{words}"
    );
    assert!(words.contains("\ntraffic.load = 0.05, seed 1\nsteady  The network accepts what is offered"), "{words}");
}

#[test]
fn a_sweep_tells_why_also_of_points_that_are_kept() {
    let (folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[1.0, 0.05]"));
    let out = text(&folder.path().join("out"));
    let ran = tailback(&["run", &path, "--why"]);
    let sweep = ["sweep", &path, "--out", &out, "--why"];
    let (first, again) = (tailback(&sweep), tailback(&sweep));
    assert_eq!((first.code, again.code), (0, 0), "{}{}", first.err, again.err);
    assert!(ran.out.contains("\nsaturated  The network accepts"), "{}", ran.out);
    assert_eq!((&first.out, &again.out), (&ran.out, &ran.out), "the same words, whoever runs the points");
    assert!(again.err.contains("2 points kept from before"), "{}", again.err);
    let rows = |more: &[&str]| rows(&tailback(&[&sweep, more].concat()).out);
    assert_eq!(rows(&["--json"]).len(), 2);
    let chosen = rows(&["--json", "--where", "status=steady"]);
    assert_eq!((chosen.len(), chosen[0]["status"].as_str()), (1, Some("steady")));
    let script = tailback(&["sweep", &path, "--out", &out, "--why", "--on", "sbatch"]);
    assert!(script.code == 2 && script.err.contains("--on sbatch runs nothing"), "{}", script.err);
}

#[test]
fn explain_tells_why_of_a_spec_and_of_a_folder() {
    let (folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[0.05, 1.0]"));
    let out = text(&folder.path().join("out"));
    let ran = tailback(&["run", &path, "--why", "--out", &out]);
    let spec = tailback(&["explain", &path, "--why"]);
    assert_eq!((spec.code, &spec.out), (0, &ran.out), "{}", spec.err);
    let read = tailback(&["explain", &out, "--why"]);
    assert_eq!((read.code, &read.out), (0, &ran.out), "{}", read.err);
    // The order in which points ended says nothing.
    let file = folder.path().join("out/records.jsonl");
    let records = std::fs::read_to_string(&file).expect("a file");
    let turned: String = records.lines().rev().map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, turned).expect("written");
    assert_eq!(tailback(&["explain", &out, "--why"]).out, ran.out);
    let one = tailback(&["explain", &out, "--why", "--where", "status=saturated"]);
    assert!(one.out.starts_with("saturated  The network accepts") && !one.out.contains("\nsteady"), "{}", one.out);
    let written = std::fs::read_to_string(folder.path().join("out/why.jsonl")).expect("a file");
    let json = rows(&tailback(&["explain", &out, "--why", "--json"]).out);
    assert_eq!(json.len(), rows(&written).len());
    assert!(json.iter().all(|row| written.contains(row["short"].as_str().expect("a text"))));
}

#[test]
fn explain_refuses_what_has_no_why() {
    let (folder, path) = folder(SMALL);
    let here = text(folder.path());
    for (arguments, said) in [
        (vec!["explain", &here], "is a folder, not a spec: --why says how its points ended"),
        (vec!["explain", &here, "--why"], "records.jsonl"),
        (vec!["explain", &path, "--json"], "--why"),
        (vec!["explain", &path, "--where", "status=steady"], "--where goes with --why"),
        (vec!["explain", &path, "--why", "--where", "nothing=1"], "--where: "),
    ] {
        let done = tailback(&arguments);
        assert!(done.code == 2 && done.err.contains(said) && done.out.is_empty(), "{arguments:?}: {}", done.err);
    }
    let record = fed(&["run", "-", "--json"], SMALL.as_bytes()).out;
    std::fs::write(folder.path().join("records.jsonl"), record).expect("a file");
    let bare = tailback(&["explain", &here, "--why"]);
    assert!(bare.code == 2 && bare.err.contains("there is no file") && bare.err.contains("why.jsonl"), "{}", bare.err);
    std::fs::write(folder.path().join("why.jsonl"), "{\"point_id\":\"other\"}\nnonsense\n").expect("a file");
    let other = tailback(&["explain", &here, "--why"]);
    assert!(other.code == 0 && other.err.contains("3 runs left out"), "{}", other.err);
}

#[test]
fn the_report_tells_why_line_by_line() {
    let (folder, path) = folder(TORUS);
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let report = std::fs::read_to_string(out.join("report.html")).expect("a file");
    let lines =
        report.split("<dl class=\"lines\">").nth(1).and_then(|rest| rest.split("</dl>").next()).expect("a list");
    let labels: Vec<&str> = lines.split("<dt>").skip(1).filter_map(|part| part.split("</dt>").next()).collect();
    let terminal: Vec<&str> =
        ["saturated"].into_iter().chain(LABELS.into_iter().filter(|l| done.out.contains(*l))).collect();
    assert_eq!(labels, terminal, "{lines}");
    assert!(lines.contains("<dd>\n<p>The network, not the nodes: its x+ links."), "{lines}");
    // The same after a resumption that has nothing to run.
    tailback(&["run", &path, "--out", &text(&out), "--resume"]);
    assert!(std::fs::read_to_string(out.join("report.html")).expect("a file").contains(lines));
}

/// The labels of a page, in their order.
const LABELS: [&str; 7] =
    ["What binds", "Busiest links", "Who waits", "Congestion", "Fairness", "What would help", "Read with care"];

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

/// A torus whose x+ links bind.
const TORUS: &str = r#"
topology = { kind = "torus", radix = [8, 8] }
router = { kind = "cut_through", virtual_channels = 3, buffer_flits = 32 }
traffic = { load = 0.8, size = { kind = "fixed", flits = 8 } }
workload = { kind = "steady", warmup_cycles = 2_000, measure_cycles = 4_000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50, link_load = true }
"#;

/// What `run --why` prints of a spec with changes.
fn page(spec: &str, sets: &[&str]) -> String {
    let mut arguments = vec!["run", "-", "--why"];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    fed(&arguments, spec.as_bytes()).out
}

#[test]
fn the_page_of_a_direction() {
    insta::assert_snapshot!(page(TORUS, &[]));
}

#[test]
fn the_page_of_a_hot_spot() {
    insta::assert_snapshot!(page(
        TORUS,
        &["traffic.load=0.3", "traffic.pattern={kind=\"hot_spot\",nodes=[27],share_percent=10}"]
    ));
}

#[test]
fn the_page_of_the_ejection() {
    insta::assert_snapshot!(page(
        TORUS,
        &["topology.radix=[4,4]", "router.virtual_channels=6", "routing.tie=alternate", "traffic.load=1"]
    ));
}

#[test]
fn the_page_of_an_admission_mechanism() {
    let router = "router={kind=\"wormhole\",virtual_channels=4,buffer_flits=8}";
    let admission = "admission={kind=\"global_threshold\",threshold_buffers=0}";
    insta::assert_snapshot!(page(TORUS, &["topology.kind=mesh", router, admission]));
}

#[test]
fn the_page_of_links() {
    insta::assert_snapshot!(page(TORUS, &["topology.kind=mesh"]));
}

#[test]
fn the_page_of_a_wormhole_network_with_few_channels() {
    let router = "router={kind=\"wormhole\",virtual_channels=1,buffer_flits=4}";
    insta::assert_snapshot!(page(TORUS, &["topology.kind=mesh", router, "traffic.size.flits=32", "traffic.load=0.5"]));
}

#[test]
fn the_page_of_head_of_line_blocking() {
    let switches = "router={kind=\"input_output_queued\"}";
    let mesh = ["topology={kind=\"mesh\",radix=[4,4]}", switches, "queueing=single", "traffic.load=0.9"];
    insta::assert_snapshot!(page(TORUS, &mesh));
}

#[test]
fn the_page_without_probes_says_which_options_bring_more() {
    insta::assert_snapshot!(page(TORUS, &["probes={}"]));
}

#[test]
fn the_page_of_a_starvation() {
    insta::assert_snapshot!(page(BESIDE, &[]));
}

#[test]
fn the_page_of_a_deadlock() {
    insta::assert_snapshot!(page(RING, &["run.allow_deadlock=true"]));
}

#[test]
fn remedies_are_tried_and_their_gains_printed() {
    let short =
        TORUS.replace("warmup_cycles = 2_000, measure_cycles = 4_000", "warmup_cycles = 500, measure_cycles = 1_500");
    let (folder, path) = folder(&short);
    let out = text(&folder.path().join("out"));
    let done = tailback(&["run", &path, "--remedies", "--why", "--out", &out]);
    assert_eq!(done.code, 0, "{}", done.err);
    let line =
        |setting: &str| done.out.lines().find(|line| line.contains(setting)).unwrap_or_else(|| panic!("{}", done.out));
    let tie = line("routing.tie = \"alternate\"");
    assert!(tie.contains(" +") && tie.contains(" %") && tie.contains(" to "), "{tie}");
    assert!(done.out.contains("do not fit this point; --json names the reasons"), "{}", done.out);
    let why = rows(&std::fs::read_to_string(folder.path().join("out/why.jsonl")).expect("a file")).remove(0);
    let remedies = why["remedies"].as_array().expect("a list");
    let tried = |outcome: &str| remedies.iter().filter(|r| r["tried"]["outcome"] == outcome).count();
    assert!(tried("measured") >= 3 && tried("refused") >= 1 && tried("not") == 0, "{remedies:?}");
    assert!(why["short"].as_str().is_some_and(|short| short.contains("Measured remedy: ")), "{}", why["short"]);
}

#[test]
fn remedies_are_for_one_point_that_does_not_get_through() {
    let (_folder, path) = folder(SMALL);
    let many = tailback(&["run", &path, "--remedies"]);
    assert!(many.code == 2 && many.err.contains("choose one with --set"), "{}", many.err);
    let steady = tailback(&["run", &path, "--remedies", "--set", "traffic.load=0.05"]);
    assert!(steady.code == 0 && steady.err.contains("the point carries what it is offered"), "{}", steady.err);
    assert_eq!(tailback(&["run", &path, "--remedy-seeds", "2"]).code, 2, "seeds of what?");
    let kept = tailback(&["run", &path, "--remedies", "--set", "traffic.load=0.05", "--checkpoint-every", "100"]);
    assert!(kept.code == 2 && kept.err.contains("not with checkpoints"), "{}", kept.err);
}

#[cfg(unix)]
#[test]
fn remedies_that_ctrl_c_cuts_short_count_as_not_tried() {
    use crate::{command, done};
    use std::process::{Command, Stdio};
    let (folder, path) = folder(TORUS);
    let out = folder.path().join("out");
    // As many seeds as take minutes: the point itself comes first with all of them.
    let arguments = ["run", &path, "--remedies", "--remedy-seeds", "1000", "--json", "--why", "--out", &text(&out)];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(std::time::Duration::from_secs(5));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let done = done(child.wait_with_output().expect("it ends"));
    assert_eq!(done.code, 130, "{}", done.err);
    let why = rows(&done.out).remove(0);
    assert_eq!(why["status"], "saturated", "the point itself was done: {why:?}");
    let remedies = why["remedies"].as_array().expect("a list");
    assert!(
        remedies.iter().all(|remedy| ["not", "refused"].iter().any(|word| remedy["tried"]["outcome"] == *word)),
        "{remedies:?}"
    );
    assert_eq!(rows(&std::fs::read_to_string(out.join("records.jsonl")).expect("a file")).len(), 1, "it is kept");
}
