//! The papers of this program, and those of folders.

use crate::data::{Fault, load};
use crate::paper::Paper;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Key of a study, and its files by name.
type Embedded = (&'static str, &'static [(&'static str, &'static str)]);

/// The studies of `papers/` that are data.
static EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

/// The papers that can be reproduced, by key.
pub fn papers() -> &'static [&'static Paper] {
    static PAPERS: OnceLock<Vec<&'static Paper>> = OnceLock::new();
    PAPERS.get_or_init(|| {
        let mut papers: Vec<&'static Paper> = EMBEDDED.iter().map(embedded).collect();
        papers.sort_by_key(|paper| paper.key);
        papers
    })
}

fn embedded((key, files): &Embedded) -> &'static Paper {
    let file = |name: &str| files.iter().find(|(other, _)| *other == name).map(|(_, text)| (*text).to_owned());
    load(&format!("papers/{key}"), &file)
        .unwrap_or_else(|fault| panic!("a test reads every study of this program: {fault}"))
}

/// The paper of this key.
pub fn paper(key: &str) -> Option<&'static Paper> {
    papers().iter().copied().find(|paper| paper.key == key)
}

/// The study of a folder with a `study.toml`. It stays in memory as long as the program runs.
///
/// # Errors
/// What is wrong in its files, with its place.
pub fn study_of(folder: &Path) -> Result<&'static Paper, Fault> {
    load(&folder.display().to_string(), &|name| fs::read_to_string(folder.join(name)).ok())
}
