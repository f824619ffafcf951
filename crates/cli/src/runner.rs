//! Running points on threads while somebody watches.

use crate::exit::Result;
use crate::interrupt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use tailback_sim::{Control, Outcome, Prepared, prepare, run};
use tailback_spec::{Errors, Point};

/// How often the watcher looks.
const LOOK: Duration = Duration::from_millis(100);

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

    /// So many cycles are done, over all points.
    fn tick(&mut self, cycles: u64);
}

/// Threads that fit this machine.
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the points at `indices` on `threads` threads and tells `watcher`, on the calling thread, as each ends. Each
/// network is built when its turn comes. After Ctrl-C, points that were running end as `interrupted`; no others start.
pub fn run_points(points: &[Point], indices: &[usize], threads: usize, watcher: &mut dyn Watcher) -> Result<()> {
    let (next, cycles, gone) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, indices.len().max(1)) {
            let (send, next, cycles, gone) = (send.clone(), &next, &cycles, &gone);
            scope.spawn(move || {
                while !interrupt::requested() && !gone.load(Ordering::Relaxed) {
                    let Some(&index) = indices.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    if send.send(one(points, index, cycles)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let result = listen(&receive, &cycles, watcher);
        if result.is_err() {
            // The others stop at their next look; their results have nowhere to go.
            gone.store(true, Ordering::Relaxed);
            interrupt::stop();
        }
        result
    })
}

fn one(points: &[Point], index: usize, cycles_done: &AtomicU64) -> std::result::Result<Done, Errors> {
    let prepared = prepare(&points[index])?;
    let outcome = run(&prepared, &Control { cancel: interrupt::flag(), cycles_done });
    Ok(Done { index, prepared, outcome })
}

type Message = std::result::Result<Done, Errors>;

fn listen(receive: &mpsc::Receiver<Message>, cycles: &AtomicU64, watcher: &mut dyn Watcher) -> Result<()> {
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(done) => watcher.done(done?)?,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(()),
        }
        watcher.tick(cycles.load(Ordering::Relaxed));
    }
}
