//! Running points on threads while somebody watches.

use crate::checkpoints::Keeping;
use crate::exit::{Failure, Result};
use crate::interrupt::{self, Wait};
use crate::points::Source;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tailback_results::Checkpoint;
use tailback_sim::{Control, Keep, Outcome, Prepared, Resumed};
use tailback_sim::{attempt_explained, attempt_from, attempt_kept, side_by_side, threads_each};

/// A point that has run.
pub struct Done {
    /// Its place in the list of points.
    pub index: usize,
    /// Its network.
    pub prepared: Prepared,
    /// What came out.
    pub outcome: Outcome,
}

/// What is told while points run.
pub trait Watcher {
    /// A point has ended. An error stops the others.
    fn done(&mut self, done: Done) -> Result<()>;

    /// The point at `index` could not be run to its end, for a reason in words. An error stops the others, as one does
    /// unless the watcher knows better.
    fn failed(&mut self, index: usize, reason: String) -> Result<()> {
        let _ = index;
        Err(Failure::Other(reason))
    }

    /// Whether it wants to know why points ended as they did, whatever that costs.
    fn explains(&self) -> bool {
        false
    }

    /// Says that `cycles` more cycles are done, over all points.
    fn tick(&mut self, cycles: u64);
}

/// Runs the points at `indices` on `threads` threads and tells `watcher`, on the calling thread, as each ends. Each
/// network is built when its turn comes. After Ctrl-C, points that were running end as `interrupted`; no others start.
pub fn run_points(points: &dyn Source, indices: &[usize], threads: usize, watcher: &mut dyn Watcher) -> Result<()> {
    run_points_kept(points, indices, threads, None, watcher)
}

/// Runs points, as [`run_points`] does, and keeps checkpoints.
pub fn run_points_kept(
    points: &dyn Source,
    indices: &[usize],
    threads: usize,
    keeping: Option<&Keeping>,
    watcher: &mut dyn Watcher,
) -> Result<()> {
    let cycles = AtomicU64::new(0);
    let each = threads_each(indices.len(), threads);
    // Asked on the thread that called: only there is it known who did.
    let cancel = interrupt::flag();
    let explains = watcher.explains();
    let one = |at: usize| {
        let index = indices[at];
        let attempt = |control: &Control, keep: Option<Keep>| {
            let point = points.at(index).map_err(|failure| failure.to_string())?;
            // What goes on from a checkpoint knows nothing of the reasons that somebody asked for.
            if explains && keep.is_none() {
                return attempt_explained(&point, control);
            }
            attempt_kept(&point, control, keep)
        };
        one(index, (cancel, &cycles), each, keeping, attempt)
    };
    let mut wait = Wait::default();
    side_by_side(indices.len(), threads, cancel, one, |done| {
        match done {
            Some((_, Ok(done))) => end(done, keeping, watcher)?,
            Some((at, Err(reason))) => watcher.failed(indices[at], reason)?,
            None => wait.look(cycles.load(Ordering::Relaxed)),
        }
        watcher.tick(cycles.load(Ordering::Relaxed));
        Ok(())
    })
}

/// Runs points on `threads` threads and keeps of each what `keep` makes of it, in the order of the points; `None` where
/// Ctrl-C came first. `tick` is told, as they run, how many points have ended and how many cycles are done.
pub fn collect<T>(
    points: &dyn Source,
    threads: usize,
    keep: impl FnMut(Done) -> T,
    tick: impl FnMut(u64, u64),
) -> Result<Vec<Option<T>>> {
    let all: Vec<usize> = (0..points.count()).collect();
    let mut collector = Collector { found: all.iter().map(|_| None).collect(), ended: 0, keep, tick };
    run_points(points, &all, threads, &mut collector)?;
    Ok(collector.found)
}

struct Collector<T, K, F> {
    found: Vec<Option<T>>,
    ended: u64,
    keep: K,
    tick: F,
}

impl<T, K: FnMut(Done) -> T, F: FnMut(u64, u64)> Watcher for Collector<T, K, F> {
    fn done(&mut self, done: Done) -> Result<()> {
        self.ended += 1;
        let index = done.index;
        self.found[index] = Some((self.keep)(done));
        Ok(())
    }

    fn tick(&mut self, cycles: u64) {
        (self.tick)(self.ended, cycles);
    }
}

/// Goes on from a checkpoint, as the only point there is.
pub fn go_on(resumed: &Resumed, keeping: Option<&Keeping>, watcher: &mut dyn Watcher) -> Result<()> {
    let cycles = AtomicU64::new(0);
    let cancel = interrupt::flag();
    let one = |_| {
        one(0, (cancel, &cycles), 1, keeping, |control, keep| {
            attempt_from(resumed, control, keep).map_err(Failure::from)
        })
    };
    let mut wait = Wait::default();
    side_by_side(1, 1, &AtomicBool::new(false), one, |done| {
        match done {
            Some((_, Ok(done))) => end(done, keeping, watcher)?,
            Some((_, Err(failure))) => return Err(failure),
            None => wait.look(cycles.load(Ordering::Relaxed)),
        }
        watcher.tick(cycles.load(Ordering::Relaxed));
        Ok(())
    })
}

/// Does `work`, which counts up the cycles that it simulates, while the calling thread waits for its first one or for Ctrl-C.
pub fn waited<T: Send>(cycles: &AtomicU64, work: impl Fn() -> T + Sync) -> T {
    let (mut wait, mut answer) = (Wait::default(), None);
    let heard = side_by_side(
        1,
        1,
        &AtomicBool::new(false),
        |_| work(),
        |done| {
            match done {
                Some((_, done)) => answer = Some(done),
                None => wait.look(cycles.load(Ordering::Relaxed)),
            }
            Ok::<(), Infallible>(())
        },
    );
    let Ok(()) = heard;
    answer.expect("it was done once")
}

/// Tells of a point that has ended. Only then, when its results are safe, are its checkpoints removed.
pub fn end(done: Done, keeping: Option<&Keeping>, watcher: &mut dyn Watcher) -> Result<()> {
    interrupt::found();
    let record = done.outcome.record.clone();
    watcher.done(done)?;
    keeping.iter().for_each(|keeping| keeping.ended(&record));
    Ok(())
}

fn one<E>(
    index: usize,
    (cancel, cycles_done): (&AtomicBool, &AtomicU64),
    threads: usize,
    keeping: Option<&Keeping>,
    attempt: impl FnOnce(&Control, Option<Keep>) -> std::result::Result<(Prepared, Outcome), E>,
) -> std::result::Result<Done, E> {
    let control = Control { cancel, cycles_done, threads };
    let keeper = |checkpoint: Checkpoint| keeping.iter().for_each(|keeping| keeping.keep(&checkpoint));
    let keep = keeping.map(|keeping| Keep { every: keeping.every, keeper: &keeper });
    let (prepared, outcome) = attempt(&control, keep)?;
    Ok(Done { index, prepared, outcome })
}
