//! Compiling hosts against the library that was built with the tests, and running them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the library that was built with this test.
pub fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// Compiles a host. `make test` needs gcc and g++.
pub fn compiled(compiler: &str, source: &Path, out: &Path, flags: &[&str]) {
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Werror", "-O1"]).args(flags).arg(source).arg("-o").arg(out);
    command.arg("-I").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include")).arg("-L").arg(libraries());
    command.arg("-ltailback").arg(format!("-Wl,-rpath,{}", libraries().display()));
    let ended = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(ended.status.success(), "{compiler}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// What a program prints.
pub fn said(program: &Path, arguments: &[&Path]) -> String {
    let ended = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&ended.stderr);
    let words = String::from_utf8(ended.stdout).unwrap();
    assert!(ended.status.success() && errors.is_empty(), "{}: {:?} {errors}{words}", program.display(), ended.status);
    words.trim().to_owned()
}
