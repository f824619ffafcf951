//! Exit codes, and the errors that lead to them.

use std::fmt;
use std::path::Path;
use tailback_base::text::lines;
use tailback_pictures::terminal::Paint;
use tailback_results::Status;
use tailback_sim::Refused;
use tailback_spec::Errors;

/// Everything was done. A saturated network is a result like any other.
pub const SUCCESS: u8 = 0;
/// Something unexpected, such as a full disk, or a point that failed while the others went on.
pub const FAILURE: u8 = 1;
/// A bad spec or bad usage: nothing was run.
pub const USAGE: u8 = 2;
/// A point ended in deadlock, or its program got stuck; the explanation was printed.
pub const DEADLOCK: u8 = 3;
/// A reproduction misses the paper's numbers, or a capsule gave another result.
pub const DIFFERENT: u8 = 4;
/// A point ended with a node that gets nothing in while others do; the explanation was printed.
pub const STARVATION: u8 = 5;
/// A point ended with packets that go on and never arrive; the explanation was printed.
pub const LIVELOCK: u8 = 6;
/// Stopped by Ctrl-C; what was finished is kept.
pub const INTERRUPTED: u8 = 130;

/// The table of exit codes in `tailback --help`.
pub const HELP: &str = "\
Exit codes:
  0    success (a saturated network is a result, not a failure)
  1    unexpected failure, such as a full disk, or some points failed while the others ran
  2    bad spec or bad usage; nothing was run
  3    deadlock: packets of a point, or operations of a program, wait for each other forever
  4    a reproduction misses the paper's numbers, or a capsule gave another result
  5    starvation: a node gets no packet into the network while other nodes do
  6    livelock: packets move forever and none arrives
  130  interrupted by Ctrl-C; finished points are kept";

/// The exit code of a run of one point that ended so.
pub fn of_status(status: Status) -> u8 {
    match status {
        Status::Deadlocked | Status::Stuck => DEADLOCK,
        Status::Livelocked => LIVELOCK,
        Status::Starved => STARVATION,
        Status::Interrupted => INTERRUPTED,
        Status::Steady | Status::Saturated | Status::Completed | Status::Slow => SUCCESS,
    }
}

/// The exit code of runs that ended so: that of the worst, deadlock before livelock before starvation.
pub fn of_all(statuses: impl IntoIterator<Item = Status>) -> u8 {
    let codes: Vec<u8> = statuses.into_iter().map(of_status).collect();
    [DEADLOCK, LIVELOCK, STARVATION].into_iter().find(|code| codes.contains(code)).unwrap_or(SUCCESS)
}

/// The exit code of an error of results: whether the user can do something about it.
fn of_results(error: &tailback_results::Error) -> u8 {
    use tailback_results::Error;
    match error {
        Error::Occupied { .. }
        | Error::InUse { .. }
        | Error::Foreign { .. }
        | Error::Line { .. }
        | Error::Capsule { .. }
        | Error::Checkpoint { .. }
        | Error::Output { .. } => USAGE,
        _ => FAILURE,
    }
}

/// Why a verb stops.
#[derive(Debug)]
pub enum Failure {
    /// What the user asked for cannot be done; the sentence says why and what would help.
    Usage(String),
    /// The spec is wrong.
    Spec(Box<Errors>),
    /// Results cannot be read or written.
    Results(tailback_results::Error),
    /// Something unexpected.
    Other(String),
    /// Ctrl-C came before there was anything to keep.
    Interrupted,
    /// The reader of standard output went away, as `head` does: nothing to complain about.
    Pipe,
}

/// What verbs answer: an exit code, or why they stopped.
pub type Result<T = u8> = std::result::Result<T, Failure>;

impl Failure {
    /// A usage error.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into())
    }

    /// An error of the operating system about a file that the user named.
    pub fn file(action: &str, path: &Path, error: &std::io::Error) -> Failure {
        Failure::Usage(format!("cannot {action} `{}`: {}", crate::show::path(path), plain(error)))
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) | Failure::Spec(_) => USAGE,
            Failure::Results(error) => of_results(error),
            Failure::Other(_) => FAILURE,
            Failure::Interrupted => INTERRUPTED,
            Failure::Pipe => SUCCESS,
        }
    }

    /// Prints it to standard error and gives its exit code.
    pub fn report(&self, paint: Paint) -> u8 {
        let (red, plain) = if paint == Paint::Ansi { ("\x1b[1;31m", "\x1b[0m") } else { ("", "") };
        match self {
            Failure::Usage(_) | Failure::Results(_) | Failure::Other(_) => {
                crate::show::styled_note(&format!("{red}error{plain}: {self}"))
            }
            Failure::Spec(errors) => match paint {
                Paint::Ansi => crate::show::styled_note(errors.styled().trim_end()),
                Paint::Plain => crate::show::styled_note(errors.render().trim_end()),
            },
            Failure::Interrupted => crate::show::note(&self.to_string()),
            Failure::Pipe => {}
        }
        self.code()
    }
}

/// The system's words without its error number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) | Failure::Other(message) => f.write_str(&lines(message)),
            Failure::Results(error) => f.write_str(&lines(&error.to_string())),
            Failure::Spec(errors) => errors.fmt(f),
            Failure::Interrupted => f.write_str("interrupted; nothing was run"),
            Failure::Pipe => f.write_str("standard output was closed"),
        }
    }
}

impl From<Errors> for Failure {
    fn from(errors: Errors) -> Failure {
        Failure::Spec(Box::new(errors))
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        match refused {
            Refused::Words(words) => Failure::Usage(words),
            Refused::Spec(errors) => errors.into(),
        }
    }
}

impl From<tailback_results::Error> for Failure {
    fn from(error: tailback_results::Error) -> Failure {
        Failure::Results(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_end_decides() {
        use Status::{Completed, Deadlocked, Livelocked, Saturated, Slow, Starved, Steady};
        assert_eq!(of_all([Steady, Saturated, Completed, Slow]), SUCCESS);
        assert_eq!(of_all([Steady, Starved, Saturated]), STARVATION);
        assert_eq!(of_all([Starved, Livelocked]), LIVELOCK);
        assert_eq!(of_all([Livelocked, Starved, Deadlocked]), DEADLOCK);
    }
}
