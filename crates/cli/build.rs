//! Notes for `tailback --version` which commit was built, and by which compiler.

use std::process::Command;

fn main() {
    // The program is built again when any of its sources changes, and so is this note.
    println!("cargo::rerun-if-changed=../");
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    println!("cargo::rustc-env=TAILBACK_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
    let compiler = output(Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"));
    println!("cargo::rustc-env=TAILBACK_COMPILER={}", compiler.unwrap_or_else(|| "unknown".to_owned()));
    for (name, variable) in [("PROFILE", "TAILBACK_PROFILE"), ("TARGET", "TAILBACK_TARGET")] {
        println!("cargo::rustc-env={variable}={}", std::env::var(name).unwrap_or_default());
    }
    println!("cargo::rustc-env=TAILBACK_FEATURES={}", features());
}

/// The optional features of this build, as `parquet`.
fn features() -> String {
    let mut names: Vec<String> =
        std::env::vars().filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase())).collect();
    names.retain(|name| name != "default");
    names.sort_unstable();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// `511f7165f761 of 2026-11-22`; `None` outside a checkout, as in an unpacked archive.
fn commit() -> Option<String> {
    // Another project's repository may surround an unpacked archive.
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = git(&["log", "-1", "--format=%h of %cs", "--abbrev=12"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", "../", "../../Cargo.lock"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}, with local changes") })
}

fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a command prints; `None` where it is not there or fails.
fn output(command: &mut Command) -> Option<String> {
    let done = command.output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
}
