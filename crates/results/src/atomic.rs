//! Files that are there whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, reach the disk, and only then take the name. Whatever
//! fails on the way, the old file (or none) stays and the temporary one is removed.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = ".tailback-";
const ENDING: &str = ".tmp";

/// Tells apart the temporary files of one process; the process id tells apart processes.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Writes a file so that it is never seen half written, replacing one of that name.
///
/// # Errors
/// [`Error::Io`] with the path and the system's reason; nothing of the new content is left behind.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes, File::sync_all)?;
    sync_folder(path)
}

/// As [`write_atomic`], but without waiting for the disk: a killed process loses nothing, and who writes many files at once
/// makes them durable together ([`crate::durable`]).
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes, |_| Ok(()))
}

fn put(path: &Path, bytes: &[u8], sync: impl FnOnce(&File) -> std::io::Result<()>) -> Result<()> {
    let temporary = temporary_name(path);
    let written = fill(&temporary, bytes, sync)
        .map_err(Error::io("write", path))
        .and_then(|()| fs::rename(&temporary, path).map_err(Error::io("put in place", path)));
    if written.is_err() {
        // The first error is the one to report; the file may never have been created.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Removes the temporary files that killed writers left in `folder`. Nobody else may be writing there.
pub(crate) fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(ENDING));
        if ours {
            // One that stays is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a new or renamed directory entry durable.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    // Only on Unix can a folder be opened as a file; elsewhere the rename has to do.
    if cfg!(unix) {
        let folder = folder_of(path);
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("make durable", path))?;
    }
    Ok(())
}

fn fill(path: &Path, bytes: &[u8], sync: impl FnOnce(&File) -> std::io::Result<()>) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    sync(&file)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn temporary_name(path: &Path) -> PathBuf {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder_of(path).join(format!("{PREFIX}{}-{number}{ENDING}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn writes_and_replaces_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn what_killed_writers_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".tailback-1-2.tmp", ".tailback.lock", "mine.tmp", "a.json"] {
            fs::write(folder.path().join(name), b"x").unwrap();
        }
        remove_leftovers(folder.path());
        let mut left = names(folder.path());
        left.sort();
        assert_eq!(left, [".tailback.lock", "a.json", "mine.tmp"]);
        remove_leftovers(&folder.path().join("none"));
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let message = write_atomic(&folder.path().join("no/a.json"), b"x").unwrap_err().to_string();
        assert!(message.contains("no/a.json") && message.contains("No such file"), "{message}");
    }

    #[test]
    fn failing_to_take_the_name_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        let message = write_atomic(&path, b"x").unwrap_err().to_string();
        assert!(message.contains("put in place") && message.contains("taken"), "{message}");
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn many_threads_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shared");
        std::thread::scope(|scope| {
            for letter in b'a'..=b'd' {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|_| write_atomic(path, &[letter; 10_000]).unwrap()));
            }
        });
        let content = fs::read(&path).unwrap();
        assert!(content.len() == 10_000 && content.iter().all(|byte| *byte == content[0]));
        assert_eq!(names(folder.path()), ["shared"]);
    }
}
