//! A case in a process of its own.

use crate::case::Case;
use crate::confine::{self, PROCESSOR};
use crate::judge::Ended;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, alarm, dup2_stderr, dup2_stdin, dup2_stdout, fork, setpgid};
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// A case that is long by nature is interrupted after so long, as by somebody at a terminal.
const PATIENCE: Duration = Duration::from_millis(250);
/// Who did not hear it is interrupted again, as people do.
const AGAIN: Duration = Duration::from_secs(3);
/// Whatever takes so long hangs, the time without a processor left out: it waits for something, for of the processor it may use
/// less.
pub const HANGS: Duration = Duration::from_secs(90);

/// Where a case runs.
pub struct Room {
    folder: PathBuf,
    /// Its folder.
    pub case: PathBuf,
    input: PathBuf,
    out: PathBuf,
    err: PathBuf,
}

impl Room {
    /// An empty one.
    pub fn new(folder: &Path) -> Room {
        let at = |name| folder.join(name);
        let room =
            Room { folder: folder.to_owned(), case: at("case"), input: at("input"), out: at("out"), err: at("err") };
        room.clear();
        room
    }

    /// Removes what the case left.
    pub fn clear(&self) {
        // A case may have taken away rights from its own folder; what cannot be removed shows in the next case.
        let _ = fs::remove_dir_all(&self.case);
    }

    /// Makes the folder of a case.
    pub fn lay_out(&self, case: &Case) {
        self.clear();
        fs::create_dir(&self.case).expect("a folder for the case");
        case.lay_out(&self.case);
        fs::write(&self.input, &case.input).expect("room for the input");
    }

    /// From now on this process reads and writes the files of the room, and stands in the folder of the case.
    pub fn enter(&self) {
        let input = File::open(&self.input).expect("it was written");
        let out = File::create(&self.out).expect("room for output");
        let err = File::create(&self.err).expect("room for errors");
        dup2_stdin(input).and_then(|()| dup2_stdout(out)).and_then(|()| dup2_stderr(err)).expect("three files");
        std::env::set_current_dir(&self.case).expect("the folder of the case");
    }

    /// A file beside the folder of the case.
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Such a file, empty, to write and to read.
    pub fn note(&self, name: &str) -> File {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(true).open(self.path_of(name)).expect("room for notes")
    }

    /// How the case ended that ran here.
    pub fn ended(&self, status: WaitStatus, took: Duration, memory: u64) -> Ended {
        Ended { status, took, memory, out: read(&self.out), err: read(&self.err) }
    }
}

/// Runs a case that has been laid out.
pub fn run(room: &Room, case: &Case, program: &Path) -> Ended {
    let (start, before) = (Instant::now(), most_memory());
    let child = in_a_child(|| {
        confine::limit_time(PROCESSOR, Some(PROCESSOR + 2));
        room.enter();
        if case.started {
            let error = Command::new(program).args(&case.args).exec();
            panic!("the program does not start: {error}");
        }
        call(case)
    });
    let status = wait(child, case.interrupted, start);
    let _ = killpg(child, Signal::SIGKILL);
    let most = most_memory();
    room.ended(status, start.elapsed(), if most > before { most } else { 0 })
}

/// Calls the program's library.
pub fn call(case: &Case) -> u8 {
    tailback_cli::main_from(std::iter::once("tailback".into()).chain(case.args.iter().cloned()))
}

/// Starts a process, in a group of its own, that does this and exits with its code.
#[expect(unsafe_code, reason = "a case that panics, hangs or exits must not be this process")]
pub fn in_a_child(work: impl FnOnce() -> u8) -> Pid {
    // SAFETY: this process has one thread, so the child has all there is, no lock held by somebody who is not there. What
    // the batch prints is flushed, so the child prints none of it again.
    match unsafe { fork() }.expect("a process for the case") {
        ForkResult::Parent { child } => child,
        ForkResult::Child => {
            let code = catch_unwind(AssertUnwindSafe(|| {
                alarm::cancel();
                setpgid(Pid::from_raw(0), Pid::from_raw(0)).expect("a group of its own");
                work()
            }));
            std::process::exit(code.map_or(101, i32::from));
        }
    }
}

/// Most memory that any child of this batch used so far \[bytes\].
fn most_memory() -> u64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss() as u64 * 1024)
}

/// How a child ended, if it has.
pub fn ended(child: Pid) -> Option<WaitStatus> {
    match waitpid(child, Some(WaitPidFlag::WNOHANG)).expect("it is a child") {
        WaitStatus::StillAlive => None,
        ended => Some(ended),
    }
}

/// Interrupts a case that may be long, once and again.
pub struct Interrupter {
    due: std::iter::Peekable<std::array::IntoIter<Duration, 2>>,
}

impl Interrupter {
    /// For a case that begins.
    pub fn new() -> Interrupter {
        Interrupter { due: [PATIENCE, AGAIN].into_iter().peekable() }
    }

    /// Looks after a case that has run for so long.
    pub fn look(&mut self, child: Pid, elapsed: Duration) {
        if self.due.next_if(|after| elapsed > *after).is_some() {
            let _ = kill(child, Signal::SIGINT);
        }
    }
}

/// Waits for a child. One that may be long is interrupted.
fn wait(child: Pid, interrupted: bool, start: Instant) -> WaitStatus {
    let mut interrupter = Interrupter::new();
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(ended) = ended(child) {
            return ended;
        }
        let elapsed = start.elapsed();
        if elapsed > HANGS && elapsed.saturating_sub(kept_waiting(child)) > HANGS {
            let _ = killpg(child, Signal::SIGKILL);
        } else if interrupted {
            interrupter.look(child, elapsed);
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
