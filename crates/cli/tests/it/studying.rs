//! `curve` and `saturation` of specs that sweep mechanisms, and `compare` of many variants.

use crate::{SMALL, fed, folder, rows, tailback, text};
use serde_json::Value;
use std::path::Path;

/// Two mechanisms that are equal under this routing, and one that is not, at loads on both sides of saturation.
fn study() -> String {
    SMALL.replace("[0.05, 0.1, 0.2]", "[0.2, 0.6, 1.2]").replace("measure_cycles = 1000", "measure_cycles = 400")
        + "admission = ['off', 'alo', 'spth']\n[run]\nreplicas = 3\n"
}

/// Searches that end soon.
const QUICK: [&str; 6] = ["curve", "-", "--tolerance", "0.2", "--low", "0.05"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn every_variant_has_a_curve_over_the_loads_of_the_spec() {
    let done = fed(&[&QUICK[..], &["--json"]].concat(), study().as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let study = &rows(&done.out)[0];
    let variants = study["variants"].as_array().expect("a list");
    let names: Vec<&str> = variants.iter().filter_map(|variant| variant["name"].as_str()).collect();
    assert_eq!(names, ["off", "alo", "spth"]);
    for variant in variants {
        let loads: Vec<f64> =
            variant["points"].as_array().unwrap().iter().map(|point| number(&point["load"])).collect();
        assert_eq!(loads, [0.2, 0.6, 1.2], "{variant}");
        assert!(variant["points"].as_array().unwrap().iter().all(|point| point["seeds"] == 3), "{variant}");
        assert!((0.2..1.2).contains(&number(&variant["saturation"]["mean"])), "{variant}");
        assert_eq!(variant["saturation_brackets"].as_array().map(Vec::len), Some(3), "{variant}");
        assert!(number(&variant["saturation"]["low"]) > 0.0 && number(&variant["knee"]["mean"]) > 0.0, "{variant}");
    }
    assert_eq!((&variants[1]["equals"], &variants[1]["equal_runs"]), (&"off".into(), &9.into()));
    assert_eq!((&variants[0]["equals"], &variants[2]["equals"]), (&Value::Null, &Value::Null));
    assert_eq!(variants[2]["sustained_against_first"]["pairs"], 3);
    assert!(study["complete"] == true && study["heading"] == "admission", "{study:?}");
}

#[test]
fn results_do_not_depend_on_threads() {
    let with = |threads: &str| fed(&[&QUICK[..], &["--json", "--threads", threads]].concat(), study().as_bytes()).out;
    assert_eq!(with("1"), with("3"));
}

/// The page, for a terminal so wide.
fn page(columns: &str) -> String {
    let (_folder, path) = folder(&study());
    let mut command = crate::command(&["curve", &path, "--tolerance", "0.2", "--low", "0.05"]);
    let done = crate::done(command.env("COLUMNS", columns).output().expect("it runs"));
    assert_eq!(done.code, 0, "{}", done.err);
    let wide = done.out.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(wide <= columns.parse().unwrap(), "{wide} columns:\n{}", done.out);
    done.out
}

#[test]
fn the_page_at_80_columns() {
    insta::assert_snapshot!(page("80"));
}

#[test]
fn the_page_at_120_columns() {
    insta::assert_snapshot!(page("120"));
}

#[test]
fn a_sweep_of_kinds_without_loads_chooses_loads() {
    let spec = SMALL
        .replace("\"traffic.load\" = [0.05, 0.1, 0.2]", "admission = ['off', 'alo']")
        .replace("[traffic]", "[traffic]\nload = 0.1");
    let ask = ["--points", "3", "--precision", "0.5", "--searches", "1", "--json"];
    let done = fed(&[&QUICK[..], &ask].concat(), spec.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let study = &rows(&done.out)[0];
    let variants = study["variants"].as_array().expect("a list");
    assert_eq!((variants[1]["equals"].as_str(), variants[1]["equal_runs"].as_u64()), (Some("off"), Some(10)));
    assert!(variants[0]["points"].as_array().unwrap().len() >= 5, "{study:?}");
    assert!(variants[0]["saturation"]["ci95"].is_null(), "one search has no interval: {study:?}");
    let told = fed(&[&QUICK[..], &ask[..6]].concat(), spec.as_bytes());
    assert!(told.out.contains("alo changes nothing: its 10 runs equal those of off bit for bit"), "{}", told.out);
}

#[test]
fn a_small_budget_gives_a_curve_and_says_what_is_open() {
    let done = fed(&[&QUICK[..], &["--max-runs", "27"]].concat(), study().as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("The budget of 27 runs is spent: no search for saturation ended"), "{}", done.out);
    assert!(done.out.contains("off = alo") && done.out.contains("sustained"), "{}", done.out);
    let fewer = fed(&[&QUICK[..], &["--max-runs", "9", "--json"]].concat(), study().as_bytes());
    let study_of_one = &rows(&fewer.out)[0];
    assert!(study_of_one["budget_spent"] == true && study_of_one["runs"].as_u64() <= Some(9), "{study_of_one:?}");
    let none = fed(&[&QUICK[..], &["--max-runs", "8"]].concat(), study().as_bytes());
    assert_eq!(none.code, 2, "{}", none.out);
    assert!(none.err.contains("--max-runs 9 or more, or fewer loads"), "{}", none.err);
}

#[test]
fn the_folder_has_records_pictures_and_a_report() {
    let out = tempfile::tempdir().unwrap();
    let root = out.path().join("study");
    let into = text(&root);
    let ask = [&QUICK[..], &["--out", &into]].concat();
    let done = fed(&ask, study().as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    for file in ["curve.json", "curve.svg", "curve.png", "records.jsonl", "records.parquet", "report.html", "spec.toml"]
    {
        assert!(root.join(file).is_file(), "{file}");
    }
    let records = rows(&std::fs::read_to_string(root.join("records.jsonl")).unwrap());
    assert_eq!(records.len(), 27, "three variants, three loads, three seeds; none of a search");
    let own: Vec<Value> = records.iter().map(|record| record["point_id"].clone()).collect();
    let (_folder, path) = folder(&study());
    let run = rows(&tailback(&["run", &path, "--json"]).out);
    assert!(run.iter().all(|record| own.contains(&record["point_id"])), "the points are those of `run`");
    let svg = std::fs::read_to_string(root.join("curve.svg")).unwrap();
    assert!(svg.contains("off = alo") && svg.contains("spth"));
    let again = fed(&ask, study().as_bytes());
    assert_eq!(again.code, 2, "a second study does not replace the first: {}", again.out);
    assert_eq!(fed(&[&ask[..], &["--force"]].concat(), study().as_bytes()).code, 0);
}

#[test]
fn what_cannot_be_a_study_is_refused_with_what_to_do() {
    let refused = |spec: &str, said: &str| {
        for verb in ["curve", "saturation"] {
            let done = fed(&[verb, "-"], spec.as_bytes());
            assert_eq!(done.code, 2, "{verb}: {}", done.out);
            assert!(done.err.contains(said), "{verb}: {}", done.err);
        }
    };
    let with = |axis: &str| SMALL.to_owned() + axis;
    refused(&with("'run.replicas' = [1, 2]\n"), "`run.replicas` cannot be swept");
    refused(&with("'run.seed' = [1, 2]\n"), "`run.seed` is swept");
    refused(&with("'router.bufer_flits' = [8, 16]\n"), "which is no parameter");
    refused(&with("workload = ['steady', 'ramp']\n"), "workload");
    let zip = with("'router.buffer_flits' = [8, 16, 32]\nzip = [['traffic.load', 'router.buffer_flits']]\n");
    refused(&zip, "`traffic.load` advances together with router.buffer_flits");
}

#[test]
fn a_search_has_a_row_for_each_variant() {
    let search = ["saturation", "-", "--tolerance", "0.2", "--low", "0.1"];
    let done = fed(&search, study().as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    let row =
        |name: &str| done.out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{}", done.out));
    assert!(row("alo").ends_with("equals off bit for bit") && !row("spth").contains("equals"), "{}", done.out);
    let json = &rows(&fed(&[&search[..], &["--json"]].concat(), study().as_bytes()).out)[0];
    let variants = json["variants"].as_array().expect("a list");
    assert_eq!(variants.len(), 3);
    for variant in variants {
        assert!(number(&variant["carried_load"]) < number(&variant["refused_load"]), "{variant}");
    }
    assert_eq!(variants[1]["runs"].as_array().map(Vec::len), Some(2), "the lowest and the highest load");
}

#[test]
fn many_variants_are_compared_with_the_first() {
    let (_folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[0.9]"));
    let ask = [
        "compare",
        &path,
        "--seeds",
        "4",
        "--column",
        "accepted_load",
        "--variant",
        "small:router.buffer_flits=4",
        "--variant",
        "large:router.buffer_flits=32",
        "--variant",
        "same: router.buffer_flits=4",
        "--variant",
        "large:router.virtual_channels=4",
    ];
    let done = tailback(&ask);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("large: router.buffer_flits=32, router.virtual_channels=4"), "{}", done.out);
    assert!(done.out.contains("large is more") && done.out.contains("same is identical to small"), "{}", done.out);
    assert!(done.out.contains("(Holm)") && done.out.contains("accepted_load of large is"), "{}", done.out);
    let found = rows(&tailback(&[&ask[..], &["--json"]].concat()).out);
    assert_eq!(found.len(), 2, "one for each variant but the first: {found:?}");
    assert!(found[0]["reference"] == "small" && found[0]["variant"] == "large", "{found:?}");
    assert!(number(&found[0]["ratio_low"]) > 1.0 && found[0]["ratio_low"].as_f64() < found[0]["ratio"].as_f64());
    assert!(number(&found[0]["p_holm"]) >= number(&found[0]["p"]) && found[1]["identical"] == true, "{found:?}");
}

#[test]
fn a_column_that_can_be_zero_is_judged_by_its_difference() {
    // Nothing waits in a source queue at so small a load.
    let spec = SMALL.replace("[0.05, 0.1, 0.2]", "[0.001]");
    let ask = ["compare", "-", "--seeds", "4", "--column", "injection_queue_mean", "--json"];
    let variants = ["--a", "router.buffer_flits=8", "--b", "router.buffer_flits=32"];
    let found = rows(&fed(&[&ask[..], &variants].concat(), spec.as_bytes()).out);
    assert!(found[0]["ratio"].is_null() && found[0]["ratio_low"].is_null(), "{found:?}");
    assert!(found[0]["difference"].is_number(), "{found:?}");
}

#[test]
fn variants_that_cannot_be_are_refused() {
    let refused = |more: &[&str], said: &str| {
        let done = fed(&[&["compare", "-"], more].concat(), SMALL.as_bytes());
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(said), "{}", done.err);
    };
    let off = ["--variant", "off:admission=off"];
    refused(&[&off[..], &["--variant", "off:admission=alo"]].concat(), "sets `admission` twice");
    refused(&off, "two variants or more");
    refused(&[&off[..], &["--variant", "x:admision=alo"]].concat(), "admision");
    refused(&[&off[..], &["--variant", "admission=alo"]].concat(), "NAME:PATH=VALUE is wanted");
    refused(&[&off[..], &["--b", "admission=alo"]].concat(), "cannot be used with");
    refused(&[&off[..], &["--variant", "x:sweep.\"traffic.load\"=[0.1]"]].concat(), "do not pair off");
    refused(&[], "required");
}

/// The study that the documentation shows: at most 30 lines, and what `alo` does here is told.
#[test]
fn the_study_of_the_examples_runs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/study.toml");
    assert!(std::fs::read_to_string(&path).unwrap().lines().count() <= 30);
    let small = ["--set", "topology.radix=[4, 4]", "--set", "workload.measure_cycles=1000", "--set", "run.replicas=3"];
    let loads = ["--set", "sweep.\"traffic.load\"=[0.2, 0.9]", "--tolerance", "0.3", "--searches", "1"];
    let done = tailback(&[&["curve", &text(&path)], &small[..], &loads].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("Four admission mechanisms on a 16 x 16 torus, uniform traffic"), "{}", done.out);
    assert!(done.out.contains("alo changes nothing: its 6 runs equal those of off bit for bit"), "{}", done.out);
    assert!(done.out.contains("Fewer than 3 searches ended for off = alo"), "{}", done.out);
}
