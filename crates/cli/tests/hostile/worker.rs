//! A batch: a process that gives up its rights and forks for every case.
//!
//! It reads what it needs first. From then on it may write in its folder alone. It has one thread, so that it can fork: a case
//! is the program's own library, called in the child, which costs half of starting the program; every sixteenth case starts it.

use crate::case::{Case, generate};
use crate::confine::{FILE, MEMORY, PROCESSOR, confine};
use crate::judge::{self, Ended, judge};
use crate::options::Work;
use crate::stock::Stock;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, alarm, dup2_stderr, dup2_stdin, dup2_stdout, fork, setpgid};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// A case that is long by nature is interrupted after so long.
const PATIENCE: Duration = Duration::from_millis(250);
/// Who did not hear it is interrupted again, as people do.
const AGAIN: Duration = Duration::from_secs(3);
/// Whatever takes so long hangs, the time without a processor left out: it waits for something, for of the processor it may use
/// less.
const HANGS: Duration = Duration::from_secs(90);
/// A worker that is silent for so long \[s\] hangs itself.
const SILENCE: u32 = 3600;

/// Runs the cases. Each line that it prints is for [`crate::batches`].
pub fn main(work: &Work) -> ExitCode {
    let stock = Stock::load(&work.stock);
    let held = confine(&work.folder);
    let (mut tally, mut said): (BTreeMap<String, u64>, BTreeMap<String, u64>) = Default::default();
    for number in work.asked.from..work.asked.to {
        alarm::set(SILENCE);
        say(&format!("at {number}"));
        let case = generate(&stock, work.asked.seed, number);
        let room = Room::new(&work.folder);
        case.lay_out(&room.case);
        let ended = room.run(&case, &work.program);
        *tally.entry(format!("{} {}", case.class, ended.end())).or_default() += 1;
        if work.asked.words {
            *said.entry(format!("{} {}", case.class, ended.words())).or_default() += 1;
        }
        if work.asked.shown {
            judge::show(&case, &ended);
        }
        if let Err(why) = judge(&case, &ended, &room.case) {
            say(&format!("wrong {number} {}", judge::line(&case, &why)));
        }
        if !work.asked.shown {
            room.clear();
        }
    }
    for (what, count) in tally {
        say(&format!("ended {count} {what}"));
    }
    for (what, count) in said {
        say(&format!("said {count} {what}"));
    }
    say(&format!("done {}", if held { "held" } else { "free" }));
    ExitCode::SUCCESS
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("the parent listens");
}

/// Where a case runs.
struct Room {
    case: PathBuf,
    input: PathBuf,
    out: PathBuf,
    err: PathBuf,
}

impl Room {
    fn new(folder: &Path) -> Room {
        let at = |name| folder.join(name);
        let room = Room { case: at("case"), input: at("input"), out: at("out"), err: at("err") };
        room.clear();
        fs::create_dir(&room.case).expect("a folder for the case");
        room
    }

    fn clear(&self) {
        // A case may have taken away rights from its own folder; what cannot be removed shows in the next case.
        let _ = fs::remove_dir_all(&self.case);
    }

    /// Runs a case in a process of its own.
    fn run(&self, case: &Case, program: &Path) -> Ended {
        fs::write(&self.input, &case.input).expect("room for the input");
        let stdio = [
            File::open(&self.input).expect("it was written"),
            File::create(&self.out).expect("room for output"),
            File::create(&self.err).expect("room for errors"),
        ];
        let (start, before) = (Instant::now(), most_memory());
        let child = self.start(case, program, &stdio);
        let status = wait(child, case.interrupted, start);
        let _ = killpg(child, Signal::SIGKILL);
        let most = most_memory();
        let memory = if most > before { most } else { 0 };
        Ended { status, took: start.elapsed(), memory, out: read(&self.out), err: read(&self.err) }
    }

    #[expect(unsafe_code, reason = "a case that panics, hangs or exits must not be this process")]
    fn start(&self, case: &Case, program: &Path, stdio: &[File; 3]) -> Pid {
        // SAFETY: this process has one thread, so the child has all there is, no lock held by somebody who is not there. What
        // the batch prints is flushed, so the child prints none of it again.
        match unsafe { fork() }.expect("a process for the case") {
            ForkResult::Parent { child } => child,
            ForkResult::Child => {
                let code = catch_unwind(AssertUnwindSafe(|| self.become_program(case, program, stdio)));
                std::process::exit(code.map_or(101, i32::from));
            }
        }
    }

    fn become_program(&self, case: &Case, program: &Path, [input, out, err]: &[File; 3]) -> u8 {
        alarm::cancel();
        setpgid(Pid::from_raw(0), Pid::from_raw(0)).expect("a group of its own");
        dup2_stdin(input).and_then(|()| dup2_stdout(out)).and_then(|()| dup2_stderr(err)).expect("three files");
        std::env::set_current_dir(&self.case).expect("the folder of the case");
        if case.started {
            let error = Command::new(program).args(&case.args).exec();
            panic!("the program does not start: {error}");
        }
        tailback_cli::main_from(std::iter::once("tailback".into()).chain(case.args.iter().cloned()))
    }
}

/// Most memory that any case of this batch used so far \[bytes\].
fn most_memory() -> u64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() as u64 * 1024)
}

/// Waits for a child. One that may be long is interrupted, once and again.
fn wait(child: Pid, interrupted: bool, start: Instant) -> WaitStatus {
    let mut due = [PATIENCE, AGAIN].into_iter().peekable();
    let mut pause = Duration::from_micros(50);
    loop {
        match waitpid(child, Some(WaitPidFlag::WNOHANG)).expect("it is a child") {
            WaitStatus::StillAlive => {}
            ended => return ended,
        }
        let elapsed = start.elapsed();
        if elapsed > HANGS && elapsed.saturating_sub(kept_waiting(child)) > HANGS {
            let _ = killpg(child, Signal::SIGKILL);
        } else if interrupted && due.next_if(|after| elapsed > *after).is_some() {
            let _ = kill(child, Signal::SIGINT);
        }
        std::thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(5));
    }
}

/// How long a process was ready to run and had no processor: on a machine with much else to do that is no hang of its own.
fn kept_waiting(child: Pid) -> Duration {
    let delay = |task: fs::DirEntry| {
        let times = fs::read_to_string(task.path().join("schedstat")).ok()?;
        times.split(' ').nth(1)?.parse().ok().map(Duration::from_nanos)
    };
    let tasks = fs::read_dir(format!("/proc/{child}/task")).into_iter().flatten().flatten();
    tasks.filter_map(delay).max().unwrap_or_default()
}

/// What a case printed: no more than can be judged.
fn read(path: &Path) -> Vec<u8> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let file = File::open(path).expect("it was made");
    file.take(64 << 20).read_to_end(&mut bytes).expect("it can be read");
    bytes
}

/// The limits, in words.
pub fn limits() -> String {
    format!("{} GiB of memory, {PROCESSOR} s of a processor, files of {} MiB", MEMORY >> 30, FILE >> 20)
}
