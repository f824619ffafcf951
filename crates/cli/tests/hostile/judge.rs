//! What a case must not do.

use crate::case::Case;
use crate::confine::MEMORY;
use nix::sys::signal::Signal;
use nix::sys::wait::WaitStatus;
use std::path::Path;
use std::time::Duration;

/// Exit codes of docs/results.md.
const CODES: [i32; 8] = [0, 1, 2, 3, 4, 5, 6, 130];

/// Messages longer than this are read by nobody \[bytes\].
const MESSAGE: usize = 64 << 10;

/// How a case ended.
pub struct Ended {
    /// With which code, or by which signal.
    pub status: WaitStatus,
    /// On the clock.
    pub took: Duration,
    /// Most memory that it used, where that is more than any case before it in its batch \[bytes\].
    pub memory: u64,
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

impl Ended {
    /// The exit code, or the signal, in a word.
    pub fn end(&self) -> String {
        match self.status {
            WaitStatus::Exited(_, code) => code.to_string(),
            WaitStatus::Signaled(_, signal, _) => signal.to_string(),
            other => format!("{other:?}"),
        }
    }
}

impl Ended {
    /// How it ended and the first words on standard error, without numbers.
    pub fn words(&self) -> String {
        let err = String::from_utf8_lossy(&self.err);
        let plain = |c: char| if c.is_ascii_digit() || c.is_control() { '#' } else { c };
        let first: String = err.lines().next().unwrap_or("").chars().map(plain).take(80).collect();
        format!("{}: {first}", self.end())
    }
}

/// Says what is wrong with how a case ended, in whose folder files lie.
pub fn judge(case: &Case, ended: &Ended, folder: &Path) -> Result<(), String> {
    let code = match ended.status {
        WaitStatus::Exited(_, code) => code,
        // Interrupted before it listened, as may be where a processor is busy with much else.
        WaitStatus::Signaled(_, Signal::SIGINT, _) if ended.out.is_empty() && ended.err.is_empty() => 130,
        WaitStatus::Signaled(_, signal, _) => return Err(signalled(signal, ended)),
        other => return Err(format!("it ended strangely: {other:?}")),
    };
    said(code, ended)?;
    if ended.memory > MEMORY {
        return Err(format!("it used {} MiB of memory", ended.memory >> 20));
    }
    // Whoever is stopped in the middle of writing may leave that to the next writer.
    if code != 130 {
        leftovers(folder)?;
    }
    case.unchanged(folder)
}

/// What is wrong with a code and the words beside it.
fn said(code: i32, ended: &Ended) -> Result<(), String> {
    let (out, err) = (String::from_utf8_lossy(&ended.out), String::from_utf8_lossy(&ended.err));
    for words in ["panicked at", "a bug in this program"] {
        if let Some(line) = out.lines().chain(err.lines()).find(|line| line.contains(words)) {
            let next = err.lines().skip_while(|l| *l != line).nth(1).unwrap_or("");
            return Err(format!("it panicked, exit code {code}: {line} {next}"));
        }
    }
    if !CODES.contains(&code) {
        return Err(format!("exit code {code} is not documented; {}", last(&err)));
    }
    if matches!(code, 1 | 2) && err.trim().is_empty() && out.trim().is_empty() {
        return Err(format!("exit code {code} without a word"));
    }
    if code == 2 && ended.err.len() > MESSAGE {
        return Err(format!("{} bytes of message", ended.err.len()));
    }
    if std::str::from_utf8(&ended.err).is_err() || std::str::from_utf8(&ended.out).is_err() {
        return Err("it printed what is no UTF-8".to_owned());
    }
    Ok(())
}

/// What it means to end by a signal.
fn signalled(signal: Signal, ended: &Ended) -> String {
    let err = String::from_utf8_lossy(&ended.err);
    let what = match signal {
        Signal::SIGXCPU => "it hangs: more time of the processor than a case may take",
        Signal::SIGKILL if ended.took.as_secs() > 60 => "it hangs: it waits for what does not come",
        Signal::SIGKILL => "it hangs: more time of the processor than a case may take, or no memory was left",
        Signal::SIGXFSZ => "it wrote a file that is too large",
        Signal::SIGABRT => "it gave up: out of memory, or a panic within a panic",
        Signal::SIGSEGV => "its stack was too small",
        _ => "it was ended",
    };
    format!("{what} ({signal} after {:.1} s, {} MiB); {}", ended.took.as_secs_f64(), ended.memory >> 20, last(&err))
}

fn last(err: &str) -> String {
    err.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("without a word").chars().take(300).collect()
}

/// Files that a writer should have renamed or removed.
fn leftovers(folder: &Path) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".tmp") {
            return Err(format!("it left {name} behind"));
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            leftovers(&entry.path())?;
        }
    }
    Ok(())
}

