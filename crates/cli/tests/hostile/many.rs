//! Many cases in one process: a case costs what the program's library costs, and no process.
//!
//! The child says in a file which case it is at. The batch reads that, interrupts what may be long, and ends what hangs. The
//! child ends itself after a case that is wrong, and with a case whose interruption ends the program.

use crate::alone::{self, HANGS, Interrupter, Room};
use crate::case::{Case, generate};
use crate::confine::{self, MEMORY, PROCESSOR};
use crate::judge::{Ended, judge};
use crate::options::Asked;
use crate::stock::Stock;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigEvent, SigevNotify, Signal, killpg};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::sys::wait::WaitStatus;
use nix::time::ClockId;
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A case is interrupted when it has used so much time of a processor: few cases use more, and these would cost more than all
/// others together.
const PATIENCE: Duration = Duration::from_millis(40);

/// Of so many cases, one is interrupted only where it is long by nature, and later.
const WHOLE: u64 = 8;

/// How often the batch looks at its child.
const LOOK: Duration = Duration::from_millis(2);

/// The exit code of a child that found a case wrong.
const WRONG: i32 = 99;

/// The exit code of an interrupted program.
const INTERRUPTED: i32 = 130;

/// What a child left to do.
pub enum Left {
    /// It ran all cases.
    Nothing,
    /// It ended with this case, which was interrupted.
    Stopped(u64, Ended),
    /// It ended with this case, for another reason.
    Wrong {
        /// The case.
        number: u64,
        /// The reason.
        why: String,
        /// Whether the reason may be an interruption that came too late for the case before.
        excused: bool,
    },
}

/// Ends by what is counted (`ended`, or `said`), and by class and end.
pub type Tally = BTreeMap<(&'static str, String), u64>;

/// Counts how a case ended.
pub fn count(tally: &mut Tally, case: &Case, ended: &Ended, words: bool) {
    *tally.entry(("ended", format!("{} {}", case.class, ended.end()))).or_default() += 1;
    if words {
        *tally.entry(("said", format!("{} {}", case.class, ended.words()))).or_default() += 1;
    }
}

/// Cases of a batch, from one of them on.
pub struct Run<'a> {
    /// Good inputs.
    pub stock: &'a Stock,
    /// Which cases.
    pub asked: &'a Asked,
    /// The first.
    pub from: u64,
    /// Where they run.
    pub room: &'a Room,
    /// The program.
    pub call: fn(&Case) -> u8,
}

/// Whether faults of a program are found among many cases, and in which one: a corpus that finds nothing proves something only then.
pub fn check_itself(stock: &Stock, asked: &Asked, room: &Room) {
    let asked = Asked { from: 1, to: 3, words: false, ..asked.clone() };
    let left = |call: fn(&Case) -> u8| {
        let nobody = File::options().write(true).open("/dev/null").expect("it takes everything");
        Run { stock, asked: &asked, from: 1, room, call }.report_to(nobody)
    };
    assert!(matches!(left(|_| 0), Left::Nothing));
    assert!(matches!(left(|_| std::process::exit(INTERRUPTED)), Left::Stopped(1, _)));
    let faults: [fn(&Case) -> u8; 5] = [
        |_| panic!("a fault made on purpose"),
        |_| 7,
        |_| std::process::exit(0),
        |_| std::process::abort(),
        |_| std::hint::black_box(vec![1_u8; MEMORY as usize])[1],
    ];
    for fault in faults {
        assert!(matches!(left(fault), Left::Wrong { number: 1, excused: false, .. }));
    }
}

