//! Reproducing items through the public API.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use tailback_studies::{Cell, Form, Progress, Settings, Study, StudyError, paper, reproduce};

fn settings<'a>(items: &[&str], cancel: &'a AtomicBool, progress: &'a dyn Fn(Progress<'_>)) -> Settings<'a> {
    let items = items.iter().map(|item| (*item).to_owned()).collect();
    Settings { items, form: Form::Short, reading: None, threads: 2, kept: None, cancel, progress }
}

fn quick(items: &[&str], cancel: &AtomicBool, progress: &dyn Fn(Progress<'_>)) -> Result<Study, StudyError> {
    reproduce(paper("spth-2015").expect("it is there"), &settings(items, cancel, progress))
}

/// The short form of some items of a paper.
fn of_paper(key: &str, items: &[&str]) -> Study {
    let study = reproduce(paper(key).expect("it is there"), &settings(items, &AtomicBool::new(false), &|_| {}));
    study.unwrap_or_else(|error| panic!("{error}"))
}

fn go(items: &[&str]) -> Study {
    of_paper("spth-2015", items)
}

/// What is measured in the first cell that is the one.
fn measured(study: &Study, is_it: impl Fn(&Cell) -> bool) -> f64 {
    study.cells.iter().find(|cell| is_it(cell)).and_then(|cell| cell.measured).expect("it is measured")
}

/// One reproduction of the cheap items, looked at from all sides.
#[test]
fn collectives_reproduce() {
    let study = go(&["table2", "fig12", "tornado"]);
    assert_eq!(study.items, ["table2", "tornado", "fig12"], "in the order of the paper");
    let table2: Vec<_> = study.cells.iter().filter(|cell| cell.item == "table2").collect();
    assert_eq!(table2.len(), 26);
    assert!(table2.iter().filter(|cell| cell.row == "torn").all(|cell| cell.required.is_none()));
    let required: Vec<_> = table2.iter().filter(|cell| cell.required.is_some()).collect();
    assert_eq!(required.len(), 17, "seven patterns without throttling, ten printed effects above 5 percent");
    assert!(!study.failed(), "{}", study.text());
    let tornado = |row: &str, column: &str| {
        let mut cells = study.cells.iter().filter(|cell| cell.item == "tornado");
        cells.find(|cell| cell.row.contains(row) && cell.column == column).and_then(|cell| cell.measured)
    };
    assert_eq!(tornado("N/2, as printed", "least possible with this routing"), Some(1280.0));
    assert_eq!(tornado("N/2", "least possible under any tie rule"), Some(640.0));
    assert!(tornado("N/2, as printed", "th(8)") >= Some(1280.0), "nothing beats its bound");
    json_has_its_shape(&study);
    every_form_shows_every_number(&study);
    for figure in &study.figures {
        assert!(figure.svg.as_ref().is_some_and(|svg| svg.starts_with("<svg")), "{}", figure.name);
        assert!(figure.png.as_ref().is_some_and(|png| png.starts_with(b"\x89PNG")), "{}", figure.name);
    }
    assert_eq!(study.figures.len(), 3);
}

fn json_has_its_shape(study: &Study) {
    let text = study.json_lines();
    assert_eq!(text.lines().count(), study.cells.len() + study.claims.len());
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        if keys.contains(&"claim") {
            assert_eq!(keys, ["paper", "claim", "holds", "evidence", "reading", "verdict", "beside"]);
        } else {
            assert_eq!(keys, ["paper", "item", "row", "column", "paper_value", "measured", "unit", "deviation"]);
        }
    }
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap_or("")).expect("a line");
    assert_eq!((first["row"].as_str(), first["paper_value"].as_f64()), (Some("trns"), Some(1301.0)));
}

fn every_form_shows_every_number(study: &Study) {
    let (text, markdown, html) = (study.text(), study.markdown(), study.report().html());
    for shown in ["1271", "bcmp", "th(8)", "17 of 17"] {
        assert!(text.contains(shown), "{shown}");
    }
    assert!(markdown.starts_with("<!-- results:begin -->\n") && markdown.ends_with("<!-- results:end -->\n"));
    assert_eq!(markdown.matches("| bcmp |").count(), text.lines().filter(|line| line.starts_with("  bcmp ")).count());
    assert!(html.contains("1271") && html.contains("<table"));
}

