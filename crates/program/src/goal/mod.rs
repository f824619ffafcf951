//! GOAL, the format in which group operations are exchanged: text that people read, and the binary form that simulators read.
//!
//! Files say bytes and nanoseconds, programs flits and cycles: [`Units`] is between them. A message of no bytes is one flit long. What is read is
//! checked before it is given out: peers, circles within a rank, sends that no receive matches and the other way round.

mod binary;
mod draft;
mod fault;
mod labels;
mod scan;
mod stored;
mod text;
mod units;
mod write_binary;
mod write_text;

pub use fault::{At, Fault};
pub use stored::Stored;
pub use units::Units;
pub use write_binary::write_binary;
pub use write_text::write_text;

use crate::check::{Problem, check};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

/// How binary files begin, as a little-endian number of eight bytes.
const MAGIC: u64 = 4223;
/// How a binary file begins that its reader has used up.
const USED_UP: u64 = 2342;
/// Bytes of an operation in a binary file.
const RECORD: u64 = 39;
/// Any source or any tag.
const ANY: u32 = u32::MAX;

/// Reads GOAL text.
///
/// # Errors
/// [`Fault`] with line and column.
pub fn read_text(bytes: &[u8], units: &Units) -> Result<Stored, Fault> {
    checked(text::read(bytes, units)?)
}

/// Reads GOAL in its binary form.
///
/// # Errors
/// [`Fault`] with a byte offset.
pub fn read_binary(bytes: &[u8], units: &Units) -> Result<Stored, Fault> {
    checked(binary::read(&mut Cursor::new(bytes), bytes.len() as u64, units)?)
}

/// Reads a file of GOAL, text or binary as its first bytes say. It is not held as a whole.
///
/// # Errors
/// [`Fault`] with its place.
pub fn read(path: &Path, units: &Units) -> Result<Stored, Fault> {
    // A pipe that nobody writes to would be waited for, for ever, when it is opened.
    let found = std::fs::metadata(path).map_err(|error| Fault::system("opened", &error))?;
    if !found.is_file() {
        return Err(Fault::new(At::File, "it is no regular file, and programs are read from regular files".to_owned()));
    }
    let file = File::open(path).map_err(|error| Fault::system("opened", &error))?;
    let length = file.metadata().map_err(|error| Fault::system("looked at", &error))?;
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let begin = reader.fill_buf().map_err(|error| Fault::system("read", &error))?;
    if is_binary(begin) {
        reader.rewind().map_err(|error| Fault::system("read", &error))?;
        return checked(binary::read(&mut reader, length.len(), units)?);
    }
    checked(text::read(reader, units)?)
}

/// Whether a file that begins so is binary: text has no zero bytes.
fn is_binary(begin: &[u8]) -> bool {
    begin.iter().take(8).any(|&byte| byte == 0)
}

/// The program, if nothing is wrong with it as a whole.
fn checked(program: Stored) -> Result<Stored, Fault> {
    match check(&program).into_iter().next() {
        None => Ok(program),
        Some(Problem { rank, number, message, .. }) => Err(Fault::new(program.at(rank, number), message)),
    }
}