/// Whether the judge tells good from bad: a corpus that finds nothing proves something only then.
pub fn check_itself(folder: &Path) {
    let case = Case { files: vec![crate::files::given("spec.toml", "a = 1")], ..Case::default() };
    case.lay_out(folder);
    let pid = nix::unistd::Pid::this();
    let exited = |code, err: &str| Ended {
        status: WaitStatus::Exited(pid, code),
        took: Duration::ZERO,
        memory: 1 << 20,
        out: Vec::new(),
        err: err.as_bytes().to_vec(),
    };
    let signalled = |signal| Ended { status: WaitStatus::Signaled(pid, signal, false), ..exited(0, "") };
    let verdict = |ended: Ended| judge(&case, &ended, folder);
    for good in [exited(0, ""), exited(2, "error: no"), exited(130, ""), signalled(Signal::SIGINT)] {
        assert_eq!(verdict(good), Ok(()));
    }
    for (bad, words) in [
        (exited(101, "thread 'main' panicked at a.rs:1:1:\nno"), "panicked"),
        (exited(1, "failed: point 1: a bug in this program: no"), "panicked"),
        (exited(7, "error: no"), "not documented"),
        (exited(2, ""), "without a word"),
        (exited(2, &"x".repeat(MESSAGE + 1)), "bytes of message"),
        (Ended { err: vec![0xff], ..exited(2, "") }, "no UTF-8"),
        (Ended { memory: MEMORY + 1, ..exited(0, "") }, "memory"),
        (signalled(Signal::SIGXCPU), "hangs"),
        (signalled(Signal::SIGABRT), "out of memory"),
        (signalled(Signal::SIGSEGV), "stack"),
    ] {
        let why = verdict(bad).expect_err(words);
        assert!(why.contains(words), "{words}: {why}");
    }
    for (name, words) in [(".tailback-1.tmp", "behind"), ("spec.toml", "something else")] {
        std::fs::write(folder.join(name), "b = 2").expect("the folder is ours");
        let why = verdict(exited(0, "")).expect_err(words);
        assert!(why.contains(words), "{words}: {why}");
        std::fs::remove_file(folder.join(name)).expect("it was written");
    }
}

/// A failure as one line.
pub fn line(case: &Case, why: &str) -> String {
    let args: Vec<String> = case.args.iter().map(|arg| shortened(&format!("{arg:?}"), 200)).collect();
    let plain = |text: &str| text.replace(['\n', '\r'], " ");
    format!("{}: {} | {}", case.class, plain(&shortened(why, 700)), plain(&shortened(&args.join(" "), 1200)))
}

fn shortened(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most).chain("...".chars()).collect(),
        false => text.to_owned(),
    }
}

/// Prints all about a case.
pub fn show(case: &Case, ended: &Ended) {
    println!("class     {}", case.class);
    println!("arguments {:?}", case.args);
    println!("exit      {} after {:.3} s", ended.end(), ended.took.as_secs_f64());
    for file in &case.files {
        println!("file      {} ({} bytes)", file.name, file.bytes.len());
        println!(
            "{}",
            shortened(&String::from_utf8_lossy(&file.bytes), 6000).escape_debug().to_string().replace("\\n", "\n")
        );
    }
    println!("--- standard output\n{}", shortened(&String::from_utf8_lossy(&ended.out), 4000));
    println!("--- standard error\n{}", shortened(&String::from_utf8_lossy(&ended.err), 8000));
}
