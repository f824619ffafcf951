//! Tests of the output folder, among them what a crash, a full disk and a read-only folder leave behind.

use super::*;
use crate::series::tests::sample;
use crate::test_support::filled;
use tempfile::tempdir;

fn point(id: &str) -> Record {
    Record { point_id: id.into(), ..filled() }
}

fn ids(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.point_id.as_str()).collect()
}

#[test]
fn every_line_is_there_as_soon_as_it_is_appended() {
    let folder = tempdir().unwrap();
    let root = folder.path().join("new/out");
    let mut out = OutDir::open(&root, Existing::Refuse).unwrap();
    assert_eq!(out.records().unwrap(), []);
    out.append(&point("a")).unwrap();
    assert_eq!(ids(&read_records(&root).unwrap().records), ["a"]);
    out.append(&point("b")).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a", "b"]);
    let paths = out.finish(&[]).unwrap();
    assert!(paths.iter().all(|path| path.is_file()));
    assert_eq!(paths.len(), if cfg!(feature = "parquet") { 2 } else { 1 });
}

#[test]
fn rows_end_in_the_order_of_the_points() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    ["of before", "c", "a", "b"].iter().for_each(|id| out.append(&point(id)).unwrap());
    out.finish(&["a", "b", "c", "never run"]).unwrap();
    assert_eq!(ids(&read_records(folder.path()).unwrap().records), ["a", "b", "c", "of before"]);
    // Who goes on finds a file to append to.
    let mut out = OutDir::open(folder.path(), Existing::Keep).unwrap();
    out.append(&point("d")).unwrap();
    out.finish(&["d", "a"]).unwrap();
    assert_eq!(ids(&read_records(folder.path()).unwrap().records), ["d", "a", "b", "c", "of before"]);
}

#[test]
fn other_files_go_to_their_folders() {
    let folder = tempdir().unwrap();
    let out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    let capsule = Capsule::new("x = 1\n", point("a1b2"));
    let path = out.write_capsule(&capsule).unwrap();
    assert_eq!(path, folder.path().join("capsules/a1b2.json"));
    assert_eq!(Capsule::read(&path).unwrap(), capsule);
    assert_eq!(out.write_picture("curve.svg", b"<svg/>").unwrap(), folder.path().join("pictures/curve.svg"));
    assert_eq!(out.write_file("report.html", b"<p>").unwrap(), folder.path().join("report.html"));
    let series = out.write_series(&sample()).unwrap();
    assert_eq!(series[0], folder.path().join("series/ramp.csv"));
    assert!(series.iter().all(|path| path.is_file()));
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let folder = tempdir().unwrap();
    let out = OutDir::open(folder.path().join("out"), Existing::Refuse).unwrap();
    let long = "x".repeat(300);
    for name in ["", ".", "..", "../up", "a/b", "/etc/x", "a\\b", "a\0b", ".hidden", "é", long.as_str()] {
        assert!(matches!(out.write_picture(name, b""), Err(Error::FileName { .. })), "{name:?}");
    }
    assert!(matches!(out.write_file("records.jsonl", b""), Err(Error::FileName { .. })));
    assert!(out.write_capsule(&Capsule::new("", point("../a"))).is_err());
    assert!(out.write_series(&Series { name: "a/b".into(), ..sample() }).is_err());
}

#[test]
fn existing_records_are_refused_kept_or_replaced_as_told() {
    let folder = tempdir().unwrap();
    OutDir::open(folder.path(), Existing::Refuse).unwrap().append(&point("a")).unwrap();
    let message = OutDir::open(folder.path(), Existing::Refuse).unwrap_err().to_string();
    assert!(message.contains("records.jsonl already holds records"), "{message}");
    let mut out = OutDir::open(folder.path(), Existing::Keep).unwrap();
    out.append(&point("b")).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a", "b"]);
    drop(out);
    let mut out = OutDir::open(folder.path(), Existing::Replace).unwrap();
    out.append(&point("c")).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["c"]);
}

#[test]
fn a_second_writer_is_refused_and_the_first_loses_nothing() {
    let folder = tempdir().unwrap();
    let mut first = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    first.append(&point("a")).unwrap();
    for existing in [Existing::Refuse, Existing::Keep, Existing::Replace] {
        let message = OutDir::open(folder.path(), existing).unwrap_err().to_string();
        assert!(message.contains("is being written by another run"), "{message}");
    }
    first.append(&point("b")).unwrap();
    drop(first);
    let second = OutDir::open(folder.path(), Existing::Keep).unwrap();
    assert_eq!(ids(&second.records().unwrap()), ["a", "b"]);
}

