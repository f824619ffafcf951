//! Files that are there whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, reach the disk, and only then take the name. Whatever
//! fails on the way, the old file (or none) stays and the temporary one is removed.

use crate::error::{Error, Result};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells apart the temporary files of one process; the process id tells apart processes.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Writes a file so that it is never seen half written, replacing one of that name.
///
/// # Errors
/// [`Error::Io`] with the path and the system's reason; nothing of the new content is left behind.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary_name(path);
    let written = fill(&temporary, bytes)
        .map_err(Error::io("write", path))
        .and_then(|()| fs::rename(&temporary, path).map_err(Error::io("put in place", path)));
    if written.is_err() {
        // The first error is the one to report; the file may never have been created.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    sync_folder(path)
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

fn fill(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn temporary_name(path: &Path) -> PathBuf {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder_of(path).join(format!(".tailback-{}-{number}.tmp", std::process::id()))
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
