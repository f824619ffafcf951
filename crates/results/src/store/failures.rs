//! Points that could not be run to their end: `failures.jsonl`, beside the records, whose columns know nothing of them.

use super::OutDir;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

pub(super) const FILE: &str = "failures.jsonl";

/// A point that could not be run to its end. That is no result: the point runs again when its sweep goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failed {
    /// Identity of the point.
    pub point_id: String,
    /// Its seed.
    pub seed: u64,
    /// What the sweep chose, by dotted path.
    pub swept: Map<String, Value>,
    /// Why, in a sentence or more.
    pub reason: String,
}

impl OutDir {
    /// Appends a point that failed. Opening the folder to go on forgets it, for then it runs again.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn fail(&mut self, failed: &Failed) -> Result<()> {
        let path = self.root.join(FILE);
        if self.failures.is_none() {
            let opened = OpenOptions::new().append(true).create(true).open(&path);
            self.failures = Some(opened.map_err(Error::io("open", &path))?);
        }
        let line = serde_json::to_string(failed).map_err(|e| Error::capsule(&path, e.to_string()))? + "\n";
        let file = self.failures.as_mut().expect("it was opened above");
        file.write_all(line.as_bytes()).map_err(Error::io("append to", &path))?;
        self.durable.written().map_err(Error::io("make durable", &path))
    }
}

/// The points that failed when the folder was last written; damaged lines are left out.
pub fn read_failures(root: &Path) -> Vec<Failed> {
    let text = fs::read_to_string(root.join(FILE)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Removes the failures of an earlier run.
pub(super) fn forget(root: &Path) -> Result<()> {
    let path = root.join(FILE);
    match fs::remove_file(&path) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", &path)(cause)),
        _ => Ok(()),
    }
}
