//! A study with questions: what its readings run, how they are searched, and what is said of faults in them.

use super::load;
use super::study::Fault;
use super::tests::settings;
use crate::kept::KeptRuns;
use crate::paper::Paper;
use crate::reproduce::{Form, Settings, StudyError, reproduce};
use crate::search::{Ended, Search, SearchSettings, search};
use crate::study::Study;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const SPEC: &str = r#"
topology = { kind = "mesh", radix = [4, 4] }
workload = { kind = "steady", warmup_cycles = 50, measure_cycles = 400 }
run = { replicas = 2 }
sweep = { admission = ["off", "alo"], "traffic.load" = [0.05, 0.1] }
"#;

const TARGETS: &str = "[t]\nlatency = 14.0\nhops = 2.6\n[claims]\nc1 = \"Latency is above 11.\"\nc2 = \"It is not.\"\n";

const STUDY: &str = r#"key = "asks-2000"
title = "Nobody: Asks, 2000"
along = "load"
declared = "late"
[spec.small]
search = ["run.replicas=1"]
[label.load]
of = "traffic.load"
[label.method]
of = "admission.kind"
[define]
latency = "start(mean(latency_mean | method = 'off'))"
level = "11"
[[question]]
name = "header"
asks = "How long does a head take?"
[[question.candidate]]
name = "none"
why = "The paper names no delay."
[[question.candidate]]
name = "one"
why = "A register between two routers."
set = ["router.header_cycles=1"]
[[question]]
name = "arbiter"
asks = "Who comes first?"
[[question.candidate]]
name = "turn"
why = "The simplest one."
[[question.candidate]]
name = "oldest"
why = "It is fair."
set = ["arbiter.kind=\"oldest_first\""]
[[question]]
name = "wording"
asks = "What does c1 say?"
searched = false
[[question.candidate]]
name = "sentence"
why = "So it is printed."
[[question.candidate]]
name = "0.1.0"
why = "So it was read."
define = { level = "1000" }
[reading."0.1.0"]
why = "as recorded"
choice = { header = "none", arbiter = "turn", wording = "0.1.0" }
[reading.late]
why = "declared"
from = "0.1.0"
choice = { header = "one", wording = "sentence" }
[search]
from = "0.1.0"
items = ["fig1"]
met = "abs(measured / paper - 1) <= 0.15"
score = "cells + claims"
best = 1
[[item]]
name = "fig1"
summary = "latency"
specs = ["small"]
[[item.table]]
row = "all"
[[item.table.cell]]
column = "latency"
value = "latency"
printed = "printed('t.latency')"
unit = "cycles"
[[item.table.cell]]
column = "hops"
value = "start(mean(hops_mean | method = 'off'))"
printed = "printed('t.hops')"
choose = { held_back = "1 > 0" }
[[item.claim]]
id = "c1"
holds = "latency > level"
told = "{latency} cycles against {level}"
[[item.claim]]
id = "c2"
held_back = true
holds = "latency <= 11"
told = "{latency} cycles"
[[item.claim.otherwise]]
if = { wording = "0.1.0" }
text = "It was not."
holds = "latency <= 0"
told = "{latency} against none"
[[item]]
name = "fig2"
summary = "again"
specs = ["small"]
[[item.table]]
row = "all"
[[item.table.cell]]
column = "latency"
value = "latency"
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

fn asks() -> &'static Paper {
    paper(STUDY).unwrap_or_else(|fault| panic!("{fault}"))
}

