//! Ctrl-C: heard at once by every verb; finished points are kept, the running one is marked, and the exit code says so.
#![cfg(unix)]

use crate::{Done, SMALL, command, done, folder, rows, tailback, text, verbs};
use std::io::{PipeWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The second point would take days.
fn endless() -> String {
    let sweep = "zip = [[\"traffic.load\", \"workload.measure_cycles\"]]\n\"workload.measure_cycles\" = [1000, 900_000_000_000]\n";
    SMALL.replace("[0.05, 0.1, 0.2]", "[0.05, 0.1]").replace("measure_cycles = 1000\n", "") + sweep
}

/// The only point would take days.
fn one_endless() -> String {
    SMALL.replace("measure_cycles = 1000\n", "measure_cycles = 900_000_000_000\n").replace("[0.05, 0.1, 0.2]", "[0.05]")
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

fn wait_for(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(600), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_finished_is_kept() {
    let (folder, path) = folder(&endless());
    let out = folder.path().join("out");
    let mut command = command(&["run", &path, "--json", "--threads", "1", "--out", &text(&out)]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let records = || std::fs::read_to_string(out.join("records.jsonl")).unwrap_or_default();
    wait_for("the first point ends", || records().lines().count() == 1);
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    let done = done(child.wait_with_output().unwrap());
    assert_eq!(done.code, 130, "{}", done.err);
    let statuses: Vec<String> = rows(&records()).iter().map(|row| row["status"].to_string()).collect();
    assert_eq!(statuses, ["\"steady\"", "\"interrupted\""]);
    assert_eq!(rows(&done.out).len(), 2, "both are printed");
    assert!(done.err.contains("what is finished is kept"), "{}", done.err);
    assert!(out.join("report.html").is_file() && out.join("records.parquet").is_file());
    assert_eq!(crate::files(&out.join("capsules"), "json").len(), 1, "an interrupted run has no capsule");
}

/// Tables are kept however long the pictures of them would take.
#[test]
fn pictures_that_take_long_are_left_out() {
    let probes = "[probes]\nlink_load = true\nnode_load = true\nchannel_occupancy = true\n\
                  anatomy_every_cycles = 100\ncongestion = true\n";
    let spec =
        one_endless().replace("[4, 4]", "[32, 32]").replace("[traffic]", &format!("{probes}[traffic]\nload = 0.05"));
    let spec = spec.replace("[sweep]\n\"traffic.load\" = [0.05]", "").replace("900_000_000_000", "10_000_000");
    let (folder, path) = folder(&spec);
    let out = folder.path().join("out");
    let mut command = command(&["run", &path, "--threads", "1", "--out", &text(&out)]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    let done = done(child.wait_with_output().unwrap());
    assert_eq!(done.code, 130, "{}", done.err);
    assert!(done.err.contains("may be left out; its tables are in "), "{}", done.err);
    assert!(done.err.contains("with --resume it runs again"), "{}", done.err);
    let kept = crate::files(&out.join("series"), "csv");
    assert!(kept.iter().any(|name| text(name).contains("link")), "{kept:?}");
    let drawn = crate::files(&out.join("pictures"), "png").len();
    assert!(drawn < 5, "{drawn} pictures were drawn");
    assert!(out.join("report.html").is_file() && out.join("records.parquet").is_file());
}

/// Within this time Ctrl-C is heard.
const HEARD: Duration = Duration::from_millis(300);
/// A machine that is busy otherwise may be late once, and not that often.
const TRIES: usize = 20;

/// What keeps a verb busy until it is interrupted.
enum Busy {
    /// It has work for days.
    Work,
    /// Nobody reads what it prints.
    Unread,
    /// It reads a standard input that does not end.
    Asking,
}

/// How a verb is started and what it says of what it has done.
struct Case {
    arguments: Vec<String>,
    busy: Busy,
    says: &'static str,
}

fn case(arguments: &[&str], busy: Busy, says: &'static str) -> Case {
    Case { arguments: arguments.iter().map(|word| (*word).to_owned()).collect(), busy, says }
}

const KEPT: &str = "what is finished is kept";

/// Messages that take days, from the shortest of a curve on.
const PROGRAM: &str = "topology = { kind = 'torus', radix = [8] }
router = { kind = 'cut_through', buffer_flits = 32 }
traffic = { packet_flits = 8 }
workload = { kind = 'program', generate = { kind = 'all_reduce', ranks = 8, flits = 1_000_000_000 } }
";

/// The cases of a verb, in a folder that has what they need.
fn cases(verb: &str, folder: &Path) -> Vec<Case> {
    let file = |name: &str| text(&folder.join(name));
    let (days, checkpoint) = (file("days.toml"), file("state"));
    let (fifo, capsule) = (file("fifo"), file("capsule.json"));
    let plain = |more: &[&str], busy, says| case(&[&[verb], more].concat(), busy, says);
    let asking = || plain(&["-"], Busy::Asking, "nothing was run");
    match verb {
        "run" => {
            let huge = |router: &str, cut: &str| {
                let (router, cut) = (format!("router.kind={router}"), format!("traffic.packet_flits={cut}"));
                plain(&[&file("huge.toml"), "--set", &router, "--set", &cut], Busy::Work, KEPT)
            };
            let all =
                [huge("cut_through", "0"), huge("wormhole", "0"), huge("wormhole", "8"), huge("input_queued", "0")];
            [plain(&[&days], Busy::Work, KEPT), asking()].into_iter().chain(all).collect()
        }
        "resume" => vec![plain(&[&checkpoint], Busy::Work, KEPT)],
        "sweep" => {
            let mut all = vec![plain(&[&days, "--out", &file("swept")], Busy::Work, KEPT)];
            // What would run elsewhere is looked at here first. Once it runs, those who run it listen:
            // python/tests/test_cluster.py.
            all.extend(["sbatch", "slurm", "dask://127.0.0.1:9"].map(|on| {
                plain(&[&file("many.toml"), "--out", &file("elsewhere"), "--on", on], Busy::Work, "nothing was run")
            }));
            all
        }
        "check" => vec![
            plain(&[&file("many.toml")], Busy::Work, "not all points were checked"),
            plain(&["-"], Busy::Asking, "not all points were checked"),
        ],
        "explain" => vec![plain(&["-"], Busy::Asking, "not printed whole")],
        "list" => vec![plain(&["--json"], Busy::Unread, "not printed whole")],
        "plot" => vec![plain(&[&fifo], Busy::Work, "nothing was drawn")],
        "saturation" => vec![plain(&[&days], Busy::Work, KEPT), asking()],
        "curve" => vec![plain(&[&days], Busy::Work, KEPT), plain(&[&file("program.toml")], Busy::Work, KEPT), asking()],
        "compare" => vec![plain(&[&days, "--b", "admission=alo"], Busy::Work, KEPT)],
        "booksim" => vec![plain(&[&file("days.cfg")], Busy::Work, KEPT)],
        "live" => vec![plain(&[&days, "--no-open"], Busy::Work, KEPT), asking()],
        "view" => vec![plain(&[&file("small"), "--no-open"], Busy::Work, KEPT)],
        "trace" => vec![
            plain(&[&days, "--source", "3", "--packet", "1000000000"], Busy::Work, "interrupted in cycle"),
            plain(&[&file("locked.toml"), "--source", "7", "--packet", "8"], Busy::Work, KEPT),
        ],
        "reproduce" => vec![
            plain(&["spth-2015", "fig8", "--out", &file("study"), "--force"], Busy::Work, KEPT),
            plain(&["spth-2015", "--readings", "--out", &file("readings"), "--force"], Busy::Work, KEPT),
        ],
        "replay" => vec![plain(&[&file("calls.log")], Busy::Work, "the calls were not all repeated")],
        "verify" => vec![plain(&[&capsule], Busy::Work, "the others were not")],
        "cost" | "schema" | "help" | "manual" | "topology" => vec![plain(&[], Busy::Unread, "not printed whole")],
        "route" => vec![
            plain(&["-"], Busy::Asking, "the routes were not computed"),
            plain(
                &["--kind", "jellyfish", "-s", "routers=4000", "-s", "degree=16"],
                Busy::Work,
                "the routes were not computed",
            ),
        ],
        "workload" => vec![
            plain(
                &["all-to-all", "--ranks", "4000", "--flits", "4000", "-o", &file("program.goal")],
                Busy::Work,
                "the program was not written whole",
            ),
            plain(&["barrier", "--ranks", "4096", "-o", "-"], Busy::Unread, "the program was not written whole"),
        ],
        "completions" => vec![plain(&["bash"], Busy::Unread, "not printed whole")],
        "bench" => vec![plain(&["million"], Busy::Work, KEPT)],
        other => panic!("`{other}` is new: how is it interrupted, and what does it keep and say?"),
    }
}

/// A folder with what the cases need.
fn furnished() -> tempfile::TempDir {
    let (folder, _) = folder(&one_endless());
    let file = |name: &str| folder.path().join(name);
    let write = |name: &str, content: &str| std::fs::write(file(name), content).unwrap();
    write(
        "days.toml",
        &one_endless().replace("[sweep]\n\"traffic.load\" = [0.05]", "").replace("[traffic]", "[traffic]\nload = 0.05"),
    );
    write(
        "many.toml",
        &SMALL.replace(
            "[0.05, 0.1, 0.2]",
            "[0.1]\n\"router.header_cycles\" = { from = 0, to = 999, step = 1 }\n\"router.buffer_flits\" = { from = 8, to = 800, step = 1 }",
        ),
    );
    // A collective of 3.2 billion packets that are all made in cycle 0.
    write(
        "huge.toml",
        "topology = { kind = 'torus', radix = [8, 8] }\ntraffic = { pattern = 'uniform', size = { kind = 'fixed', flits = 16 } }\n\
         workload = { kind = 'collective', packets_per_node = 50_000_000, limit_cycles = 100_000_000_000 }\n",
    );
    write(
        "days.cfg",
        "topology = mesh; routing_function = dor; num_vcs = 4; injection_rate = 0.05; sample_period = 900000000;\n",
    );
    write("program.toml", PROGRAM);
    // Messages that take hours, one behind the other.
    let spec = "topology = { kind = 'mesh', radix = [16, 16] }\nrouter = { kind = 'wormhole', buffer_flits = 16 }\n\
                traffic = { packet_flits = 8 }\nworkload = { kind = 'host' }\n";
    let sent: String = (0..255).map(|node| format!("send {node} 255 0 1048576 {node} ok\n")).collect();
    let calls = format!("tailback calls 1\nversion 0\nspec {}\n{spec}\n{sent}advance 10000000000 ok\n", spec.len());
    write("calls.log", &calls);
    // A ring that locks: packet 8 of node 7 never moves again.
    write(
        "locked.toml",
        "topology = { kind = 'torus', radix = [8] }\nrouter = { virtual_channels = 1, buffer_flits = 4 }\n\
         routing = { kind = 'dimension_order', datelines = 'none' }\nrun = { allow_deadlock = true }\n\
         traffic = { load = 0.9, size = { kind = 'fixed', flits = 4 } }\n\
         workload = { kind = 'steady', warmup_cycles = 100, measure_cycles = 900_000_000_000 }\n",
    );
    let state = text(&file("state"));
    let keeping = ["run", &text(&file("days.toml")), "--checkpoint-every", "1000", "--checkpoint", &state];
    let mut child = command(&keeping).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("a checkpoint", || file("state").is_file());
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (days, small) = (text(&file("days.toml")), text(&file("small")));
    let kept = tailback(&["run", &days, "--set", "workload.measure_cycles=3000", "--out", &small]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    let capsule = std::fs::read_to_string(&crate::files(&file("small").join("capsules"), "json")[0]).unwrap();
    write("capsule.json", &capsule.replace("measure_cycles = 3000", "measure_cycles = 900000000000"));
    assert!(Command::new("mkfifo").arg(file("fifo")).status().unwrap().success());
    folder
}

/// A pipe into which nothing goes any more, and the end from which nobody reads.
fn full_pipe() -> (PipeWriter, std::io::PipeReader) {
    let (reader, writer) = std::io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    // It writes until the pipe is full, and is left there.
    std::thread::spawn(move || while filler.write_all(&[b'x'; 4096]).is_ok() {});
    std::thread::sleep(Duration::from_millis(100));
    (writer, reader)
}

/// Interrupts a case while it is busy; the time from Ctrl-C to the end, and what it left behind.
fn interrupted(case: &Case) -> (Duration, Done) {
    let arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
    let mut command = command(&arguments);
    command.stderr(Stdio::piped());
    let mut reader = None;
    match case.busy {
        Busy::Unread => {
            let (writer, unread) = full_pipe();
            command.stdout(writer);
            reader = Some(unread);
        }
        Busy::Asking => drop(command.stdin(Stdio::piped()).stdout(Stdio::piped())),
        Busy::Work => drop(command.stdout(Stdio::piped())),
    }
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    drop(command);
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} is busy: {:?}", child.wait_with_output());
    let took = heard(&child);
    drop((stdin, reader));
    (took, done(child.wait_with_output().unwrap()))
}

/// The time from Ctrl-C to the end of a process.
fn heard(child: &Child) -> Duration {
    let asked = Instant::now();
    interrupt(child);
    wait_for("it ends", || is_over(child));
    asked.elapsed()
}

/// Starts a command and interrupts it some time later: how long it took to end, and what it said.
fn interrupted_after(mut command: Command, later: Duration) -> (Duration, Done) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(later);
    let took = heard(&child);
    let done = done(child.wait_with_output().unwrap());
    assert_eq!(done.code, 130, "{}", done.err);
    (took, done)
}

/// Whether a process has ended and waits for its parent.
fn is_over(child: &Child) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    state.rsplit(") ").next().is_none_or(|rest| rest.starts_with('Z') || rest.is_empty())
}

#[test]
fn every_verb_hears_it_at_once() {
    let folder = furnished();
    for verb in verbs() {
        for case in cases(&verb, folder.path()) {
            let mut best = Duration::MAX;
            for _ in 0..TRIES {
                let (took, done) = interrupted(&case);
                assert_eq!(done.code, 130, "{:?}: {}", case.arguments, done.err);
                assert!(done.err.contains(case.says), "{:?}: {}", case.arguments, done.err);
                best = best.min(took);
                if best <= HEARD {
                    break;
                }
            }
            assert!(best <= HEARD, "{:?} took {best:?}", case.arguments);
        }
    }
}

/// While a network is being built nobody in it hears anything, and there is nothing to keep.
#[test]
fn a_network_that_is_being_built_is_given_up_at_once() {
    let spec = "topology = { kind = 'torus', radix = [64, 64, 64] }\ntraffic = { load = 0.01 }\n\
                workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 900_000_000_000 }\n";
    let (_folder, path) = folder(spec);
    let mut best = Duration::MAX;
    for tries in 1..=40 {
        let command = command(&["run", &path, "--threads", "1"]);
        let (took, done) = interrupted_after(command, Duration::from_millis(100 * tries));
        // Before that it reads the spec, and behind that it runs.
        if done.err.contains("stopping") && done.err.contains("nothing was run") {
            best = best.min(took);
        }
        if best <= HEARD {
            return;
        }
    }
    panic!("it took {best:?}");
}

#[test]
fn a_story_that_is_cut_short_is_told_so_far() {
    let folder = furnished();
    let case = cases("trace", folder.path()).pop().unwrap();
    let (_, done) = interrupted(&case);
    assert!(done.out.starts_with("Packet 8 of node 7: 4 flits to node 3"), "{}", done.out);
    assert!(done.out.trim_end().ends_with("interrupted here, and it has not arrived"), "{}", done.out);
}

/// A network whose cycles take long hears it between its looks at the outside world, and leaves a checkpoint of
/// that cycle. (That it goes on to the same bits is held by crates/sim/tests/checkpoints.rs.)
#[test]
fn a_large_network_hears_it_between_two_looks() {
    let spec = "topology = { kind = 'torus', radix = [32, 32] }\nrouter = { kind = 'wormhole' }\ntraffic = { load = 1.0 }\n\
                workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 900_000_000_000 }\n";
    let (folder, path) = folder(spec);
    let state = folder.path().join("state");
    let name = text(&state);
    let (mut best, mut cycles) = (Duration::MAX, 0);
    for tries in 1..=8 {
        let command = command(&["run", &path, "--threads", "1", "--checkpoint-every", "512", "--checkpoint", &name]);
        let (took, _) = interrupted_after(command, Duration::from_millis(1500 * tries));
        if let Ok(checkpoint) = tailback_results::Checkpoint::read(&state) {
            (best, cycles) = (best.min(took), checkpoint.head.cycle);
        }
        if best <= HEARD && !cycles.is_multiple_of(512) {
            break;
        }
    }
    assert!(best <= HEARD && cycles > 0, "{best:?} in cycle {cycles}");
}
