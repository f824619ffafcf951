//! Files that a command is asked to write: what may be replaced, and what may not.
//!
//! An output never replaces an input of the same command, nor anything that is not a regular file. It replaces a regular
//! file of another kind only when its user says so ([`Replace::Anything`]). A symbolic link is followed: the file behind it is
//! replaced, and the link stays. All of that is looked at before anything runs, and once more when the file is written.

use crate::atomic::{write_atomic, write_whole};
use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

mod kind;

pub use kind::Kind;

/// Links that are followed, as many as Linux follows.
const LINKS: usize = 40;

/// What users of the command line are told to do about a file of another kind, besides choosing another name.
pub const FORCE: &str = ", or replace it with --force";

/// Bytes at the beginning of a file that its kind is told by.
const BEGINNING: u64 = 8192;

/// What an output may replace besides empty files and files of its own kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replace {
    /// Replace no other file.
    #[default]
    SameKind,
    /// Any regular file that is no input of the command.
    Anything,
}

/// The files that a command reads, known by what they are and not by how they are spelt.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Identity of the file, and its name as its user gave it.
    files: BTreeMap<Identity, String>,
}

impl Inputs {
    /// No inputs.
    pub fn none() -> Inputs {
        Inputs::default()
    }

    /// Adds a file; one that is not there is nobody's input. `what` it is, such as "the spec".
    pub fn add(&mut self, path: &Path, what: &str) {
        if let Some(identity) = fs::metadata(path).ok().and_then(|data| identity(path, &data)) {
            self.files.entry(identity).or_insert_with(|| what.to_owned());
        }
    }

    /// Adds the files of others.
    pub fn join(&mut self, other: Inputs) {
        other.files.into_iter().for_each(|(identity, what)| _ = self.files.entry(identity).or_insert(what));
    }

    /// With one more file.
    #[must_use]
    pub fn with(mut self, path: &Path, what: &str) -> Inputs {
        self.add(path, what);
        self
    }

    /// What `path` is to the command, if it reads it.
    pub fn what(&self, path: &Path) -> Option<&str> {
        let identity = fs::metadata(path).ok().and_then(|data| identity(path, &data))?;
        self.files.get(&identity).map(String::as_str)
    }
}

#[cfg(unix)]
type Identity = (u64, u64);

/// Device and number on it: hard links and all spellings of one file have the same.
#[cfg(unix)]
fn identity(_path: &Path, data: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
type Identity = PathBuf;

/// The path with all links followed.
#[cfg(not(unix))]
fn identity(path: &Path, _data: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok()
}

/// A file that will be written.
#[derive(Clone, Debug)]
pub struct Output {
    path: PathBuf,
    kind: Kind,
    replace: Replace,
    inputs: Inputs,
}

impl Output {
    /// A file of this kind at `path`, which may be one.
    ///
    /// # Errors
    /// [`Error::Output`] with the reason why nothing may be written there.
    pub fn new(path: &Path, kind: Kind, replace: Replace, inputs: &Inputs) -> Result<Output> {
        let output = Output { path: path.to_path_buf(), kind, replace, inputs: inputs.clone() };
        output.check()?;
        Ok(output)
    }

    /// The path, as its user gave it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file, whole or not at all, and waits for the disk.
    ///
    /// # Errors
    /// [`Error::Output`] where something has come to stand there that may not be replaced; [`Error::Io`].
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        self.check()?;
        write_atomic(&self.path, bytes)
    }

    /// Writes the file, as [`Output::write`] does, without waiting for the disk.
    pub(crate) fn write_soon(&self, bytes: &[u8]) -> Result<()> {
        self.check()?;
        write_whole(&self.path, bytes)
    }

    /// Whether a file may be written there now.
    ///
    /// # Errors
    /// [`Error::Output`].
    pub fn check(&self) -> Result<()> {
        self.objection().map_or(Ok(()), |cause| Err(Error::Output { path: self.path.clone(), cause }))
    }

    fn objection(&self) -> Option<String> {
        let folder = crate::atomic::folder_of(&self.path);
        let Ok(data) = fs::metadata(&self.path) else {
            let missing = !folder.is_dir() && fs::symlink_metadata(&self.path).is_err();
            return missing.then(|| format!("there is no folder `{}`", folder.display()));
        };
        if let Some(what) = irregular(&data) {
            return Some(format!("it is {what}, and only regular files are replaced"));
        }
        if let Some(input) = self.inputs.what(&self.path) {
            return Some(format!("it is {input}, which this command reads; an output never replaces an input"));
        }
        if data.len() == 0 || self.replace == Replace::Anything {
            return None;
        }
        let due = self.kind.words();
        match beginning(&self.path) {
            Ok(bytes) if self.kind.begins(&bytes) => None,
            Ok(_) => Some(format!("it holds something other than {due}; choose another name{FORCE}")),
            Err(error) => Some(format!("it cannot be read, so it is unknown whether it holds {due} ({error})")),
        }
    }
}

/// What something is that is no regular file.
pub(crate) fn irregular(data: &Metadata) -> Option<&'static str> {
    let kind = data.file_type();
    if kind.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    Some(if kind.is_dir() { "a folder" } else { "no regular file" })
}

fn beginning(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The file behind a symbolic link, which need not be there; `path` itself where it is none.
///
/// # Errors
/// For links that lead round, and those that cannot be read.
pub fn behind(path: &Path) -> std::io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&path) {
            Ok(data) if data.file_type().is_symlink() => {
                let target = fs::read_link(&path)?;
                path = crate::atomic::folder_of(&path).join(target);
            }
            _ => return Ok(path),
        }
    }
    Err(std::io::Error::other("too many symbolic links"))
}

#[cfg(test)]
mod tests;
