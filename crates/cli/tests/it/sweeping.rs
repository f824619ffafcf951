//! `tailback sweep`: what is missing runs, what fails is told, and places that this program cannot reach are.
//! Kills, full disks and clusters are tried in `python/tests`.

use crate::{SMALL, folder, rows, tailback, text};
use std::fs;

const LOADS: &str = "[0.05, 0.1, 0.2]";

#[test]
fn an_edited_sweep_runs_what_is_missing() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    let first = tailback(&["sweep", &path, "--out", &text(&out), "--no-progress"]);
    assert_eq!(first.code, 0, "{}", first.err);
    fs::write(&path, SMALL.replace(LOADS, "[0.2, 0.3]")).unwrap();
    let edited = tailback(&["sweep", &path, "--out", &text(&out), "--no-progress"]);
    assert_eq!(edited.code, 0, "{}", edited.err);
    assert!(edited.err.contains("1 point kept from before"), "{}", edited.err);
    assert_eq!(rows(&fs::read_to_string(out.join("records.jsonl")).unwrap()).len(), 4);
    assert_eq!(fs::read_to_string(out.join("why.jsonl")).unwrap().lines().count(), 4);
    fs::write(&path, SMALL.replace(LOADS, "[0.05, 0.1, 0.2, 0.3]")).unwrap();
    let whole = tailback(&["sweep", &path, "--out", &text(&out), "--collect"]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert!(whole.err.contains("4 points kept from before"), "{}", whole.err);
}

#[test]
fn points_that_cannot_be_stop_no_other() {
    let (folder, path) =
        folder(&SMALL.replace("\"traffic.load\" = [0.05, 0.1, 0.2]", "\"router.buffer_flits\" = [2, 8]"));
    let out = folder.path().join("out");
    assert_eq!(tailback(&["run", &path]).code, 2, "a run is refused as a whole");
    let done = tailback(&["sweep", &path, "--out", &text(&out), "--no-progress"]);
    assert_eq!(done.code, 1, "{}", done.err);
    assert!(done.err.contains("; 1 point failed") && done.err.contains("(router.buffer_flits = 2): "), "{}", done.err);
    assert!(out.join("report.html").is_file());
    let failures = rows(&fs::read_to_string(out.join("failures.jsonl")).unwrap());
    assert_eq!(failures.len(), 1);
    assert_eq!(failures[0]["swept"]["router.buffer_flits"], 2);
    let all = tailback(&["sweep", &path, "--out", &text(&out), "--set", "sweep.\"router.buffer_flits\"=[1, 2]"]);
    assert_eq!(all.code, 2, "nothing is left to run: {}", all.err);
}

#[test]
fn bad_arguments_are_told() {
    let (folder, path) = folder(SMALL);
    let out = text(&folder.path().join("out"));
    let told = |more: &[&str]| {
        let done = tailback(&[&["sweep", &path, "--out", &out][..], more].concat());
        assert_eq!(done.code, 2, "{}", done.err);
        done.err
    };
    assert!(told(&["--on", "slurm"]).contains("needs the Python package"));
    assert!(told(&["--on", "dask://head:8786"]).contains("`--on dask://head:8786` needs"));
    assert!(told(&["--on", "pbs"]).contains("dask://HOST:PORT, slurm or sbatch"));
    assert!(told(&["--share", "3/3"]).contains("I below N"));
    assert!(told(&["--share", "0/2", "--collect"]).contains("cannot be used with"));
    let theirs = tailback(&["sweep", &path, "--out", &text(folder.path())]);
    assert_eq!(theirs.code, 2);
    assert!(theirs.err.contains("none of them are results"), "{}", theirs.err);
}
