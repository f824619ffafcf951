//! The parent: hands out batches, listens, and tells what was found.

use crate::confine::give_away;
use crate::options::Asked;
use crate::{judge, stock, worker};
use nix::sys::statvfs::statvfs;
use std::collections::BTreeMap;
use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tempfile::TempDir;

/// Cases of one batch.
const BATCH: u64 = 1000;

/// Failures that are told one by one.
const TOLD: usize = 40;

/// What the batches found.
#[derive(Default)]
struct Found {
    /// By class and end.
    ended: BTreeMap<String, u64>,
    /// By class and the beginning of what was said.
    said: BTreeMap<String, u64>,
    /// By number.
    wrong: BTreeMap<u64, String>,
    /// Whether the kernel held all of them to their folders.
    held: bool,
}

/// Runs the cases and says how they ended.
pub fn main(asked: &Asked) -> ExitCode {
    let start = Instant::now();
    let (folder, elsewhere) = (fresh(&quick()), fresh(&std::env::temp_dir()));
    // Nobody may not look into the folder of who built the program, and memory may hold no programs.
    let program = elsewhere.path().join("tailback");
    std::fs::copy(env!("CARGO_BIN_EXE_tailback"), &program).expect("room for the program");
    let trial = folder.path().join("trial");
    std::fs::create_dir(&trial).expect("room for a trial");
    judge::check_itself(&trial);
    let goods = folder.path().join("stock");
    std::fs::create_dir(&goods).expect("room for a stock");
    stock::make(&goods, &program);
    let found = Mutex::new(Found { held: true, ..Found::default() });
    let next = AtomicU64::new(asked.from);
    std::thread::scope(|scope| {
        for job in 0..asked.jobs.max(1) {
            let room = folder.path().join(format!("job-{job}"));
            let (found, next, goods, program) = (&found, &next, &goods, &program);
            scope.spawn(move || work(asked, start, next, &[goods, &room, program], found));
        }
    });
    let found = found.into_inner().expect("no thread panicked");
    if asked.shown {
        println!("files     {}", folder.keep().join("job-0/case").display());
    }
    let begun = next.into_inner().min(asked.to);
    tell(&Asked { to: begun, ..asked.clone() }, &found, start.elapsed().as_secs_f64())
}

/// Runs batch after batch in one folder.
fn work(asked: &Asked, start: Instant, next: &AtomicU64, places: &[&PathBuf; 3], found: &Mutex<Found>) {
    let [_, room, _] = places;
    std::fs::create_dir(room).expect("room for a batch");
    give_away(room);
    while asked.patience.is_none_or(|patience| start.elapsed() < patience) {
        let from = next.fetch_add(BATCH, Ordering::Relaxed);
        if from >= asked.to {
            return;
        }
        run(&Asked { from, to: (from + BATCH).min(asked.to), ..asked.clone() }, places, found);
    }
}

/// A new folder, into which everybody may look.
fn fresh(within: &Path) -> TempDir {
    let folder = tempfile::Builder::new().prefix("tailback-hostile-").tempdir_in(within).expect("a temporary folder");
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("the folder is ours");
    folder
}

/// Where files cost least: nothing here must survive a crash of the machine.
fn quick() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let room = statvfs(memory).map_or(0, |space| space.blocks_available() * space.fragment_size());
    if room > 1 << 30 { memory.to_owned() } else { std::env::temp_dir() }
}

/// Runs a batch; where its process ends early, what follows the case at fault is another batch.
fn run(batch: &Asked, [stock, folder, program]: &[&PathBuf; 3], found: &Mutex<Found>) {
    let mut from = batch.from;
    while from < batch.to {
        let mut command = Command::new(std::env::current_exe().expect("this test is a file"));
        for (flag, value) in [("--seed", batch.seed), ("--from", from), ("--cases", batch.to - from)] {
            command.args([flag, &value.to_string()]);
        }
        if batch.shown {
            command.args(["--case", &from.to_string()]);
        }
        if batch.words {
            command.arg("--words");
        }
        command.arg("--stock").arg(stock).arg("--folder").arg(folder).arg("--program").arg(program);
        let quiet = if batch.shown { Stdio::inherit() } else { Stdio::piped() };
        command.env_remove("RUST_BACKTRACE").env_remove("COLUMNS").stdin(Stdio::null()).stderr(quiet);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a batch starts");
        let lines = BufReader::new(child.stdout.take().expect("it was piped")).lines();
        let (mut at, mut done) = (from, false);
        for line in lines.map_while(Result::ok) {
            match line.split_once(' ') {
                Some(("at", number)) => at = number.parse().unwrap_or(at),
                Some(("done", held)) => {
                    done = true;
                    found.lock().expect("no thread panicked").held &= held == "held";
                }
                _ => heard(&line, found),
            }
        }
        let ended = child.wait_with_output().expect("it ends");
        if done {
            return;
        }
        let words = format!("the batch ended with it: {}; {}", ended.status, String::from_utf8_lossy(&ended.stderr));
        found.lock().expect("no thread panicked").wrong.insert(at, words);
        from = at + 1;
    }
}

fn heard(line: &str, found: &Mutex<Found>) {
    let mut found = found.lock().expect("no thread panicked");
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    match words[..] {
        ["wrong", number, why] => drop(found.wrong.insert(number.parse().unwrap_or(0), why.to_owned())),
        ["said", count, what] => *found.said.entry(what.to_owned()).or_default() += count.parse().unwrap_or(0),
        ["ended", count, what] => *found.ended.entry(what.to_owned()).or_default() += count.parse().unwrap_or(0),
        _ => println!("{line}"),
    }
}

fn tell(asked: &Asked, found: &Found, seconds: f64) -> ExitCode {
    let cases: u64 = found.ended.values().sum();
    println!("hostile: {cases} cases of seed {} in {seconds:.0} s, each within {}", asked.seed, worker::limits());
    let mut classes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (what, count) in &found.ended {
        let (class, end) = what.rsplit_once(' ').unwrap_or((what, ""));
        classes.entry(class).or_default().push(format!("{end}: {count}"));
    }
    for (class, ends) in classes {
        println!("  {class:<12} exit codes {}", ends.join(", "));
    }
    for (what, count) in &found.said {
        println!("  {count:>6} {what}");
    }
    if !found.held {
        println!("  (this kernel has no Landlock: the rights of nobody alone kept cases in their folders)");
    }
    for (number, why) in found.wrong.iter().take(TOLD) {
        println!("WRONG case {number}, {why}");
        println!(
            "  again: cargo test -p tailback-cli --locked --test hostile -- --seed {} --case {number}",
            asked.seed
        );
    }
    if found.wrong.is_empty() && cases == asked.to - asked.from {
        println!("test hostile ... ok");
        return ExitCode::SUCCESS;
    }
    println!("test hostile ... FAILED: {} of {} cases", found.wrong.len(), asked.to - asked.from);
    ExitCode::FAILURE
}
