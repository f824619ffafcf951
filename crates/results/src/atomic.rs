//! Files that are there whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, reach the disk, and only then take the name. Whatever
//! fails on the way, the old file (or none) stays and the temporary one is removed. A killed writer cannot remove its own: the
//! next one does, for whoever writes a temporary file holds a lock on it, which the system takes back when its owner is gone.

use crate::error::{Error, Result};
use crate::output::{behind, irregular};
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const PREFIX: &str = ".tailback-";
const ENDING: &str = ".tmp";

/// How long nobody may have written to a temporary file of another machine before it is nobody's: over a network a lock may
/// be known to its own machine alone.
const FOREIGN: Duration = Duration::from_secs(600);

/// Tells apart the temporary files of one process; the process id tells apart processes.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Folders in which this process has removed what killed writers left.
static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes a file so that it is never seen half written, replacing one of that name. A symbolic link is followed; what is no regular
/// file is not replaced. The first time that a process writes to a folder, it removes what killed writers left there.
///
/// # Errors
/// [`Error::Io`] with the path and the system's reason; nothing of the new content is left behind.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    clear_once(folder_of(path));
    put(path, bytes, File::sync_all)?;
    sync_folder(path)
}

/// As [`write_atomic`], but without waiting for the disk: a killed process loses nothing, and who writes many files at once
/// makes them durable together ([`crate::durable`]).
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    put(path, bytes, |_| Ok(()))
}

fn put(path: &Path, bytes: &[u8], sync: impl FnOnce(&File) -> io::Result<()>) -> Result<()> {
    let target = behind(path).map_err(Error::io("follow", path))?;
    if let Some(what) = fs::metadata(path).ok().as_ref().and_then(irregular) {
        let cause = format!("it is {what}, and only regular files are replaced");
        return Err(Error::Output { path: path.to_path_buf(), cause });
    }
    let (temporary, file) = begin(&target).map_err(Error::io("write", path))?;
    let written = fill(file, bytes, sync)
        .map_err(Error::io("write", path))
        .and_then(|_held| fs::rename(&temporary, &target).map_err(Error::io("put in place", path)));
    if written.is_err() {
        // The first error is the one to report; the file may never have been created.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A temporary file for `path`, locked by this process. Where there are no locks nobody takes it for abandoned.
fn begin(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let temporary = temporary_name(path);
        let file = match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            // Of a process of the same number, in another container or long ago.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        // Somebody may have taken it for abandoned before the lock was there.
        if file.lock().is_err() || temporary.exists() {
            return Ok((temporary, file));
        }
    }
}

/// Writes to the file and gives it back, for it is locked as long as it is open.
fn fill(mut file: File, bytes: &[u8], sync: impl FnOnce(&File) -> io::Result<()>) -> io::Result<File> {
    file.write_all(bytes)?;
    sync(&file)?;
    Ok(file)
}

fn clear_once(folder: &Path) {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    if CLEARED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.clone()) {
        remove_leftovers(&folder);
    }
}

/// Removes the temporary files in `folder` whose writers are gone.
pub(crate) fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let inside = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(ENDING));
        // Its lock is held until it is gone, so that nobody who has just made it takes it for his.
        if let Some(_lock) = inside.and_then(|inside| abandoned(&entry.path(), inside)) {
            // One that stays is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file whose writer is gone, locked; `inside` is what stands in its name between the fixed parts.
fn abandoned(path: &Path, inside: &str) -> Option<File> {
    // What is no regular file is not even opened: a pipe would wait for its other end.
    fs::symlink_metadata(path).ok().filter(|data| data.is_file())?;
    let file = File::open(path).ok()?;
    file.try_lock().ok()?;
    let written = file.metadata().and_then(|data| data.modified()).ok();
    let old = || written.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > FOREIGN);
    (is_of_here(inside) || old()).then_some(file)
}

/// Whether a temporary file is of this machine, as its name says; one without a machine is of an older version.
fn is_of_here(inside: &str) -> bool {
    match inside.rsplitn(3, '-').nth(2) {
        Some(machine) => machine == self::machine(),
        None => true,
    }
}

/// The name of this machine, as far as it can be part of the name of a file.
fn machine() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name.chars().filter(char::is_ascii_alphanumeric).take(64).collect()
}

/// Makes a new or renamed directory entry durable.
pub(crate) fn sync_folder(path: &Path) -> Result<()> {
    // Only on Unix can a folder be opened as a file; elsewhere the rename has to do.
    if cfg!(unix) {
        let target = behind(path).map_err(Error::io("follow", path))?;
        let folder = folder_of(&target);
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("make durable", path))?;
    }
    Ok(())
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn temporary_name(path: &Path) -> PathBuf {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    folder_of(path).join(format!("{PREFIX}{}-{}-{number}{ENDING}", machine(), std::process::id()))
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
    fn what_a_living_writer_has_in_hand_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (temporary, file) = begin(&folder.path().join("a")).unwrap();
        remove_leftovers(folder.path());
        assert!(temporary.exists(), "it is locked");
        drop(file);
        remove_leftovers(folder.path());
        assert!(!temporary.exists(), "its owner is gone");
    }

    #[test]
    fn the_next_writer_removes_what_a_killed_one_left() {
        let folder = tempfile::tempdir().unwrap();
        let inside = format!("{}-1-2", machine());
        let left = folder.path().join(format!("{PREFIX}{inside}{ENDING}"));
        fs::write(&left, "half").unwrap();
        write_atomic(&folder.path().join("a"), b"x").unwrap();
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn what_another_machine_left_is_removed_when_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let of = |age: u64| {
            let path = folder.path().join(format!("{PREFIX}elsewhere{age}-1-2{ENDING}"));
            let file = File::create(&path).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
            path
        };
        let (new, old) = (of(1), of(2 * FOREIGN.as_secs()));
        remove_leftovers(folder.path());
        assert_eq!((new.exists(), old.exists()), (true, false));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_stay() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/file"), "old").unwrap();
        for (link, target) in [("one", "deep/two"), ("deep/two", "file"), ("dangling", "new"), ("round", "round")] {
            symlink(target, at(link)).unwrap();
        }
        write_atomic(&at("one"), b"new").unwrap();
        assert_eq!(fs::read(at("deep/file")).unwrap(), b"new");
        write_atomic(&at("dangling"), b"there").unwrap();
        assert_eq!(fs::read(at("new")).unwrap(), b"there");
        assert!(write_atomic(&at("round"), b"x").unwrap_err().to_string().contains("too many symbolic links"));
        for link in ["one", "deep/two", "dangling", "round"] {
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink(), "{link}");
        }
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
        assert!(message.contains("it is a folder") && message.contains("taken"), "{message}");
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
