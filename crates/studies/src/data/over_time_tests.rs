//! A study of one run over time: tables of windows, phases, lines and marks.

use super::load;
use super::tests::{TARGETS, settings};
use crate::reproduce::{StudyError, reproduce};
use crate::study::Study;
use std::sync::atomic::AtomicBool;

const SPEC: &str = r#"
topology = { kind = "mesh", radix = [4, 4] }
traffic = { size = { kind = "fixed", flits = 1 } }
probes = { space_time_cycles = 50, space_time_from_cycle = 400 }
[workload]
kind = "phases"
window_cycles = 100
phases = [{ cycles = 300, load = 0.2, pattern = "uniform" }, { cycles = 200, load = 0.9, pattern = "trns" }]
"#;

const STUDY: &str = r#"key = "phases-2000"
title = "Nobody: Phases, 2000"
[spec.phases]
[define]
ends = "sums(settings('workload.phases', 'cycles'))"
later = "average(in_windows('windows', 'generated_load', ends[0], ends[1]))"
[[item]]
name = "fig1"
summary = "load over time"
specs = ["phases"]
notes = ["{of_first(settings('workload.phases', 'pattern.kind'))} to {of_first(ends)}."]
[[item.table]]
row = "all"
[[item.table.cell]]
column = "windows"
value = "of_first(length(series('windows', 'x')))"
[[item.table.cell]]
column = "later over earlier"
value = "mean(later / average(in_windows('windows', 'generated_load', 0, ends[0])))"
note = "{count(of_each(later > 0.3)):raw} of {runs():raw}"
[[item.table.cell]]
column = "no such analysis"
value = "of_first(finding('nothing'))"
[[item.table.cell]]
column = "full buffers"
value = "of_first(full_share())"
note = "{of_first(charts())}; {of_first(drift('E')[0] + full_cells('W') + likeliest_shift('N')):raw}; {of_first(channel_load_bound()):raw}"
[[item.space_time]]
name = "fig1-chart"
title = "All"
caption = "Full buffers of {runs():raw} run"
[[item.claim]]
id = "c1"
only = "runs() > 1"
holds = "runs() == 1"
told = "{runs():raw} run"
[[item.figure]]
caption = "Load over time"
[[item.figure.panel]]
title = "All"
x = { label = "Time" }
y = { label = "Load" }
upright = [{ at = "of_first(ends)", label = "['first', 'second']" }]
[[item.figure.panel.line]]
name = "made"
x = "of_first(series('windows', 'x'))"
y = "of_first(smoothed(series('windows', 'generated_load'), 1))"
style = "step"
dashed = "2 > 1"
"#;

fn study(text: &str) -> Result<Study, StudyError> {
    let file = |name: &str| match name {
        "study.toml" => Some(text.to_owned()),
        "targets.toml" => Some(TARGETS.to_owned()),
        "phases.toml" => Some(SPEC.to_owned()),
        _ => None,
    };
    let paper = load("mine", &file).map_err(StudyError::Form)?;
    reproduce(paper, &settings(&AtomicBool::new(false)))
}

#[test]
fn windows_phases_and_lines_are_those_of_the_run() {
    let study = study(STUDY).unwrap_or_else(|error| panic!("{error}"));
    let measured: Vec<Option<f64>> = study.cells.iter().map(|cell| cell.measured).collect();
    assert_eq!((measured[0], measured[2]), (Some(5.0), None));
    assert!(measured[1].is_some_and(|ratio| (2.0..6.0).contains(&ratio)), "more load: {measured:?}");
    assert_eq!(study.cells[1].note.as_deref(), Some("1 of 1"));
    let full = measured[3].expect("there is a chart");
    let note = study.cells[3].note.clone().unwrap_or_default();
    assert!(
        full > 0.0 && full < 0.9 && note.starts_with("N, E, S, W; ") && note.ends_with("; 0.9375"),
        "{full} {note}"
    );
    let claim = &study.claims[0];
    assert_eq!((claim.holds, claim.evidence.as_str()), (None, "1 run"), "it is not judged");
    assert_eq!(study.figures[1].caption, "Full buffers of 1 run");
    assert_eq!(study.notes[0].1, "uniform, trns to 300, 500.");
    let svg = study.figures[0].svg.as_deref().unwrap_or_default();
    assert!(["made", "first", "second", "stroke-dasharray"].iter().all(|shown| svg.contains(shown)), "{svg}");
}

#[test]
fn faults_over_time_say_what_was_expected() {
    for (old, new, told) in [
        ("of_first(length(series('windows', 'x')))", "length(series('windows', 'x'))", "`series` is of each run"),
        ("'windows', 'x'", "'windows', 'cycles'", "expected x or one of the columns generated_load, "),
        ("'workload.phases', 'cycles'", "'workload.phase', 'cycles'", "no list of tables `workload.phase`"),
        (
            "'workload.phases', 'cycles'",
            "'workload.phases', 'flits'",
            "not every table of `workload.phases` has `flits`",
        ),
        ("series('windows', ", "series(3, ", "takes a name in quotation marks, found a number"),
        ("y = \"of_first(smoothed", "y = \"of_last(smoothed", "expected a function, found `of_last`"),
        ("drift('E')", "drift('Q')", "there is no chart `Q`"),
        ("drift('E')", "drift(3)", "`drift` takes the name of a chart in quotation marks"),
        ("\"['first', 'second']\"", "\"3\"", "expected a list, found a number"),
    ] {
        assert!(STUDY.contains(old), "{old}");
        let fault =
            study(&STUDY.replace(old, new)).err().map_or_else(|| panic!("{new} is no fault"), |e| e.to_string());
        assert!(fault.starts_with("mine/study.toml, line ") && fault.contains(told), "{new}: {fault}");
    }
}
