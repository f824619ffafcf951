//! Whether a folder can be resumed: its records must be of points that the spec still has.

use crate::exit::{Failure, Result};
use crate::points::Points;
use crate::show::{self, numbers::count};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tailback_results::{Capsule, Record, Status, json_lines};
use toml::{Table, Value};

/// The most points that are compared with the missing one.
const COMPARED: usize = 1000;
/// The most differences that are printed.
const TOLD: usize = 3;

/// Refuses a folder with finished points that are not among `points`: its files would be of two specs. A spec may have
/// more points than the folder.
pub fn same_spec(root: &Path, points: &Points) -> Result<()> {
    let path = root.join("records.jsonl");
    if !path.is_file() {
        return Ok(());
    }
    let mut finished = json_lines::read(&path)?.records;
    // Interrupted points run again, or are left out.
    finished.retain(|record| record.status != Status::Interrupted);
    let mut strange: BTreeSet<&str> = finished.iter().map(|record| record.point_id.as_str()).collect();
    for point in points.iter().take_while(|_| !finished.is_empty()) {
        strange.remove(point?.id.as_str());
    }
    let strange: Vec<&Record> = finished.iter().filter(|r| strange.contains(r.point_id.as_str())).collect();
    let Some(first) = strange.first() else { return Ok(()) };
    let (folder, all) = (show::path(root), count(finished.len() as u64, "finished point"));
    Err(Failure::usage(format!(
        "cannot resume: `{folder}` holds {all}, and {} of them not of this spec ({}); --resume goes on with the spec that \
         the folder was made with, to whose sweep and replicas more may have been added: choose another --out, or --force \
         to replace what is there",
        strange.len(),
        difference(root, first, points),
    )))
}

/// In what the point of a record differs from the nearest one of `points`.
fn difference(root: &Path, record: &Record, points: &Points) -> String {
    let id = &record.point_id;
    let capsule = Capsule::read(&root.join("capsules").join(format!("{id}.json"))).ok();
    let Some(there) = capsule.and_then(|capsule| capsule.spec_toml.parse::<Table>().ok()) else {
        return format!("point {id} is not one of its points");
    };
    let there = leaves(&there);
    let some = points.iter().take(COMPARED).flatten();
    let differences = some.map(|point| differing(&there, &leaves(point.resolved.table())));
    let nearest = differences.min_by_key(Vec::len).unwrap_or_default();
    if nearest.is_empty() {
        return format!("a file that point {id} names had another content");
    }
    let mut told = nearest.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
    if nearest.len() > TOLD {
        told += &format!(" and {} more", nearest.len() - TOLD);
    }
    told
}

fn differing(there: &BTreeMap<String, String>, here: &BTreeMap<String, String>) -> Vec<String> {
    let paths: BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    let value =
        |side: &BTreeMap<String, String>, path: &String| side.get(path).map_or("absent".to_owned(), String::clone);
    let differ = paths.into_iter().filter(|path| there.get(*path) != here.get(*path));
    differ.map(|path| format!("{path} was {} and is {}", value(there, path), value(here, path))).collect()
}

/// The values of a resolved spec by their paths, without what it is called.
fn leaves(table: &Table) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (key, value) in table.iter().filter(|(key, _)| !["name", "description", "preset"].contains(&key.as_str())) {
        add(key, value, &mut found);
    }
    found
}

fn add(path: &str, value: &Value, found: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => table.iter().for_each(|(key, value)| add(&format!("{path}.{key}"), value, found)),
        Value::Array(list) if list.iter().any(Value::is_table) => {
            list.iter().enumerate().for_each(|(index, value)| add(&format!("{path}[{index}]"), value, found));
        }
        other => drop(found.insert(path.to_owned(), other.to_string())),
    }
}
