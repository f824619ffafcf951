//! The output folder: what is finished is kept, whatever happens next.
//!
//! ```text
//! DIR/records.jsonl     one line a finished point, appended as it ends, after all its other files; at the end in sweep order
//! DIR/records.parquet   the same rows, written at the end
//! DIR/records.csv       one row a point, seeds summed up, written at the end
//! DIR/failures.jsonl    one line a point that could not be run to its end
//! DIR/capsules/ID.json  one capsule a point
//! DIR/pictures/         curves and charts
//! DIR/series/           time series and histograms
//! ```
//!
//! A killed process loses no point whose line is there. What a power cut can take is what was written in the last tenth of a
//! second or so ([`crate::durable`]); a point that lost a file by it runs again. One process at a time writes to a folder; a
//! second is refused.

mod failures;
mod gather;

pub use failures::{Failed, read_failures};

use crate::atomic::{remove_leftovers, sync_folder, write_atomic};
use crate::capsule::Capsule;
use crate::durable::Durable;
use crate::error::{Error, Result};
use crate::json_lines::{self, Records};
use crate::lock::{self, Lock};
use crate::output::{FORCE, Inputs, Kind, Output, Replace};
use crate::schema::{Record, Status};
use crate::series::Series;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const RECORDS: &str = "records.jsonl";
#[cfg(feature = "parquet")]
const RECORDS_PARQUET: &str = "records.parquet";
const POINTS: &str = "records.csv";
const SPEC: &str = "spec.toml";
const CAPSULES: &str = "capsules";
const PICTURES: &str = "pictures";
const SERIES: &str = "series";
/// Files at the top of the folder that every run writes, or may.
const FILES: [&str; 7] =
    [RECORDS, "records.parquet", POINTS, failures::FILE, "why.jsonl", "findings.jsonl", "report.html"];
/// Folders with files of points, whose names begin with the point's identity.
const FOLDERS: [&str; 3] = [CAPSULES, PICTURES, SERIES];

/// What to do with records that a folder already holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse the folder.
    Refuse,
    /// Keep them and append; a torn last line is cut off. Points that are repeated, that were interrupted, or that a power cut
    /// took a file of, are left out.
    Keep,
    /// Begin anew. Capsules, pictures and series stay until others of their name replace them.
    Replace,
}

/// An output folder open for writing.
#[derive(Debug)]
pub struct OutDir {
    root: PathBuf,
    records: File,
    records_path: PathBuf,
    /// Length of the file up to the last whole line; what lies beyond is the rest of a failed append.
    whole_bytes: u64,
    failures: Option<File>,
    durable: Durable,
    inputs: Inputs,
    replace: Replace,
    _lock: Lock,
}

impl OutDir {
    /// Creates the folder and its subfolders where they are missing, and opens the records for appending.
    ///
    /// # Errors
    /// [`Error::Io`] for a folder that cannot be created or written, [`Error::InUse`] for one that another process writes
    /// to, [`Error::Occupied`] under
    /// [`Existing::Refuse`], [`Error::Line`] under [`Existing::Keep`] when the records there are damaged, [`Error::Output`] when
    /// something else stands where a file of results would.
    pub fn open(root: impl Into<PathBuf>, existing: Existing) -> Result<Self> {
        Self::open_beside(root, existing, &Inputs::none())
    }

