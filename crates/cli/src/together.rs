//! `run` in several processes, which mpirun or srun has started: the first is the command that its user sees, the others follow it.

use crate::checkpoints::Keeping;
use crate::exit::{FAILURE, Failure, Result, SUCCESS};
use crate::interrupt;
use crate::points::Source;
use crate::runner::{Done, Watcher, end};
use crate::show;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tailback_results::Checkpoint;
use tailback_sim::ranks::{Ranks, told};
use tailback_sim::{Control, Keep, catalogue, prepare, reason, run_in_ranks, side_by_side};
use tailback_spec::Document;

/// How long the processes may take to stop after they are asked to.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often the first one looks whether it is.
const LOOK: Duration = Duration::from_millis(20);

/// A run that all processes take part in.
#[derive(Serialize, Deserialize)]
struct Task {
    /// The resolved spec of the point.
    spec: String,
    /// Parts of the network in each process.
    parts: usize,
    /// Cycles between checkpoints.
    every: Option<u64>,
}

/// The first process: when it ends, so do the others.
pub struct Lead<'a>(pub &'a dyn Ranks);

impl Lead<'_> {
    fn tell(&self, task: Option<Task>) {
        told(self.0, Some(task));
    }
}

impl Drop for Lead<'_> {
    fn drop(&mut self) {
        self.tell(None);
    }
}

/// Refuses to be one of several processes that know nothing of each other: each would simulate the same.
pub fn alone_or_led(lead: Option<&Lead>) -> Result<()> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u32>().ok();
    // As Open MPI, and as MPICH, its descendants and srun say how many there are.
    match ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"].into_iter().find_map(number) {
        Some(count @ 2..) if lead.is_none() => Err(Failure::usage(format!(
            "this is one of {count} processes, and this program knows nothing of the others; the `tailback` of the Python \
             package does: pip install 'tailback[mpi]'"
        ))),
        _ => Ok(()),
    }
}

/// Takes part in what the first process does, to its end; the exit code.
pub fn follow(ranks: &dyn Ranks) -> u8 {
    if interrupt::watch_quietly().is_err() {
        return FAILURE;
    }
    while let Some(task) = told::<Option<Task>>(ranks, None) {
        let points =
            Document::parse("the spec", task.spec.as_bytes()).and_then(|document| document.expand(catalogue()));
        let prepared = points.and_then(|points| prepare(&points[0]));
        // What the first process could read, this one must, too: only files can differ.
        let prepared = prepared.unwrap_or_else(|errors| panic!("process {}: {}", ranks.rank(), reason(&errors)));
        let keep = task.every.map(|every| Keep { every, keeper: &|_| {} });
        let control = Control { cancel: interrupt::flag(), cycles_done: &AtomicU64::new(0), threads: task.parts };
        let none = run_in_ranks(&prepared, &control, keep, task.parts, ranks).expect("the first process has asked");
        assert!(none.is_none(), "results are the first process'");
    }
    SUCCESS
}

/// Runs the points at `indices` one after the other, each in all processes, with `parts` parts of the network in each.
pub fn run_points(
    lead: &Lead,
    (points, indices): (&dyn Source, &[usize]),
    parts: usize,
    keeping: Option<&Keeping>,
    watcher: &mut dyn Watcher,
) -> Result<()> {
    let cycles = AtomicU64::new(0);
    let keeper = |checkpoint: Checkpoint| keeping.iter().for_each(|keeping| keeping.keep(&checkpoint));
    let keep = keeping.map(|keeping| Keep { every: keeping.every, keeper: &keeper });
    let one = |at: usize| -> std::result::Result<Done, String> {
        let point = points.at(indices[at]).map_err(|failure| failure.to_string())?;
        let prepared = prepare(&point).map_err(|errors| reason(&errors))?;
        prepared.fits_ranks(parts, lead.0.count())?;
        let (spec, every) = (point.resolved.to_toml(catalogue()), keep.map(|keep| keep.every));
        lead.tell(Some(Task { spec, parts, every }));
        let control = Control { cancel: interrupt::flag(), cycles_done: &cycles, threads: parts };
        let outcome = run_in_ranks(&prepared, &control, keep, parts, lead.0)?.ok_or("the first process has results")?;
        Ok(Done { index: indices[at], prepared, outcome })
    };
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| stop_alone(&ended, keeping));
        let result = side_by_side(indices.len(), 1, interrupt::flag(), one, |done| {
            match done {
                Some((_, Ok(done))) => end(done, keeping, watcher)?,
                Some((_, Err(reason))) => return Err(Failure::usage(reason)),
                None => {}
            }
            watcher.tick(cycles.load(Ordering::Relaxed));
            Ok(())
        });
        ended.store(true, Ordering::Relaxed);
        result
    })
}

/// Once this process is asked to stop, says what there is to go on from: mpirun, which asks all when one has died, does not wait for
/// long. Ends the process where the others do not answer any more.
fn stop_alone(ended: &AtomicBool, keeping: Option<&Keeping>) {
    let mut asked: Option<Instant> = None;
    while !ended.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
        if interrupt::requested() && asked.is_none() {
            asked = Some(Instant::now());
            show::note(&match keeping.and_then(Keeping::last) {
                Some((cycle, file)) => {
                    format!("the state in cycle {cycle} is in {file}: `tailback resume {file}` continues from it")
                }
                None => "no checkpoint was written (--checkpoint-every CYCLES writes them)".to_owned(),
            });
        }
        if asked.is_some_and(|asked| asked.elapsed() > PATIENCE) {
            show::note("the other processes do not answer");
            std::process::exit(i32::from(FAILURE));
        }
    }
}
