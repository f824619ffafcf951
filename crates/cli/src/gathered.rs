//! Records of several folders as one.

use crate::exit::{Failure, Result};
use crate::show;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tailback_results::{Inputs, Record, Scalar, json_lines};

/// The parameter that says from which folder a record is, where folders have points in common.
pub const RESULTS: &str = "results";

/// Records, and the files that they are from.
pub struct Gathered {
    /// All records; what several files have of one run stands once.
    pub records: Vec<Record>,
    /// The files.
    pub inputs: Inputs,
}

/// The records of these folders and files.
///
/// # Errors
/// For files that hold no records.
pub fn gather(places: &[PathBuf]) -> Result<Gathered> {
    let mut inputs = Inputs::none();
    let mut parts = Vec::new();
    for place in places {
        let file = if place.is_dir() { place.join("records.jsonl") } else { place.clone() };
        inputs.add(&file, "the records");
        parts.push((place, read(&file)?));
    }
    let (places, records): (Vec<&PathBuf>, Vec<Vec<Record>>) = parts.into_iter().unzip();
    let places: Vec<PathBuf> = places.into_iter().cloned().collect();
    Ok(Gathered { records: joined(records, names(&places)), inputs })
}

/// Records of places with these names as one list.
pub fn joined(parts: Vec<Vec<Record>>, names: Vec<String>) -> Vec<Record> {
    let mut seen = BTreeSet::new();
    let parts: Vec<(String, Vec<Record>)> = parts
        .into_iter()
        .zip(names)
        .map(|(records, name)| {
            let new = records.into_iter().filter(|r| seen.insert((r.point_id.clone(), r.digest.clone())));
            (name, new.collect())
        })
        .collect();
    let common = have_points_in_common(&parts);
    let mut records = Vec::new();
    for (name, mut part) in parts {
        if common {
            part.iter_mut().for_each(|r| r.parameters.push((RESULTS.to_owned(), Scalar::Text(name.clone()))));
        }
        records.append(&mut part);
    }
    records
}

/// Whether different folders have runs of the same setting and seed.
fn have_points_in_common(parts: &[(String, Vec<Record>)]) -> bool {
    let mut owner: BTreeMap<String, usize> = BTreeMap::new();
    parts.iter().enumerate().any(|(at, (_, records))| {
        records
            .iter()
            .any(|record| *owner.entry(format!("{} {:?}", record.seed, record.parameters)).or_insert(at) != at)
    })
}

/// What tells places apart: their last names, or the whole paths.
pub fn names(places: &[PathBuf]) -> Vec<String> {
    let last = |place: &PathBuf| place.file_name().map(|name| name.to_string_lossy().into_owned());
    let short: Option<Vec<String>> = places.iter().map(last).collect();
    let short = short.filter(|names| names.iter().collect::<BTreeSet<_>>().len() == names.len());
    short.unwrap_or_else(|| places.iter().map(|place| place.to_string_lossy().into_owned()).collect())
}

/// The records of a file.
///
/// # Errors
/// For a file that holds none.
pub fn read(file: &Path) -> Result<Vec<Record>> {
    let found = json_lines::read(file).map_err(|error| Failure::usage(error.to_string()))?;
    if found.torn {
        show::note(&format!("the last row of {} is torn and was left out", show::path(file)));
    }
    if found.records.is_empty() {
        return Err(Failure::usage(format!("there are no records in `{}`", show::path(file))));
    }
    Ok(found.records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Status;

    fn write(folder: &Path, name: &str, digests: &[&str]) -> PathBuf {
        let place = folder.join(name);
        std::fs::create_dir_all(&place).unwrap();
        let row = |digest: &&str| {
            let parameters = vec![("traffic.load".to_owned(), Scalar::Float(0.1))];
            json_lines::to_line(&Record { parameters, ..Record::empty(*digest, 1, "0", Status::Steady) }).unwrap()
        };
        std::fs::write(place.join("records.jsonl"), digests.iter().map(row).collect::<String>()).unwrap();
        place
    }

    #[test]
    fn folders_with_points_in_common_are_told_apart_and_one_run_stands_once() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (write(folder.path(), "a", &["1"]), write(folder.path(), "b", &["1", "2"]));
        let gathered = gather(&[a.clone(), b]).unwrap().records;
        let of = |record: &Record| record.parameters.iter().find(|(n, _)| n == RESULTS).map(|(_, v)| v.to_string());
        assert_eq!(gathered.iter().map(of).collect::<Vec<_>>(), [Some("a".into()), Some("b".into())]);
        assert_eq!(gather(&[a]).unwrap().records[0].parameters.len(), 1);
        assert!(gather(&[folder.path().join("no")]).is_err());
    }

    #[test]
    fn places_are_called_by_their_last_names_if_these_differ() {
        assert_eq!(names(&["x/a".into(), "y/b".into()]), ["a", "b"]);
        assert_eq!(names(&["x/a".into(), "y/a".into()]), ["x/a", "y/a"]);
    }
}
