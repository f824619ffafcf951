//! `check`, `explain`, `list`, `schema`, `plot`, `saturation`, `bench`, `reproduce`, `completions`.

use crate::{SMALL, command, done, fed, folder, rows, tailback, text, verbs};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

#[test]
fn check_prints_facts() {
    let done = fed(&["check", "-", "--set", "traffic.load=0.1"], SMALL.as_bytes());
    insta::assert_snapshot!(done.out);
    let json = fed(&["check", "-", "--json"], SMALL.as_bytes());
    let rows = rows(&json.out);
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[2]["traffic.load"].as_f64(), rows[2]["nodes"].as_u64()), (Some(0.2), Some(16)));
}

#[test]
fn check_warns_of_loads_above_the_bound() {
    let spec = SMALL.replace("[4, 4]", "[8, 8]");
    let done = fed(&["check", "-", "--set", "traffic.load=1.0", "--set", "traffic.pattern=bcmp"], spec.as_bytes());
    assert_eq!(done.code, 0, "a warning is no error");
    assert!(done.out.contains("warning: the offered load of 1.0000"), "{}", done.out);
}

#[test]
fn explain_shows_defaults_and_changes() {
    let done = fed(&["explain", "-", "--set", "router.buffer_flits=48"], SMALL.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("buffer_flits = 48") && done.out.contains("[sweep]"), "{}", done.out);
    assert_eq!(fed(&["explain", "-"], b"x = 1").code, 2);
}

#[test]
fn list_names_everything() {
    let all = tailback(&["list"]).out;
    for word in [
        "[topology]",
        "torus",
        "[traffic.pattern]",
        "uniform*",
        "bcmp",
        "[admission]",
        "spth",
        "wormhole",
        "cut_through*",
        "[selection]",
        "[recovery]",
    ] {
        assert!(all.contains(word), "{word}: {all}");
    }
    let one = tailback(&["list", "workload"]).out;
    assert!(one.contains("warmup_cycles [cycles]: integer, 0 to ") && one.contains("default 10000"), "{one}");
    let columns = tailback(&["list", "columns"]).out;
    assert!(columns.contains("latency_mean [cycles]"), "{columns}");
    let json: Value = serde_json::from_str(&tailback(&["list", "--json"]).out).unwrap();
    assert!(
        json.as_array().unwrap().iter().any(|s| s["path"] == "routing" && s["kinds"][0]["name"] == "dimension_order")
    );
    let unknown = tailback(&["list", "traffic.patern"]);
    assert!(unknown.err.contains("traffic.pattern"), "{}", unknown.err);
    assert!(tailback(&["list", "arbiter", "--markdown"]).out.starts_with("## `[arbiter]`"));
}

#[test]
fn list_shows_the_keys_of_both_routers() {
    let router = tailback(&["list", "router"]).out;
    for word in
        ["header_cycles [cycles]", "vc_allocation_cycles [cycles]", "shared_whole:", "kind (cut_through by default)"]
    {
        assert!(router.contains(word), "{word}: {router}");
    }
    for (section, kind) in [("selection", "most_credits"), ("recovery", "disha")] {
        let text = tailback(&["list", section]).out;
        assert!(text.contains(kind), "{text}");
    }
}

#[test]
fn schema_is_json() {
    let schema: Value = serde_json::from_str(&tailback(&["schema"]).out).unwrap();
    assert!(schema["properties"]["topology"].is_object());
}

#[test]
fn plot_draws_records_again() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    tailback(&["run", &path, "--out", &text(&out)]);
    let shown = tailback(&["plot", &text(&out)]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("Accepted load") && shown.out.contains("Mean latency"), "{}", shown.out);
    let (svg, png) = (text(&folder.path().join("a.svg")), text(&folder.path().join("a.png")));
    let written = tailback(&["plot", &text(&out), "--y", "latency_p99", "--svg", &svg, "--png", &png]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.err);
    assert!(std::fs::read_to_string(svg).unwrap().contains("Latency p99"));
    assert_eq!(&std::fs::read(png).unwrap()[1..4], b"PNG");
    let unknown = tailback(&["plot", &text(&out), "--y", "latency"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("latency_mean"), "it names what there is: {}", unknown.err);
}