    /// As [`OutDir::open`], for a command that reads `inputs`, none of which it replaces.
    ///
    /// # Errors
    /// The errors of [`OutDir::open`].
    pub fn open_beside(root: impl Into<PathBuf>, existing: Existing, inputs: &Inputs) -> Result<Self> {
        let root = root.into();
        let replace = if existing == Existing::Replace { Replace::Anything } else { Replace::SameKind };
        check_files(&root, replace, inputs)?;
        let records_path = root.join(RECORDS);
        fs::create_dir_all(&root).map_err(Error::io("create folder", &root))?;
        let lock = Lock::take(&root)?;
        let found = found_records(&records_path)?;
        if found > 0 && existing == Existing::Refuse {
            return Err(Error::Occupied { path: records_path });
        }
        remove_leftovers(&root);
        failures::forget(&root)?;
        for folder in FOLDERS {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).map_err(Error::io("create folder", &folder))?;
            remove_leftovers(&folder);
        }
        if existing == Existing::Keep {
            leave_out_unfinished(&root)?;
        }
        let found = found_records(&records_path)?;
        let keep = if existing == Existing::Keep && found > 0 { Some(json_lines::read(&records_path)?) } else { None };
        let mut options = OpenOptions::new();
        let records =
            options.append(true).create(true).open(&records_path).map_err(Error::io("open", &records_path))?;
        sync_folder(&records_path)?;
        let durable = Durable::new(&root).map_err(Error::io("open", &root))?;
        let mut out = Self {
            root,
            records,
            records_path,
            whole_bytes: 0,
            failures: None,
            durable,
            inputs: inputs.clone(),
            replace,
            _lock: lock,
        };
        out.whole_bytes = keep.as_ref().map_or(0, |kept| kept.whole_bytes);
        if out.whole_bytes < found {
            out.cut_to_whole().map_err(Error::io("shorten", &out.records_path))?;
        }
        if keep.is_some_and(|kept| kept.unended) {
            out.append_whole(b"\n")?;
        }
        Ok(out)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file of records.
    pub fn records_path(&self) -> &Path {
        &self.records_path
    }

    /// Writes a point that has ended: its capsule, its tables that are not empty, and then its row. A kill at any moment
    /// leaves all of it or none that anybody reads. An interrupted run has no capsule: it cannot be repeated to the cycle.
    ///
    /// # Errors
    /// As for [`OutDir::write_capsule`], [`OutDir::write_series`] and [`OutDir::append`].
    pub fn save(&mut self, capsule: &Capsule, series: &[Series]) -> Result<()> {
        if capsule.record.status != Status::Interrupted {
            self.write_capsule(capsule)?;
        }
        for series in series.iter().filter(|series| !series.x.is_empty()) {
            self.write_series(&Series { name: format!("{}-{}", capsule.point_id, series.name), ..series.clone() })?;
        }
        self.append(&capsule.record)
    }

    /// Appends the row of a finished point; when this returns no kill of the process can lose it.
    ///
    /// # Errors
    /// [`Error::Record`] for clashing column names; [`Error::Io`] naming the path and the cause, the file then
    /// being as before (where even that fails, its last line is torn and readers leave it out).
    pub fn append(&mut self, record: &Record) -> Result<()> {
        let line = json_lines::to_line(record)?;
        self.append_whole(line.as_bytes())
    }

    /// All rows so far, also those of earlier runs that were kept.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be read.
    pub fn records(&self) -> Result<Vec<Record>> {
        Ok(read_records(&self.root)?.records)
    }

    /// Writes a capsule to `capsules/POINT_ID.json` and returns its path.
    ///
    /// # Errors
    /// As for [`Capsule::write`]; [`Error::FileName`] for an identity that is no file name.
    pub fn write_capsule(&self, capsule: &Capsule) -> Result<PathBuf> {
        let path = self.path_in(CAPSULES, &format!("{}.json", capsule.point_id))?;
        self.output(&path, Kind::Capsule)?.write_soon(&capsule.to_json(&path)?)?;
        Ok(path)
    }

    /// Writes a picture to `pictures/NAME` and returns its path.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::FileName`].
    pub fn write_picture(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.path_in(PICTURES, name)?;
        self.output(&path, kind_of(name)?)?.write_soon(bytes)?;
        Ok(path)
    }

