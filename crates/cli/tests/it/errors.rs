//! What is said when something is wrong, and the exit code that goes with it.

use crate::{SMALL, folder, tailback, text};

/// The message with the folder's name cut out.
fn refused(spec: &str, more: &[&str]) -> String {
    let (folder, path) = folder(spec);
    let mut arguments = vec!["run", path.as_str()];
    arguments.extend(more);
    let done = tailback(&arguments);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    done.err.replace(&format!("{}/", text(folder.path())), "")
}

#[test]
fn a_misspelled_key() {
    insta::assert_snapshot!(refused(&SMALL.replace("measure_cycles", "mesure_cycles"), &[]));
}

#[test]
fn several_errors_at_once_each_once() {
    let spec = SMALL.replace("radix = [4, 4]", "radix = [4, 1]").replace("flits = 4", "flits = \"four\"");
    insta::assert_snapshot!(refused(&spec, &["--set", "router.virtual_channels=0"]));
}

#[test]
fn a_network_that_cannot_be_is_told_once_for_all_points() {
    let message = refused(SMALL, &["--set", "router.virtual_channels=1"]);
    assert_eq!(message.matches("error").count(), 1, "{message}");
    insta::assert_snapshot!(message);
}

#[test]
fn a_value_of_the_command_line_is_shown_as_such() {
    insta::assert_snapshot!(refused(SMALL, &["--set", "traffic.load=heavy"]));
}

#[test]
fn files_that_are_none() {
    let (folder, path) = folder(SMALL);
    let missing = tailback(&["run", &text(&folder.path().join("no.toml"))]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.starts_with("error: cannot open `") && missing.err.contains("no such file"), "{}", missing.err);
    let without_ending = tailback(&["check", path.strip_suffix(".toml").unwrap()]);
    assert_eq!(without_ending.code, 2);
    assert!(without_ending.err.contains("did you mean"), "{}", without_ending.err);
    let directory = tailback(&["check", &text(folder.path())]);
    assert_eq!(directory.code, 2);
    assert!(directory.err.contains("is a folder, not a spec"), "{}", directory.err);
}

#[test]
fn an_output_folder_that_is_a_file() {
    let (_folder, path) = folder(SMALL);
    let below = format!("{path}/below-a-file");
    for (out, words) in [(&path, "is a file: --out names a folder"), (&below, "is a file, so there is no folder")] {
        for verb in [&["run", &path][..], &["run", &path, "--force"], &["reproduce", "spth-2015", "table2"]] {
            let done = tailback(&[verb, &["--out", out]].concat());
            assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
            assert!(done.err.contains(words), "{}", done.err);
        }
    }
}

#[test]
fn broken_arguments_do_not_hide_each_other_nor_the_file() {
    let spec = SMALL.replace("measure_cycles", "mesure_cycles").replace("[4, 4]", "[6, 6]");
    let more = [
        "--set",
        "router.buffer_flits=",
        "--set",
        "traffic.load=[0.1",
        "--set",
        "run.seed=x",
        "-s",
        "traffic.pattern=bcmp",
    ];
    let message = refused(&spec, &more);
    for part in ["mesure_cycles", "no value after `=`", "traffic.load=[0.1", "found the string \"x\"", "power of two"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert_eq!(message.matches("error: ").count(), 5, "{message}");
    let unreadable = refused("topology = \n", &["--set", "=", "--set", "traffic.load="]);
    assert_eq!(unreadable.matches("error: ").count(), 3, "{unreadable}");
}

#[test]
fn elements_of_lists_can_be_set() {
    let spec = "[topology]\nkind = \"torus\"\nradix = [4, 4]\n[workload]\nkind = \"phases\"\n\
                phases = [{ cycles = 100, load = 0.1, pattern = \"uniform\" }]\n";
    let (_folder, path) = folder(spec);
    let explained = tailback(&["explain", &path, "--set", "workload.phases.0.load=0.3", "--set", "topology.radix.1=8"]);
    assert_eq!(explained.code, 0, "{}", explained.err);
    assert!(explained.out.contains("load = 0.3") && explained.out.contains("radix = [4, 8]"), "{}", explained.out);
    let message = refused(spec, &["--set", "workload.phases.1.load=0.3"]);
    assert!(message.contains("a list of 1 value (0 to 0) in the way"), "{message}");
}

#[test]
fn all_wrong_lines_of_a_permutation() {
    let spec = format!("{SMALL}\n[traffic.pattern]\nkind = \"permutation\"\nfile = \"to.txt\"\n");
    let (folder, path) = folder(&spec);
    std::fs::write(folder.path().join("to.txt"), "1\nx\n99\n1\n").unwrap();
    let done = tailback(&["run", &path]);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    insta::assert_snapshot!(done.err.replace(&format!("{}/", text(folder.path())), ""));
}

#[test]
fn bad_usage() {
    let (_folder, path) = folder(SMALL);
    for arguments in [
        &["frobnicate"][..],
        &["run"],
        &["run", &path, "--threads", "0"],
        &["run", &path, "--resume"],
        &["run", &path, "--out", "x", "--force", "--resume"],
        &["run", &path, "--x", "no.such"],
        &["list", "no.such"],
        &["bench", "no-such"],
        &["reproduce", "no-such"],
        &["reproduce", "spth-2015", "table99"],
        &["saturation", &path, "--low", "-1"],
        &["saturation", &path, "--low", "nan"],
        &["replay"],
        &["replay", &path],
        &["replay", "no-such.log"],
        &["verify"],
        &["verify", &path],
        &["verify", "no-such.json"],
        &["plot", "no-such"],
        &["plot", &path],
    ] {
        let done = tailback(arguments);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}: {}", done.err);
        assert!(done.err.starts_with("error: "), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn nobody_reads() {
    for arguments in ["list", "schema", "--help", "list --json", "list --markdown"] {
        let line = format!("'{}' {arguments} | head -c 10", env!("CARGO_BIN_EXE_tailback"));
        let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.stdout.len(), errors.as_str()), (10, ""), "{arguments}");
    }
}
