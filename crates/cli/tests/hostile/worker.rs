//! A batch: a process that gives up its rights and forks.
//!
//! It reads what it needs first. From then on it may write in its folder alone. It has one thread, so that it can fork. Every
//! sixty-fourth case starts the real program, in a process of its own ([`alone`]). The others run one after the other in one
//! process ([`many`]). Whatever is wrong there is run again alone, which decides.

use crate::alone::{self, Room};
use crate::case::{Case, generate};
use crate::confine::{FILE, MEMORY, PROCESSOR, confine};
use crate::judge::{self, Ended, judge};
use crate::many::{self, Left};
use crate::options::Work;
use crate::stock::Stock;
use nix::unistd::alarm;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

/// A worker that is silent for so long \[s\] hangs itself.
const SILENCE: u32 = 3600;

/// Runs the cases. Each line that it prints is for [`crate::batches`].
pub fn main(work: &Work) -> ExitCode {
    let stock = Stock::load(&work.stock);
    let held = confine(&work.folder);
    let room = Room::new(&work.folder);
    let batch = Batch { stock: &stock, work, room: &room };
    let asked = &work.asked;
    for number in (asked.from..asked.to).filter(|&number| asked.shown || Case::is_started(number)) {
        alarm::set(SILENCE);
        batch.alone(number);
    }
    if !asked.shown {
        many::check_itself(&stock, asked, &room);
    }
    let mut from = asked.from;
    while from < asked.to && !asked.shown {
        alarm::set(SILENCE);
        from = batch.together(from);
    }
    say(&format!("done {}", if held { "held" } else { "free" }));
    ExitCode::SUCCESS
}

/// A line for the parent, from the batch and from its child.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("the parent listens");
}

/// What runs cases.
struct Batch<'a> {
    stock: &'a Stock,
    work: &'a Work,
    room: &'a Room,
}

impl Batch<'_> {
    fn case(&self, number: u64) -> Case {
        generate(self.stock, self.work.asked.seed, number)
    }

    /// Runs a case in a process of its own; tells how it ended, and returns whether that was well.
    fn alone(&self, number: u64) -> bool {
        say(&format!("at {number}"));
        let case = self.case(number);
        self.room.lay_out(&case);
        let ended = alone::run(self.room, &case, &self.work.program);
        if self.work.asked.shown {
            judge::show(&case, &ended);
        }
        self.conclude(number, &case, &ended)
    }

    fn conclude(&self, number: u64, case: &Case, ended: &Ended) -> bool {
        let verdict = judge(case, ended, &self.room.case);
        if let Err(why) = &verdict {
            say(&format!("wrong {number} {}", judge::line(case, why)));
        }
        let mut tally = BTreeMap::new();
        many::count(&mut tally, case, ended, self.work.asked.words);
        tally.iter().for_each(|(what, count)| say(&format!("{} {count} {}", what.0, what.1)));
        if !self.work.asked.shown {
            self.room.clear();
        }
        verdict.is_ok()
    }

    /// Runs cases from this one on in one process, as far as it gets. Returns the first that has not been run.
    fn together(&self, from: u64) -> u64 {
        say(&format!("at {from}"));
        let asked = &self.work.asked;
        let run = many::Run { stock: self.stock, asked, from, room: self.room, call: alone::call };
        match run.go() {
            Left::Nothing => asked.to,
            Left::Stopped(number, ended) => {
                self.conclude(number, &self.case(number), &ended);
                number + 1
            }
            // The interruption came between two cases, and the second one has not begun.
            Left::Wrong { number, excused: true, .. } if number == asked.to || Case::is_started(number) => number,
            Left::Wrong { number, why, excused } => {
                if self.alone(number) && !excused {
                    let why = format!("in one process with the cases from {from} on, and not alone: {why}");
                    say(&format!("wrong {number} {}", judge::line(&self.case(number), &why)));
                }
                number + 1
            }
        }
    }
}

/// The limits, in words.
pub fn limits() -> String {
    format!("{} GiB of memory, {PROCESSOR} s of a processor, files of {} MiB", MEMORY >> 30, FILE >> 20)
}