fn under(paper: &'static Paper, reading: &str) -> Study {
    let cancel = AtomicBool::new(false);
    let reading = Some(paper.reading(reading).unwrap_or_else(|error| panic!("{error}")));
    let found = reproduce(paper, &Settings { reading, ..settings(&cancel) });
    found.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_reading_sets_specs_definitions_and_words() {
    let paper = asks();
    let (old, new) = (under(paper, "0.1.0"), under(paper, "late"));
    let latency = |study: &Study| study.cells[0].measured.expect("it is measured");
    assert!(latency(&new) > latency(&old) + 1.5, "a cycle a router: {} {}", latency(&new), latency(&old));
    let told = |study: &Study, id: usize| (study.claims[id].verdict(), study.claims[id].evidence.clone());
    assert_eq!(told(&old, 0).0, "does not hold");
    assert!(told(&old, 0).1.ends_with("against 1000") && told(&new, 0).1.ends_with("against 11.0"));
    assert_eq!((old.claims[1].text.as_str(), new.claims[1].text.as_str()), ("It was not.", "It is not."));
    let beside = &new.claims[1].beside[0];
    assert_eq!((beside.under.as_str(), beside.holds), ("under wording = 0.1.0", Some(false)));
    assert!(new.claims[1].whole_evidence().contains("(\"It was not.\"): does not hold"), "{:?}", new.claims[1]);
    assert!(new.text().contains("Reading late, declared: header = one, arbiter = turn, wording = sentence."));
    let declared = reproduce(paper, &settings(&AtomicBool::new(false))).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(declared.text(), new.text(), "the declared reading is the one that nobody has to ask for");
    assert!(new.report().html().contains("held back from the choice of a reading"));
    let unknown = paper.reading("early").map(|_| ()).expect_err("there is none").to_string();
    assert_eq!(unknown, "`asks-2000` has no reading `early`; it has 0.1.0, late");
}

#[test]
fn a_reading_is_found_by_what_a_search_calls_it() {
    let commas = STUDY.replace("name = \"oldest\"", "name = \"oldest, then first\"");
    let paper = paper(&commas).unwrap_or_else(|fault| panic!("{fault}"));
    let called = |text: &str| paper.reading(text).map(|reading| reading.told()).map_err(|error| error.to_string());
    for (text, told) in [
        ("0.1.0 with header = one", "header = one, arbiter = turn, wording = 0.1.0"),
        ("0.1.0 with arbiter = oldest, then first", "header = none, arbiter = oldest, then first, wording = 0.1.0"),
        (
            "late with arbiter = oldest, then first, header = none",
            "header = none, arbiter = oldest, then first, wording = sentence",
        ),
    ] {
        assert_eq!(called(text).as_deref(), Ok(told));
    }
    let name = paper.reading("0.1.0 with header = one, wording = sentence").map(|reading| reading.name().to_owned());
    assert_eq!(name.ok().as_deref(), Some("late"), "it has a name");
    for text in [
        "0.1.0 with",
        "0.1.0 with ",
        "none with header = one",
        "late with heads = one",
        "late with header = two",
        "late with a",
    ] {
        let told = format!("`asks-2000` has no reading `{text}`; it has 0.1.0, late");
        assert_eq!(called(text), Err(told));
    }
}

#[test]
fn a_candidate_reaches_the_kinds_of_a_sweep() {
    let text = STUDY.replace("set = [\"router.header_cycles=1\"]", "of_kind.\"admission.alo\" = { rule = \"first\" }");
    let paper = paper(&text).unwrap_or_else(|fault| panic!("{fault}"));
    let dataset = paper.datasets().next().expect("there is a spec");
    let points = |reading: &str| {
        let reading = paper.reading(reading).unwrap_or_else(|error| panic!("{error}"));
        dataset.points("small", Form::Full, &reading).map_err(|errors| errors.to_string())
    };
    assert_eq!(points("0.1.0").map(|points| points.len()), Ok(8));
    let refused = points("late").expect_err("alo has no such key");
    assert!(refused.contains("rule"), "{refused}");
}

fn searched(paper: &'static Paper, kept: Option<&KeptRuns>, budget: Option<Duration>, cancel: &AtomicBool) -> Search {
    let settings = SearchSettings { whole: Form::Full, budget, threads: 1, kept, cancel, progress: &|_| {} };
    search(paper, &settings).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_search_tries_single_changes_then_combinations_and_names_the_best() {
    let cancel = AtomicBool::new(false);
    let found = searched(asks(), None, None, &cancel);
    let names: Vec<&str> = found.tried.iter().map(|tried| tried.reading.name()).collect();
    // Of two questions with two candidates each; the wording is not searched.
    assert_eq!((found.tried.len(), found.planned, found.ended), (5, 5, Ended::Done), "{names:?}");
    for name in ["0.1.0", "late", "0.1.0 with header = one", "0.1.0 with header = one, arbiter = oldest"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert_eq!(names[0], "late", "a cell and a claim: {}", found.text());
    assert!(found.tried.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let best = &found.tried[0];
    assert_eq!((best.score, best.choosing.cells, best.choosing.claims), (2.0, (1, 1), (1, 1)));
    assert_eq!((best.held_back.cells, best.held_back.claims), ((1, 1), (0, 1)), "not chosen by");
    assert_eq!(found.whole.len(), 1);
    assert_eq!(found.whole[0].items, ["fig1", "fig2"], "whole");
    let text = found.text();
    assert!(text.contains("Best by this score: late (header = one"), "{text}");
    assert!(
        text.contains("Chosen by: 1 fig1 all latency; 2 c1.") && text.contains("Held back: 1 fig1 all hops; 2 c2."),
        "{text}"
    );
    let rows: Vec<serde_json::Value> =
        found.json_lines().lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!((rows[0]["reading"].as_str(), rows[0]["rank"].as_u64()), (Some("late"), Some(1)));
    assert_eq!(rows[0]["choices"]["header"].as_str(), Some("one"));
    assert_eq!(rows.iter().filter(|row| row["form"] == "search" && row["claim"] == "c1").count(), 5);
    assert!(found.report().html().contains("What is held back"));
}

#[test]
fn a_search_goes_on_with_the_runs_it_has() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = KeptRuns::open(folder.path()).expect("it can be made");
    let cancel = AtomicBool::new(false);
    let counted = RefCell::new(0);
    let stopping = |_: crate::reproduce::Progress<'_>| {
        *counted.borrow_mut() += 1;
        // Nine calls tell of a reading: four runs ahead, and the beginning and four runs of the reading itself.
        cancel.store(*counted.borrow() > 16, Ordering::Relaxed);
    };
    let stopped = SearchSettings {
        whole: Form::Full,
        budget: None,
        threads: 1,
        kept: Some(&kept),
        cancel: &cancel,
        progress: &stopping,
    };
    let stopped = search(asks(), &stopped).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(stopped.ended, Ended::Interrupted);
    assert!(!stopped.tried.is_empty() && stopped.tried.len() < 5 && stopped.whole.is_empty());
    assert!(stopped.text().contains("Interrupted"));
    let held = KeptRuns::count(folder.path());
    assert!(held >= 4, "{held}");
    let never = AtomicBool::new(false);
    let on = searched(asks(), Some(&kept), None, &never);
    let none =
        crate::search::unkept(asks(), &on.tried.iter().map(|tried| tried.reading.clone()).collect::<Vec<_>>(), &kept);
    assert_eq!(none, 0, "what a search needs was run ahead, or with its reading");
    assert_eq!(on.text(), searched(asks(), None, None, &never).text());
    let short = searched(asks(), None, Some(Duration::from_nanos(1)), &never);
    assert!(
        short.ended == Ended::Budget && short.whole.is_empty() && short.text().contains("The time of --budget is over")
    );
}

#[test]
fn a_study_without_a_search_says_so() {
    let text = STUDY.replace(&STUDY[STUDY.find("[search]").unwrap()..STUDY.find("[[item]]").unwrap()], "");
    let paper = paper(&text).unwrap_or_else(|fault| panic!("{fault}"));
    let cancel = AtomicBool::new(false);
    let settings =
        SearchSettings { whole: Form::Full, budget: None, threads: 1, kept: None, cancel: &cancel, progress: &|_| {} };
    let error = search(paper, &settings).map(|_| ()).expect_err("there is none");
    assert!(matches!(error, StudyError::NoSearch { .. }) && error.to_string().contains("has no `[search]`"), "{error}");
}

#[test]
fn faults_of_readings_have_a_place() {
    for (old, new, told) in [
        ("declared = \"late\"\n", "", "line 14, key `name`: expected `declared` at the top"),
        (
            "declared = \"late\"",
            "declared = \"early\"",
            "line 4, key `declared`: expected one of the readings 0.1.0, late, found `early`",
        ),
        (
            "choice = { header = \"one\", w",
            "choice = { heads = \"one\", w",
            "expected one of the questions header, arbiter, wording, found `heads`",
        ),
        (
            "choice = { header = \"one\", w",
            "choice = { header = \"two\", w",
            "key `header`: expected one of the candidates of `header` none, one, found `two`",
        ),
        (
            "header = \"none\", arbiter = \"turn\", w",
            "header = \"none\", w",
            "expected a choice for the question `arbiter`, found none",
        ),
        (
            "why = \"as recorded\"",
            "why = \"as recorded\"\nfrom = \"late\"",
            "expected a reading that is not from itself, found 0.1.0 from late from 0.1.0",
        ),
        (
            "from = \"0.1.0\"\nchoice",
            "from = \"0.0.9\"\nchoice",
            "key `from`: expected one of the readings 0.1.0, late, found `0.0.9`",
        ),
        ("from = \"0.1.0\"\nitems", "from = \"0.0.9\"\nitems", "key `from`: expected one of the readings"),
        ("items = [\"fig1\"]", "items = [\"fig9\"]", "expected one of the items fig1, fig2, found `fig9`"),
        (
            "score = \"cells + claims\"",
            "score = \"cells + latency\"",
            "a score has no name `latency` (a score has the names cells, ",
        ),
        ("met = \"abs(measured", "met = \"abs(latncy", "key `met`: expected a label"),
        (
            "define = { level",
            "define = { levels",
            "expected a definition of `[define]`, with its arguments, found `levels`",
        ),
        ("level = \"1000\"", "level = \"lat\"", "key `level`: expected a label"),
        ("name = \"one\"", "name = \"none\"", "expected different candidates of a question, found `none` twice"),
        ("name = \"arbiter\"", "name = \"header\"", "expected different questions, found `header` twice"),
        ("set = [\"router", "specs = [\"large\"]\nset = [\"router", "expected one of the specs small, found `large`"),
        ("set = [\"router.header_cycles=1\"]", "of_kind.alo = { a = 1 }", "expected a section and a kind"),
        ("if = { wording", "if = { words", "expected one of the questions"),
        ("if = { wording = \"0.1.0\" }", "if = {}", "expected a question and its candidate in `if`"),
        ("choose = { held_back = \"1 > 0\" }", "choose = { as = \"row\" }", "unknown variant `row`"),
        ("searched = false", "searched = 3", "expected a boolean"),
    ] {
        assert!(STUDY.contains(old), "{old}");
        let fault = paper(&STUDY.replacen(old, new, 1)).map(|_| ()).expect_err(new).to_string();
        assert!(fault.starts_with("mine/study.toml, line") && fault.contains(told), "{new}: {fault}");
    }
}

#[test]
fn a_candidate_that_a_spec_does_not_know_is_told_before_anything_runs() {
    let paper =
        paper(&STUDY.replace("router.header_cycles", "router.head_cycles")).unwrap_or_else(|fault| panic!("{fault}"));
    let cancel = AtomicBool::new(false);
    let ran = RefCell::new(false);
    let progress = |_: crate::reproduce::Progress<'_>| *ran.borrow_mut() = true;
    let settings = SearchSettings {
        whole: Form::Full,
        budget: None,
        threads: 1,
        kept: None,
        cancel: &cancel,
        progress: &progress,
    };
    let error = search(paper, &settings).map(|_| ()).expect_err("it is mistyped").to_string();
    assert!(
        error.contains("key `name`: the spec `small` does not take this candidate") && error.contains("head_cycles"),
        "{error}"
    );
    assert!(!ran.into_inner());
}
