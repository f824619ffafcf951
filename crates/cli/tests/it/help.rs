//! Help texts, golden: they are what a newcomer reads first.

use crate::{tailback, verbs};

#[test]
fn help_of_everything() {
    let top = tailback(&["--help"]);
    assert_eq!(top.code, 0);
    insta::assert_snapshot!("tailback", top.out);
    for verb in verbs() {
        let help = tailback(&[&verb, "--help"]);
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        insta::assert_snapshot!(verb, help.out);
    }
}

#[test]
fn alone_it_prints_help_and_fails() {
    let alone = tailback(&[]);
    assert_eq!((alone.code, alone.out.as_str()), (2, ""));
    assert!(alone.err.contains("Try first:") && alone.err.contains("Exit codes:"), "{}", alone.err);
}

#[test]
fn version() {
    let first = format!("tailback {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(tailback(&["-V"]).out.trim(), first);
    let version = tailback(&["--version"]);
    assert_eq!(version.code, 0);
    let lines: Vec<&str> = version.out.lines().collect();
    let [name, commit, compiler, build, features] = lines[..] else { panic!("{}", version.out) };
    assert_eq!(name, first);
    assert!(commit.starts_with("commit   ") && compiler.starts_with("compiler rustc 1."), "{}", version.out);
    assert!(build.starts_with("build    debug, ") || build.starts_with("build    release, "), "{}", version.out);
    assert_eq!(features, "features parquet");
}
