//! Taking in what others finished, such as the tasks of a batch system, each in a folder of its own.

use super::{FOLDERS, OutDir, read_records};
use crate::error::{Error, Result};
use crate::schema::{Record, Status};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

impl OutDir {
    /// Takes in the finished points of the folder `other` that `wanted` says are missing here, files first; their rows.
    /// `other` may be written meanwhile: a row there has all its files.
    ///
    /// # Errors
    /// [`Error::Io`] for what cannot be read or written; [`Error::Line`] for damaged records.
    pub fn take_in(&mut self, other: &Path, mut wanted: impl FnMut(&Record) -> bool) -> Result<Vec<Record>> {
        if !other.join(super::RECORDS).is_file() {
            return Ok(Vec::new());
        }
        let mut taken: Vec<Record> = read_records(other)?.records;
        let mut ids = BTreeSet::new();
        taken.retain(|r| r.status != Status::Interrupted && wanted(r) && ids.insert(r.point_id.clone()));
        for folder in FOLDERS {
            for (id, path) in files_of_points(&other.join(folder))? {
                if let (true, Some(name)) = (ids.contains(&id), path.file_name()) {
                    let bytes = fs::read(&path).map_err(Error::io("read", &path))?;
                    let kind = super::kind_of(&name.to_string_lossy())?;
                    self.output(&self.root.join(folder).join(name), kind)?.write_soon(&bytes)?;
                }
            }
        }
        taken.iter().try_for_each(|record| self.append(record))?;
        Ok(taken)
    }
}

/// The files in a folder that belong to points, with the point's identity: what stands before the first `-` or `.` of the
/// name. None where there is no folder.
pub(super) fn files_of_points(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(Error::io("read folder", folder)(cause)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::io("read folder", folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(end) = name.find(['-', '.']).filter(|&end| end > 0) {
            found.push((name[..end].to_owned(), path));
        }
    }
    Ok(found)
}
