//! Ctrl-C: the first one asks to stop, the second one stops.

use crate::exit::{Failure, INTERRUPTED, Result};
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

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

/// From now on the first Ctrl-C sets [`flag`], and the second one ends the process at once.
pub fn watch() -> Result<()> {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        crate::show::note("stopping; what is finished is kept (Ctrl-C again to quit at once)");
    };
    set(handler)
}

fn set(handler: impl Fn() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(handler).map_err(|error| Failure::Other(format!("cannot watch for Ctrl-C: {error}")))
}
