//! The output folder of a run: records as points finish, capsules, series, pictures.

use crate::exit::{Failure, Result};
use crate::interrupt;
use crate::point_pictures;
use crate::runner::Done;
use crate::show;
use crate::why;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use tailback_pictures::raster;
use tailback_results::store::Existing;
use tailback_results::{Failed, Inputs, OutDir, Record, Status};
use tailback_sim::Finding;
use tailback_spec::Point;

const FINDINGS: &str = "findings.jsonl";
const WHY: &str = "why.jsonl";

/// A picture that was written, for the report.
#[derive(Clone, Debug)]
pub struct Picture {
    /// File name without ending.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
    /// The numbers that it shows, as CSV; empty where it has no table.
    pub csv: String,
}

/// An output folder open for writing.
pub struct Folder {
    out: OutDir,
    /// Records of earlier runs that were kept, by point.
    kept: BTreeMap<String, Record>,
    /// Numbers found by analysis, by point.
    findings: BTreeMap<String, Vec<serde_json::Value>>,
    /// How points ended and why, by point.
    why: BTreeMap<String, serde_json::Value>,
}

impl Folder {
    /// Opens `root`. What earlier runs left there is refused, replaced or, to resume, kept: all but interrupted points,
    /// which will run again. None of `inputs` is replaced.
    pub fn open(root: &Path, existing: Existing, inputs: &Inputs) -> Result<Folder> {
        let (kept, findings, why) = Default::default();
        let mut folder = Folder { out: open(root, existing, inputs)?, kept, findings, why };
        if existing == Existing::Keep {
            let records = folder.out.records()?;
            folder.kept = records.into_iter().map(|r| (r.point_id.clone(), r)).collect();
            for (id, row) in read_rows(&root.join(FINDINGS)) {
                folder.findings.entry(id).or_default().push(row);
            }
            folder.why = read_rows(&root.join(WHY)).into_iter().collect();
            let kept = &folder.kept;
            folder.findings.retain(|id, _| kept.contains_key(id));
            folder.why.retain(|id, _| kept.contains_key(id));
        }
        folder.write_rows()?;
        Ok(folder)
    }

    /// Takes in the points among `wanted` that are missing here and that another folder, such as a share of a sweep, holds.
    pub fn take_in(&mut self, other: &Path, wanted: &BTreeSet<String>) -> Result<()> {
        let Folder { out, kept, .. } = self;
        let missing = |id: &str| wanted.contains(id) && !kept.contains_key(id);
        let rows = |file| read_rows(&other.join(file)).into_iter().filter(|(id, _)| missing(id));
        for (id, row) in rows(FINDINGS) {
            append(out.root(), FINDINGS, &row)?;
            self.findings.entry(id).or_default().push(row);
        }
        for (id, row) in rows(WHY) {
            append(out.root(), WHY, &row)?;
            self.why.insert(id, row);
        }
        let taken = out.take_in(other, |record| missing(&record.point_id))?;
        kept.extend(taken.into_iter().map(|record| (record.point_id.clone(), record)));
        Ok(())
    }

    /// Notes a point that could not be run to its end.
    pub fn fail(&mut self, point: &Point, reason: &str) -> Result<()> {
        let swept = point.swept.iter().map(|(path, value)| (path.clone(), serde_json::json!(value))).collect();
        let (point_id, reason) = (point.id.clone(), reason.to_owned());
        Ok(self.out.fail(&Failed { point_id, seed: point.seed, swept, reason })?)
    }

    /// Whether an earlier run finished some points.
    pub fn keeps_some(&self) -> bool {
        !self.kept.is_empty()
    }

    /// The record of a point that an earlier run finished.
    pub fn kept(&self, point: &str) -> Option<&Record> {
        self.kept.get(point)
    }

