//! A study of two small files: what it measures, and what is said of faults in it.

use super::{Fault, load};
use crate::lab::Lab;
use crate::paper::Paper;
use crate::reproduce::{Form, Settings, StudyError, reproduce};
use crate::search::check_candidates;
use crate::study::Study;
use std::sync::atomic::AtomicBool;

const SPEC: &str = r#"
topology = { kind = "mesh", radix = [4, 4] }
workload = { kind = "steady", warmup_cycles = 100, measure_cycles = 300 }
run = { replicas = 2 }
sweep = { "traffic.pattern" = ["rand", "trns"], "traffic.load" = [0.05, 0.1] }
"#;

pub(super) const TARGETS: &str =
    "[t]\nloads = [0.05, 0.1]\n[claims]\nc1 = \"More is accepted where more is offered.\"\n";

const STUDY: &str = r#"key = "small-2000"
title = "Nobody: Small, 2000"
short_form = ", short"
along = "load"
[spec.small]
quick = ["run.replicas=1"]
[label.load]
of = "traffic.load"
[label.traffic]
of = "traffic.pattern.kind"
names = { trns = "transpose", rand = "random" }
[define]
accepted = "mean(accepted_load)"
[[item]]
name = "fig1"
summary = "accepted load"
specs = ["small"]
notes = ["{runs():raw} runs."]
[[item.table]]
for = ["traffic"]
row = "{traffic}{form}"
[[item.table.cell]]
column = "most"
value = "peak(accepted_load)"
printed = "printed('t.loads[1]')"
unit = "flits/node/cycle"
note = "at {peak_at(accepted_load)}; {start(seeds(accepted_load))}"
require = { what = "within 50 %", rule = "abs(peak(accepted_load) / printed('t.loads[1]') - 1) < 0.5", only = "traffic == 'random'" }
[[item.figure]]
caption = "Accepted load"
[[item.figure.panel]]
title = "All"
x = { label = "Load" }
y = { label = "Accepted", unit = "flits/node/cycle" }
curve = [{ for = ["traffic"], name = "{traffic}", mean = "accepted_load" }]
[[item.claim]]
id = "c1"
[[item.claim.part]]
for = ["traffic"]
holds = "rising(accepted for load)"
told = "{traffic}: {accepted for load}"
"#;

fn paper(study: &str) -> Result<&'static Paper, Fault> {
    let file = |name: &str| match name {
        "study.toml" => Some(study.to_owned()),
        "targets.toml" => Some(TARGETS.to_owned()),
        "small.toml" => Some(SPEC.to_owned()),
        _ => None,
    };
    load("mine", &file)
}

pub(super) fn settings(cancel: &AtomicBool) -> Settings<'_> {
    Settings { items: Vec::new(), form: Form::Full, reading: None, threads: 1, kept: None, cancel, progress: &|_| {} }
}

fn study(text: &str) -> Result<Study, StudyError> {
    let paper = paper(text).unwrap_or_else(|fault| panic!("{fault}"));
    reproduce(paper, &settings(&AtomicBool::new(false)))
}

