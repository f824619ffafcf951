//! What an output may replace: nothing that the command reads, nothing that is no regular file, and no file of another kind unless
//! the user says so.
#![cfg(unix)]

use crate::{SMALL, command, done, files, folder, tailback, text};
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;

/// One point, and packets of which two can wait for each other.
fn one(more: &str) -> String {
    SMALL.split("[sweep]").next().unwrap().to_owned() + more
}

/// A spec whose `check` has a picture to draw.
const CIRCLE: &str = "[run]\nallow_deadlock = true\n[routing]\ndatelines = \"none\"\n";

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// A spec in a folder, in a file without an ending: one would be refused as that of another kind of picture.
fn nameless(spec: &str) -> (tempfile::TempDir, String) {
    let (folder, path) = folder(spec);
    let plain = folder.path().join("spec");
    std::fs::rename(path, &plain).unwrap();
    let plain = text(&plain);
    (folder, plain)
}

/// Every verb that writes a file, with the option that names it last.
fn writers(spec: &str, records: &str) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    vec![
        words(&["check", spec, "--svg"]),
        words(&["check", spec, "--png"]),
        words(&["trace", spec, "--packet", "3", "--out"]),
        words(&["plot", records, "--svg"]),
        words(&["plot", records, "--png"]),
        words(&["run", spec, "--checkpoint-every", "600", "--checkpoint"]),
    ]
}

fn written(writer: &[String], to: &Path, more: &[&str]) -> crate::Done {
    let mut words: Vec<&str> = writer.iter().map(String::as_str).collect();
    let to = text(to);
    words.push(&to);
    words.extend(more);
    tailback(&words)
}

#[test]
fn an_output_replaces_no_input_no_device_and_no_other_file() {
    let (folder, spec) = nameless(&one(CIRCLE));
    let at = |name: &str| folder.path().join(name);
    let sweep = at("sweep.toml");
    std::fs::write(&sweep, SMALL).unwrap();
    let records = at("records");
    std::fs::write(&records, tailback(&["run", &text(&sweep), "--json"]).out).unwrap();
    std::fs::write(at("thesis"), "\\documentclass{book}").unwrap();
    std::fs::create_dir(at("deep")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    symlink("/dev/null", at("null")).unwrap();
    for writer in writers(&spec, &text(&records)) {
        let input = if writer[0] == "plot" { records.clone() } else { spec.clone().into() };
        for name in ["soft", "hard"] {
            let _ = std::fs::remove_file(at(name));
        }
        symlink(&input, at("soft")).unwrap();
        std::fs::hard_link(&input, at("hard")).unwrap();
        let before = read(&input);
        for (path, words, forceful) in [
            (input.clone(), "never replaces an input", false),
            (at("soft"), "never replaces an input", false),
            (at("hard"), "never replaces an input", false),
            (at("deep/..").join(input.file_name().unwrap()), "never replaces an input", false),
            ("/dev/null".into(), "it is a device", false),
            (at("null"), "it is a device", false),
            (at("pipe"), "it is a pipe", false),
            (at("deep"), "it is a folder", false),
            (at("none/file"), "there is no folder", false),
            (at("thesis"), "something other than", true),
        ] {
            for force in [&[][..], &["--force"]].iter().take(if forceful { 1 } else { 2 }) {
                let refused = written(&writer, &path, force);
                let said = format!("{writer:?} {}: {}", path.display(), refused.err);
                assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{said}");
                assert!(refused.err.contains(words) && refused.err.lines().count() == 1, "{said}");
                assert_eq!(refused.err.contains("--force"), forceful, "{said}");
            }
        }
        assert_eq!(read(&input), before);
    }
    assert_eq!(read(&at("thesis")), b"\\documentclass{book}");
    assert!(std::fs::metadata(at("pipe")).unwrap().file_type().is_fifo());
}

#[test]
fn an_output_replaces_its_own_kind_and_with_force_any_regular_file() {
    let (folder, spec) = folder(&one(CIRCLE));
    let at = |name: &str| folder.path().join(name);
    let records = at("records");
    let (_sweep_folder, sweep) = crate::folder(SMALL);
    std::fs::write(&records, tailback(&["run", &sweep, "--json"]).out).unwrap();
    for (n, writer) in writers(&spec, &text(&records)).iter().enumerate() {
        let (file, link) = (at(&format!("file{n}")), at(&format!("link{n}")));
        std::fs::write(&file, "mine").unwrap();
        symlink(&file, &link).unwrap();
        let stay = if writer[0] == "run" { &["--keep-checkpoints"][..] } else { &[] };
        let force = [stay, &["--force"]].concat();
        let forced = written(writer, &link, &force);
        assert!(forced.code == 0 || writer[0] == "check", "{writer:?}: {}", forced.err);
        let new = read(&file);
        assert_ne!(new, b"mine", "{writer:?}: {}", forced.err);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "{writer:?}");
        std::fs::write(&file, &new).unwrap();
        let again = written(writer, &file, stay);
        assert_eq!((again.code, read(&file)), (forced.code, new), "{writer:?}: {}", again.err);
        std::fs::write(&file, "").unwrap();
        assert_eq!(written(writer, &file, stay).code, forced.code, "an empty file is nobody's");
    }
}