    /// Writes a point that has ended, its record last: what has one is complete.
    pub fn save(&mut self, done: &Done) -> Result<()> {
        let outcome = &done.outcome;
        let id = &outcome.record.point_id;
        for picture in point_pictures::pictures(done) {
            self.picture(&picture)?;
        }
        let hurried = interrupt::is_late();
        if hurried {
            let tables = show::path(&self.out.root().join("series")).to_string();
            show::note(&format!(
                "to stop soon, pictures of point {id} may be left out; its tables are in {tables}, and with --resume it runs again \
                 and is drawn"
            ));
        }
        // An interrupted point runs again in any case.
        self.mark_undrawn(id, hurried && outcome.record.status != Status::Interrupted)?;
        let why = why::object(&done.prepared, outcome);
        append(self.out.root(), WHY, &why)?;
        self.why.insert(id.clone(), why);
        if !outcome.findings.is_empty() {
            let rows: Vec<serde_json::Value> = outcome.findings.iter().map(|finding| row(id, finding)).collect();
            rows.iter().try_for_each(|row| append(self.out.root(), FINDINGS, row))?;
            self.findings.insert(id.clone(), rows);
        }
        Ok(self.out.save(&outcome.capsule, &outcome.series)?)
    }

    /// Leaves an empty file of a point that has ended and of which pictures are missing, for which it will run again where the folder is
    /// resumed; removes that of a point that has all of them.
    fn mark_undrawn(&self, id: &str, hurried: bool) -> Result<()> {
        let name = format!("{id}-undrawn.csv");
        if hurried {
            self.out.write_picture(&name, b"")?;
        } else {
            // What is not there need not be removed.
            let _ = std::fs::remove_file(self.out.root().join("pictures").join(name));
        }
        Ok(())
    }

    /// Writes a picture as SVG and PNG, and its numbers as CSV; no PNG when there is no time for it behind Ctrl-C.
    pub fn picture(&self, picture: &Picture) -> Result<()> {
        if !picture.csv.is_empty() {
            self.out.write_picture(&format!("{}.csv", picture.name), picture.csv.as_bytes())?;
        }
        self.out.write_picture(&format!("{}.svg", picture.name), picture.svg.as_bytes())?;
        if interrupt::is_late() {
            return Ok(());
        }
        match raster::png(&picture.svg) {
            Ok(png) => self.out.write_picture(&format!("{}.png", picture.name), &png).map(|_| ())?,
            Err(error) => crate::show::note(&format!("no {}.png: {error}", picture.name)),
        }
        Ok(())
    }

    /// Writes any other file at the top of the folder.
    pub fn file(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        Ok(self.out.write_file(name, bytes)?)
    }

    /// Writes the table of points, with their seeds summed up.
    pub fn points(&self, csv: &str) -> Result<()> {
        Ok(self.out.write_points(csv)?)
    }

    /// The points that have pictures of their own, also those of earlier runs.
    pub fn points_with_pictures(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.out.root().join("pictures")).into_iter().flatten().flatten();
        let point = |name: &str| {
            let name = name.strip_suffix(".svg")?;
            let of = |(kind, _)| name.strip_suffix(kind)?.strip_suffix('-').map(str::to_owned);
            point_pictures::kinds().find_map(of)
        };
        entries.filter_map(|entry| point(entry.file_name().to_str()?)).collect()
    }

    /// The pictures of one point, also those of earlier runs.
    pub fn pictures_of(&self, point: &str) -> Vec<Picture> {
        let folder = self.out.root().join("pictures");
        let read = |(kind, caption): (&str, &str)| {
            let name = format!("{point}-{kind}");
            let svg = std::fs::read_to_string(folder.join(format!("{name}.svg"))).ok()?;
            Some(Picture { name, caption: caption.to_owned(), svg, csv: String::new() })
        };
        point_pictures::kinds().filter_map(read).collect()
    }

    /// How a point ended and why, also of earlier runs.
    pub fn why_of(&self, point: &str) -> Option<&serde_json::Value> {
        self.why.get(point)
    }

    /// The anatomy of a point's congestion, also of earlier runs.
    pub fn anatomy_of(&self, point: &str) -> Option<&serde_json::Value> {
        self.why_of(point)?.get("anatomy")
    }

    /// Numbers found by analysis: point, name, unit, value.
    pub fn findings(&self) -> impl Iterator<Item = &serde_json::Value> {
        self.findings.values().flatten()
    }

    /// Writes the findings, how points ended and why, and the table of records; these are in the order of the sweep.
    pub fn finish(self, records: &[Record]) -> Result<()> {
        self.write_rows()?;
        let order: Vec<&str> = records.iter().map(|record| record.point_id.as_str()).collect();
        self.out.finish(&order)?;
        Ok(())
    }

    /// Writes findings and reasons whole, in the order of the points; where there are none there is no file.
    fn write_rows(&self) -> Result<()> {
        let why: Vec<&serde_json::Value> = self.why.values().collect();
        for (file, rows) in [(FINDINGS, self.findings().collect()), (WHY, why)] {
            if rows.is_empty() {
                // What is not there need not be removed.
                let _ = std::fs::remove_file(self.out.root().join(file));
                continue;
            }
            let lines: String = rows.into_iter().map(|row| format!("{row}\n")).collect();
            self.out.write_file(file, lines.as_bytes())?;
        }
        Ok(())
    }
}

