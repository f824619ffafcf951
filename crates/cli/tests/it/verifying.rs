//! `verify`: the same comes out again, and what was tampered with is found.

use crate::{SMALL, files, folder, rows, tailback, text};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn capsules() -> (tempfile::TempDir, Vec<PathBuf>) {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    assert_eq!(tailback(&["run", &path, "--out", &text(&out)]).code, 0);
    let found = files(&out.join("capsules"), "json");
    (folder, found)
}

/// Changes a capsule.
fn tamper(path: &PathBuf, change: impl Fn(&mut Value)) {
    let mut capsule: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    change(&mut capsule);
    fs::write(path, capsule.to_string()).unwrap();
}

#[test]
fn the_same_comes_out_again() {
    let (folder, capsules) = capsules();
    let one = tailback(&["verify", &text(&capsules[0])]);
    assert_eq!((one.code, one.out), (0, format!("{}: same\n", text(&capsules[0]))));
    let all = tailback(&["verify", "--json", &text(&folder.path().join("out"))]);
    assert_eq!(all.code, 0, "{}", all.err);
    let rows = rows(&all.out);
    assert!(rows.len() == 3 && rows.iter().all(|row| row["same"] == true && row["columns"] == serde_json::json!([])));
}

#[test]
fn tampered_results_are_found_with_their_columns() {
    let (_folder, capsules) = capsules();
    tamper(&capsules[0], |capsule| capsule["record"]["latency_mean"] = 1.5.into());
    tamper(&capsules[1], |capsule| {
        capsule["digest"] = "00".into();
        capsule["record"]["digest"] = "00".into();
    });
    let paths: Vec<String> = capsules.iter().map(|p| text(p)).collect();
    let arguments: Vec<&str> = std::iter::once("verify").chain(paths.iter().map(String::as_str)).collect();
    let done = tailback(&arguments);
    assert_eq!(done.code, 4, "{}", done.err);
    assert!(done.out.contains("latency_mean: 1.5 in the capsule, "), "{}", done.out);
    assert!(done.out.contains("digest: \"00\" in the capsule"), "{}", done.out);
    assert_eq!((done.out.matches("DIFFERENT").count(), done.out.matches(": same").count()), (2, 1));
}

#[test]
fn another_spec_gives_another_result() {
    let (_folder, capsules) = capsules();
    tamper(&capsules[0], |capsule| {
        let spec = capsule["spec_toml"].as_str().unwrap().replace("seed = 1 ", "seed = 2 ");
        capsule["spec_toml"] = spec.into();
    });
    let done = tailback(&["verify", "--json", &text(&capsules[0])]);
    assert_eq!(done.code, 4, "{}", done.out);
    let columns = rows(&done.out)[0]["columns"].to_string();
    assert!(columns.contains("digest") && columns.contains("point_id") && columns.contains("seed"), "{columns}");
}

#[test]
fn damaged_capsules_are_refused() {
    let (_folder, capsules) = capsules();
    fs::write(&capsules[0], "{").unwrap();
    let done = tailback(&["verify", &text(&capsules[0])]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("damaged, or no capsule"), "{}", done.err);
    tamper(&capsules[1], |capsule| capsule["spec_toml"] = "topology = 3".into());
    assert_eq!(tailback(&["verify", &text(&capsules[1])]).code, 4);
}

#[test]
fn a_damaged_capsule_does_not_hide_the_others() {
    let (folder, capsules) = capsules();
    fs::write(&capsules[0], "{").unwrap();
    tamper(&capsules[1], |capsule| capsule["record"]["latency_mean"] = 1.5.into());
    let out = text(&folder.path().join("out"));
    let done = tailback(&["verify", &out]);
    assert_eq!((done.code, done.err.as_str()), (4, ""));
    assert!(done.out.contains(&format!("{}: DAMAGED\n  damaged, or no capsule", text(&capsules[0]))), "{}", done.out);
    assert_eq!((done.out.matches("DIFFERENT").count(), done.out.matches(": same").count()), (1, 1), "{}", done.out);
    let json = rows(&tailback(&["verify", &out, "--json"]).out);
    assert_eq!(json.iter().map(|row| row["same"] == true).collect::<Vec<_>>(), [false, false, true]);
    assert!(json[0]["point_id"].is_null() && json[0]["remark"].as_str().unwrap().starts_with("damaged"), "{json:?}");
    let named = tailback(&["verify", "no-such.json", &text(&capsules[2])]);
    assert_eq!(named.code, 4, "{}", named.err);
    assert!(named.out.contains("no-such.json: UNREADABLE") && named.out.contains(": same"), "{}", named.out);
}
