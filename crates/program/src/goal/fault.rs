//! What is wrong with a file, and where.

use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A line and a column, both from 1; the column counts bytes.
    Line(u64, u64),
    /// A byte of a binary file, from 0.
    Byte(u64),
    /// The file as a whole.
    File,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Line(line, column) => write!(f, "line {line}, column {column}"),
            At::Byte(byte) => write!(f, "byte {byte}"),
            At::File => f.write_str("the file"),
        }
    }
}

/// What is wrong, in a sentence, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is.
    pub at: At,
    /// What is wrong and what to do.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(at: At, message: String) -> Fault {
        Fault { at, message }
    }

    /// An error of the system.
    pub(super) fn system(what: &str, error: &std::io::Error) -> Fault {
        Fault::new(At::File, format!("it cannot be {what}: {error}"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for Fault {}
