//! Long work on threads of its own, while the calling thread looks for signals and tells how far it is.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use tailback_cli::interrupt::Lent;

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(25);
/// How often progress is told.
const TELL: Duration = Duration::from_millis(200);

/// Who is told how far the work is: a callable of (points done, points, cycles done, cycles or None), or nobody.
pub struct Progress(Option<Py<PyAny>>);

impl Progress {
    /// For a callable.
    pub fn new(told: Option<Py<PyAny>>) -> Progress {
        Progress(told)
    }

    /// For nobody.
    pub fn none() -> Progress {
        Progress(None)
    }

    fn tell(&self, py: Python<'_>, counts: &Counts) -> PyResult<()> {
        let Some(told) = &self.0 else { return Ok(()) };
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let all_cycles = Some(of(&counts.all_cycles)).filter(|&cycles| cycles > 0);
        told.call1(py, (of(&counts.points), of(&counts.all), of(&counts.cycles), all_cycles)).map(drop)
    }
}

/// How far the work is, and whether it is to stop.
#[derive(Default)]
pub struct Counts {
    /// Set to stop.
    pub cancel: Arc<Lent>,
    /// Points, or other steps, done.
    pub points: Arc<AtomicU64>,
    /// All of them.
    pub all: Arc<AtomicU64>,
    /// Cycles simulated.
    pub cycles: AtomicU64,
    /// All of them, 0 where that is not known.
    pub all_cycles: AtomicU64,
}

/// Does `work` on another thread. A signal or a failing progress callable cancels it; nobody waits then for what it answers, and
/// its thread ends when it looks at `cancel` next.
///
/// # Errors
/// The exception of the signal's handler (`KeyboardInterrupt`) or of the callable.
pub fn watched<T: Send + 'static>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce(&Counts) -> T + Send + 'static,
) -> PyResult<T> {
    let counts = Arc::new(Counts::default());
    let (alive, ended) = mpsc::channel::<()>();
    let theirs = Arc::clone(&counts);
    let worker = std::thread::spawn(move || {
        let _alive = alive;
        work(&theirs)
    });
    py.detach(move || match wait(progress, &counts, &ended, Stay::UntilStopped) {
        Some(stopped) => Err(stopped),
        None => worker.join().map_err(|panic| std::panic::resume_unwind(panic)),
    })
}

/// Does `work` on another thread, to its end: cancelled work answers what it has. Also the exception that cancelled it.
pub fn finished<T: Send>(
    py: Python<'_>,
    progress: &Progress,
    work: impl FnOnce(&Counts) -> T + Send,
) -> (T, Option<PyErr>) {
    let counts = Counts::default();
    py.detach(|| {
        std::thread::scope(|scope| {
            // Dropped with the thread's work, also by a panic, which ends the wait.
            let (alive, ended) = mpsc::channel::<()>();
            let counts = &counts;
            let worker = scope.spawn(move || {
                let _alive = alive;
                work(counts)
            });
            let stopped = wait(progress, counts, &ended, Stay::ToTheEnd);
            match worker.join() {
                Ok(answer) => (answer, stopped),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    })
}

/// How long to wait for work that was cancelled.
#[derive(Clone, Copy, PartialEq)]
enum Stay {
    /// Until it has ended: it answers what it has.
    ToTheEnd,
    /// Not at all.
    UntilStopped,
}

/// Waits until `ended` is dropped; answers the exception that cancelled the work.
fn wait(progress: &Progress, counts: &Counts, ended: &mpsc::Receiver<()>, stay: Stay) -> Option<PyErr> {
    let (mut stopped, mut told) = (None, Instant::now());
    loop {
        let over = ended.recv_timeout(LOOK) == Err(mpsc::RecvTimeoutError::Disconnected);
        let tell = over || told.elapsed() >= TELL;
        let looked = Python::attach(|py| {
            py.check_signals()?;
            if tell && stopped.is_none() { progress.tell(py, counts) } else { Ok(()) }
        });
        if tell {
            told = Instant::now();
        }
        if let Err(error) = looked {
            counts.cancel.store(true, Ordering::Relaxed);
            stopped.get_or_insert(error);
        }
        if over || (stopped.is_some() && stay == Stay::UntilStopped) {
            return stopped;
        }
    }
}