#[test]
fn interrupted_and_repeated_points_are_left_out_of_what_is_kept() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    for record in [point("a"), Record { status: Status::Interrupted, ..point("b") }, point("c"), point("a")] {
        out.append(&record).unwrap();
    }
    drop(out);
    let out = OutDir::open(folder.path(), Existing::Keep).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a", "c"]);
}

#[test]
fn a_point_that_lost_a_file_in_a_power_cut_is_left_out_of_what_is_kept() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    for id in ["a", "b", "c"] {
        out.save(&Capsule::new("x = 1\n", point(id)), &[sample()]).unwrap();
    }
    out.write_picture("load.svg", b"").unwrap();
    out.finish(&[]).unwrap();
    fs::write(folder.path().join("series/b-ramp.csv"), "").unwrap();
    fs::write(folder.path().join("series/.tailback-1-1.tmp"), "half").unwrap();
    let out = OutDir::open(folder.path(), Existing::Keep).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a", "c"]);
    assert!(!folder.path().join("series/.tailback-1-1.tmp").exists());
}

#[test]
fn the_row_comes_after_all_else_of_a_point() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    // A series that cannot be written: no row may tell of this point.
    let capsule = Capsule::new("", point("a"));
    assert!(out.save(&capsule, &[Series { name: "a/b".into(), ..sample() }]).is_err());
    assert_eq!(out.records().unwrap(), []);
    out.save(&capsule, &[sample(), Series { x: vec![], name: "empty".into(), ..sample() }]).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a"]);
    assert!(folder.path().join("series/a-ramp.csv").is_file() && !folder.path().join("series/a-empty.csv").exists());
    let interrupted = Record { status: Status::Interrupted, ..point("b") };
    out.save(&Capsule::new("", interrupted), &[]).unwrap();
    assert!(!folder.path().join("capsules/b.json").exists());
}

#[test]
fn failures_are_kept_until_the_folder_is_opened_again() {
    let folder = tempdir().unwrap();
    let failed = |id: &str| Failed {
        point_id: id.into(),
        seed: 3,
        swept: serde_json::json!({ "traffic.load": 0.5 }).as_object().cloned().unwrap(),
        reason: "a line\nand \"another\"".into(),
    };
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    assert_eq!(read_failures(folder.path()), []);
    out.fail(&failed("a")).unwrap();
    out.append(&point("b")).unwrap();
    out.fail(&failed("c")).unwrap();
    out.finish(&[]).unwrap();
    assert_eq!(read_failures(folder.path()), [failed("a"), failed("c")]);
    let out = OutDir::open(folder.path(), Existing::Keep).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["b"]);
    assert_eq!(read_failures(folder.path()), []);
}

#[test]
fn what_others_finished_is_taken_in_once_with_its_files() {
    let folder = tempdir().unwrap();
    let root = |name: &str| folder.path().join(name);
    let mut share = OutDir::open(root("share"), Existing::Refuse).unwrap();
    for record in [point("a"), point("b"), Record { status: Status::Interrupted, ..point("c") }] {
        share.save(&Capsule::new("x = 1\n", record), &[sample()]).unwrap();
    }
    let mut out = OutDir::open(root("out"), Existing::Refuse).unwrap();
    out.append(&point("a")).unwrap();
    let taken = out.take_in(&root("share"), |record| record.point_id != "a").unwrap();
    assert_eq!(ids(&taken), ["b"]);
    assert_eq!(ids(&out.records().unwrap()), ["a", "b"]);
    let capsule = Capsule::read(&root("out/capsules/b.json")).unwrap();
    assert_eq!(capsule.record, point("b"));
    assert!(root("out/series/b-ramp.csv").is_file() && !root("out/series/a-ramp.csv").exists());
    assert_eq!(out.take_in(&root("no such"), |_| true).unwrap(), []);
}

