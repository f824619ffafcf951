//! The host of `examples/hosts` in Rust, which Cargo builds with these tests, against the same program as a GOAL file.

use crate::goal::{as_goal, repository};
use std::process::Command;

#[test]
fn the_host_in_rust_completes_when_the_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let built = std::env::current_exe().unwrap();
    let host = built.parent().and_then(|folder| folder.parent()).unwrap().join("examples/request_reply");
    let ended = Command::new(host).arg(repository().join("examples/hosts/mesh.toml")).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let expected = format!("completed in cycle {}\n", as_goal(folder.path()));
    assert_eq!(String::from_utf8_lossy(&ended.stdout), expected);
}
