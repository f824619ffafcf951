//! `run --out`: what is in the folder, and what happens when it is not empty.

use crate::{SMALL, files, folder, rows, tailback, text, timeless};
use std::fs;
use std::path::Path;

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn everything_is_there() {
    let (folder, path) = folder(&format!("{SMALL}\n[probes]\nlink_load = true\nspace_time_cycles = 50\n"));
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--json", "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(rows(&done.out), rows_by_load(&read(&out, "records.jsonl")));
    assert_eq!(&fs::read(out.join("records.parquet")).unwrap()[..4], b"PAR1");
    assert_eq!(files(&out.join("capsules"), "json").len(), 3);
    // Windows, histogram, links and channels of three points.
    assert_eq!(files(&out.join("series"), "csv").len(), 12);
    assert_eq!(files(&out.join("series"), "parquet").len(), 12);
    // The comparison, time, the tail; a space-time chart, a map of links and the use of channels for each point.
    let pictures = out.join("pictures");
    assert_eq!((files(&pictures, "svg").len(), files(&pictures, "png").len()), (12, 12));
    for name in ["comparison.svg", "comparison.csv", "time-series.svg", "time-series.csv", "latency-distribution.svg"] {
        assert!(pictures.join(name).is_file(), "{name}");
    }
    let report = read(&out, "report.html");
    for part in
        ["Do it again", "channel-load bound", "traffic.load", "Full input buffers over time", "Use of every link"]
    {
        assert!(report.contains(part), "{part}");
    }
    assert!(!report.contains("src=\"http") && !report.contains("href=\"http"), "it loads nothing");
    assert!(done.err.contains("report.html"), "{}", done.err);
}

fn rows_by_load(lines: &str) -> Vec<serde_json::Map<String, serde_json::Value>> {
    let mut rows = rows(lines);
    rows.sort_by(|a, b| a["traffic.load"].as_f64().unwrap().total_cmp(&b["traffic.load"].as_f64().unwrap()));
    rows
}

#[test]
fn the_spec_in_the_folder_gives_the_same() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    let first = tailback(&["run", &path, "--json", "--out", &text(&out)]);
    let again = tailback(&["run", &text(&out.join("spec.toml")), "--json"]);
    assert_eq!(timeless(&first.out), timeless(&again.out));
}

#[test]
fn records_are_not_overwritten_unasked() {
    let (folder, path) = folder(SMALL);
    let out = text(&folder.path().join("out"));
    assert_eq!(tailback(&["run", &path, "--out", &out]).code, 0);
    let before = read(Path::new(&out), "records.jsonl");
    let refused = tailback(&["run", &path, "--out", &out]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--resume keeps them") && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(read(Path::new(&out), "records.jsonl"), before);
    let forced = tailback(&["run", &path, "--out", &out, "--force", "--set", "traffic.load=0.3"]);
    assert_eq!(forced.code, 0, "{}", forced.err);
    assert_eq!(rows(&read(Path::new(&out), "records.jsonl")).len(), 1);
    assert_eq!(files(&Path::new(&out).join("capsules"), "json").len(), 1, "those of other records are gone");
}

#[test]
fn resuming_runs_what_is_missing_or_was_interrupted() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    let whole = tailback(&["run", &path, "--json", "--out", &text(&out), "--threads", "1"]);
    let lines: Vec<String> = read(&out, "records.jsonl").lines().map(str::to_owned).collect();
    let interrupted = lines[1].replace("\"steady\"", "\"interrupted\"");
    // One finished, one interrupted, one torn in the middle of its line.
    fs::write(out.join("records.jsonl"), format!("{}\n{interrupted}\n{}", lines[0], &lines[2][..40])).unwrap();
    let resumed = tailback(&["run", &path, "--json", "--out", &text(&out), "--resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("2 points, ") && resumed.err.contains("1 point kept from before"), "{}", resumed.err);
    assert_eq!(timeless(&resumed.out), timeless(&whole.out));
    assert_eq!(rows(&read(&out, "records.jsonl")).len(), 3);
    let nothing_left = tailback(&["run", &path, "--json", "--out", &text(&out), "--resume"]);
    assert_eq!(nothing_left.code, 0, "{}", nothing_left.err);
    assert!(nothing_left.err.starts_with("0 points, 0 cycles in ") && !nothing_left.err.contains("-0"));
    assert_eq!(timeless(&nothing_left.out), timeless(&whole.out));
}

/// A point that ended just behind Ctrl-C has no time for its pictures.
#[test]
fn a_point_without_all_of_its_pictures_runs_again() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    assert_eq!(tailback(&["run", &path, "--out", &text(&out)]).code, 0);
    let records = read(&out, "records.jsonl");
    let id = rows(&records)[1]["point_id"].as_str().unwrap().to_owned();
    let mark = out.join(format!("pictures/{id}-undrawn.csv"));
    fs::write(&mark, "").unwrap();
    let resumed = tailback(&["run", &path, "--out", &text(&out), "--resume"]);
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("1 point, ") && resumed.err.contains("2 points kept from before"), "{}", resumed.err);
    assert!(!mark.exists());
    assert_eq!(timeless(&read(&out, "records.jsonl")), timeless(&records));
}

