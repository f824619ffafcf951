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
    assert!(interrupted.err.contains("goes on") && interrupted.err.contains("tailback resume"), "{}", interrupted.err);
    let cycles = row(&interrupted.out)["cycles"].as_u64().unwrap();
    let said = format!("the state in cycle {cycles} is in");
    assert!(interrupted.err.contains(&said), "the last state, {said}: {}", interrupted.err);
}

#[test]
fn checkpoints_are_beside_the_folder_and_all_are_kept_on_request() {
    let (folder, path) = folder(&long().replace("300_000", "3000"));
    let at = |name: &str| text(&folder.path().join(name));
    let run = tailback(&["run", &path, "--out", &at("out"), "--checkpoint-every", "1000"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.path().join("out.checkpoint").is_file());
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
    assert_eq!(tailback(&["run", &path, "--checkpoint-every", "1000", "--checkpoint", &file]).code, 0);
    let good = std::fs::read(&file).unwrap();
    let mut cases: Vec<(&str, Vec<u8>)> = vec![
        ("an empty file", Vec::new()),
        ("does not begin as one", std::fs::read(&path).unwrap()),
        ("ends early", good[..20].to_vec()),
        ("bytes, and", good[..good.len() - 1].to_vec()),
        ("bytes, and", [good.clone(), vec![0]].concat()),
    ];
    for (at, words) in [
        (0, "does not begin as one"),
        (8, "of format"),
        (15, "lengths cannot be"),
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
    let taken = text(folder.path());
    let run = tailback(&["run", &path, "--json", "--checkpoint-every", "1000", "--checkpoint", &taken]);
    assert_eq!((run.code, row(&run.out)["status"].as_str()), (1, Some("steady")), "{}", run.err);
    assert_eq!(run.err.matches("no checkpoint: ").count(), 1, "told once: {}", run.err);
    assert!(run.err.contains(&taken) && run.err.contains("the run goes on"), "{}", run.err);
    let nowhere = tailback(&["run", &path, "--checkpoint-every", "1000", "--checkpoint", "/none/state"]);
    assert!(nowhere.code == 2 && nowhere.err.contains("there is no folder `/none`"), "{}", nowhere.err);
}

#[test]
fn several_points_need_several_files() {
    let (folder, path) = folder(SMALL);
    let at = |name: &str| text(&folder.path().join(name));
    let one = tailback(&["run", &path, "--checkpoint-every", "500", "--checkpoint", &at("state")]);
    assert!(one.code == 2 && one.err.contains("{point}"), "{}", one.err);
    let all = tailback(&["run", &path, "--checkpoint-every", "500", "--out", &at("out"), "--json"]);
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
