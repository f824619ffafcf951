//! A point run whole, in parts, and from a checkpoint: each time it is the same run.
#![allow(dead_code, reason = "no test file needs all of it")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_results::{Checkpoint, Record};
use tailback_sim::{Control, Keep, Prepared, Resumed, go_on, run, run_in_parts, run_kept};

/// Work that nobody cancels, on one thread.
pub fn controlled<T>(work: impl FnOnce(&Control) -> T) -> T {
    work(&Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
}

/// The record of the whole run.
pub fn record(prepared: &Prepared) -> Record {
    controlled(|control| run(prepared, control)).record
}

/// The same network in so many parts has the digest of the whole one.
pub fn in_parts(prepared: &Prepared, whole: &Record, parts: usize, name: &str) {
    let cut = controlled(|control| run_in_parts(prepared, control, parts)).record;
    assert_eq!(cut.digest, whole.digest, "{name} in {parts} parts");
}

/// The same run, gone on with from a checkpoint in its middle, has the digest of the whole one. Returns whether there was time for a
/// checkpoint.
pub fn gone_on(prepared: &Prepared, whole: &Record, name: &str) -> bool {
    let kept = Mutex::new(None);
    let keeper = |checkpoint: Checkpoint| {
        let _ = kept.lock().expect("nobody panicked").get_or_insert(checkpoint);
    };
    let keep = Keep { every: (whole.cycles / 2).max(1), keeper: &keeper };
    controlled(|control| run_kept(prepared, control, Some(keep))).expect("it can be kept");
    let Some(checkpoint) = kept.into_inner().expect("nobody panicked") else { return false };
    let resumed = Resumed::new(checkpoint, &[], "the checkpoint's spec", &mut |_| {}).expect("it was just written");
    let again = resumed.prepare().unwrap_or_else(|errors| panic!("{}", errors.render()));
    let end =
        controlled(|control| go_on(&again, control, &resumed, None)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(end.record.digest, whole.digest, "{name} from a checkpoint");
    true
}
