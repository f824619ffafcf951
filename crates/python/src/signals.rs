//! Who hears Ctrl-C: the command line, or for a while the interpreter.

/// Does `work`, in which Python may install handlers of signals, and puts back those that were there before.
#[cfg(unix)]
pub fn lent<T>(work: impl FnOnce() -> T) -> T {
    use nix::sys::signal::Signal;
    let asked = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    let before = asked.map(current);
    let done = work();
    for (signal, action) in asked.into_iter().zip(before) {
        replace(signal, &action);
    }
    done
}

/// Nobody is asked to stop by signals.
#[cfg(not(unix))]
pub fn lent<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(unix)]
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal};

/// The handler that is installed. Nothing only asks for it, so for an instant there is none.
#[cfg(unix)]
fn current(signal: Signal) -> SigAction {
    let action = replace(signal, &SigAction::new(SigHandler::SigIgn, SaFlags::empty(), SigSet::empty()));
    replace(signal, &action);
    action
}

/// Installs a handler; the one before.
#[cfg(unix)]
#[expect(unsafe_code, reason = "who hears a signal is not safe to choose")]
fn replace(signal: Signal, action: &SigAction) -> SigAction {
    // SAFETY: `action` ignores the signal, or was installed already, by who knows that it may run in a handler.
    unsafe { nix::sys::signal::sigaction(signal, action) }.expect("the signal has handlers")
}
