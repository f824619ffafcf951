//! The specs of the repository.

use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All specs of `examples/` and `papers/` that run, in the order of their names.
pub fn specs() -> Vec<PathBuf> {
    let mut files = Vec::new();
    // A host says what is sent in these: crates/capi/tests/hosts.rs.
    collect(&root().join("examples"), &["hosts/mesh.toml"], &mut files);
    // Of a paper, these have its numbers, and what is asked of them.
    collect(&root().join("papers"), &["targets.toml", "study.toml"], &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, others: &[&str], files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, others, files);
        } else if path.extension().is_some_and(|end| end == "toml") && !others.iter().any(|name| path.ends_with(name)) {
            files.push(path);
        }
    }
}