#[test]
fn claims_of_the_short_form() {
    let study = go(&["fig10", "fig13", "propagation", "table3"]);
    let holds: Vec<_> = study.claims.iter().map(|claim| (claim.id.as_str(), claim.holds)).collect();
    assert_eq!(holds, [("c7", Some(false)), ("c8", None), ("c9", Some(true)), ("c10", Some(true))]);
    assert!(study.claims.iter().all(|claim| !claim.text.is_empty() && !claim.evidence.is_empty()));
    let delays = "shared link: changes by cycles: 1: 34965, 2: 1088, 3: 9, 4: 0, longer: 0";
    assert!(study.claims[3].evidence.contains(delays), "{}", study.claims[3].evidence);
    // Nothing is required of two sizes, but what is printed for them is shown.
    let table3: Vec<_> = study.cells.iter().filter(|cell| cell.item == "table3").collect();
    assert_eq!(table3.len(), 33);
    assert!(table3.iter().all(|cell| cell.required.is_none() && cell.paper_value.is_some()));
    // Numbers of other networks never stand beside the paper's.
    assert!(study.cells.iter().filter(|cell| cell.column.contains("16x16")).all(|cell| cell.paper_value.is_none()));
}

#[test]
fn an_unknown_item_is_named_with_what_there_is() {
    let error = quick(&["table2", "table9"], &AtomicBool::new(false), &|_| {}).map(|_| ()).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("`table9`") && message.contains("table2, tornado"), "{message}");
    assert!(paper("nobody-1999").is_none());
}

