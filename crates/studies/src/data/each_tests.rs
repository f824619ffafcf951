//! A study of what is there once for each value of a label: cells, pictures, panels and verdicts; and bars.

use super::load;
use super::tests::{TARGETS, settings};
use crate::reproduce::{StudyError, reproduce};
use crate::study::Study;
use std::sync::atomic::AtomicBool;

const SPEC: &str = r#"
topology = { kind = "mesh", radix = [4, 4] }
workload = { kind = "steady", warmup_cycles = 100, measure_cycles = 300 }
probes = { link_load = true }
sweep = { "traffic.pattern" = ["rand", "trns"], "traffic.load" = [0.05, 0.1] }
"#;

const STUDY: &str = r#"key = "each-2000"
title = "Nobody: Each, 2000"
along = "load"
[spec.small]
[label.load]
of = "traffic.load"
[label.traffic]
of = "traffic.pattern.kind"
names = { rand = "random", trns = "transpose" }
[[fact]]
rule = "topology.kind == 'mesh'"
together = "runs() == 4 and [load for load] == [0.05, 0.1]"
[define]
"used(way)" = "average(links(way, 0))"
[[item]]
name = "fig1"
summary = "use of links"
specs = ["small"]
notes = ["{'in the short form alone' if quick else ''}", "in both"]
[[item.table]]
for = ["traffic"]
row = "{traffic}"
[[item.table.cell]]
for = ["load"]
column = "at {load}"
value = "mean(used('x+'))"
only = "load > 0.05 or traffic == 'random'"
[[item.table.cell]]
column = "all"
value = "average(mean(used('x+')) for load)"
[[item.figure]]
for = ["load"]
name = "fig1-{load}"
caption = "Use at {load}"
panels_for = ["traffic"]
[[item.figure.panel]]
title = "{traffic} bars"
x = { label = "" }
y = { label = "Use", to = "2 * 0.5" }
bars = { groups = "['x+', 'y+']", series = "['all', 'none']", value = "mean(used(group)) if series == 'all' else nothing" }
[[item.figure.panel]]
title = "{traffic} line"
x = { label = "" }
y = { label = "Use" }
[[item.figure.panel.line]]
over.way = ["x-", "y-"]
name = "way {way}"
x = "[0, 1]"
y = "[0, mean(used(way))]"
[[item.claim]]
id = "c1"
under = { for = "traffic", counts = "transpose" }
holds = "traffic == 'transpose'"
told = "told of {traffic}"
"#;

fn study(text: &str) -> Result<Study, StudyError> {
    let file = |name: &str| match name {
        "study.toml" => Some(text.to_owned()),
        "targets.toml" => Some(TARGETS.to_owned()),
        "small.toml" => Some(SPEC.to_owned()),
        _ => None,
    };
    let paper = load("mine", &file).map_err(StudyError::Form)?;
    reproduce(paper, &settings(&AtomicBool::new(false)))
}

fn good(text: &str) -> Study {
    study(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn cells_and_pictures_are_there_for_each_value() {
    let study = good(STUDY);
    let cells: Vec<(&str, &str)> = study.cells.iter().map(|cell| (cell.row.as_str(), cell.column.as_str())).collect();
    let (random, transpose) = ("random", "transpose");
    let all = [(random, "at 0.05"), (random, "at 0.1"), (random, "all"), (transpose, "at 0.1"), (transpose, "all")];
    assert_eq!(cells, all);
    assert!(study.cells.iter().all(|cell| cell.measured.is_some_and(|used| (0.01..0.4).contains(&used))));
    let notes: Vec<&str> = study.notes.iter().map(|(_, note)| note.as_str()).collect();
    assert_eq!(notes, ["in both"], "an empty note is none");
    let names: Vec<&str> = study.figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["fig1-0.05", "fig1-0.1"]);
    let svg = study.figures[1].svg.as_deref().unwrap_or_default();
    let at = |shown: &str| svg.find(shown).unwrap_or_else(|| panic!("{shown} is not in {svg}"));
    let titles = ["random bars", "random line", "transpose bars", "transpose line"].map(at);
    assert!(titles.is_sorted(), "the panels of one value, then those of the next");
    assert!(["way x-", "way y-", "y+"].map(at).into_iter().all(|place| place > 0));
}

#[test]
fn the_verdict_is_that_under_the_value_that_counts() {
    let claim = &good(STUDY).claims[0];
    assert_eq!(claim.holds, Some(true));
    assert_eq!(claim.evidence, "random does not hold: told of random; transpose holds: told of transpose");
    let other = good(&STUDY.replace("counts = \"transpose\"", "counts = \"random\""));
    assert_eq!(other.claims[0].holds, Some(false));
    let none = good(&STUDY.replace("counts = \"transpose\"", "counts = \"tornado\""));
    assert_eq!(none.claims[0].holds, None, "no verdict under what was not run");
}

#[test]
fn faults_say_what_was_expected() {
    for (old, new, told) in [
        (
            "for = [\"load\"]\ncolumn",
            "for = [\"rate\"]\ncolumn",
            "expected one of the labels load, traffic, found `rate`",
        ),
        (
            "panels_for = [\"traffic\"]",
            "panels_for = [\"kind\"]",
            "expected one of the labels load, traffic, found `kind`",
        ),
        (
            "under = { for = \"traffic\"",
            "under = { for = \"kind\"",
            "expected one of the labels load, traffic, found `kind`",
        ),
        ("series == 'all'", "serie == 'all'", "found `serie`"),
        ("to = \"2 * 0.5\"", "to = \"2 * half\"", "found `half`"),
        ("way {way}", "way {away}", "found `away`"),
        ("\"['x+', 'y+']\"", "\"'x+'\"", "expected a list, found a text"),
        ("runs() == 4", "runs() == 5", "this does not hold for the runs of the spec `small`"),
        ("links(way, 0)", "links(0, way)", "`links` takes a name in quotation marks, found a number"),
    ] {
        assert!(STUDY.contains(old), "{old}");
        let fault =
            study(&STUDY.replace(old, new)).err().map_or_else(|| panic!("{new} is no fault"), |e| e.to_string());
        assert!(fault.starts_with("mine/study.toml, line ") && fault.contains(told), "{new}: {fault}");
    }
}
