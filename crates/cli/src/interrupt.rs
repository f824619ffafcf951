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

/// From now on the first Ctrl-C sets [`flag`], and the second one ends the process at once.
pub fn watch() -> Result<()> {
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        crate::show::note("stopping; what is finished is kept (Ctrl-C again to quit at once)");
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::Other(format!("cannot watch for Ctrl-C: {error}")))
}
