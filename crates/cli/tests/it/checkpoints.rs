//! Checkpoints: whatever breaks a run, `tailback resume` goes on to the same record; what is no checkpoint is refused.
#![cfg(unix)]

use crate::{SMALL, command, done, folder, rows, tailback, text, timeless};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// One point of about a second.
fn long() -> String {
    let single = SMALL.split("[sweep]").next().unwrap();
    single.replace("measure_cycles = 1000\n", "measure_cycles = 300_000\n") + "[router]\nbuffer_flits = 16\n"
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.is_file() {
        assert!(start.elapsed() < Duration::from_secs(600), "a checkpoint comes");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The only row, without what the wall clock makes.
fn row(text: &str) -> serde_json::Value {
    timeless(text).pop().expect("a row").into()
}

/// A run of the spec at `path` that has kept a checkpoint in `file`, broken by a signal.
fn broken(path: &str, file: &Path, name: &str) -> crate::Done {
    let mut command = command(&["run", path, "--json", "--checkpoint-every", "2000", "--checkpoint", &text(file)]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(file);
    signal(&child, name);
    done(child.wait_with_output().unwrap())
}

#[test]
fn a_killed_run_goes_on_to_the_same_record() {
    let (folder, path) = folder(&long());
    let file = folder.path().join("state");
    let whole = tailback(&["run", &path, "--json"]);
    broken(&path, &file, "-KILL");
    let out = folder.path().join("out");
    let resumed = tailback(&["resume", &text(&file), "--json", "--out", &text(&out)]);
    assert_eq!((resumed.code, row(&resumed.out)), (0, row(&whole.out)), "{}", resumed.err);
    let capsules = text(&out.join("capsules"));
    assert_eq!(tailback(&["verify", &capsules]).code, 0, "its capsule is that of an unbroken run");
}

#[test]
fn an_interrupted_run_keeps_its_last_state() {
    let (folder, path) = folder(&long().replace("300_000", "900_000_000_000"));
    let file = folder.path().join("state");
    let interrupted = broken(&path, &file, "-INT");
    assert_eq!(interrupted.code, 130, "{}", interrupted.err);
    assert!(
        interrupted.err.contains("continues") && interrupted.err.contains("tailback resume"),
        "{}",
        interrupted.err
    );
    let cycles = row(&interrupted.out)["cycles"].as_u64().unwrap();
    let said = format!("the state in cycle {cycles} is in");
    assert!(interrupted.err.contains(&said), "the last state, {said}: {}", interrupted.err);
}

#[test]
fn checkpoints_are_beside_the_folder_and_all_are_kept_on_request() {
    let (folder, path) = folder(&long().replace("300_000", "3000"));
    let at = |name: &str| text(&folder.path().join(name));
    let run = tailback(&["run", &path, "--out", &at("out"), "--checkpoint-every", "1000", "--keep-checkpoints"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.path().join("out.checkpoint").is_file());
    assert!(folder.path().join("out.checkpoint.previous").is_file(), "the last two");
    let run = tailback(&["run", &path, "--checkpoint-every", "1000", "--checkpoint", &at("at-{cycle}"), "--json"]);
    let whole = row(&run.out);
    for cycle in [1024, 2048, 3072] {
        let resumed = tailback(&["resume", &at(&format!("at-{cycle}")), "--json"]);
        assert_eq!((resumed.code, row(&resumed.out)), (0, whole.clone()), "{cycle}: {}", resumed.err);
    }
    let resumed = tailback(&["resume", &at("out.checkpoint"), "--out", &at("out"), "--json"]);
    assert_eq!((resumed.code, row(&resumed.out)), (0, whole), "what the folder has is kept: {}", resumed.err);
}

#[test]
fn a_fork_says_what_it_is() {
    let (folder, path) = folder(&long().replace("300_000", "3000"));
    let at = |name: &str| text(&folder.path().join(name));
    let whole = tailback(&["run", &path, "--checkpoint-every", "1000", "--checkpoint", &at("at-{cycle}"), "--json"]);
    let fork = ["resume", &at("at-1024"), "--set", "admission=alo", "--json", "--out", &at("fork")];
    let (fork, whole) = (tailback(&fork), row(&whole.out));
    assert_eq!(fork.code, 0, "{}", fork.err);
    let row = row(&fork.out);
    assert_eq!((&row["fork.cycle"], &row["admission"]), (&1024.into(), &"alo".into()));
    assert_eq!(row["fork.checkpoint"].as_str().map(str::len), Some(64));
    assert_ne!(row["point_id"], whole["point_id"]);
    let verified = tailback(&["verify", &at("fork/capsules")]);
    assert!(verified.code == 4 && verified.out.contains("forked from a checkpoint"), "{}", verified.out);
    for (set, words) in
        [("router.buffer_flits=8", "cannot change in a fork"), ("admission=off", "a fork changes something")]
    {
        let refused = tailback(&["resume", &at("at-1024"), "--set", set]);
        assert!(refused.code == 2 && refused.err.contains(words), "{}", refused.err);
    }
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let (folder, path) = folder(&long().replace("300_000", "2000"));
    let file = text(&folder.path().join("good"));
    let keep = ["run", &path, "--checkpoint-every", "1000", "--keep-checkpoints", "--checkpoint", &file];
    assert_eq!(tailback(&keep).code, 0);
    let good = std::fs::read(&file).unwrap();
    let mut cases: Vec<(&str, Vec<u8>)> = vec![
        ("an empty file", Vec::new()),
        ("does not begin like one", std::fs::read(&path).unwrap()),
        ("ends early", good[..20].to_vec()),
        ("bytes, and", good[..good.len() - 1].to_vec()),
        ("bytes, and", [good.clone(), vec![0]].concat()),
    ];
    for (at, words) in [
        (0, "does not begin like one"),
        (8, "of format"),
        (15, "lengths are impossible"),
        (100, "sum"),
        (good.len() / 2, "sum"),
    ] {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        cases.push((words, bad));
    }
    let bad = text(&folder.path().join("bad"));
    for (words, bytes) in cases {
        std::fs::write(&bad, bytes).unwrap();
        let refused = tailback(&["resume", &bad, "--json"]);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{words}");
        assert!(refused.err.contains(words) && refused.err.lines().count() == 1, "{words}: {}", refused.err);
    }
    for (path, words) in [(text(folder.path()), "a folder"), ("/none".to_owned(), "cannot open")] {
        let refused = tailback(&["resume", &path]);
        assert!(refused.code == 2 && refused.err.contains(words), "{}", refused.err);
    }
}

#[test]
fn a_file_that_cannot_be_written_ends_no_run() {
    let (folder, path) = folder(&long().replace("300_000", "3000"));
    std::fs::create_dir(folder.path().join("at-1024")).unwrap();
    std::fs::create_dir(folder.path().join("at-2048")).unwrap();
    let (taken, name) = (text(&folder.path().join("at-1024")), text(&folder.path().join("at-{cycle}")));
    let run = tailback(&["run", &path, "--json", "--checkpoint-every", "1000", "--checkpoint", &name]);
    assert_eq!((run.code, row(&run.out)["status"].as_str()), (1, Some("steady")), "{}", run.err);
    assert_eq!(run.err.matches("the checkpoint was not written: ").count(), 1, "told once: {}", run.err);
    assert!(run.err.contains(&taken) && run.err.contains("the run goes on"), "{}", run.err);
    assert!(folder.path().join("at-3072").is_file(), "the later ones are kept");
    let nowhere = tailback(&["run", &path, "--checkpoint-every", "1000", "--checkpoint", "/none/state"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("there is no folder `/none`"), "{}", nowhere.err);
}

#[test]
fn several_points_need_several_files() {
    let (folder, path) = folder(SMALL);
    let at = |name: &str| text(&folder.path().join(name));
    let one = tailback(&["run", &path, "--checkpoint-every", "500", "--checkpoint", &at("state")]);
    assert!(one.code == 2 && one.err.contains("{point}"), "{}", one.err);
    let keep = ["run", &path, "--checkpoint-every", "500", "--keep-checkpoints", "--out", &at("out"), "--json"];
    let all = tailback(&keep);
    assert_eq!(all.code, 0, "{}", all.err);
    for whole in rows(&all.out) {
        let file = at(&format!("out-{}.checkpoint", whole["point_id"].as_str().unwrap()));
        let resumed = tailback(&["resume", &file, "--json"]);
        let row = row(&resumed.out);
        assert_eq!(
            (&row["digest"], &row["traffic.load"]),
            (&whole["digest"], &whole["traffic.load"]),
            "{}",
            resumed.err
        );
    }
    assert_eq!(tailback(&["run", &path, "--checkpoint", "state"]).code, 2, "how often?");
    assert_eq!(tailback(&["run", &path, "--checkpoint-every", "0"]).code, 2);
}

/// Names in a folder that begin so.
fn names(folder: &Path, begin: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> = entries.filter(|name| name.starts_with(begin)).collect();
    found.sort();
    found
}

#[test]
fn a_run_that_ended_well_leaves_no_checkpoint() {
    let (folder, path) = folder(&long().replace("300_000", "30_000"));
    let at = |name: &str| text(&folder.path().join(name));
    for out in [&[][..], &["--out", &at("out")]] {
        let state = at("state");
        let run = tailback(&[&["run", &path, "--checkpoint-every", "600", "--checkpoint", &state], out].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(names(folder.path(), "state"), [""; 0]);
    }
    let run = tailback(&["run", &path, "--out", &at("out2"), "--checkpoint-every", "600"]);
    assert_eq!((run.code, names(folder.path(), "out2")), (0, vec!["out2".to_owned()]), "{}", run.err);
    // What it did not write is not its to remove.
    std::fs::write(at("mine"), std::fs::read(keep_two(&path, &folder.path().join("two"))).unwrap()).unwrap();
    let run = tailback(&["run", &path, "--checkpoint-every", "600000", "--checkpoint", &at("mine")]);
    assert_eq!((run.code, names(folder.path(), "mine")), (0, vec!["mine".to_owned()]), "{}", run.err);
}

/// The checkpoint before the last of a run that has left two.
fn keep_two(path: &str, file: &Path) -> std::path::PathBuf {
    let words = ["run", path, "--keep-checkpoints", "--checkpoint-every", "600", "--checkpoint", &text(file)];
    assert_eq!(tailback(&words).code, 0);
    format!("{}.previous", text(file)).into()
}

#[test]
fn the_last_two_states_can_be_gone_on_from() {
    let (folder, path) = folder(&long().replace("300_000", "5000"));
    let file = folder.path().join("state");
    let whole = row(&tailback(&["run", &path, "--json"]).out);
    let older = keep_two(&path, &file);
    for file in [&file, &older] {
        let resumed = tailback(&["resume", &text(file), "--json"]);
        assert_eq!((resumed.code, row(&resumed.out)), (0, whole.clone()), "{}", resumed.err);
    }
    assert_ne!(std::fs::read(&file).unwrap(), std::fs::read(&older).unwrap());
}

#[test]
fn what_a_run_goes_on_from_is_never_replaced() {
    let (folder, path) = folder(&long().replace("300_000", "60_000"));
    let file = folder.path().join("state");
    broken(&path, &file, "-KILL");
    let before = std::fs::read(&file).unwrap();
    let named =
        tailback(&["resume", &text(&file), "--checkpoint-every", "600", "--checkpoint", &text(&file), "--force"]);
    assert!(named.code == 2 && named.err.contains("it is the checkpoint, which this command reads"), "{}", named.err);
    let resumed = tailback(&["resume", &text(&file), "--checkpoint-every", "600", "--keep-checkpoints", "--json"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("state-resumed"), "{}", resumed.err);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let later = tailback(&["resume", &text(&folder.path().join("state-resumed")), "--json"]);
    assert_eq!(row(&later.out), row(&resumed.out), "{}", later.err);
}

#[test]
fn the_next_writer_removes_what_a_killed_one_left() {
    let (folder, path) = folder(&long().replace("300_000", "900_000_000"));
    let file = folder.path().join("state");
    // A kill in the middle of writing is rare, so somebody else's leftover stands for it, and a living writer's for all others.
    let left = folder.path().join(".tailback-1-1.tmp");
    std::fs::write(&left, "half").unwrap();
    let mine = folder.path().join(".tailback-1-2.tmp");
    let lock = std::fs::File::create(&mine).unwrap();
    lock.lock().unwrap();
    for _ in 0..20 {
        let _ = std::fs::remove_file(&file);
        let mut command = command(&["run", &path, "--json", "--checkpoint-every", "512", "--checkpoint", &text(&file)]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for(&file);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let short = ["run", &path, "--set", "workload.measure_cycles=3000", "--checkpoint-every", "512", "--checkpoint"];
    let done = tailback(&[&short[..], &[&text(&file)]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!left.exists() && mine.exists());
    assert_eq!(names(folder.path(), ".tailback-"), [".tailback-1-2.tmp"], "of twenty kills nothing is left");
}