    /// Writes a series to `series/NAME.csv` and, with the feature `parquet`, `series/NAME.parquet`.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::FileName`]; [`Error::Table`] for columns that do not fit.
    pub fn write_series(&self, series: &Series) -> Result<Vec<PathBuf>> {
        let csv = self.path_in(SERIES, &format!("{}.csv", series.name))?;
        self.output(&csv, Kind::Csv)?.write_soon(series.to_csv()?.as_bytes())?;
        #[cfg(feature = "parquet")]
        {
            let parquet = self.path_in(SERIES, &format!("{}.parquet", series.name))?;
            self.output(&parquet, Kind::Parquet)?.write_soon(&crate::parquet_file::series_to_parquet(series)?)?;
            Ok(vec![csv, parquet])
        }
        #[cfg(not(feature = "parquet"))]
        Ok(vec![csv])
    }

    /// Writes any other file, such as a report, to `DIR/NAME` and returns its path.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::FileName`] also for the names of the records.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        if name.starts_with("records.") || name == failures::FILE {
            return Err(Error::FileName { name: name.to_owned() });
        }
        let path = self.path_in("", name)?;
        self.output(&path, kind_of(name)?)?.write(bytes)?;
        Ok(path)
    }

    /// Writes the table of points, comma-separated, to `DIR/records.csv`.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Output`] where a file of another kind stands there.
    pub fn write_points(&self, csv: &str) -> Result<()> {
        self.output(&self.root.join(POINTS), Kind::Points)?.write(csv.as_bytes())
    }

    /// Writes the spec of the results to `DIR/spec.toml`, unless that is the very file it was read from.
    ///
    /// # Errors
    /// The errors of [`OutDir::write_file`].
    pub fn write_spec(&self, toml: &str) -> Result<()> {
        let path = self.root.join(SPEC);
        if self.inputs.what(&path).is_some() {
            return Ok(());
        }
        self.write_file(SPEC, toml.as_bytes()).map(drop)
    }

    /// Puts the rows into the `order` of these points, writes `records.parquet` from all of them (with the feature `parquet`),
    /// waits until everything is on the disk, and returns the paths of the records. Points finish in an order that hangs on
    /// threads; what is read from the folder later does not. Rows of other points come last, as they were appended.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Parquet`]. The JSON lines are complete all the same.
    pub fn finish(mut self, order: &[&str]) -> Result<Vec<PathBuf>> {
        self.durable.finish().map_err(Error::io("make durable", &self.root))?;
        put_in_order(&self.records_path, order)?;
        #[cfg(feature = "parquet")]
        {
            let path = self.root.join(RECORDS_PARQUET);
            self.output(&path, Kind::Parquet)?.write(&crate::parquet_file::records_to_parquet(&self.records()?)?)?;
            Ok(vec![self.records_path, path])
        }
        #[cfg(not(feature = "parquet"))]
        Ok(vec![self.records_path])
    }

    fn output(&self, path: &Path, kind: Kind) -> Result<Output> {
        Output::new(path, kind, self.replace, &self.inputs)
    }

    fn path_in(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte);
        if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.bytes().all(fits) {
            return Err(Error::FileName { name: name.to_owned() });
        }
        Ok(self.root.join(folder).join(name))
    }

    fn append_whole(&mut self, bytes: &[u8]) -> Result<()> {
        if let Err(cause) = self.records.write_all(bytes) {
            // The first error is the one to report. Where the cut fails as well, readers leave the torn line out.
            let _ = self.cut_to_whole();
            return Err(Error::io("append to", &self.records_path)(cause));
        }
        self.whole_bytes += bytes.len() as u64;
        self.durable.written().map_err(Error::io("make durable", &self.root))
    }

    fn cut_to_whole(&self) -> std::io::Result<()> {
        self.records.set_len(self.whole_bytes)?;
        self.records.sync_data()
    }
}

