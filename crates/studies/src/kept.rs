//! Finished runs of a study on the disk, so that one that was stopped goes on where it was.
//!
//! ```text
//! DIR/POINT_ID.json   one run: whole or not there
//! ```
//!
//! A run is known by the hash of its resolved spec, so two processes that do the same one write the same file.

use crate::lab::{Results, Run};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use tailback_results::atomic::write_atomic;
use tailback_results::{Error, Record, Result, Series, Status};
use tailback_sim::{Finding, LinkUse};
use tailback_spec::Point;

/// A folder of finished runs.
#[derive(Debug)]
pub struct KeptRuns {
    root: PathBuf,
}

/// What is written of a run.
#[derive(Serialize, Deserialize)]
struct File {
    channel_load_bound: Option<f64>,
    record: Record,
    series: Vec<Series>,
    link_map: Option<Vec<LinkUse>>,
    findings: Vec<Finding>,
}

impl KeptRuns {
    /// How many runs the folder `root` holds, good or bad; none where there is no folder.
    pub fn count(root: &Path) -> usize {
        files(root).count()
    }

    /// Opens the folder, which is made where it is missing.
    ///
    /// # Errors
    /// [`Error::Io`] for a folder that cannot be made.
    pub fn open(root: impl Into<PathBuf>) -> Result<Self> {
        let root = root.into();
        match fs::create_dir_all(&root) {
            Ok(()) => Ok(KeptRuns { root }),
            Err(source) => Err(Error::Io { action: "create folder", path: root, source }),
        }
    }

    /// Removes the runs that it holds.
    ///
    /// # Errors
    /// [`Error::Io`] for a file that cannot be removed.
    pub fn emptied(self) -> Result<Self> {
        for path in files(&self.root) {
            fs::remove_file(&path).map_err(|source| Error::Io { action: "remove", path, source })?;
        }
        Ok(self)
    }

    /// The run of this point; none where there is no file, or a damaged one, or one of another version of this program.
    pub(crate) fn get(&self, point: &Point) -> Option<Run> {
        let file: File = serde_json::from_slice(&fs::read(self.path(&point.id)).ok()?).ok()?;
        let fits = file.record.point_id == point.id && file.record.version == env!("CARGO_PKG_VERSION");
        fits.then(|| Run {
            point: point.clone(),
            channel_load_bound: file.channel_load_bound,
            outcome: Results {
                record: file.record,
                series: file.series,
                space_time: None,
                link_map: file.link_map,
                findings: file.findings,
            },
        })
    }

    /// Whether there is a file for this point, good or bad.
    pub(crate) fn has(&self, point: &Point) -> bool {
        self.path(&point.id).exists()
    }

    /// Keeps a run durably, unless it was interrupted or has space-time charts, which are not written.
    ///
    /// # Errors
    /// [`Error::Io`], the folder then being as before.
    pub(crate) fn put(&self, run: &Run) -> Result<()> {
        let outcome = &run.outcome;
        if outcome.record.status == Status::Interrupted || outcome.space_time.is_some() {
            return Ok(());
        }
        let file = File {
            channel_load_bound: run.channel_load_bound,
            record: outcome.record.clone(),
            series: outcome.series.clone(),
            link_map: outcome.link_map.clone(),
            findings: outcome.findings.clone(),
        };
        let cause = |error: serde_json::Error| Error::Record { point: run.point.id.clone(), cause: error.to_string() };
        write_atomic(&self.path(&run.point.id), &serde_json::to_vec(&file).map_err(cause)?)
    }

    fn path(&self, point: &str) -> PathBuf {
        self.root.join(format!("{point}.json"))
    }
}

fn files(root: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Dataset, one};
    use crate::reproduce::Form;
    use std::sync::atomic::{AtomicBool, AtomicU64};
    use tailback_sim::Control;

    const SMALL: Dataset = Dataset {
        name: "small",
        text: "topology = { kind = \"torus\", radix = [4, 4] }\ntraffic = { load = 0.2 }\nprobes = { link_load = true }\n\
               workload = { kind = \"steady\", warmup_cycles = 100, measure_cycles = 200 }",
        quick: &[],
        search: &[],
    };

    fn run(cancelled: bool) -> Run {
        let point = SMALL.points("small", Form::Full, &crate::papers()[0].declared()).expect("it is good").remove(0);
        let (cancel, cycles_done) = (AtomicBool::new(cancelled), AtomicU64::new(0));
        one(&point, &Control { cancel: &cancel, cycles_done: &cycles_done, threads: 1 })
            .unwrap_or_else(|errors| panic!("{errors}"))
    }

    #[test]
    fn a_run_comes_back_as_it_went() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptRuns::open(folder.path().join("runs")).unwrap();
        let run = run(false);
        assert!(kept.get(&run.point).is_none());
        kept.put(&run).unwrap();
        let again = kept.get(&run.point).unwrap();
        assert!(run.outcome.link_map.is_some() && !run.outcome.series.is_empty());
        assert_eq!(format!("{run:?}"), format!("{again:?}"));
        assert_eq!(KeptRuns::count(&folder.path().join("runs")), 1);
        KeptRuns::open(folder.path().join("runs")).unwrap().emptied().unwrap();
        assert!(kept.get(&run.point).is_none(), "begun anew");
    }

    #[test]
    fn what_is_not_whole_or_not_ours_runs_again() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptRuns::open(folder.path()).unwrap();
        let run = run(false);
        kept.put(&run).unwrap();
        let path = kept.path(&run.point.id);
        let text = fs::read_to_string(&path).unwrap();
        let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        assert!(text.contains(&version));
        for damaged in [&text[..text.len() / 2], "", "[]", &text.replace(&version, "\"version\":\"0.0.0-other\"")] {
            fs::write(&path, damaged).unwrap();
            assert!(kept.get(&run.point).is_none());
        }
    }

    #[test]
    fn an_interrupted_run_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let kept = KeptRuns::open(folder.path()).unwrap();
        kept.put(&run(true)).unwrap();
        assert_eq!(KeptRuns::count(folder.path()), 0);
    }
}
