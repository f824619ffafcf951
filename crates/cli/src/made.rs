//! How a report was made: when, by which version, with which command, where, how long it took.

use crate::show::numbers::seconds;
use chrono::{DateTime, Utc};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::time::SystemTime;

/// How a report was made. No result depends on any of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    /// Date and time, such as `22 November 2026, 15:02 UTC`.
    pub date: String,
    /// The program with its version and commit.
    pub version: String,
    /// Name of the machine; empty where it is not known.
    pub host: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// How long it took \[s\].
    pub seconds: f64,
    /// The command, as a shell reads it.
    pub command: String,
}

impl Made {
    /// What was made just now, by this process, in so many seconds.
    pub fn here(seconds: f64) -> Made {
        Made {
            date: date(SystemTime::now()),
            version: format!("tailback {} (commit {})", env!("CARGO_PKG_VERSION"), env!("TAILBACK_COMMIT")),
            host: host(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            seconds,
            command: command(std::env::args_os()),
        }
    }

    /// All but the command, each fact in a few words, with more of them at the end.
    pub fn facts(&self, more: &[String]) -> Vec<String> {
        let host = if self.host.is_empty() { String::new() } else { format!("host {}, ", self.host) };
        let cores = if self.cores == 1 { "1 core".to_owned() } else { format!("{} cores", self.cores) };
        let place = format!("{host}{cores}, {}", seconds(self.seconds));
        [self.date.clone(), self.version.clone(), place].into_iter().chain(more.iter().cloned()).collect()
    }
}

fn date(time: SystemTime) -> String {
    DateTime::<Utc>::from(time).format("%-d %B %Y, %H:%M UTC").to_string()
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// The words of a command as a shell reads them. An interpreter that runs the program is left out, and so are the program's folders.
fn command(words: impl Iterator<Item = OsString>) -> String {
    let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    let is_program = |word: &String| Path::new(word).file_stem().is_some_and(|stem| stem == "tailback");
    let Some(program) = words.iter().position(is_program) else { return String::new() };
    let arguments: Option<Vec<Cow<str>>> = words[program + 1..].iter().map(|word| quoted(word)).collect();
    arguments.map_or(String::new(), |arguments| format!("tailback {}", arguments.join(" ")))
}

/// A word as a shell reads it. `admission=off` needs no quotes.
fn quoted(word: &str) -> Option<Cow<'_, str>> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "+-./:@_=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) { Some(Cow::Borrowed(word)) } else { shlex::try_quote(word).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_and_commands_are_those_that_people_write() {
        assert_eq!(date(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_359_720)), "22 November 2026, 15:02 UTC");
        let words = |words: &[&str]| command(words.iter().map(OsString::from));
        assert_eq!(words(&["/usr/bin/tailback", "run", "a b.toml", "--set=x=1"]), "tailback run 'a b.toml' --set=x=1");
        assert_eq!(words(&["/usr/bin/python3", "/usr/bin/tailback", "run", "-"]), "tailback run -");
        assert_eq!(words(&["/usr/bin/python3", "mine.py"]), "");
    }

    #[test]
    fn facts_name_the_machine_where_it_is_known() {
        let made =
            Made { date: "today".into(), version: "tailback 1".into(), cores: 2, seconds: 97.0, ..Made::default() };
        assert_eq!(made.facts(&["5 runs".into()]), ["today", "tailback 1", "2 cores, 97.0 s", "5 runs"]);
        let named = Made { host: "a".into(), cores: 1, ..made };
        assert_eq!(named.facts(&[])[2], "host a, 1 core, 97.0 s");
    }
}