impl Run<'_> {
    /// Runs as many as one process can.
    pub fn go(&self) -> Left {
        let report = std::io::stdout().as_fd().try_clone_to_owned().expect("a second name for standard output");
        self.report_to(File::from(report))
    }

    fn report_to(&self, report: File) -> Left {
        let at = At::new(self.room, self.from);
        let child = alone::in_a_child(|| self.child(&at, report));
        let status = watch(child, &at);
        let _ = killpg(child, Signal::SIGKILL);
        let (number, runs) = at.read();
        let stopped = matches!(status, WaitStatus::Exited(_, INTERRUPTED) | WaitStatus::Signaled(_, Signal::SIGINT, _));
        match status {
            WaitStatus::Exited(_, 0) if number == self.asked.to => Left::Nothing,
            _ if stopped && runs == Runs::Long => Left::Stopped(number, self.room.ended(status, Duration::ZERO, 0)),
            WaitStatus::Exited(_, WRONG) => Left::Wrong { number, why: at.reason(), excused: false },
            other => Left::Wrong { number, why: format!("the process ended with it: {other:?}"), excused: stopped },
        }
    }

    /// What the child does.
    fn child(&self, at: &At<'_>, mut report: File) -> u8 {
        let event = SigEvent::new(SigevNotify::SigevSignal { signal: Signal::SIGINT, si_value: 0 });
        let mut timer = Timer::new(ClockId::CLOCK_PROCESS_CPUTIME_ID, event).expect("a timer");
        for number in (self.from..self.asked.to).filter(|&number| !Case::is_started(number)) {
            let case = generate(self.stock, self.asked.seed, number);
            self.room.lay_out(&case);
            confine::limit_time(used() + PROCESSOR, None);
            let whole = number.is_multiple_of(WHOLE);
            at.write(number, if case.interrupted || !whole { Runs::Long } else { Runs::Short });
            interrupt(&mut timer, if whole { Duration::ZERO } else { PATIENCE });
            let (ended, verdict) = self.one(&case);
            interrupt(&mut timer, Duration::ZERO);
            if let Err(why) = verdict {
                at.write(number, Runs::Not);
                at.give_reason(&why);
                return WRONG as u8;
            }
            // What interrupts may come now, and is not heard.
            at.write(number + 1, Runs::Not);
            let mut tally = Tally::new();
            count(&mut tally, &case, &ended, self.asked.words);
            for (what, count) in tally {
                writeln!(report, "{} {count} {}", what.0, what.1).expect("the parent listens");
            }
        }
        at.write(self.asked.to, Runs::Not);
        0
    }

    /// Calls the program as if this case were alone.
    fn one(&self, case: &Case) -> (Ended, Result<(), String>) {
        let start = Instant::now();
        self.room.enter();
        let code = catch_unwind(AssertUnwindSafe(|| (self.call)(case))).map_or(101, i32::from);
        std::io::stdout().flush().expect("a file takes it");
        // What was not read of standard input is not that of the next case.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let ended = self.room.ended(WaitStatus::Exited(Pid::this(), code), start.elapsed(), 0);
        let verdict = judge(case, &ended, &self.room.case);
        (ended, verdict)
    }
}

/// Whether the program runs in the child, and how long it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    Not = 0,
    Short = 1,
    Long = 2,
}

/// Where a child is: a file that both know.
struct At<'a> {
    file: File,
    room: &'a Room,
}

impl At<'_> {
    fn new(room: &Room, number: u64) -> At<'_> {
        let at = At { file: room.note("at"), room };
        at.write(number, Runs::Not);
        at
    }

    /// In one word, which nobody reads in halves.
    fn write(&self, number: u64, runs: Runs) {
        let word = (number << 2 | runs as u64).to_le_bytes();
        self.file.write_all_at(&word, 0).expect("room for a word");
    }

    fn read(&self) -> (u64, Runs) {
        let mut word = [0; 8];
        self.file.read_exact_at(&mut word, 0).expect("it was written");
        let word = u64::from_le_bytes(word);
        (word >> 2, [Runs::Not, Runs::Short, Runs::Long, Runs::Not][(word & 3) as usize])
    }

    fn give_reason(&self, why: &str) {
        self.room.note("why").write_all(why.as_bytes()).expect("room for a reason");
    }

    fn reason(&self) -> String {
        std::fs::read_to_string(self.room.path_of("why")).unwrap_or_default()
    }
}

/// Interrupts this process when it has used so much more time of a processor; zero: never.
fn interrupt(timer: &mut Timer, after: Duration) {
    timer.set(Expiration::OneShot(after.into()), TimerSetTimeFlags::empty()).expect("timers can be set");
}

/// Waits for a child; returns how it ended. A case that waits for something, and may, is interrupted.
fn watch(child: Pid, at: &At<'_>) -> WaitStatus {
    let (mut seen, mut start, mut interrupter) = (at.read(), Instant::now(), Interrupter::new());
    loop {
        if let Some(ended) = alone::ended(child) {
            return ended;
        }
        let now = at.read();
        if now != seen {
            (seen, start, interrupter) = (now, Instant::now(), Interrupter::new());
        }
        if start.elapsed() > HANGS {
            let _ = killpg(child, Signal::SIGKILL);
        } else if seen.1 == Runs::Long {
            interrupter.look(child, start.elapsed());
        }
        std::thread::sleep(LOOK);
    }
}

/// The time of a processor that this process has used \[s\].
fn used() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process knows what it used");
    (usage.user_time().tv_sec() + usage.system_time().tv_sec()) as u64 + 1
}
