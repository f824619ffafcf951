//! Many points on several threads. A point is a pure function of its spec, so threads change nothing but the time.

use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::run::{Control, run};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;

/// How a sweep is watched and stopped from outside.
#[derive(Debug, Default)]
pub struct SweepControl {
    /// Set to stop: running points stop at their next look, others are not started.
    pub cancel: AtomicBool,
    /// Cycles simulated so far, over all points.
    pub cycles_done: AtomicU64,
}

/// Runs `points` on `threads` threads and hands every outcome to `done` on the calling thread as it finishes. After a
/// cancellation, points that were running come with status `interrupted`, others not at all.
pub fn run_all(points: &[Prepared], threads: usize, control: &SweepControl, mut done: impl FnMut(usize, Outcome)) {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, points.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let one = Control { cancel: &control.cancel, cycles_done: &control.cycles_done };
                while !control.cancel.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(point) = points.get(index) else { break };
                    if send.send((index, run(point, &one))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (index, outcome) in receive {
            done(index, outcome);
        }
    });
}
