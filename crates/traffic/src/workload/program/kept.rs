//! Programs of files, read once: a spec is checked before it runs, and many points of a sweep may have one file.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use tailback_program::Program;
use tailback_program::goal::{self, Fault, Units};

/// Operations of all files that are kept, beside the one that was read last.
const MOST: u64 = 1 << 24;

/// A file that has changed more recently may change again and look the same.
const SETTLED: Duration = Duration::from_secs(2);

/// What a file looked like when it was read, and in which units that was.
#[derive(PartialEq)]
struct Look {
    path: PathBuf,
    length: u64,
    modified: SystemTime,
    units: (u32, Option<u64>),
}

impl Look {
    /// `None`: the file may change and look the same.
    fn of(path: &Path, data: &Metadata, units: &Units) -> Option<Look> {
        let modified = data.modified().ok()?;
        let settled = SystemTime::now().duration_since(modified).is_ok_and(|age| age > SETTLED);
        let units = (units.bytes_per_flit, units.cycle_ns.map(f64::to_bits));
        settled.then(|| Look { path: path.to_owned(), length: data.len(), modified, units })
    }
}

struct Kept {
    look: Look,
    program: Arc<dyn Program>,
    operations: u64,
}

/// The last one first. Whoever reads holds it, so that nobody reads the same file beside.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// The program of a file.
pub(super) fn read(path: &Path, units: &Units) -> Result<Arc<dyn Program>, Fault> {
    let look = std::fs::metadata(path).ok().and_then(|data| Look::of(path, &data, units));
    let Some(look) = look else { return Ok(Arc::new(goal::read(path, units)?)) };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.iter().find(|kept| kept.look == look) {
        return Ok(found.program.clone());
    }
    let program: Arc<dyn Program> = Arc::new(goal::read(path, units)?);
    let operations = (0..program.ranks()).map(|rank| u64::from(program.operations(rank))).sum();
    kept.insert(0, Kept { look, program: program.clone(), operations });
    let (mut all, mut first) = (0_u64, true);
    kept.retain(|kept| {
        all = all.saturating_add(kept.operations);
        std::mem::take(&mut first) || all <= MOST
    });
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};

    fn age(path: &str, seconds: u64) {
        let then = SystemTime::now() - Duration::from_secs(seconds);
        File::options().write(true).open(path).unwrap().set_times(FileTimes::new().set_modified(then)).unwrap();
    }

    #[test]
    fn a_file_is_read_once_until_it_changes() {
        let text = |flits: u32| {
            format!("num_ranks 2\nrank 0 {{\nsend {flits}b to 1\n}}\nrank 1 {{\nrecv {flits}b from 0\n}}\n")
        };
        let file = crate::testing::TextFile::new(&text(4));
        let path = file.path().to_owned();
        let units = |bytes_per_flit: u32| Units { bytes_per_flit, cycle_ns: None };
        let longest = |bytes: u32| read(Path::new(&path), &units(bytes)).unwrap();
        assert!(!Arc::ptr_eq(&longest(1), &longest(1)), "it has just been written");
        age(&path, 60);
        let first = longest(1);
        assert!(Arc::ptr_eq(&first, &longest(1)));
        assert_eq!((first.lengths(), longest(2).lengths()), ((4, 4), (2, 2)));
        std::fs::write(&path, text(8)).unwrap();
        assert_eq!(longest(1).lengths(), (8, 8));
        age(&path, 30);
        assert_eq!(longest(1).lengths(), (8, 8));
    }
}
