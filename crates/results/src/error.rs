//! The errors of reading and writing results; each message names the path, the step and the cause.

use std::io;
use std::path::{Path, PathBuf};
use tailback_base::text;

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong when results are written or read back.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused a step: missing rights, a read-only folder, a full disk.
    #[error("cannot {action} {}: {source}", text::path(path))]
    Io {
        /// What was tried, as a verb.
        action: &'static str,
        /// The file or folder concerned.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A line of a JSON lines file is no record.
    #[error("{}, line {line}: not a record: {cause}", text::path(path))]
    Line {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: u64,
        /// What the parser found.
        cause: String,
    },
    /// A file is no capsule, or a damaged one.
    #[error("{}: {cause}", text::path(path))]
    Capsule {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what would be right.
        cause: String,
    },
    /// A file is no checkpoint, or a damaged one, or of another version.
    #[error("{}: {cause}", text::path(path))]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// A file that may not be written.
    #[error("nothing is written to {}: {cause}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: String,
    },
    /// A record cannot become one flat row.
    #[error("point {point}: {cause}")]
    Record {
        /// `point_id` of the record.
        point: String,
        /// The column and the reason.
        cause: String,
    },
    /// A table's columns contradict each other.
    #[error("table `{table}`: {cause}")]
    Table {
        /// Name of the table.
        table: String,
        /// The column and the reason.
        cause: String,
    },
    /// A name that would leave the output folder or is no file name.
    #[error(
        "`{}` cannot be a file name: use letters, digits, `.`, `_`, `-` and `+`, not starting with a dot",
        text::shown(name)
    )]
    FileName {
        /// The refused name.
        name: String,
    },
    /// The output folder already holds records.
    #[error(
        "{} already holds records: choose another folder, or say whether to keep or to replace them",
        text::path(path)
    )]
    Occupied {
        /// The records file found.
        path: PathBuf,
    },
    /// Another process is writing to the output folder.
    #[error("{} is being written by another run: wait for its end, or choose another folder", text::path(path))]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds something other than results.
    #[error(
        "{} holds files, and none of them are results of this program: choose a new or an empty folder",
        text::path(path)
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// The Parquet library refused a table.
    #[error("table `{table}` as Parquet: {cause}")]
    Parquet {
        /// Name of the table.
        table: String,
        /// The library's reason.
        cause: String,
    },
}

impl Error {
    /// An I/O error with its step and path, for use in `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn capsule(path: &Path, cause: impl Into<String>) -> Self {
        Self::Capsule { path: path.to_path_buf(), cause: cause.into() }
    }

    pub(crate) fn checkpoint(path: &Path, cause: impl Into<String>) -> Self {
        Self::Checkpoint { path: path.to_path_buf(), cause: cause.into() }
    }

    pub(crate) fn table(table: &str, cause: impl Into<String>) -> Self {
        Self::Table { table: table.to_owned(), cause: cause.into() }
    }
}
