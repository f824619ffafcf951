//! Ctrl-C: as long as there is nothing to keep it ends the process at once; then the first one asks to stop, the second one stops.

use crate::exit::{Failure, INTERRUPTED, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static KEEPS: AtomicBool = AtomicBool::new(false);

/// Set once the user asked to stop.
pub fn flag() -> &'static AtomicBool {
    &STOP
}

/// Whether the user asked to stop.
pub fn requested() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// From now on Ctrl-C sets [`flag`], and nobody hears of it: for a process that follows another one.
pub fn watch_quietly() -> Result<()> {
    set(|| STOP.store(true, Ordering::Relaxed))
}

/// From now on Ctrl-C says `lost` and ends the process, whatever it is doing, be it waiting for standard input; after [`keep`] the
/// first one sets [`flag`], and the second one ends the process.
pub fn watch(lost: &'static str) -> Result<()> {
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

fn set(handler: impl Fn() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).map_err(|error| Failure::Other(format!("cannot watch for Ctrl-C: {error}")))
}