#[test]
fn an_empty_or_new_folder_can_be_resumed() {
    let (folder, path) = folder(SMALL);
    let out = text(&folder.path().join("new"));
    let done = tailback(&["run", &path, "--out", &out, "--resume"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

/// The message of a refused `--resume`.
fn not_resumed(path: &str, out: &Path, more: &[&str]) -> String {
    let before = read(out, "records.jsonl");
    let out_text = text(out);
    let mut arguments = vec!["run", path, "--resume", "--out", &out_text];
    arguments.extend(more);
    let done = tailback(&arguments);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert_eq!(read(out, "records.jsonl"), before, "nothing was touched");
    assert!(done.err.contains("another --out") && done.err.contains("--force"), "{}", done.err);
    done.err
}

#[test]
fn a_folder_of_another_spec_is_not_resumed() {
    let (folder, path) = folder(SMALL);
    let out = folder.path().join("out");
    assert_eq!(tailback(&["run", &path, "--out", &text(&out)]).code, 0);
    let changed = not_resumed(&path, &out, &["--set", "router.buffer_flits=64", "--set", "name=other"]);
    assert!(changed.contains("3 finished points, and 3 of them not"), "{changed}");
    assert!(changed.contains("(router.buffer_flits was 32 and is 64)"), "{changed}");
    // A point that the sweep no longer has is one of another spec too.
    let fewer = not_resumed(&path, &out, &["--set", "sweep.\"traffic.load\"=[0.05, 0.1]"]);
    assert!(fewer.contains("1 of them not of this spec (traffic.load was 0.2 and is 0.05)"), "{fewer}");
    let more = ["--set", "sweep.\"traffic.load\"=[0.05, 0.1, 0.15, 0.2]", "--set", "name=more"];
    let out_text = text(&out);
    let resumed = tailback(&[&["run", &path, "--resume", "--out", &out_text][..], &more].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    assert!(resumed.err.contains("3 points kept from before"), "{}", resumed.err);
    assert_eq!(rows(&read(&out, "records.jsonl")).len(), 4);
}

#[test]
fn other_contents_of_a_file_are_another_point() {
    let spec = format!("{SMALL}\n[traffic.pattern]\nkind = \"permutation\"\nfile = \"to.txt\"\n");
    let (folder, path) = folder(&spec);
    let by = |step: usize| (0..16).map(|node| format!("{}\n", (node + step) % 16)).collect::<String>();
    let file = folder.path().join("to.txt");
    fs::write(&file, by(5)).unwrap();
    let out = folder.path().join("out");
    let first = tailback(&["run", &path, "--json", "--out", &text(&out)]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(tailback(&["verify", &text(&out)]).code, 0, "the identity does not go by where the file is");
    fs::write(&file, by(3)).unwrap();
    let message = not_resumed(&path, &out, &[]);
    assert!(message.contains("had another content"), "{message}");
    let verified = tailback(&["verify", &text(&out)]);
    assert_eq!(verified.code, 4);
    assert!(verified.out.contains("point_id: "), "{}", verified.out);
    let moved = folder.path().join("moved.txt");
    fs::write(&moved, by(5)).unwrap();
    let again = tailback(&["run", &path, "--json", "--set", &format!("traffic.pattern.file={:?}", text(&moved))]);
    assert_eq!(timeless(&again.out), timeless(&first.out));
}

#[test]
fn the_report_names_points_above_the_bound() {
    let (folder, path) = folder(SMALL);
    let report = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let out_text = text(&out);
        let done = tailback(&[&["run", &path, "--out", &out_text][..], more].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        read(&out, "report.html")
    };
    assert!(!report("below", &[]).contains("is above the channel-load bound"));
    let one = report("one", &["--set", "traffic.load=3"]);
    assert!(one.contains("The offered load is above the channel-load bound of "));
    assert!(one.contains("flits/node/cycle, set by "));
    let some = report("some", &["--set", "sweep.\"traffic.load\"=[0.1, 2.0, 3.0]"]);
    assert!(some.contains("The offered load (load 2; load 3) is above the channel-load bound"));
}