#[test]
fn an_interruption_keeps_what_is_finished() {
    let cancel = AtomicBool::new(false);
    let seen = RefCell::new(Vec::new());
    let progress = |progress: Progress<'_>| {
        seen.borrow_mut().push((progress.item.to_owned(), progress.done, progress.total));
        if progress.item == "fig12" {
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let study = quick(&["fig12", "tornado"], &cancel, &progress).expect("an interruption is no error");
    assert!(study.interrupted && study.items == ["tornado"] && !study.cells.is_empty());
    assert!(study.text().contains("Interrupted"));
    let seen = seen.into_inner();
    assert_eq!(seen[0], ("tornado".to_owned(), 0, 9));
    assert!(seen.contains(&("tornado".to_owned(), 9, 9)));
}

/// The cheapest item of the other paper that simulates, from all sides; the others need an optimised build.
#[test]
fn self_tuning_over_time() {
    let study = of_paper("self-tuned-2001", &["fig4"]);
    assert_eq!((study.items.len(), study.cells.len(), study.figures.len()), (1, 7, 1));
    let claim = study.claims.first().expect("figure 4 bears on a claim");
    assert_eq!((claim.id.as_str(), claim.holds.is_some()), ("c5", true));
    assert!(claim.text.contains("Hill climbing") && claim.evidence.contains("threshold of"), "{claim:?}");
    let measured =
        |column: &str| measured(&study, |cell| cell.row.starts_with("avoiding") && cell.column.starts_with(column));
    let (throughput, threshold) = (measured("throughput"), measured("threshold"));
    assert!((0.05..0.5).contains(&throughput), "within the capacity of the network: {throughput}");
    assert!((30.0..=3072.0).contains(&threshold), "an increment to all buffers: {threshold}");
    assert!(!study.failed() && study.json_lines().lines().count() == 8);
}

/// The cheapest item of `injection-2005`; the others need an optimised build.
#[test]
fn transit_queues_and_channels() {
    let study = of_paper("injection-2005", &["fig5"]);
    assert_eq!(
        (study.items.len(), study.cells.len(), study.figures.len()),
        (1, 24, 1),
        "four organisations, six numbers"
    );
    let claim = study.claims.first().expect("figure 5 bears on a claim");
    assert_eq!((claim.id.as_str(), claim.holds), ("c3", None), "not judged in the short form");
    assert!(claim.evidence.contains("smart") && !claim.evidence.contains("random"), "{}", claim.evidence);
    for cell in &study.cells {
        let (measured, most) = (cell.measured.expect("it is measured"), if cell.unit == "%" { 100.0 } else { 128.0 });
        assert!(measured > 0.0 && measured < most, "{} {}: {measured} {}", cell.row, cell.column, cell.unit);
    }
    let measured =
        |row: &str, column: &str| measured(&study, |cell| cell.row.ends_with(row) && cell.column.starts_with(column));
    let adaptive = "adaptive occupation,";
    assert!(measured("4_inj_sh", adaptive) > measured("1_inj", adaptive), "four queues press harder than one");
    // Escape, adaptive, adaptive: a link carries no more than a flit a cycle.
    let link = measured("1_inj", "utilisation of an escape") + 2.0 * measured("1_inj", "utilisation of an adaptive");
    assert!(link <= 100.0 && link > 50.0, "{link}");
    assert!(!study.failed());
}

/// The items of `recn-mesh-2005` that share the runs of the short form.
#[test]
fn set_aside_queues_and_relative_throughput() {
    let study = of_paper("recn-mesh-2005", &["fig1", "fig2", "fig3"]);
    let holds: Vec<_> = study.claims.iter().map(|claim| (claim.id.as_str(), claim.holds)).collect();
    assert_eq!(holds, ["c1", "c2", "c3", "c4", "c5", "c6"].map(|id| (id, None)), "not judged in the short form");
    let fig2 = study.cells.iter().filter(|cell| cell.item == "fig2");
    assert_eq!(fig2.count(), 2 * 3 * 3 * 2, "networks, kinds of traffic, schemes, numbers");
    assert_eq!((study.cells.len(), study.figures.len()), (36 + 4, 2));
    let highest = |row: &str, scheme: &str| {
        measured(&study, |cell| cell.row == row && cell.column.starts_with(&format!("{scheme}, highest")))
    };
    for network in ["network 4", "network 5"] {
        assert!(highest(&format!("{network}, traffic 1"), "VOQnet") > 80.0);
        // 12 random sources of 16 at full rate, and the hot node's link.
        assert!(highest(&format!("{network}, traffic 3"), "VOQnet") < 100.0);
    }
    assert!(highest("network 5, traffic 3", "VOQnet") <= 81.5, "arithmetic");
    for cell in study.cells.iter().filter(|cell| cell.item == "fig3") {
        assert!((1.0..=8.0).contains(&cell.measured.expect("it is measured")), "{cell:?}");
    }
    assert!(!study.failed());
}

/// Tables 1 to 4 of `bubble-1999` are arithmetic.
#[test]
fn areas_and_delays_are_as_printed() {
    let (cancel, items) = (AtomicBool::new(false), ["table1", "table2", "table3", "table4"]);
    let settings = Settings { form: Form::Full, ..settings(&items, &cancel, &|_| {}) };
    let study = reproduce(paper("bubble-1999").expect("it is there"), &settings);
    let study = study.unwrap_or_else(|error| panic!("{error}"));
    let count = |item: &str| study.cells.iter().filter(|cell| cell.item == item).count();
    assert_eq!(items.map(count), [18, 60, 36, 24]);
    for cell in &study.cells {
        assert_eq!(cell.ok, Some(true), "{cell:?}");
    }
    assert_eq!(study.claims[0].holds, Some(true), "{:?}", study.claims);
}

/// The study of a folder, as somebody else would write it.
#[test]
fn a_folder_is_a_study() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../papers/dally-towles-2004"));
    let cancel = AtomicBool::new(false);
    let settings = settings(&[], &cancel, &|_| {});
    let own = tailback_studies::study_of(folder).unwrap_or_else(|fault| panic!("{fault}"));
    let study = reproduce(own, &settings).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((study.cells.len(), study.claims.len(), study.figures.len(), study.failed()), (6, 2, 1, false));
    let built_in = reproduce(paper("dally-towles-2004").expect("it is there"), &settings);
    assert_eq!(built_in.unwrap_or_else(|error| panic!("{error}")).text(), study.text());
    let none = tailback_studies::study_of(&folder.join("none")).map(|_| ()).expect_err("there is no such folder");
    assert!(none.to_string().contains("none/study.toml, line 1: expected this file"), "{none}");
}
