//! The `tailback` command: from a spec file to an honest curve.
//!
//! Each verb is a file of [`verbs`]: its arguments, its help and what it does. Data flows one way: SPEC ->
//! [`spec_file`] (document) -> [`points`] (all checked) -> [`runner`] (threads) -> [`session`] (rows, table, plots) ->
//! [`folder`] and [`report`] (files). Results go to standard output, everything else to standard error.
//!
//! Other front ends check specs and draw curves as the command does: [`points`], [`checkpoints`], [`exit`],
//! [`output`] and [`picture`] are theirs, too; through [`front`] they call whole verbs.

mod anatomy;
mod bisection;
mod booksim;
mod bounds;
pub mod checkpoints;
mod chosen;
mod collapse;
mod compared;
mod comparison;
mod complete;
mod completion;
mod contents;
mod curves;
mod drawings;
pub mod exit;
mod fabric;
pub mod facts;
mod failures;
mod figure_files;
mod folder;
pub mod front;
mod gathered;
pub mod interrupt;
mod latency_split;
mod loads;
mod made;
mod maps;
mod mistyped;
mod network_args;
mod networks;
pub mod output;
mod over_time;
mod overview;
pub mod picture;
mod plotted;
mod point_pictures;
pub mod points;
mod points_table;
mod ramps;
mod reasons;
mod remedies;
mod report;
mod resume;
mod runner;
mod session;
mod shelf;
mod show;
pub mod spec_file;
mod split;
mod study;
mod study_folder;
mod time_series;
mod together;
pub mod told;
mod twins;
mod variants;
mod verbs;
mod wait_pictures;
mod why;

pub use verbs::sweep::{Elsewhere, On, Remote};

use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;
use std::ffi::OsString;
pub use tailback_sim::ranks::Ranks;
use together::Lead;

const ABOUT: &str = "Cycle-accurate simulation of congestion in lossless interconnection networks.";

const EXAMPLES: &str = "\
Try first:
  tailback run examples/first.toml              a curve of latency over load in the terminal
  tailback run examples/first.toml --out first  the same, with pictures and a report in a folder
  tailback sweep my.toml --out results          many points; a second run does what is missing
  tailback resume results.checkpoint            continue a run from the state it saved
  tailback list                                 what a spec may contain
  tailback check my.toml                        is my spec right, and what limits its network?
";

/// What `--version` adds to `-V`: what was built, and how.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit   ",
    env!("TAILBACK_COMMIT"),
    "\ncompiler ",
    env!("TAILBACK_COMPILER"),
    "\nbuild    ",
    env!("TAILBACK_PROFILE"),
    ", ",
    env!("TAILBACK_TARGET"),
    "\nfeatures ",
    env!("TAILBACK_FEATURES"),
);

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "tailback", version, long_version = LONG_VERSION, about = ABOUT)]
#[command(subcommand_required = true, arg_required_else_help = true, max_term_width = 100)]
#[command(disable_help_subcommand = true)]
#[command(after_help = [EXAMPLES, "\n", exit::HELP].concat())]
struct Cli {
    #[command(subcommand)]
    verb: verbs::Verb,
}

/// Runs the command line `args`, the program's name first, and gives its exit code. It writes to standard output and
/// standard error, and from then on Ctrl-C is watched: for processes that do nothing else. Such a process may call it again,
/// after it has returned.
pub fn main_from(args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    main_with(args, &Outside { elsewhere: &|remote| Err(remote.on.clone().into()), ranks: None })
}

/// What the command line reaches through whoever calls it.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// Runs sweeps on clusters.
    pub elsewhere: &'a Elsewhere<'a>,
    /// The processes that this one was started with, where there are others.
    pub ranks: Option<&'a dyn Ranks>,
}

/// As [`main_from`], for who reaches more than this machine. Of several processes only the first looks at its arguments.
pub fn main_with(args: impl IntoIterator<Item = impl Into<OsString> + Clone>, outside: &Outside) -> u8 {
    if let Some(ranks) = outside.ranks.filter(|ranks| ranks.rank() > 0) {
        return together::follow(ranks);
    }
    let lead = outside.ranks.map(Lead);
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    if let Some(code) = completed(&args) {
        return code;
    }
    let program = args.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { exit::USAGE } else { exit::SUCCESS };
            mistyped::tell(error);
            return code;
        }
    };
    let ended = verbs::run(&cli.verb, Cli::command, &program, outside.elsewhere, lead.as_ref());
    let code = ended.unwrap_or_else(|failure| failure.report(show::color_of_errors()));
    interrupt::end();
    code
}

/// Where a shell asks what could come next (`COMPLETE=bash` in the environment), prints that and gives the exit code.
fn completed(args: &[OsString]) -> Option<u8> {
    let folder = std::env::current_dir().ok();
    match CompleteEnv::with_factory(Cli::command).try_complete(args, folder.as_deref()) {
        Ok(true) => Some(exit::SUCCESS),
        Ok(false) => None,
        Err(error) => {
            let _ = error.print();
            Some(exit::USAGE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_verb_says_what_it_does_and_shows_examples() {
        for verb in Cli::command().get_subcommands() {
            let name = verb.get_name();
            assert!(verb.get_about().is_some_and(|about| about.to_string().len() > 20), "{name}");
            let examples = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.lines().filter(|l| l.trim_start().starts_with("tailback ")).count() >= 2, "{name}");
            for argument in verb.get_arguments().filter(|a| !a.is_hide_set() && a.get_id() != "help") {
                assert!(argument.get_help().is_some(), "{name} {}", argument.get_id());
            }
        }
    }
}
