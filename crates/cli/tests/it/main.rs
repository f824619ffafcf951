//! Tests through the real binary: what a user types and what comes back.

mod adaptive;
mod anatomy;
mod booksim;
mod checkpoints;
mod completion;
mod curves;
mod effects;
mod errors;
mod examples;
mod folders;
mod help;
mod hostile;
mod identical;
mod interrupting;
mod lessons;
mod mistyped;
mod networks;
mod neutral;
mod other_verbs;
mod outputs;
mod plotting;
mod pricing;
mod probes;
mod program_files;
mod programs;
mod ramps;
mod readings;
mod resources;
mod routing;
mod running;
mod seeds;
mod studying;
mod sweeping;
mod tracing;
mod verifying;
mod why;
mod wide;
mod wormhole;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A small sweep that takes a moment.
const SMALL: &str = r#"
name = "small"
[topology]
kind = "torus"
radix = [4, 4]
[traffic]
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 100
measure_cycles = 1000
drain_cycles = 1000
[sweep]
"traffic.load" = [0.05, 0.1, 0.2]
"#;

/// Columns that depend on the wall clock.
const SPEEDS: [&str; 4] = ["wall_seconds", "cycles_per_second", "flit_hops_per_second", "packet_hops_per_second"];

/// What a command left behind.
struct Done {
    code: i32,
    out: String,
    err: String,
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tailback"));
    command.args(arguments).env_remove("COLUMNS").env_remove("RUST_BACKTRACE").stdin(Stdio::null());
    command
}

fn done(output: Output) -> Done {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all output is UTF-8");
    let done = Done { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) };
    assert!(!done.err.contains("panicked"), "{}", done.err);
    done
}

/// Runs `tailback` with these arguments and nothing on standard input.
fn tailback(arguments: &[&str]) -> Done {
    done(command(arguments).output().expect("the binary starts"))
}

/// The same, with bytes on standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Done {
    let mut command = command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    // A child that has read enough closes its end.
    let _ = child.stdin.take().expect("it was piped").write_all(input);
    done(child.wait_with_output().expect("it ends"))
}

/// The verbs of the program, as it lists them itself.
fn verbs() -> Vec<String> {
    let listed = tailback(&["manual", "--verbs"]);
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    listed.out.lines().map(str::to_owned).collect()
}

/// A folder with a spec in it.
fn folder(spec: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("spec.toml");
    std::fs::write(&path, spec).expect("it can be written");
    let path = text(&path);
    (folder, path)
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

/// The rows of JSON lines.
fn rows(lines: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    lines.lines().map(|line| serde_json::from_str(line).expect("every line is an object")).collect()
}

/// The same without speeds.
fn timeless(lines: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let mut rows = rows(lines);
    rows.iter_mut().for_each(|row| row.retain(|column, _| !SPEEDS.contains(&column.as_str())));
    rows
}

/// The files below a folder whose names end so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("it exists").flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == ending)).collect();
    found.sort();
    found
}
