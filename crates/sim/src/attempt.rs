//! One point of many: what goes wrong with it must not stop the others.

use crate::checkpoint::{Refused, Resumed};
use crate::outcome::Outcome;
use crate::prepare::{Prepared, prepare};
use crate::run::{Control, Keep, go_on, run_kept};
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use tailback_spec::{Errors, Point};

/// Prepares and runs a point.
///
/// # Errors
/// In words, why it could not be run to its end: what speaks against its spec, or a panic.
pub fn attempt(point: &Point, control: &Control) -> Result<(Prepared, Outcome), String> {
    attempt_kept(point, control, None)
}

/// Runs a point, as [`attempt`] does, and keeps checkpoints.
///
/// # Errors
/// The errors of [`attempt`].
pub fn attempt_kept(point: &Point, control: &Control, keep: Option<Keep>) -> Result<(Prepared, Outcome), String> {
    guarded(|| {
        let prepared = prepare(point).map_err(|errors| reason(&errors))?;
        let outcome = run_kept(&prepared, control, keep)?;
        Ok((prepared, outcome))
    })?
}

/// Prepares and runs a point, as [`attempt`] does. A program is followed by the search for its critical path.
///
/// # Errors
/// The errors of [`attempt`].
pub fn attempt_explained(point: &Point, control: &Control) -> Result<(Prepared, Outcome), String> {
    guarded(|| {
        let prepared = prepare(point).map_err(|errors| reason(&errors))?.explained();
        let outcome = run_kept(&prepared, control, None)?;
        Ok((prepared, outcome))
    })?
}

/// Prepares a point and goes on from a checkpoint of it.
///
/// # Errors
/// Where the checkpoint's state is none of this point's, or turns out to contradict itself on the way.
pub fn attempt_from(resumed: &Resumed, control: &Control, keep: Option<Keep>) -> Result<(Prepared, Outcome), Refused> {
    let work = || {
        let prepared = resumed.prepare()?;
        let outcome = go_on(&prepared, control, resumed, keep).map_err(Refused::Words)?;
        Ok((prepared, outcome))
    };
    // What was restored was checked, but a checkpoint that was made to deceive may have got past: that is no bug to be traced.
    quietly(work).unwrap_or_else(|said| {
        Err(Refused::Words(format!(
            "the checkpoint does not fit its spec: the run that continues from it contradicts itself: {said}"
        )))
    })
}

thread_local! {
    /// Whether panics of this thread are told by whoever catches them, and by nobody else.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does `work`; a panic in it is an error, in its first line of words, and nothing is printed.
///
/// # Errors
/// What the panic said.
pub fn quietly<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                told(panic);
            }
        }));
    });
    let before = QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(before);
    done.map_err(|panic| said(panic.as_ref()).lines().next().unwrap_or_default().to_owned())
}

/// What speaks against a point, in a line.
pub fn reason(errors: &Errors) -> String {
    let said = errors.errors().iter().map(|error| match error.path.as_str() {
        "" => error.message.clone(),
        path => format!("{path}: {}", error.message),
    });
    said.collect::<Vec<_>>().join("; ")
}

/// Does `work`; a panic in it is an error of this work alone.
///
/// # Errors
/// What the panic said.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What the work had in hand when it panicked is dropped with it: points share nothing that can be left half changed.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("a bug in this program: {}", said(panic.as_ref())))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked without a word")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(guarded(|| 7), Ok(7));
        let said = |work: fn()| guarded(work).unwrap_err();
        assert_eq!(said(|| panic!("no")), "a bug in this program: no");
        assert_eq!(said(|| panic!("credit {} twice", 3)), "a bug in this program: credit 3 twice");
        assert!(said(|| std::panic::panic_any(1)).ends_with("without a word"));
    }

    #[test]
    fn a_panic_that_is_told_by_whoever_catches_it_is_one_line() {
        assert_eq!(quietly(|| 7), Ok(7));
        assert_eq!(quietly(|| assert_eq!(1, 2, "books")), Err("assertion `left == right` failed: books".to_owned()));
        assert!(!QUIET.get());
    }
}
