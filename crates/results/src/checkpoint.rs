//! The file of a checkpoint: a point, the cycle that it has come to, and the state of its run.
//!
//! | bytes | |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`FORMAT`] |
//! | 4 | length of the head |
//! | 8 | length of the state |
//! | | the head, as JSON |
//! | | the state, which only the program reads that knows the point |
//! | 32 | SHA-256 of all of the above |
//!
//! Numbers are little-endian. What a state means changes with the program, so a checkpoint is for the version that wrote it.

use crate::atomic::write_atomic;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tailback_base::text::{brief, word};

/// How the file begins. The first byte is no text, the last ones notice whoever changes ends of lines.
pub const MAGIC: [u8; 8] = *b"\x89TBCK\r\n\x1a";

/// The format this program writes and reads.
pub const FORMAT: u32 = 3;

/// Largest head; a resolved spec is a few kilobytes.
const HEAD_MAX: u64 = 16 << 20;

const FIXED: usize = 24;
const SUM: usize = 32;

/// What there is to know of a checkpoint without its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the program that made it.
    pub version: String,
    /// The resolved spec of the point, as TOML.
    pub spec_toml: String,
    /// Identity of the run.
    pub point_id: String,
    /// Identity of the spec with what the files hold that it names: that of the run, if it was never forked.
    pub spec_id: String,
    /// What the sweep chose there, as a table of TOML; and what forks did.
    pub swept_toml: String,
    /// Digests of the checkpoints that it was forked from, with their cycles, the first fork first.
    pub forks: Vec<(String, u64)>,
    /// The next cycle to be simulated.
    pub cycle: u64,
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The run to which the checkpoint belongs.
    pub head: Head,
    /// The state of the run.
    pub state: Vec<u8>,
}

impl Checkpoint {
    /// Writes the file whole or not at all, in the place of one of that name.
    ///
    /// # Errors
    /// [`Error::Io`] naming path and cause.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomic(path, &self.to_bytes())
    }

    /// Reads a file. Nothing of it is believed before the sum over all of it is right.
    ///
    /// # Errors
    /// [`Error::Io`] where it cannot be read; [`Error::Checkpoint`] where it is damaged, no checkpoint, or one of another
    /// format or version.
    pub fn read(path: &Path) -> Result<Checkpoint> {
        let mut file = File::open(path).map_err(Error::io("open", path))?;
        let data = file.metadata().map_err(Error::io("read", path))?;
        if data.is_dir() {
            return Err(Error::checkpoint(path, "a folder, and no checkpoint"));
        }
        // A foreign file is told by its beginning, however long it is.
        let mut bytes = Vec::new();
        (&mut file).take(FIXED as u64).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        let length = length(&bytes).map_err(|cause| Error::checkpoint(path, cause))?;
        if data.is_file() && data.len() != length {
            return Err(Error::checkpoint(path, wrong_length(data.len(), length)));
        }
        file.take(length).read_to_end(&mut bytes).map_err(Error::io("read", path))?;
        Checkpoint::parse(&bytes).map_err(|cause| Error::checkpoint(path, cause))
    }

    /// The digest of the file: its name among all checkpoints, 64 hexadecimal digits.
    pub fn digest(&self) -> String {
        let bytes = self.to_bytes();
        bytes[bytes.len() - SUM..].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = serde_json::to_vec(&self.head).expect("texts and numbers are JSON");
        let mut bytes = Vec::with_capacity(FIXED + head.len() + self.state.len() + SUM);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend((self.state.len() as u64).to_le_bytes());
        bytes.extend(head);
        bytes.extend(&self.state);
        let sum = Sha256::digest(&bytes);
        bytes.extend(sum);
        bytes
    }

    /// The checkpoint of a file with these bytes.
    ///
    /// # Errors
    /// In words, what is wrong with it.
    pub fn parse(bytes: &[u8]) -> std::result::Result<Checkpoint, String> {
        let length = length(bytes)?;
        if bytes.len() as u64 != length {
            return Err(wrong_length(bytes.len() as u64, length));
        }
        let (content, sum) = bytes.split_at(bytes.len() - SUM);
        if Sha256::digest(content)[..] != *sum {
            return Err("a damaged checkpoint: its checksum is wrong".to_owned());
        }
        let (head, state) = content[FIXED..].split_at(number(&bytes[12..16]) as usize);
        let damaged = |e: serde_json::Error| format!("a damaged checkpoint: {}", brief(&e.to_string()));
        let versioned: Versioned = serde_json::from_slice(head).map_err(damaged)?;
        if versioned.version != env!("CARGO_PKG_VERSION") {
            let (theirs, ours) = (word(&versioned.version), env!("CARGO_PKG_VERSION"));
            return Err(format!(
                "a checkpoint of version {theirs}, which only that version can read; this is version {ours}"
            ));
        }
        let head = serde_json::from_slice(head).map_err(damaged)?;
        Ok(Checkpoint { head, state: state.to_vec() })
    }
}

