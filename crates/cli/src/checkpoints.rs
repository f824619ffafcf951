//! Where a run keeps its checkpoints.

use crate::contents::Contents;
use crate::exit::{self, Failure, Result};
use crate::interrupt;
use crate::points::Points;
use crate::show;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tailback_results::{Checkpoint, Inputs, Kind, Output, Record, Replace};
use tailback_sim::{Refused, Resumed};

const POINT: &str = "{point}";
const CYCLE: &str = "{cycle}";

/// What the name of the last checkpoint but one ends in.
const PREVIOUS: &str = ".previous";

/// How a run is asked for checkpoints.
#[derive(clap::Args, Debug)]
pub struct KeepArgs {
    /// Save the state of the run each time that this number of cycles has passed, and on Ctrl-C. `tailback resume` continues
    /// from it. The last two states are kept during the run, and none after it has ended well
    #[arg(long, value_name = "CYCLES", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: Option<u64>,
    /// The file of the state. `{cycle}` in its name stands for the cycle, and then every state is kept; `{point}` stands for
    /// the point [default: DIR.checkpoint with --out DIR, else SPEC.checkpoint in this folder]
    #[arg(long, value_name = "FILE", requires = "checkpoint_every")]
    checkpoint: Option<PathBuf>,
    /// Keep the last checkpoints after the run has ended well
    #[arg(long, requires = "checkpoint_every")]
    keep_checkpoints: bool,
}

/// What becomes of the checkpoints of a point that has ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// They are removed, unless their name has the cycle in it.
    Remove,
    /// They stay.
    Stay,
}

/// Writes checkpoints. One that cannot be written is told once, and the run goes on.
pub struct Keeping {
    /// Cycles from one to the next.
    pub every: u64,
    /// The file, as its user named it.
    file: String,
    after: After,
    replace: Replace,
    inputs: Inputs,
    failed: AtomicBool,
    /// Cycle and file of the last one.
    last: Mutex<Option<(u64, String)>>,
    /// Files that this run has written.
    written: Mutex<BTreeSet<PathBuf>>,
}

impl KeepArgs {
    /// Whether checkpoints are asked for.
    pub fn any(&self) -> bool {
        self.checkpoint_every.is_some()
    }

    /// Checkpoints of `points` points, if they are asked for, in the file that is named or in `default`. They replace what
    /// `replace` says, and none of `inputs`.
    ///
    /// # Errors
    /// A file for several points; one in no folder; one that nothing may be written to.
    pub fn keeping(
        &self,
        points: usize,
        replace: Replace,
        inputs: &Inputs,
        default: impl FnOnce() -> Result<PathBuf>,
    ) -> Result<Option<Keeping>> {
        let Some(every) = self.checkpoint_every else { return Ok(None) };
        let path = match &self.checkpoint {
            Some(path) => path.clone(),
            None => several(default()?, points),
        };
        let Some(file) = path.to_str() else {
            return Err(Failure::usage(format!("`{}` is no text, as names of checkpoints are", show::path(&path))));
        };
        let after = if self.keep_checkpoints { After::Stay } else { After::Remove };
        let keeping = Keeping::for_points(every, file, points, after, replace, inputs)?;
        show::note(&format!("a checkpoint every {every} cycles in {file}"));
        Ok(Some(keeping))
    }
}

impl Keeping {
    /// Writes checkpoints of so many points every so many cycles to a file whose name may have `{point}` and `{cycle}` in it.
    ///
    /// # Errors
    /// One file for several points; one in no folder; one that nothing may be written to.
    pub fn for_points(
        every: u64,
        file: &str,
        points: usize,
        after: After,
        replace: Replace,
        inputs: &Inputs,
    ) -> Result<Keeping> {
        if file == "-" {
            return Err(Failure::usage("a checkpoint needs a file: no run can continue from standard output"));
        }
        if points > 1 && !file.contains(POINT) {
            return Err(Failure::usage(format!(
                "there are {points} points, and each needs a file: put {POINT} into the name `{file}`"
            )));
        }
        let folder = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(Failure::usage(format!("there is no folder `{}` to keep checkpoints in", show::path(folder))));
        }
        let keeping = Keeping {
            every,
            file: file.to_owned(),
            after,
            replace,
            inputs: inputs.clone(),
            failed: AtomicBool::new(false),
            last: Mutex::new(None),
            written: Mutex::new(BTreeSet::new()),
        };
        // Of other names nobody knows yet what stands there.
        if !file.contains(POINT) && !keeping.keeps_all() {
            keeping.output(Path::new(file))?;
        }
        Ok(keeping)
    }
}