#[test]
fn a_spec_in_a_folder_without_results_is_somebodys_own() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("spec.toml");
    let open = |existing| OutDir::open_beside(folder.path(), existing, &Inputs::none());
    fs::write(&path, "topology = 'torus'\n").unwrap();
    let message = open(Existing::Refuse).unwrap_err().to_string();
    assert!(message.contains("spec.toml") && message.contains("--force"), "{message}");
    assert!(open(Existing::Keep).is_err());
    let mut inputs = Inputs::none();
    inputs.add(&path, "the spec");
    drop(OutDir::open_beside(folder.path(), Existing::Refuse, &inputs).unwrap());
    // Now there are results, and the spec is theirs.
    drop(open(Existing::Keep).unwrap());
    fs::remove_file(folder.path().join("records.jsonl")).unwrap();
    fs::remove_file(folder.path().join(".tailback.lock")).unwrap();
    assert!(open(Existing::Refuse).is_err());
    drop(open(Existing::Replace).unwrap());
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let folder = tempdir().unwrap();
    let root = folder.path().join("theirs");
    refuse_foreign(&root).unwrap();
    fs::create_dir(&root).unwrap();
    refuse_foreign(&root).unwrap();
    fs::write(root.join("thesis.tex"), "x").unwrap();
    let message = refuse_foreign(&root).unwrap_err().to_string();
    assert!(message.contains("theirs holds files") && message.contains("an empty folder"), "{message}");
    drop(OutDir::open(&root, Existing::Keep).unwrap());
    refuse_foreign(&root).unwrap();
}

#[test]
fn a_line_torn_by_a_crash_is_cut_off_before_the_next() {
    let folder = tempdir().unwrap();
    let path = folder.path().join(RECORDS);
    let [line, last] = ["a", "c"].map(|id| json_lines::to_line(&point(id)).unwrap());
    for (tail, kept) in [(&last[..40], vec!["a"]), (&last[..last.len() - 1], vec!["a", "c"]), ("", vec!["a"])] {
        fs::write(&path, line.clone() + tail).unwrap();
        assert_eq!(ids(&read_records(folder.path()).unwrap().records), kept);
        let mut out = OutDir::open(folder.path(), Existing::Keep).unwrap();
        out.append(&point("b")).unwrap();
        assert_eq!(ids(&out.records().unwrap()), [kept, vec!["b"]].concat());
        assert!(fs::read_to_string(&path).unwrap().ends_with("}\n"));
    }
}

#[test]
fn damaged_records_are_not_appended_to() {
    let folder = tempdir().unwrap();
    let path = folder.path().join(RECORDS);
    fs::write(&path, "not ours\n").unwrap();
    let message = OutDir::open(folder.path(), Existing::Keep).unwrap_err().to_string();
    assert!(message.contains("records.jsonl, line 1: not a record"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "not ours\n");
}

#[test]
fn a_file_in_the_folders_place_is_named() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "x").unwrap();
    let message = OutDir::open(&path, Existing::Refuse).unwrap_err().to_string();
    assert!(message.contains("create folder") && message.contains("file: File exists"), "{message}");
}

/// `/dev/full` takes nothing: every write fails as on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    out.append(&point("a")).unwrap();
    out.records = OpenOptions::new().append(true).open("/dev/full").unwrap();
    let message = out.append(&point("b")).unwrap_err().to_string();
    assert!(message.contains("cannot append to") && message.contains("records.jsonl"), "{message}");
    assert!(message.contains("No space left on device"), "{message}");
    assert_eq!(ids(&out.records().unwrap()), ["a"]);
}

#[test]
fn a_failed_append_leaves_the_file_as_before() {
    let folder = tempdir().unwrap();
    let mut out = OutDir::open(folder.path(), Existing::Refuse).unwrap();
    out.append(&point("a")).unwrap();
    // Half a line got out before the disk was full; the cut must bring back what was whole.
    out.records.write_all(b"{\"half").unwrap();
    out.cut_to_whole().unwrap();
    out.append(&point("b")).unwrap();
    assert_eq!(ids(&out.records().unwrap()), ["a", "b"]);
    let mut clashing = point("c");
    clashing.parameters = vec![("cycles".into(), crate::schema::Scalar::Integer(1))];
    assert!(out.append(&clashing).is_err());
    assert_eq!(ids(&out.records().unwrap()), ["a", "b"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let opened = OutDir::open(folder.path().join("out"), Existing::Refuse);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    // The superuser may write everywhere; then there is nothing to refuse.
    if let Err(error) = opened {
        let message = error.to_string();
        assert!(message.contains("cannot create folder") && message.contains("out"), "{message}");
        assert!(message.contains("Permission denied"), "{message}");
    }
}
