//! Ctrl-C: as long as there is nothing to keep it ends the process at once; then the first one asks to stop, the second one stops.
//! A verb that a program called is stopped by that program's flag instead, and no signal is watched.

use crate::exit::{Failure, INTERRUPTED, Result};
use crate::front;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

static STOP: AtomicBool = AtomicBool::new(false);
static KEEPS: AtomicBool = AtomicBool::new(false);

/// Set once the user asked to stop.
pub fn flag() -> &'static AtomicBool {
    front::cancel().unwrap_or(&STOP)
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    flag().load(Ordering::Relaxed)
}

/// From now on Ctrl-C sets [`flag`], and nobody hears of it: for a process that follows another one.
pub fn watch_quietly() -> Result<()> {
    set(|| STOP.store(true, Ordering::Relaxed))
}

/// From now on Ctrl-C says `lost` and ends the process, whatever it is doing, be it waiting for standard input; after [`keep`] the
/// first one sets [`flag`], and the second one ends the process.
pub fn watch(lost: &'static str) -> Result<()> {
    if front::is_program() {
        return Ok(());
    }
    set(move || {
        let keeps = KEEPS.load(Ordering::Relaxed);
        if !keeps {
            crate::show::note(&format!("interrupted: {lost}"));
        }
        if STOP.swap(true, Ordering::Relaxed) || !keeps {
            std::process::exit(i32::from(INTERRUPTED));
        }
        crate::show::note("stopping; what is finished is kept (Ctrl-C again to quit at once)");
    })
}

/// From now on there is something to keep, and somebody looks at [`flag`] often.
pub fn keep() {
    KEEPS.store(true, Ordering::Relaxed);
}

/// For so long pictures are drawn behind Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(80);

/// When [`is_late`] was first asked behind Ctrl-C.
static SINCE: Mutex<Option<Instant>> = Mutex::new(None);

/// Whether the user asked to stop and has waited for pictures long enough.
pub fn is_late() -> bool {
    let mut since = SINCE.lock().unwrap_or_else(PoisonError::into_inner);
    if !requested() {
        *since = None;
        return false;
    }
    since.get_or_insert_with(Instant::now).elapsed() > PATIENCE
}

/// Whether there are results to keep.
static FOUND: AtomicBool = AtomicBool::new(false);

/// From now on there are results, which are told at the end whatever comes.
pub fn found() {
    FOUND.store(true, Ordering::Relaxed);
}

/// Who waits for a network, ten looks a second: as long as it is being built, nobody in it looks at [`flag`], and there is nothing to keep.
#[derive(Debug, Default)]
pub struct Wait {
    asked: bool,
}

impl Wait {
    /// Ends the process at the second look behind Ctrl-C, unless `cycles` were simulated or something was found.
    pub fn look(&mut self, cycles: u64) {
        let idle = cycles == 0 && !FOUND.load(Ordering::Relaxed) && !front::is_program();
        if !idle || !requested() {
            return;
        }
        if self.asked {
            crate::show::note("interrupted: nothing was run");
            std::process::exit(i32::from(INTERRUPTED));
        }
        self.asked = true;
    }
}

/// A flag for work that a program can stop, lent until it is dropped. There are as many as were ever lent at the same time.
#[derive(Debug)]
pub struct Lent(&'static AtomicBool);

static FREE: Mutex<Vec<&'static AtomicBool>> = Mutex::new(Vec::new());

impl Lent {
    /// A flag that is not set.
    pub fn new() -> Lent {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Lent(free.unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false)))))
    }

    /// The flag itself.
    pub fn flag(&self) -> &'static AtomicBool {
        self.0
    }
}

impl Default for Lent {
    fn default() -> Lent {
        Lent::new()
    }
}

impl Deref for Lent {
    type Target = AtomicBool;

    fn deref(&self) -> &AtomicBool {
        self.0
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// What Ctrl-C does.
type Handler = Box<dyn Fn() + Send>;

/// That of the command line that runs.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

/// The system is asked once per process.
static ASKED: AtomicBool = AtomicBool::new(false);

fn handler() -> MutexGuard<'static, Option<Handler>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(wanted: impl Fn() + Send + 'static) -> Result<()> {
    *handler() = Some(Box::new(wanted));
    if ASKED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let call = || {
        if let Some(wanted) = handler().as_ref() {
            wanted();
        }
    };
    ctrlc::set_handler(call).map_err(|error| Failure::Other(format!("cannot watch for Ctrl-C: {error}")))
}

/// The command line is done: Ctrl-C does nothing until there is another one, which keeps nothing yet.
pub(crate) fn end() {
    *handler() = None;
    STOP.store(false, Ordering::Relaxed);
    KEEPS.store(false, Ordering::Relaxed);
    FOUND.store(false, Ordering::Relaxed);
}
