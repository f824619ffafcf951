//! The lessons of `tailback live`: each spec is run to its end by the program, and shows what its text promises.

use crate::tailback;
use serde_json::Value;
use std::path::Path;

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lessons() -> Vec<toml::Table> {
    let text = std::fs::read_to_string(root().join("crates/live/lessons.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    table["lesson"].as_array().unwrap().iter().map(|lesson| lesson.as_table().unwrap().clone()).collect()
}

/// The records of a spec, point by point.
fn records(spec: &str) -> Vec<Value> {
    let path = root().join(format!("examples/lessons/{spec}.toml"));
    let done = tailback(&["run", path.to_str().unwrap(), "--json"]);
    done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Holds the records of a lesson to one promise.
fn holds(spec: &str, records: &[Value], shows: &toml::Table) {
    let point = |key: &str| &records[shows[key].as_integer().unwrap() as usize];
    let (of, word) = (point("point"), |key: &str| shows.get(key).and_then(toml::Value::as_str));
    if let Some(status) = word("status") {
        assert_eq!(of["status"], *status, "{spec}");
    }
    if let Some(status) = word("not") {
        assert_ne!(of["status"], *status, "{spec}");
    }
    if let Some(column) = word("column") {
        let value = |record: &Value| record[column].as_f64().unwrap_or_else(|| panic!("{spec}: no {column}"));
        let value = if shows.contains_key("over") { value(of) / value(point("over")) } else { value(of) };
        let bound = |key: &str| shows.get(key).and_then(toml::Value::as_float);
        let (least, most) = (bound("least"), bound("most"));
        assert!(least.is_some() || most.is_some(), "{spec}: {column} is held to something");
        assert!(least.is_none_or(|least| value >= least), "{spec}: {column} is {value}, at least {least:?}");
        assert!(most.is_none_or(|most| value <= most), "{spec}: {column} is {value}, at most {most:?}");
    }
}

#[test]
fn every_lesson_shows_what_it_promises() {
    let lessons = lessons();
    assert_eq!(lessons.len(), 12);
    for lesson in lessons {
        let spec = lesson["spec"].as_str().unwrap();
        let shows = lesson["shows"].as_array().unwrap();
        assert!(!shows.is_empty(), "{spec} promises something");
        let records = records(spec);
        shows.iter().for_each(|shows| holds(spec, &records, shows.as_table().unwrap()));
    }
}