/// How the points of a folder ended and why, by point.
///
/// # Errors
/// Where the folder has no such file.
pub fn why_rows(root: &Path) -> Result<BTreeMap<String, serde_json::Value>> {
    let path = root.join(WHY);
    if !path.is_file() {
        let help = "`tailback run SPEC --out DIR` writes one";
        return Err(Failure::usage(format!("there is no file `{}`; {help}", show::path(&path))));
    }
    Ok(read_rows(&path).into_iter().collect())
}

/// Appends a row to a file of `root`, so that a kill loses no more than the line that was being written.
fn append(root: &Path, file: &str, row: &serde_json::Value) -> Result<()> {
    let path = root.join(file);
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = opened.and_then(|mut file| file.write_all(format!("{row}\n").as_bytes()));
    written.map_err(|error| Failure::Other(format!("cannot append to {}: {error}", show::path(&path))))
}

/// Refuses the name of a file, or one below a file, for an output folder.
pub fn can_be_folder(root: &Path) -> Result<()> {
    let Some(file) = root.ancestors().find(|path| path.exists() && !path.is_dir()) else { return Ok(()) };
    let below = if file == root { String::new() } else { format!(", so there is no folder `{}`", show::path(root)) };
    let message =
        format!("`{}` is a file{below}: --out names a folder, which is made where it is missing", show::path(file));
    Err(Failure::usage(message))
}

fn open(root: &Path, existing: Existing, inputs: &Inputs) -> Result<OutDir> {
    let out = OutDir::open_beside(root, existing, inputs)?;
    if existing == Existing::Replace {
        clear(root, inputs);
    }
    Ok(out)
}

/// Removes what an earlier run left in the folders that are ours, so that nothing there belongs to other records. Files
/// that cannot be removed do no harm, and what this command reads stays.
fn clear(root: &Path, inputs: &Inputs) {
    for (folder, endings) in
        [("capsules", &["json"][..]), ("series", &["csv", "parquet"]), ("pictures", &["svg", "png", "csv"])]
    {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let ours = path.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e));
            if ours && inputs.what(&path).is_none() {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

fn row(point: &str, finding: &Finding) -> serde_json::Value {
    serde_json::json!({ "point_id": point, "name": finding.name, "value": finding.value, "unit": finding.unit })
}

/// The rows of earlier runs with their points; damaged lines are left out, for the records do not depend on them.
fn read_rows(path: &Path) -> Vec<(String, serde_json::Value)> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let row = |line: &str| {
        let row = serde_json::from_str::<serde_json::Value>(line).ok()?;
        Some((row["point_id"].as_str()?.to_owned(), row))
    };
    text.lines().filter_map(row).collect()
}
