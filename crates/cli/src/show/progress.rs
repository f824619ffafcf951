//! Progress of long work: a bar with an estimate, where a person looks.

use crate::front::{self, Told};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;
use tailback_base::text::shown;

/// Whether a bar of progress is shown where there is a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// It is.
    Shown,
    /// It is not.
    Hidden,
}

/// A bar on standard error, nothing at all where that is no terminal; a program that called is told instead.
pub struct Progress {
    bar: ProgressBar,
    told: Option<Told>,
}

impl Progress {
    /// A bar of `total` steps of a unit that is not named (cycles, runs).
    pub fn new(total: u64, bar: Bar) -> Progress {
        let told = front::told();
        let shown = std::io::stderr().is_terminal() && bar == Bar::Shown && told.is_none();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style =
            ProgressStyle::with_template("{msg} {bar:30.cyan/dim} {percent:>3} %  {elapsed} so far, {eta} to go");
        bar.set_style(style.expect("the template is tested").progress_chars("━━╌"));
        if shown {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, told }
    }

    /// Shows that `done` of the steps are done.
    pub fn at(&self, done: u64, message: String) {
        self.bar.set_position(done.min(self.bar.length().unwrap_or(done)));
        self.bar.set_message(shown(&message).into_owned());
        if let Some(told) = &self.told {
            told(self.bar.position(), self.bar.length().unwrap_or(done));
        }
    }

    /// Shows how far another count of steps is.
    pub fn of(&self, done: u64, total: u64, message: String) {
        self.bar.set_length(total);
        self.at(done, message);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_valid() {
        let progress = Progress::new(10, Bar::Hidden);
        progress.at(20, "three points".to_owned());
        progress.of(1, 5, String::new());
        assert_eq!((progress.bar.length(), progress.bar.position()), (Some(5), 1));
    }
}
