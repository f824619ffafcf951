//! Records as JSON lines: one flat object a line.

use crate::error::{Error, Result};
use crate::schema::{COLUMNS, Kind, Record};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tailback_base::text::brief;

/// Longest line a reader takes; a record is about a kilobyte.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// The records of a file, and what its end looked like.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    /// All whole records in file order.
    pub records: Vec<Record>,
    /// The last line is torn (the writer was stopped in the middle of it) and was left out.
    pub torn: bool,
    /// Length of the file up to the end of the last whole record \[bytes\].
    pub whole_bytes: u64,
    /// The last whole record has no line break behind it.
    pub unended: bool,
}

/// The record as one line with its line break.
///
/// # Errors
/// [`Error::Record`] for clashing column names.
pub fn to_line(record: &Record) -> Result<String> {
    let row = record.row()?;
    Ok(serde_json::Value::Object(row).to_string() + "\n")
}

/// Reads a file of records; a torn last line is left out, empty lines are skipped.
///
/// # Errors
/// [`Error::Io`] when the file cannot be read; [`Error::Line`] for a complete line that is no record.
pub fn read(path: &Path) -> Result<Records> {
    let file = File::open(path).map_err(Error::io("open", path))?;
    read_from(BufReader::new(file), path)
}

/// Reads records from any source; `path` is for messages only.
///
/// # Errors
/// The errors of [`read`].
pub fn read_from(mut source: impl BufRead, path: &Path) -> Result<Records> {
    let mut found = Records { records: Vec::new(), torn: false, whole_bytes: 0, unended: false };
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length =
            (&mut source).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(Error::io("read", path))?;
        if length == 0 {
            break;
        }
        let ended = line.ends_with(b"\n");
        let blank = line.trim_ascii().is_empty();
        match parse(&line) {
            _ if blank => {}
            Ok(record) => found.records.push(record),
            // Too long for a record is no torn record: the file is something else.
            Err(_) if !ended && (length as u64) < LINE_BYTES_MAX => {
                found.torn = true;
                break;
            }
            Err(cause) => return Err(Error::Line { path: path.to_path_buf(), line: number, cause }),
        }
        found.whole_bytes += length as u64;
        found.unended = !ended;
    }
    Ok(found)
}

fn parse(line: &[u8]) -> std::result::Result<Record, String> {
    if line.len() as u64 >= LINE_BYTES_MAX {
        return Err(format!("longer than {LINE_BYTES_MAX} bytes"));
    }
    serde_json::from_slice(line).map_err(|error| older(line).unwrap_or_else(|| brief(&error.to_string())))
}

/// What is said of the record of a version that did not have all columns: a number that is missing is read as unknown, but a count
/// or a text cannot be.
fn older(line: &[u8]) -> Option<String> {
    let row: serde_json::Map<String, Value> = serde_json::from_slice(line).ok()?;
    let version = row.get("version")?.as_str().filter(|_| row.contains_key("point_id"))?;
    let missing = COLUMNS.iter().find(|column| column.kind != Kind::Float && !row.contains_key(column.name))?;
    let version = brief(version);
    Some(format!(
        "version {version} wrote it without the column `{}`, which every record has today; run the spec again, into another folder",
        missing.name
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{any_record, filled};
    use proptest::prelude::*;

    fn from(bytes: &[u8]) -> Result<Records> {
        read_from(bytes, Path::new("records.jsonl"))
    }

    #[test]
    fn one_flat_line_a_record() {
        let line = to_line(&filled()).unwrap();
        assert!(line.starts_with("{\"traffic.load\":0.25,") && line.ends_with("}\n"));
        assert_eq!(line.matches(['\n', '{', '[']).count(), 2);
    }

    #[test]
    fn a_line_torn_anywhere_is_left_out() {
        let line = to_line(&filled()).unwrap();
        for cut in 1..line.len() - 1 {
            let found = from((line.clone() + &line[..cut]).as_bytes()).unwrap();
            assert_eq!((found.records.len(), found.torn, found.whole_bytes), (1, true, line.len() as u64), "cut {cut}");
        }
        let found = from(line.trim_end().as_bytes()).unwrap();
        assert_eq!((found.records.len(), found.torn, found.unended), (1, false, true), "only the line break is gone");
        // What a power cut may leave: zeroes, or the middle of a character.
        assert!(from((line.clone() + "\0\0\0").as_bytes()).unwrap().torn);
        assert!(from(&[line.as_bytes(), b"{\"\xc3"].concat()).unwrap().torn);
    }

    #[test]
    fn a_record_of_an_older_version_says_what_it_lacks() {
        let line = to_line(&filled()).unwrap();
        let without = |column: &str| {
            let mut row: serde_json::Map<String, Value> = serde_json::from_str(&line).unwrap();
            row.remove(column).unwrap();
            from(format!("{}\n", Value::Object(row)).as_bytes())
        };
        let message = without("total_packets_generated").unwrap_err().to_string();
        assert!(message.contains("without the column `total_packets_generated`"), "{message}");
        assert!(message.contains("run the spec again"), "{message}");
        assert_eq!(without("jain_index").unwrap().records[0].jain_index, None, "a number may be unknown");
        assert!(without("version").unwrap_err().to_string().contains("missing field `version`"), "no record of ours");
    }

    #[test]
    fn a_damaged_line_inside_is_an_error_with_its_number() {
        let line = to_line(&filled()).unwrap();
        let message = from((line.clone() + "\n{\"a\":1}\n" + &line).as_bytes()).unwrap_err().to_string();
        assert!(message.contains("records.jsonl, line 3: not a record: missing field"), "{message}");
        assert!(from(b"[1]\n").is_err() && from(b"\xff\n").is_err() && from(b"null\n").is_err());
        let deep = "{\"a\":".repeat(10_000) + "\n";
        assert!(from(deep.as_bytes()).is_err());
    }

    #[test]
    fn an_endless_line_is_refused_without_reading_it_all() {
        let source = BufReader::new(std::io::repeat(b'x').take(100 << 20));
        let message = read_from(source, Path::new("big")).unwrap_err().to_string();
        assert!(message.contains("line 1") && message.contains("longer than"), "{message}");
    }

    #[test]
    fn nothing_is_no_records() {
        assert_eq!(from(b"").unwrap(), Records { records: vec![], torn: false, whole_bytes: 0, unended: false });
        assert!(read(Path::new("no/such/file")).unwrap_err().to_string().contains("cannot open no/such/file"));
    }

    proptest! {
        #[test]
        fn records_survive_the_file(records in proptest::collection::vec(any_record(), 0..5)) {
            let text: String = records.iter().map(|record| to_line(record).unwrap()).collect();
            let found = from(text.as_bytes()).unwrap();
            prop_assert_eq!(found.whole_bytes, text.len() as u64);
            prop_assert_eq!(found.records, records);
        }
    }
}