#[test]
fn standard_output_is_a_dash_and_has_nothing_else() {
    let (_folder, spec) = folder(&one(CIRCLE));
    let (_sweep, sweep) = folder(SMALL);
    let records = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(records.path(), tailback(&["run", &sweep, "--json"]).out).unwrap();
    let records = text(records.path());
    for words in [&["check", &spec, "--svg", "-"][..], &["plot", &records, "--svg", "-"]] {
        let done = tailback(words);
        assert!(
            done.code == 0 && done.out.starts_with("<svg") && done.out.trim_end().ends_with("</svg>"),
            "{}",
            done.err
        );
    }
    let png = command(&["plot", &records, "--png", "-"]).output().unwrap();
    assert!(png.stdout.starts_with(b"\x89PNG"));
    let traced = tailback(&["trace", &spec, "--packet", "3", "--out", "-"]);
    let story: serde_json::Value = serde_json::from_str(&traced.out).unwrap();
    assert!(story["traceEvents"].is_array());
    let refused = tailback(&["run", &spec, "--checkpoint-every", "600", "--checkpoint", "-"]);
    assert!(refused.code == 2 && refused.err.contains("needs a file"), "{}", refused.err);
    let both = tailback(&["plot", &records, "--svg", "x", "--png", "x"]);
    assert!(both.code == 2 && both.err.contains("the same file"), "{}", both.err);
}

#[test]
fn files_that_a_spec_names_are_inputs_too() {
    let permutation: String = (0..16).map(|node| format!("{}\n", 15 - node)).collect();
    let spec = one("").replace("[traffic]", "[traffic]\npattern = { kind = \"permutation\", file = \"map\" }");
    let (folder, path) = folder(&spec);
    let map = folder.path().join("map");
    std::fs::write(&map, &permutation).unwrap();
    let checked = tailback(&["check", &path]);
    assert_eq!(checked.code, 0, "{}", checked.err);
    for words in [
        &["trace", &path, "--packet", "1", "--force", "--out"][..],
        &["check", &path, "--force", "--svg"],
        &["run", &path, "--force", "--checkpoint-every", "600", "--checkpoint"],
    ] {
        let refused = tailback(&[words, &[&text(&map)]].concat());
        assert!(refused.code == 2 && refused.err.contains("a file that the spec names"), "{words:?}: {}", refused.err);
    }
    let named = folder.path().join("out/series");
    std::fs::create_dir_all(&named).unwrap();
    std::fs::rename(&map, named.join("map.csv")).unwrap();
    let moved = spec.replace("\"map\"", "\"out/series/map.csv\"");
    std::fs::write(&path, moved).unwrap();
    let out = text(&folder.path().join("out"));
    let run = tailback(&["run", &path, "--out", &out, "--force"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(
        read(&named.join("map.csv")),
        permutation.as_bytes(),
        "--force clears the folder, not what the run reads"
    );
}

#[test]
fn a_folder_with_something_in_the_way_is_refused_before_anything_runs() {
    let (folder, path) = folder(&one(""));
    let root = folder.path().join("out");
    std::fs::create_dir(&root).unwrap();
    let mine = [
        ("report.html", "<p>mine"),
        ("why.jsonl", "mine\n"),
        ("records.parquet", "mine"),
        ("records.csv", "a,b\n1,2\n"),
    ];
    for (name, content) in mine {
        std::fs::write(root.join(name), content).unwrap();
        let refused = tailback(&["run", &path, "--out", &text(&root)]);
        assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{name}: {}", refused.err);
        assert!(refused.err.contains(name) && refused.err.contains("something other than"), "{}", refused.err);
        assert_eq!(read(&root.join(name)), content.as_bytes());
        std::fs::remove_file(root.join(name)).unwrap();
    }
    symlink("/dev/null", root.join("records.jsonl")).unwrap();
    let refused = tailback(&["run", &path, "--out", &text(&root), "--force"]);
    assert!(refused.code == 2 && refused.err.contains("it is a device"), "{}", refused.err);
    std::fs::remove_file(root.join("records.jsonl")).unwrap();
    // What this program wrote itself gives way.
    for _ in 0..2 {
        let run = tailback(&["run", &path, "--out", &text(&root), "--force"]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let kept = tailback(&["run", &path, "--out", &text(&root), "--resume"]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(!files(&root, "html").is_empty());
}

#[test]
fn curves_replace_curves_alone() {
    let (folder, path) = folder(&one(""));
    let root = folder.path().join("curve");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("curve.json"), "mine").unwrap();
    let words = ["curve", &path, "--max-runs", "5", "--points", "3", "--seeds", "5", "--out", &text(&root)];
    let refused = tailback(&words);
    assert!(refused.code == 2 && refused.err.contains("something other than a curve"), "{}", refused.err);
    let done = tailback(&[&words[..], &["--force"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let again = tailback(&words);
    assert!(again.code == 2 && again.err.contains("already holds records"), "{}", again.err);
}

#[test]
fn a_spec_from_standard_input_is_an_input() {
    let (_folder, path) = nameless(&one(CIRCLE));
    let before = read(Path::new(&path));
    let spec = std::fs::File::open(&path).unwrap();
    let refused = done(command(&["check", "-", "--svg", &path, "--force"]).stdin(spec).output().unwrap());
    assert!(refused.code == 2 && refused.err.contains("never replaces an input"), "{}", refused.err);
    assert_eq!(read(Path::new(&path)), before);
}