#[test]
fn every_study_of_the_program_is_good_in_both_forms() {
    for paper in crate::papers() {
        let names: Vec<&str> = paper.items.iter().map(|item| item.name).collect();
        assert!((1..names.len()).all(|i| !names[i..].contains(&names[i - 1])), "{names:?}");
        for form in [Form::Full, Form::Short, Form::Search] {
            specs_are_good(paper, form);
        }
        if let Some(search) = &paper.study.form.search {
            let from = paper.reading(search.from.get_ref()).unwrap_or_else(|error| panic!("{error}"));
            check_candidates(paper, &from, &AtomicBool::new(false)).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

fn specs_are_good(paper: &'static Paper, form: Form) {
    let cancel = AtomicBool::new(false);
    let settings = Settings { form, ..settings(&cancel) };
    let lab = Lab::new(paper, &settings);
    for dataset in paper.datasets() {
        let name = format!("{} {}", paper.key, dataset.name);
        let points = lab.points(dataset).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!points.is_empty(), "{name}");
        for point in points.iter().step_by(points.len().div_ceil(9)) {
            tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{name}\n{errors}"));
        }
        lab.pretend(dataset).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    paper.check_facts(&lab).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn cells_pictures_and_claims_are_those_of_the_form() {
    let study = study(STUDY).unwrap_or_else(|error| panic!("{error}"));
    let rows: Vec<&str> = study.cells.iter().map(|cell| cell.row.as_str()).collect();
    assert_eq!(rows, ["transpose", "random"], "in the order of the names");
    let cell = &study.cells[1];
    let (measured, note) = (cell.measured.expect("it is measured"), cell.note.as_deref().unwrap_or_default());
    assert_eq!((cell.paper_value, cell.ok, cell.unit), (Some(0.1), Some(true), "flits/node/cycle"));
    assert!((0.05..0.15).contains(&measured) && note.starts_with("at 0.100; 2 seeds, 95 %"), "{measured} {note}");
    assert_eq!(study.cells[0].required, None, "required of random traffic alone");
    assert_eq!((study.figures.len(), study.notes[0].1.as_str()), (1, "8 runs."));
    let claim = &study.claims[0];
    assert_eq!((claim.id.as_str(), claim.holds), ("c1", Some(true)));
    assert!(
        claim.evidence.starts_with("holds: transpose: 0.0") && claim.evidence.contains("; holds: random"),
        "{claim:?}"
    );
}

#[test]
fn another_simulator_has_a_column_where_it_was_run() {
    let with_peer = with("along = \"load\"", "along = \"load\"\npeer = \"OTHER\"");
    let cell = "unit = \"flits/node/cycle\"\nnote";
    let text = with_peer.replacen(cell, &format!("peer = \"printed('t.loads[0]')\"\n{cell}"), 1);
    let whole = study(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(whole.cells[0].peer_value, Some(0.05));
    let plain = whole.text();
    let head = plain.lines().find(|line| line.contains("deviation")).expect("heads of columns");
    assert!(head.split_whitespace().eq(["paper", "OTHER", "measured", "deviation"]), "{head}");
    assert!(whole.markdown().contains("| paper | OTHER | measured |") && whole.markdown().contains("| 0.1 | 0.05 |"));
    assert!(whole.json_lines().contains("\"peer\":\"OTHER\",\"peer_value\":0.05"));
    let without = study(&with_peer).unwrap_or_else(|error| panic!("{error}"));
    assert!(!without.text().contains("OTHER") && !without.json_lines().contains("peer"));
}

/// Replaces a part of the study, which has to be there.
fn with(old: &str, new: &str) -> String {
    assert!(STUDY.contains(old), "{old}");
    STUDY.replacen(old, new, 1)
}

#[test]
fn faults_have_a_place_and_say_what_was_expected() {
    for (old, new, place, told) in [
        ("title =", "titel =", "line 2, key `titel`", "unknown field `titel`, expected one of `key`, `title`"),
        ("title = \"Nobody: Small, 2000\"\n", "", "line 1", "missing field `title`"),
        ("along = \"load\"", "along = 3", "line 4, key `along`", "expected a string"),
        (
            "along = \"load\"",
            "along = \"rate\"",
            "line 4, key `along`",
            "expected one of the labels load, traffic, found `rate`",
        ),
        ("specs = [\"small\"]", "specs = [\"large\"]", "line 17", "expected one of the specs small, found `large`"),
        ("[spec.small]", "[spec.large]", "line 1", "expected this file, which study.toml names as a spec"),
        ("peak(accepted_load)\"", "peak(accepted_load\"", "line 24, key `value`", "expected `,`, found the end"),
        (
            "peak(accepted_load)\"",
            "pique(accepted_load)\"",
            "line 24, key `value`",
            "expected a function, found `pique`",
        ),
        (
            "peak(accepted_load)\"",
            "peak(acepted_load)\"",
            "line 24, key `value`",
            "expected a label, a definition, a column",
        ),
        ("{traffic}{form}", "{trafic}", "line 21, key `row`", "found `trafic`"),
        ("of = \"traffic.load\"", "of = \"traffic.lode\"", "line 8, key `of`", "setting `traffic.lode`"),
        ("for = [\"traffic\"]\nrow", "for = [\"pattern\"]\nrow", "line 20", "expected one of the labels load, traffic"),
        ("mean = \"accepted_load\"", "min = \"accepted_load\"", "line 35", "unknown field `min`"),
        (", mean = \"accepted_load\"", "", "line 35, key `name`", "either `mean` or `value`"),
        (
            "[[item]]",
            "[[fact]]\nrule = \"topology.kind == 'torus'\"\n[[item]]",
            "line 15, key `rule`",
            "does not hold for a run of the spec `small`",
        ),
        ("id = \"c1\"", "id = \"c2\"", "line 37, key `id`", "expected a claim of targets.toml, found `c2`"),
        ("holds = \"rising", "holds = \"1 + 1\"\nhold = \"rising", "line 41, key `hold`", "unknown field `hold`"),
        (
            "rising(accepted for load)",
            "start(accepted)",
            "line 40, key `holds`",
            "expected true or false, found a number",
        ),
        ("rising(accepted for load)", "accepted > 0", "line 40, key `holds`", "differ in more than the seed"),
        ("rising(accepted for load)", "accepted_load > 0", "line 40, key `holds`", "take `mean(accepted_load)`"),
    ] {
        let text = with(old, new);
        let fault = match paper(&text) {
            Err(fault) => fault.to_string(),
            Ok(_) => study(&text).err().map_or_else(|| panic!("{new} is no fault"), |error| error.to_string()),
        };
        assert!(fault.starts_with("mine/") && fault.contains(place) && fault.contains(told), "{new}: {fault}");
    }
}