/// All that is read of the head of another version.
#[derive(Deserialize)]
struct Versioned {
    version: String,
}

/// The length of a file that begins so, if it begins as a checkpoint of this format.
fn length(bytes: &[u8]) -> std::result::Result<u64, String> {
    if bytes.is_empty() {
        return Err("an empty file, and no checkpoint".to_owned());
    }
    let known = bytes.len().min(MAGIC.len());
    if bytes[..known] != MAGIC[..known] {
        return Err("no checkpoint: it does not begin like one".to_owned());
    }
    let early = || "a damaged checkpoint: it ends early".to_owned();
    let format = bytes.get(8..12).ok_or_else(early)?;
    if number(format) != u64::from(FORMAT) {
        let (theirs, more) =
            (number(format), ", so run its spec from the beginning, or resume it with the program that wrote it");
        return Err(format!("a checkpoint of format {theirs}; this version reads format {FORMAT} alone{more}"));
    }
    let (head, state) = (bytes.get(12..16).ok_or_else(early)?, bytes.get(16..24).ok_or_else(early)?);
    let (head, state) = (number(head), number(state));
    let all = state.checked_add(head + (FIXED + SUM) as u64).filter(|_| head <= HEAD_MAX);
    all.ok_or_else(|| "a damaged checkpoint: its lengths are impossible".to_owned())
}

fn wrong_length(is: u64, due: u64) -> String {
    format!("a damaged checkpoint: it has {is} bytes, and {due} are expected")
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn checkpoint() -> Checkpoint {
        let head = Head {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spec_toml: "[run]\nseed = 1\n".to_owned(),
            point_id: "0123456789abcdef".to_owned(),
            spec_id: "0123456789abcdef".to_owned(),
            swept_toml: String::new(),
            forks: vec![("ff".repeat(32), 7)],
            cycle: u64::MAX,
        };
        Checkpoint { head, state: (0..100).collect() }
    }

    /// With the right sum again.
    fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len() - SUM;
        let sum = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum);
        bytes
    }

    #[test]
    fn survives_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checkpoint");
        checkpoint().write(&path).unwrap();
        let read = Checkpoint::read(&path).unwrap();
        assert_eq!(read, checkpoint());
        assert_eq!((read.digest(), read.digest().len()), (checkpoint().digest(), 64));
        assert_ne!(Checkpoint { state: vec![], ..read.clone() }.digest(), read.digest());
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_told() {
        let good = checkpoint().to_bytes();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            assert!(Checkpoint::parse(&bad).is_err(), "byte {at}");
            assert!(Checkpoint::parse(&good[..at]).is_err(), "cut to {at}");
        }
        assert!(Checkpoint::parse(&[good.clone(), vec![0]].concat()).unwrap_err().contains("bytes, and"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |bytes: &[u8]| Checkpoint::parse(bytes).unwrap_err();
        let good = checkpoint().to_bytes();
        assert!(said(b"").contains("empty"));
        assert!(said(b"{\"format\":1}").contains("does not begin like one"));
        assert!(said(&good[..10]).contains("ends early"));
        let mut other = good.clone();
        other[8] = 1;
        assert_eq!(
            said(&other),
            "a checkpoint of format 1; this version reads format 3 alone, so run its spec from the beginning, or resume it with the program \
             that wrote it"
        );
        let mut long = good.clone();
        long[16..24].fill(255);
        assert!(said(&long).contains("lengths are impossible"));
        let mut later = checkpoint();
        later.head.version = "9.9.9".to_owned();
        assert!(said(&later.to_bytes()).contains("of version 9.9.9"));
        let head = br#"{"version":"9.9.9","new":1}"#;
        let mut foreign =
            [&MAGIC[..], &[FORMAT as u8, 0, 0, 0], &(head.len() as u32).to_le_bytes(), &[0; 8], head].concat();
        foreign.extend([0; SUM]);
        assert!(said(&summed(foreign)).contains("of version 9.9.9"), "whatever its head is like");
    }

    #[test]
    fn a_foreign_file_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("big");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let said = |path: &Path| Checkpoint::read(path).unwrap_err().to_string();
        assert!(said(&path).contains("does not begin like one"));
        assert!(said(folder.path()).contains("a folder"));
        assert!(said(&folder.path().join("none")).contains("cannot open"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(tail in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..150) {
            prop_assert!(Checkpoint::parse(&tail).is_err());
            let mut bytes = checkpoint().to_bytes();
            let (at, count) = (at.min(bytes.len()), tail.len().min(bytes.len() - at.min(bytes.len())));
            bytes[at..at + count].copy_from_slice(&tail[..count]);
            // Whatever the sum says of it: an error, or a checkpoint.
            let _ = Checkpoint::parse(&summed(bytes));
        }
    }
}
