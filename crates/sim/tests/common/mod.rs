//! From the text of a spec to what the façade says of its first point.
#![allow(dead_code, reason = "no test file needs all of it")]

pub mod data_paths;
pub mod random;
pub mod ranks;

use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::Series;
use tailback_sim::{Control, Facts, Outcome, Prepared, catalogue, prepare, run};
use tailback_spec::{Document, Errors};

pub fn prepared(spec: &str) -> Result<Prepared, Errors> {
    let points = Document::parse("test.toml", spec.as_bytes())?.expand(catalogue())?;
    prepare(&points[0])
}

pub fn outcome(spec: &str) -> Outcome {
    let prepared = prepared(spec).unwrap_or_else(|e| panic!("{}", e.render(false)));
    run(&prepared, &Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
}

pub fn facts(spec: &str) -> Facts {
    prepared(spec).unwrap_or_else(|e| panic!("{}", e.render(false))).facts()
}

/// The message without its line breaks.
pub fn refusal(spec: &str) -> String {
    let text = prepared(spec).err().map(|e| e.render(false)).unwrap_or_else(|| panic!("not refused: {spec}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A spec with parts of its text replaced, all of which it must have.
pub fn changed(spec: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(spec.to_owned(), |spec, (from, to)| {
        assert!(spec.contains(from), "{from}");
        spec.replace(from, to)
    })
}

pub fn table<'a>(outcome: &'a Outcome, name: &str) -> &'a Series {
    Series::named(&outcome.series, name).unwrap_or_else(|| panic!("no table {name}"))
}

pub fn column<'a>(series: &'a Series, name: &str) -> &'a [f64] {
    series.column(name).unwrap_or_else(|| panic!("no column {name}"))
}