/// A checkpoint from a file, forked by arguments as of `--set`, and the one point that it makes.
///
/// # Errors
/// For a file that is none, or that cannot go on so.
pub fn resumed(path: &Path, set: &[String]) -> Result<(Resumed, Points)> {
    let file = show::path(path);
    let checkpoint = Checkpoint::read(path).map_err(|error| Failure::usage(error.to_string()))?;
    let (name, mut contents) = (format!("the spec in {file}"), Contents::default());
    let resumed = Resumed::new(checkpoint, set, &name, &mut |point| contents.identify(point));
    let resumed = resumed.map_err(|refused| match refused {
        Refused::Words(words) => Failure::usage(format!("{file}: {words}")),
        other => other.into(),
    })?;
    let cycles = resumed.prepare()?.total_cycles();
    let points = Points::alone(resumed.point.clone(), cycles);
    Ok((resumed, points))
}

/// The default file, one for each point.
fn several(path: PathBuf, points: usize) -> PathBuf {
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some(stem) if points > 1 => path.with_file_name(format!("{stem}-{POINT}.checkpoint")),
        _ => path,
    }
}

/// `results` becomes `results.checkpoint`, in the same folder.
pub fn beside(out: &Path) -> PathBuf {
    let mut name = out.components().next_back().map_or_else(Default::default, |name| name.as_os_str().to_owned());
    name.push(".checkpoint");
    out.with_file_name(name)
}

/// The file of the last checkpoint but one.
fn previous(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(PREVIOUS);
    name.into()
}

impl Keeping {
    /// Writes one.
    pub fn keep(&self, checkpoint: &Checkpoint) {
        let head = &checkpoint.head;
        let file = self.file_of(&head.point_id, &head.cycle.to_string());
        match self.write(checkpoint, Path::new(&file)) {
            Ok(()) if interrupt::requested() => {
                self.note_last(head.cycle, &file);
                show::note(&format!(
                    "the state in cycle {} is in {file}: `tailback resume {file}` continues from it",
                    head.cycle
                ));
            }
            Ok(()) => self.note_last(head.cycle, &file),
            Err(error) if !self.failed.swap(true, Ordering::Relaxed) => {
                show::note(&format!("the checkpoint was not written: {error}; the run goes on"));
            }
            Err(_) => {}
        }
    }

    /// Removes the checkpoints of a point whose results are safe, if it has ended well and nobody wants them.
    pub fn ended(&self, record: &Record) {
        if self.after == After::Stay || self.keeps_all() || exit::of_status(record.status) != exit::SUCCESS {
            return;
        }
        let file = PathBuf::from(self.file_of(&record.point_id, ""));
        for file in [previous(&file), file] {
            if self.written().remove(&file) {
                // One that stays is in nobody's way. Behind a link it is the file that goes, as it is the file that came.
                let _ = tailback_results::output::behind(&file).and_then(std::fs::remove_file);
            }
        }
    }

    fn file_of(&self, point: &str, cycle: &str) -> String {
        self.file.replace(POINT, point).replace(CYCLE, cycle)
    }

    /// Whether the states of all times are kept.
    fn keeps_all(&self) -> bool {
        self.file.contains(CYCLE)
    }

    fn output(&self, path: &Path) -> tailback_results::Result<Output> {
        Output::new(path, Kind::Checkpoint, self.replace, &self.inputs)
    }

    fn write(&self, checkpoint: &Checkpoint, file: &Path) -> tailback_results::Result<()> {
        let (output, older) = (self.output(file)?, previous(file));
        let again = self.written().contains(file) && !self.keeps_all();
        if again && self.output(&older).is_ok() && keep_too(file, &older).is_ok() {
            self.written().insert(older);
        }
        output.write(&checkpoint.to_bytes())?;
        self.written().insert(file.to_owned());
        Ok(())
    }

    fn written(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note_last(&self, cycle: u64, file: &str) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some((cycle, file.to_owned()));
    }

    /// Cycle and file of the last one, if there is any.
    pub fn last(&self) -> Option<(u64, String)> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether one could not be written.
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

/// Gives the content of `file`, which is about to be replaced, another name as well. Where there are no hard links it is copied.
fn keep_too(file: &Path, older: &Path) -> std::io::Result<()> {
    let (file, older) = (tailback_results::output::behind(file)?, tailback_results::output::behind(older)?);
    match std::fs::remove_file(&older) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::hard_link(&file, &older).or_else(|_| std::fs::copy(&file, &older).map(drop))
}

/// The exit code of a run, if it could keep what it was to keep; else that of a failure, unless it is worse already.
pub fn code(code: u8, keeping: Option<&Keeping>) -> u8 {
    let failed = keeping.is_some_and(Keeping::failed);
    if failed && code == exit::SUCCESS { exit::FAILURE } else { code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_is_beside_the_folder() {
        assert_eq!(beside(Path::new("a/results")), Path::new("a/results.checkpoint"));
        assert_eq!(beside(Path::new("results/")), Path::new("results.checkpoint"));
        assert_eq!(beside(Path::new("v1.5")), Path::new("v1.5.checkpoint"));
        assert_eq!(several("a/b.checkpoint".into(), 1), Path::new("a/b.checkpoint"));
        assert_eq!(several("a/b.checkpoint".into(), 2), Path::new("a/b-{point}.checkpoint"));
    }
}
