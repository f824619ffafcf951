//! Notes for `tailback --version` which commit was built, and by which compiler; finds out how the linker makes the program smaller.

use std::path::Path;
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
    for (name, to) in [("PROFILE", "TAILBACK_PROFILE"), ("TARGET", "TAILBACK_TARGET")] {
        println!("cargo::rustc-env={to}={}", variable(name));
    }
    println!("cargo::rustc-env=TAILBACK_FEATURES={}", features());
    // Of the addresses that the loader fills in, a table of bits in the place of 24 bytes each.
    const PACKED: &str = "-Wl,-z,pack-relative-relocs";
    if variable("PROFILE") == "release" && runs_linked_with(PACKED) {
        println!("cargo::rustc-link-arg-bins={PACKED}");
    }
}

/// Whether the linker of this build takes an argument, and this machine runs what comes of it: a linker or a loader may be too old.
fn runs_linked_with(argument: &str) -> bool {
    let program = Path::new(&variable("OUT_DIR")).join("linked");
    let source = program.with_extension("rs");
    if variable("HOST") != variable("TARGET") || std::fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let mut compiler = Command::new(variable("RUSTC"));
    compiler.args(variable("CARGO_ENCODED_RUSTFLAGS").split('\x1f').filter(|flag| !flag.is_empty()));
    compiler.args(std::env::var("RUSTC_LINKER").map(|linker| format!("-Clinker={linker}")));
    compiler.arg(format!("-Clink-arg={argument}")).arg(&source).arg("-o").arg(&program);
    output(&mut compiler).and_then(|_| output(&mut Command::new(&program))).is_some()
}

/// What Cargo says to the script of a build.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
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
