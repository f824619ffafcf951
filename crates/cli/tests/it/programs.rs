//! `workload`: programs from the command line, and files of them.

use crate::{folder, tailback, text};
use std::path::Path;

#[test]
fn a_program_is_sized_written_and_checked() {
    let (_folder, spec) = folder("");
    let path = |name: &str| text(&Path::new(&spec).with_file_name(name));
    let asked = ["workload", "all-reduce", "--ranks", "8", "--flits", "1024", "--json"];
    let sized = tailback(&asked);
    assert_eq!(sized.code, 0, "{}", sized.err);
    let said: serde_json::Value = serde_json::from_str(&sized.out).unwrap();
    assert_eq!((said["operations"].as_u64(), said["bounds"]["chain"].as_u64()), (Some(224), Some(1834)), "{said}");
    for format in ["text", "binary"] {
        let file = path(format);
        let done = tailback(&[&asked[..], &["-o", &file, "--format", format, "--bytes-per-flit", "16"]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        let checked = tailback(&["workload", "--check", &file, "--bytes-per-flit", "16", "--json"]);
        let again: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
        assert_eq!((&again["bounds"], &again["flits"]), (&said["bounds"], &said["flits"]), "{}", checked.err);
        // A program replaces a program, and nothing else.
        assert_eq!(tailback(&[&asked[..], &["-o", &file]].concat()).code, 0);
    }
    std::fs::write(path("text"), "my notes\n").unwrap();
    assert_eq!(tailback(&[&asked[..], &["-o", &path("text")]].concat()).code, 2, "it is of another kind");
    let printed = tailback(&["workload", "barrier", "--ranks", "4", "-o", "-"]);
    assert!(printed.out.starts_with("num_ranks 4\n\nrank 0 {\nl0: send 1b to 1 tag 0\n"), "{}", printed.out);
    assert!(printed.out.ends_with("}\n") && printed.err.is_empty(), "{}", printed.err);
}

#[test]
fn what_is_wrong_is_named() {
    let (_folder, spec) = folder("");
    let file = text(&Path::new(&spec).with_file_name("x.goal"));
    std::fs::write(&file, "num_ranks 1\nrank 0 {\na: calc 1\nb requires a\n}\n").unwrap();
    for (arguments, expected) in [
        (&["workload", "--check", &file][..], "x.goal`, line 4, column 1: the label `b` is not defined"),
        (&["workload", "--check", "/nowhere/at/all"], "it cannot be opened"),
        (&["workload", "scatter"], "there is no kind of program `scatter`"),
        (&["workload", "scatter", "--parameters"], "there is no kind `scatter`; there are all-reduce"),
        (&["workload", "all-reduce", "--ranks", "8"], "needs `flits` [flits]"),
        (&["workload", "barrier", "--ranks", "4", "--flits", "3"], "has no `flits`; it takes `ranks`"),
        (
            &["workload", "all-reduce", "--ranks", "1000000", "--flits", "1"],
            "bounds are looked for among 33554432 at most",
        ),
        (&["workload", "all-reduce", "--ranks", "1000000", "--flits", "1", "-o", &file], "33554432 is the most"),
        (&["workload", "barrier", "--ranks", "4", "--across", "9223372036854775807"], "is not in 0..=4294967296"),
        (&["workload", "--check", &file, "--ranks", "4"], "name a KIND"),
        (&["workload", "-o", "-"], "there is no program to print"),
        (&["workload", "barrier", "--ranks", "4", "-o", "-", "--bytes-per-flit", "0"], "`bytes_per_flit` is 0"),
    ] {
        let done = tailback(arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.out);
        assert!(done.err.contains(expected), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn kinds_and_their_parameters_are_listed() {
    let kinds = tailback(&["workload"]).out;
    let parameters = tailback(&["workload", "--parameters"]).out;
    let markdown = tailback(&["workload", "--parameters", "--markdown"]).out;
    for kind in ["all-reduce", "request-reply", "pipeline"] {
        assert!(kinds.contains(&format!("  {kind} ")), "{kinds}");
        assert!(parameters.contains(&format!("{kind}: ")), "{parameters}");
        assert!(markdown.contains(&format!("### `{}`\n", kind.replace('-', "_"))), "{markdown}");
    }
    let one = tailback(&["workload", "all-to-all", "--parameters"]).out;
    assert!(one.contains("--window") && one.contains("default 4; for spread]"), "{one}");
    let folds =
        tailback(&["workload", "all-reduce", "--algorithm", "recursive_doubling", "--ranks", "6", "--flits", "4"]);
    assert!(folds.err.contains("6 ranks are no power of two"), "{}", folds.err);
}

/// Whoever runs or checks a program hears what its generator has to say.
#[test]
fn ranks_that_fold_are_told_by_whoever_runs_or_checks() {
    let spec = "topology = { kind = 'torus', radix = [8] }\ntraffic = { packet_flits = 8 }\n\
        workload = { kind = 'program', generate = { kind = 'all_reduce', ranks = 6, flits = 60 } }\n\
        sweep.'workload.generate.algorithm' = ['ring', 'halving_doubling', 'double_binary_tree']\n";
    let (_folder, path) = folder(spec);
    let (run, check) = (tailback(&["run", &path, "--no-progress"]), tailback(&["check", &path]));
    let check = check.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [run.err.as_str(), check.as_str()] {
        assert!(told.contains("note: 6 ranks are no power of two"), "{told}");
        assert!(told.contains("(1 of 3 points)"), "{told}");
    }
}