/// Refuses a folder where something stands in the way of a file at its top. What records there are is looked at by itself.
fn check_files(root: &Path, replace: Replace, inputs: &Inputs) -> Result<()> {
    for name in FILES {
        let path = root.join(name);
        if fs::symlink_metadata(&path).is_ok() {
            let replace = if name == RECORDS { Replace::Anything } else { replace };
            Output::new(&path, kind_of(name)?, replace, inputs)?;
        }
    }
    let path = root.join(SPEC);
    let there = inputs.what(&path).is_none() && fs::metadata(&path).is_ok_and(|data| data.len() > 0);
    if there && replace != Replace::Anything && !is_ours(root) {
        let cause =
            format!("the folder holds no results, so this spec is somebody's own; choose another folder{FORCE}");
        return Err(Error::Output { path, cause });
    }
    Ok(())
}

/// Whether somebody has written results to a folder.
fn is_ours(root: &Path) -> bool {
    [RECORDS, lock::NAME].iter().any(|name| root.join(name).is_file())
}

fn kind_of(name: &str) -> Result<Kind> {
    Kind::of_name(name).ok_or_else(|| Error::FileName { name: name.to_owned() })
}

/// Refuses a folder that holds files, none of which say that it is an output folder.
///
/// # Errors
/// [`Error::Foreign`]; [`Error::Io`] when the folder cannot be read. One that is not there is nobody's.
pub fn refuse_foreign(root: &Path) -> Result<()> {
    let mut entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(Error::io("read folder", root)(cause)),
    };
    if is_ours(root) || entries.next().is_none() { Ok(()) } else { Err(Error::Foreign { path: root.to_path_buf() }) }
}

/// Reads the records of an output folder; a torn last line is left out.
///
/// # Errors
/// [`Error::Io`] when there are none; [`Error::Line`] when they are damaged.
pub fn read_records(root: &Path) -> Result<Records> {
    json_lines::read(&root.join(RECORDS))
}

/// Leaves interrupted points, repeated ones, and those that lost a file out of the records; the file is replaced whole or
/// not at all.
fn leave_out_unfinished(root: &Path) -> Result<()> {
    let path = root.join(RECORDS);
    if found_records(&path)? == 0 {
        return Ok(());
    }
    let records = json_lines::read(&path)?.records;
    let mut seen = lost(root)?;
    let fits = |r: &&Record| r.status != Status::Interrupted && seen.insert(r.point_id.clone());
    let whole: Vec<&Record> = records.iter().filter(fits).collect();
    if whole.len() < records.len() {
        let lines = whole.into_iter().map(json_lines::to_line).collect::<Result<String>>()?;
        write_atomic(&path, lines.as_bytes())?;
    }
    Ok(())
}

/// Puts the rows into the order of these points; the file is replaced whole or not at all.
fn put_in_order(path: &Path, order: &[&str]) -> Result<()> {
    let places: HashMap<&str, usize> = order.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let place = |record: &Record| places.get(record.point_id.as_str()).copied().unwrap_or(usize::MAX);
    let mut records = json_lines::read(path)?.records;
    if !records.is_sorted_by_key(place) {
        records.sort_by_key(place);
        write_atomic(path, records.iter().map(json_lines::to_line).collect::<Result<String>>()?.as_bytes())?;
    }
    Ok(())
}

/// Points with an empty file, which is what a power cut leaves of one that was not on the disk yet.
fn lost(root: &Path) -> Result<BTreeSet<String>> {
    let mut lost = BTreeSet::new();
    for folder in FOLDERS {
        for (id, path) in gather::files_of_points(&root.join(folder))? {
            let empty = fs::metadata(&path).map_err(Error::io("look at", &path))?.len() == 0;
            if empty {
                lost.insert(id);
            }
        }
    }
    Ok(lost)
}

/// Length of the records file, 0 when there is none \[bytes\].
fn found_records(path: &Path) -> Result<u64> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(cause) => Err(Error::io("look at", path)(cause)),
    }
}

#[cfg(test)]
mod tests;
