//! The output folder: what is finished is on the disk, whatever happens next.
//!
//! ```text
//! DIR/records.jsonl     one line a finished point, appended and made durable at once
//! DIR/records.parquet   the same rows, written at the end
//! DIR/capsules/ID.json  one capsule a point
//! DIR/pictures/         curves and charts
//! DIR/series/           time series and histograms
//! ```
//!
//! One process at a time writes to a folder; a second is refused.

use crate::atomic::{sync_folder, write_atomic};
use crate::capsule::Capsule;
use crate::error::{Error, Result};
use crate::json_lines::{self, Records};
use crate::lock::Lock;
use crate::schema::{Record, Status};
use crate::series::Series;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

const RECORDS: &str = "records.jsonl";
#[cfg(feature = "parquet")]
const RECORDS_PARQUET: &str = "records.parquet";
const CAPSULES: &str = "capsules";
const PICTURES: &str = "pictures";
const SERIES: &str = "series";

/// What to do with records that a folder already holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse the folder.
    Refuse,
    /// Keep them and append; a torn last line is cut off, repeated and interrupted points are left out.
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
    /// Length of the file up to the last durable line; what lies beyond is the rest of a failed append.
    durable_bytes: u64,
    _lock: Lock,
}

impl OutDir {
    /// Creates the folder and its subfolders where they are missing, and opens the records for appending.
    ///
    /// # Errors
    /// [`Error::Io`] for a folder that cannot be created or written, [`Error::InUse`] for one that another process writes
    /// to, [`Error::Occupied`] under
    /// [`Existing::Refuse`], [`Error::Line`] under [`Existing::Keep`] when the records there are damaged.
    pub fn open(root: impl Into<PathBuf>, existing: Existing) -> Result<Self> {
        let root = root.into();
        let records_path = root.join(RECORDS);
        fs::create_dir_all(&root).map_err(Error::io("create folder", &root))?;
        let lock = Lock::take(&root)?;
        if existing == Existing::Keep {
            leave_out_interrupted(&records_path)?;
        }
        let found = found_records(&records_path)?;
        if found > 0 && existing == Existing::Refuse {
            return Err(Error::Occupied { path: records_path });
        }
        for folder in [CAPSULES, PICTURES, SERIES] {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).map_err(Error::io("create folder", &folder))?;
        }
        let keep = if existing == Existing::Keep && found > 0 { Some(json_lines::read(&records_path)?) } else { None };
        let mut options = OpenOptions::new();
        let records =
            options.append(true).create(true).open(&records_path).map_err(Error::io("open", &records_path))?;
        sync_folder(&records_path)?;
        let mut out = Self { root, records, records_path, durable_bytes: 0, _lock: lock };
        out.durable_bytes = keep.as_ref().map_or(0, |kept| kept.whole_bytes);
        if out.durable_bytes < found {
            out.cut_to_durable().map_err(Error::io("shorten", &out.records_path))?;
        }
        if keep.is_some_and(|kept| kept.unended) {
            out.append_durably(b"\n")?;
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

    /// Appends the row of a finished point; when this returns it is on the disk.
    ///
    /// # Errors
    /// [`Error::Record`] for clashing column names; [`Error::Io`] naming the path and the cause, the file then
    /// being as before (where even that fails, its last line is torn and readers leave it out).
    pub fn append(&mut self, record: &Record) -> Result<()> {
        let line = json_lines::to_line(record)?;
        self.append_durably(line.as_bytes())
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
        capsule.write(&path)?;
        Ok(path)
    }

    /// Writes a picture to `pictures/NAME` and returns its path.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::FileName`].
    pub fn write_picture(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.path_in(PICTURES, name)?;
        write_atomic(&path, bytes)?;
        Ok(path)
    }

    /// Writes a series to `series/NAME.csv` and, with the feature `parquet`, `series/NAME.parquet`.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::FileName`]; [`Error::Table`] for columns that do not fit.
    pub fn write_series(&self, series: &Series) -> Result<Vec<PathBuf>> {
        let csv = self.path_in(SERIES, &format!("{}.csv", series.name))?;
        write_atomic(&csv, series.to_csv()?.as_bytes())?;
        #[cfg(feature = "parquet")]
        {
            let parquet = self.path_in(SERIES, &format!("{}.parquet", series.name))?;
            write_atomic(&parquet, &crate::parquet_file::series_to_parquet(series)?)?;
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
        if name.starts_with("records.") {
            return Err(Error::FileName { name: name.to_owned() });
        }
        let path = self.path_in("", name)?;
        write_atomic(&path, bytes)?;
        Ok(path)
    }

    /// Writes `records.parquet` from all rows (with the feature `parquet`) and returns the paths of the records.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Parquet`]. The JSON lines are complete all the same.
    pub fn finish(self) -> Result<Vec<PathBuf>> {
        #[cfg(feature = "parquet")]
        {
            let path = self.root.join(RECORDS_PARQUET);
            write_atomic(&path, &crate::parquet_file::records_to_parquet(&self.records()?)?)?;
            Ok(vec![self.records_path, path])
        }
        #[cfg(not(feature = "parquet"))]
        Ok(vec![self.records_path])
    }

    fn path_in(&self, folder: &str, name: &str) -> Result<PathBuf> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte);
        if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.bytes().all(fits) {
            return Err(Error::FileName { name: name.to_owned() });
        }
        Ok(self.root.join(folder).join(name))
    }

    fn append_durably(&mut self, bytes: &[u8]) -> Result<()> {
        let written = self.records.write_all(bytes).and_then(|()| self.records.sync_data());
        if let Err(cause) = written {
            // The first error is the one to report. Where the cut fails as well, readers leave the torn line out.
            let _ = self.cut_to_durable();
            return Err(Error::io("append to", &self.records_path)(cause));
        }
        self.durable_bytes += bytes.len() as u64;
        Ok(())
    }

    fn cut_to_durable(&self) -> std::io::Result<()> {
        self.records.set_len(self.durable_bytes)?;
        self.records.sync_data()
    }
}

/// Reads the records of an output folder; a torn last line is left out.
///
/// # Errors
/// [`Error::Io`] when there are none; [`Error::Line`] when they are damaged.
pub fn read_records(root: &Path) -> Result<Records> {
    json_lines::read(&root.join(RECORDS))
}

/// Leaves interrupted points and repeated ones out of the records; the file is replaced whole or not at all.
fn leave_out_interrupted(path: &Path) -> Result<()> {
    if found_records(path)? == 0 {
        return Ok(());
    }
    let records = json_lines::read(path)?.records;
    let mut seen = BTreeSet::new();
    let fits = |r: &&Record| r.status != Status::Interrupted && seen.insert(r.point_id.clone());
    let whole: Vec<&Record> = records.iter().filter(fits).collect();
    if whole.len() < records.len() {
        let lines = whole.into_iter().map(json_lines::to_line).collect::<Result<String>>()?;
        write_atomic(path, lines.as_bytes())?;
    }
    Ok(())
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
