//! Many points on threads: the loop that the command line, the studies and the Python package share.

use crate::memory;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How often the calling thread looks up while nothing ends.
const LOOK: Duration = Duration::from_millis(100);

/// Threads for each of `points` points that run at the same time on `threads` threads, 0 for one a core: points come first, and
/// those that are left over when there are fewer points go to the networks.
pub fn threads_each(points: usize, threads: usize) -> usize {
    (or_cores(threads) / points.max(1)).max(1)
}

/// Threads that may each prepare a point which takes so much memory: one a core, and no more than have room.
pub fn threads_in_room(memory_bytes: u64) -> usize {
    let room = memory::of_machine().map_or(u64::MAX, |all| all / 4 / memory_bytes.max(1));
    or_cores(0).min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
}

fn or_cores(threads: usize) -> usize {
    if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads }
}

/// Does `work` on the numbers below `count`, in ascending order, on `threads` threads, 0 for one a core. `listen` is told
/// each number with its result on the calling thread, in the order in which they end, and `None` every tenth of a second in
/// which none does. Once `cancel` is set no more are begun.
///
/// # Errors
/// That of `listen`, which sets `cancel`; what was under way has ended then, unheard.
pub fn side_by_side<T: Send, E>(
    count: usize,
    threads: usize,
    cancel: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
    mut listen: impl FnMut(Option<(usize, T)>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = or_cores(threads);
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                while !cancel.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || send.send((index, work(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        loop {
            let heard = match receive.recv_timeout(LOOK) {
                Ok(done) => listen(Some(done)),
                Err(RecvTimeoutError::Timeout) => listen(None),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if heard.is_err() {
                cancel.store(true, Ordering::Relaxed);
                return heard;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_by_any_number_of_threads() {
        for threads in [0, 1, 3, 50] {
            let mut heard = Vec::new();
            let answer: Result<(), ()> = side_by_side(
                20,
                threads,
                &AtomicBool::new(false),
                |index| index * index,
                |done| {
                    heard.extend(done);
                    Ok(())
                },
            );
            heard.sort_unstable();
            assert_eq!(answer, Ok(()));
            assert_eq!(heard, (0..20).map(|index| (index, index * index)).collect::<Vec<_>>(), "{threads} threads");
        }
    }

    #[test]
    fn nothing_is_begun_after_a_cancellation_or_an_error() {
        let begun = AtomicUsize::new(0);
        let work = |_| begun.fetch_add(1, Ordering::Relaxed);
        let cancel = AtomicBool::new(true);
        assert_eq!(side_by_side(9, 2, &cancel, work, |_| Err("heard")), Ok(()));
        assert_eq!(begun.load(Ordering::Relaxed), 0);
        cancel.store(false, Ordering::Relaxed);
        let failed = |done: Option<_>| if done.is_some() { Err("failed") } else { Ok(()) };
        assert_eq!(side_by_side(usize::MAX, 2, &cancel, work, failed), Err("failed"));
        assert!(cancel.load(Ordering::Relaxed));
    }
}
