//! Folders of results, and what may be read of them: nothing outside.

use crate::exit::{Failure, Result};
use crate::show;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most folders that are shown.
const MOST_FOLDERS: usize = 256;

/// The longest file that is handed out \[bytes\].
const LONGEST_FILE: u64 = 64 << 20;

/// What has to be in a folder of results.
pub const RECORDS: &str = "records.jsonl";

/// The folders below a folder of results, and the endings of the files there that are handed out.
const SHELVES: [(&str, &[&str]); 4] = [
    ("", &["toml", "csv", "jsonl", "parquet"]),
    ("pictures", &["svg", "png", "csv"]),
    ("series", &["csv", "parquet"]),
    ("capsules", &["json"]),
];

/// A folder of results.
#[derive(Clone, Debug)]
pub struct Place {
    /// As it was named.
    pub named: PathBuf,
    /// Where it is, without links.
    root: PathBuf,
}

/// The folders of results among these, or directly in them.
///
/// # Errors
/// Where there are none, or too many.
pub fn places(named: &[PathBuf]) -> Result<Vec<Place>> {
    let mut found = Vec::new();
    for folder in named {
        if !folder.is_dir() {
            return Err(Failure::usage(format!("there is no folder `{}`", show::path(folder))));
        }
        let before = found.len();
        found.extend(place(folder, folder));
        if found.len() == before {
            let entries = std::fs::read_dir(folder).map_err(|error| Failure::file("read", folder, &error))?;
            let mut below: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            below.sort();
            found.extend(below.iter().filter_map(|path| place(path, folder)));
        }
        if found.len() == before {
            return Err(Failure::usage(format!(
                "there are no results in `{}`: neither it nor a folder in it has a file {RECORDS}; `tailback run SPEC --out DIR` \
                 writes one",
                show::path(folder)
            )));
        }
    }
    if found.len() > MOST_FOLDERS {
        return Err(Failure::usage(format!("{} folders are too many: {MOST_FOLDERS} at most", found.len())));
    }
    Ok(found)
}

/// The place at a path, if it has records and lies in the folder that was named.
fn place(path: &Path, named: &Path) -> Option<Place> {
    let (root, bounds) = (path.canonicalize().ok()?, named.canonicalize().ok()?);
    let place = Place { named: path.to_owned(), root };
    (place.root.starts_with(bounds) && place.inside(Path::new(RECORDS)).is_some()).then_some(place)
}

impl Place {
    /// Where a file of this folder is, without links; `None` where it is none, or lies outside.
    pub fn inside(&self, relative: &Path) -> Option<PathBuf> {
        let path = self.root.join(relative).canonicalize().ok()?;
        (path.starts_with(&self.root) && path.is_file()).then_some(path)
    }

    /// The text of a file of this folder, if it is there.
    pub fn text(&self, relative: &str) -> Option<String> {
        String::from_utf8(read(&self.inside(Path::new(relative))?)?).ok()
    }

    /// The files that are handed out whose names begin so, as `FOLDER/NAME`, in order.
    pub fn files(&self, begin: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (shelf, endings) in SHELVES.iter().skip(1) {
            let entries = std::fs::read_dir(self.root.join(shelf)).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let is_ours = |name: &String| name.starts_with(begin) && is_plain(name, endings);
            let ours = names.filter(|name| is_ours(name) && self.inside(&Path::new(shelf).join(name)).is_some());
            found.extend(ours.map(|name| format!("{shelf}/{name}")));
        }
        found.sort();
        found
    }

    /// A file that is handed out, by such a name: its last part, and what it holds.
    pub fn file(&self, name: &str) -> Option<(String, Vec<u8>)> {
        let (shelf, last) = name.rsplit_once('/').unwrap_or(("", name));
        let (shelf, endings) = SHELVES.iter().find(|(known, _)| *known == shelf)?;
        let plain = is_plain(last, endings);
        let path = plain.then(|| self.inside(&Path::new(shelf).join(last))).flatten()?;
        Some((last.to_owned(), read(&path)?))
    }
}

/// Whether a name is one that results have: letters, digits, `_`, `-` and `.`, with a known ending.
fn is_plain(name: &str, endings: &[&str]) -> bool {
    let known = name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && endings.contains(&ending));
    known
        && name.len() <= 200
        && !name.starts_with('.')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// A file, if it is not too long.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(LONGEST_FILE + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LONGEST_FILE).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a/records.jsonl", "{}"),
            ("a/spec.toml", "x"),
            ("a/pictures/p-map.svg", "<svg/>"),
            ("secret.toml", "s"),
            ("b/spec.toml", "no results"),
        ] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn results_are_found_in_a_folder_and_directly_in_it() {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(places(&[at("a")]).unwrap().len(), 1);
        assert_eq!(places(&[folder.path().to_owned()]).unwrap()[0].named, at("a"));
        assert!(places(&[at("b")]).is_err() && places(&[at("none")]).is_err() && places(&[at("secret.toml")]).is_err());
    }

    #[test]
    fn files_of_results_are_handed_out_and_no_others() {
        let folder = folder();
        let place = &places(&[folder.path().join("a")]).unwrap()[0];
        assert_eq!(place.file("spec.toml").unwrap(), ("spec.toml".to_owned(), b"x".to_vec()));
        assert_eq!(place.files("p-"), ["pictures/p-map.svg"]);
        for name in [
            "",
            ".",
            "..",
            "../secret.toml",
            "pictures/../spec.toml",
            "pictures/../../secret.toml",
            "/etc/hostname",
            "pictures",
            "pictures/p-map.toml",
            "pictures\\p-map.svg",
            ".toml",
            "spec.toml\0",
            "x/spec.toml",
        ] {
            assert!(place.file(name).is_none(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_outside() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        symlink(at("secret.toml"), at("a/link.toml")).unwrap();
        symlink(folder.path(), at("a/series")).unwrap();
        symlink(at("a/spec.toml"), at("a/same.toml")).unwrap();
        symlink(at("a"), at("b/a")).unwrap();
        let place = &places(&[at("a")]).unwrap()[0];
        assert!(place.file("link.toml").is_none() && place.file("series/secret.csv").is_none());
        assert!(place.text("link.toml").is_none());
        std::fs::write(at("secret.csv"), "s").unwrap();
        assert_eq!(place.files("secret"), [""; 0], "nor is it told what lies there");
        assert_eq!(place.file("same.toml").unwrap().1, b"x");
        assert!(places(&[at("b")]).is_err(), "what lies elsewhere is named itself");
    }
}