#[test]
fn saturation_is_bracketed() {
    let arguments = ["saturation", "-", "--tolerance", "0.1", "--json", "--set", "workload.measure_cycles=3000"];
    let done = fed(&arguments, SMALL.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let found = &rows(&done.out)[0];
    let (low, high) = (found["carried_load"].as_f64().unwrap(), found["refused_load"].as_f64());
    let bound = found["channel_load_bound"].as_f64().unwrap();
    assert!(low >= 0.3 && low <= bound, "{found:?}");
    assert!(high.is_none_or(|high| high - low <= 0.1), "{found:?}");
    assert!(found["runs"].as_array().unwrap().len() >= 2);
    let swept = fed(&["saturation", "-"], format!("{SMALL}\n\"router.buffer_flits\" = [8, 16]\n").as_bytes());
    assert_eq!(swept.code, 0, "{}", swept.err);
    assert!(swept.out.contains("buffer_flits") && swept.out.contains("16"), "a row for each: {}", swept.out);
    let ramp = fed(&["saturation", "-", "--set", "workload=ramp"], SMALL.as_bytes());
    assert_eq!(ramp.code, 2, "{}", ramp.err);
}

#[test]
fn the_upper_end_of_a_search_allows_for_silent_nodes() {
    // Transposition leaves the diagonal silent: the bound over all nodes is met at a third more of traffic.load.
    let spec = SMALL.replace("torus", "mesh").replace("[traffic]", "[traffic]\npattern = \"trns\"");
    let bound = |verb: &str| {
        let done = fed(&[verb, "-", "--json", "--set", "traffic.load=0.1"], spec.as_bytes());
        rows(&done.out)[0]["channel_load_bound"].as_f64().unwrap()
    };
    let (over_all, of_load) = (bound("check"), bound("saturation"));
    assert!((of_load / over_all - 16.0 / 12.0).abs() < 1e-9, "{over_all} {of_load}");
}

#[test]
fn bench_measures_in_a_process_of_its_own() {
    let done = tailback(&["bench", "dor-16", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let row = &rows(&done.out)[0];
    for key in ["cycles_per_second", "flit_hops_per_second", "packet_hops_per_second", "peak_rss_bytes"] {
        assert!(row[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert_eq!(row["name"], "dor-16");
    assert!((0.0..1.0).contains(&row["watchdog_share"].as_f64().unwrap()));
}

#[test]
fn bench_measures_what_every_probe_costs() {
    let done = tailback(&["bench", "dor-16", "--probes", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let found = rows(&done.out);
    let ratio = |probe: &str| found.iter().find(|row| row["probe"] == probe).map(|row| row["time_over_none"].as_f64());
    for probe in ["latency_split", "link_load", "occupancy_every_cycles", "space_time_cycles", "congestion"] {
        assert!(ratio(probe).flatten().is_some_and(|ratio| ratio > 0.1), "{probe}: {}", done.out);
    }
    // Cut-through has no such queues.
    assert_eq!([ratio("injection_queues"), ratio("set_aside_queues")], [Some(None); 2]);
    assert_eq!(ratio("window_cycles"), None);
}

#[test]
fn bench_sets_threads_beside_one() {
    let done = tailback(&["bench", "dor-16", "--threads", "2", "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let row = &rows(&done.out)[0];
    assert_eq!((&row["threads"], &row["digests_equal"]), (&json!(2), &json!(true)));
    let speed = |key: &str| row[key].as_f64().unwrap();
    assert_eq!(speed("speedup"), speed("cycles_per_second") / speed("cycles_per_second_one_thread"));
}

#[test]
fn a_large_network_is_the_same_on_any_number_of_threads() {
    let large = "name = 'large'\ntopology = { kind = 'torus', radix = [64, 48] }\nrouter.virtual_channels = 2\n\
                 traffic = { load = 0.05, size = { kind = 'fixed', flits = 8 } }\n\
                 workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 200, drain_cycles = 200 }\n";
    let run = |threads: &str| {
        let done = fed(&["run", "-", "--json", "--threads", threads], large.as_bytes());
        assert_eq!(done.code, 0, "{}", done.err);
        let row = rows(&done.out).remove(0);
        (row["digest"].clone(), row["packets_delivered"].as_f64())
    };
    let one = run("1");
    assert!(one.1 > Some(1000.0));
    assert_eq!(run("30"), one);
    let said = |set: &str| fed(&["check", "-", "--set", set], large.as_bytes()).out;
    assert!(said("traffic.load=0.1").contains("threads             one for every 1024 routers"));
    assert!(said("router.kind=wormhole").contains("threads             one for a network: router.kind"));
}

#[test]
fn papers_are_listed() {
    let done = tailback(&["reproduce"]);
    assert_eq!(done.code, 0);
    assert!(done.out.contains("spth-2015") && done.out.contains("table2"), "{}", done.out);
    let unknown = tailback(&["reproduce", "spth-2015", "table99"]);
    assert!(unknown.err.contains("its items are"), "{}", unknown.err);
}

/// Runs are kept as they finish, and made again only where they are missing or damaged.
#[test]
fn a_reproduction_goes_on_with_the_runs_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let out = text(&folder.path().join("out"));
    let ask = |more: &[&str]| {
        let arguments = ["reproduce", "spth-2015", "table2", "--quick", "--json", "--out", &out];
        tailback(&[&arguments[..], more].concat())
    };
    let first = ask(&[]);
    assert_eq!(first.code, 0, "{}", first.err);
    let runs = crate::files(&folder.path().join("out/runs"), "json");
    let times = || runs.iter().map(|run| run.metadata().unwrap().modified().unwrap()).collect::<Vec<_>>();
    assert!(runs.len() > 10);
    let refused = ask(&[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--resume goes on with them, --force replaces them"), "{}", refused.err);
    let before = times();
    std::fs::remove_file(&runs[0]).unwrap();
    std::fs::write(&runs[1], "{\"record\":").unwrap();
    let second = ask(&["--resume"]);
    assert_eq!((second.code, &second.out), (0, &first.out));
    let after = times();
    assert!(after[0] > before[0] && after[1] > before[1], "made again");
    assert_eq!(after[2..], before[2..], "not touched");
    assert_eq!(ask(&["--force"]).out, first.out);
    assert!(times().iter().zip(&after).all(|(new, old)| new > old), "all made again");
}

#[test]
fn completions_know_the_spec() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = tailback(&["completions", shell]);
        assert!(done.code == 0 && done.out.contains("COMPLETE"), "{shell}");
    }
    let asked = |words: &[&str]| {
        let last = words.len().to_string();
        let mut command = command(&["--", "tailback"]);
        command.args(words).env("COMPLETE", "fish").env("_CLAP_COMPLETE_INDEX", last);
        done(command.output().expect("the binary starts")).out
    };
    assert!(asked(&["satur"]).starts_with("saturation\t"));
    assert!(asked(&["run", "my.toml", "--set", "traffic.lo"]).starts_with("traffic.load=\t"));
    assert!(asked(&["run", "my.toml", "--set", "admission=sp"]).starts_with("admission=spth\t"));
    assert!(asked(&["list", "routing"]).starts_with("routing\t"));
}

/// Bash hands over `--set admission=sp` in four words, and replaces the last of them.
#[test]
fn bash_completes_behind_an_equals_sign() {
    let script = r#"
        source <(tailback completions bash)
        COMP_TYPE=9 COMP_WORDS=(tailback run my.toml --set admission = sp) COMP_CWORD=6
        _tailback_joined tailback sp = && echo "${COMPREPLY[@]}"
        COMP_WORDS=(tailback run my.toml --set traffic.lo) COMP_CWORD=4
        _tailback_joined tailback traffic.lo --set && echo "${COMPREPLY[@]}"
    "#;
    let program = PathBuf::from(env!("CARGO_BIN_EXE_tailback"));
    let folders = [program.parent().unwrap().to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect::<Vec<_>>());
    let path = std::env::join_paths(folders).unwrap();
    let done = done(Command::new("bash").args(["-c", script]).env("PATH", path).output().expect("bash starts"));
    assert_eq!((done.out.as_str(), done.err.as_str()), ("spth\ntraffic.load=\n", ""));
}

#[test]
fn every_verb_has_a_manual_page() {
    assert!(tailback(&["manual"]).out.contains("tailback\\-run(1)"));
    let verbs = verbs();
    // `--help` prints a line for each.
    let help = tailback(&["--help"]).out;
    let commands = help.split("Commands:\n").nth(1).and_then(|list| list.split("\n\n").next()).expect("a list");
    let first =
        |line: &str| line.strip_prefix("  ")?.split(' ').next().filter(|word| !word.is_empty()).map(str::to_owned);
    assert_eq!(verbs, commands.lines().filter_map(first).collect::<Vec<_>>());
    assert!(verbs.len() >= 18, "{verbs:?}");
    for verb in &verbs {
        let page = tailback(&["manual", verb]);
        assert!(page.code == 0 && page.out.contains(&format!(".TH tailback-{verb} 1")), "{verb}: {}", page.err);
        assert!(verb == "help" || page.out.contains(".SH EXTRA"), "{verb}: the examples are there");
    }
    let refused = tailback(&["manual", "fly"]);
    assert!(refused.code == 2 && refused.err.contains("there is no verb `fly`"), "{}", refused.err);
}

/// A study of somebody's own: a folder, whose faults have a place.
#[test]
fn the_study_of_a_folder_is_reproduced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let papers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/dally-towles-2004");
    for file in ["study.toml", "targets.toml", "mesh.toml", "torus.toml"] {
        std::fs::copy(format!("{papers}/{file}"), folder.path().join(file)).expect("it can be copied");
    }
    let path = text(folder.path());
    let done = tailback(&["reproduce", &path, "--quick"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("mean way, short form") && done.out.contains("c1  holds"), "{}", done.out);
    let study = folder.path().join("study.toml");
    let broken =
        std::fs::read_to_string(&study).expect("it was copied").replace("peak(accepted_load)", "peek(accepted_load)");
    std::fs::write(&study, broken).expect("it can be written");
    let done = tailback(&["reproduce", &path]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(done.err.contains("key `top`: expected a function, found `peek`"), "{}", done.err);
    let none = tailback(&["reproduce", "nobody-1999"]);
    assert!(none.code == 2 && none.err.contains("no folder `nobody-1999` with a study.toml"), "{}", none.err);
}
