//! What this test is asked to do: by arguments, and by the environment in `make test` and `make fuzz`.

use std::path::PathBuf;
use std::time::Duration;

/// Cases of `make test`.
const CASES: u64 = 5_000;

/// What to do.
pub enum Options {
    /// A filter of `cargo test` asks for other tests.
    Nothing,
    /// `cargo test -- --list`.
    List,
    /// Cases in batches.
    Cases(Asked),
    /// One batch, in this process.
    Worker(Work),
}

/// Which cases.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Seed of the corpus.
    pub seed: u64,
    /// The first case.
    pub from: u64,
    /// One beyond the last case.
    pub to: u64,
    /// Whether everything that a case prints is shown: for one case.
    pub shown: bool,
    /// Whether is told what the program said, and how often: how deep do cases get?
    pub words: bool,
    /// Batches at the same time.
    pub jobs: usize,
    /// After so long no more batches are begun.
    pub patience: Option<Duration>,
}

/// One batch.
#[derive(Clone, Debug)]
pub struct Work {
    /// Which cases.
    pub asked: Asked,
    /// Where good files are, by [`crate::stock`].
    pub stock: PathBuf,
    /// The only folder in which anything may be written.
    pub folder: PathBuf,
    /// The program, for cases that start it.
    pub program: PathBuf,
}

impl Options {
    /// Of the arguments and the environment of this process.
    pub fn of_process() -> Options {
        let args: Vec<String> = std::env::args().skip(1).collect();
        let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1)).cloned();
        let number = |name: &str| value(name).map(|text| text.parse().unwrap_or_else(|_| panic!("{name} {text}")));
        if args.iter().any(|arg| arg == "--list") {
            return Options::List;
        }
        // Words that are no flag and no value of ours are filters of names of tests.
        let ours = |at: usize| at > 0 && args[at - 1].starts_with("--");
        let filter = args.iter().enumerate().find(|(at, arg)| !arg.starts_with('-') && !ours(*at));
        if filter.is_some_and(|(_, word)| !"hostile".contains(word.as_str())) {
            return Options::Nothing;
        }
        let seed = number("--seed").or(from_environment("TAILBACK_HOSTILE_SEED")).unwrap_or(1);
        let cases = number("--cases").or(from_environment("TAILBACK_HOSTILE_CASES")).unwrap_or(CASES);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = number("--jobs").map_or(cores, |jobs| jobs as usize);
        let words = args.iter().any(|arg| arg == "--words");
        let first = number("--from").unwrap_or(0);
        let patience = number("--seconds").or(from_environment("TAILBACK_HOSTILE_SECONDS")).map(Duration::from_secs);
        let mut asked = Asked { seed, from: first, to: first + cases, shown: false, words, jobs, patience };
        if let Some(case) = number("--case") {
            asked = Asked { from: case, to: case + 1, shown: true, jobs: 1, ..asked };
        }
        match (value("--stock"), value("--folder"), value("--program")) {
            (Some(stock), Some(folder), Some(program)) => {
                Options::Worker(Work { asked, stock: stock.into(), folder: folder.into(), program: program.into() })
            }
            _ => Options::Cases(asked),
        }
    }
}

fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, and is {text:?}")))
}
