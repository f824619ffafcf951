//! Text files with a fact a line, as users write them: read within a bound, every wrong line told.

use std::fs::File;
use std::io::Read;

/// The text of the file at `path`, refused unread beyond `limit` bytes, which is longer than any `what` can be.
///
/// # Errors
/// In words, with the path.
pub fn read(path: &str, limit: u64, what: &str) -> Result<String, String> {
    let mut text = String::new();
    // A pipe that nobody writes to would be waited for, for ever, when it is opened.
    let data = std::fs::metadata(path).map_err(|e| format!("cannot open {path}: {e}"))?;
    if !data.is_file() {
        let what = if data.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(format!("{path} is {what}, and no plain file"));
    }
    let file = File::open(path).map_err(|e| format!("cannot open {path}: {e}"))?;
    let length = file.take(limit + 1).read_to_string(&mut text).map_err(|e| format!("cannot read {path}: {e}"))?;
    if length as u64 > limit {
        return Err(format!("{path} is longer than any {what} ({limit} bytes)"));
    }
    Ok(text)
}

/// The words of every line that has some, with the number of the line from 1 on. `#` begins a comment.
pub fn words(text: &str) -> impl Iterator<Item = (u64, Vec<&str>)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().take(8).collect();
        (!words.is_empty()).then_some((number, words))
    })
}

/// A word of a file as a message may show it: short, without control characters.
pub fn shown(word: &str) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    word.chars().take(20).map(plain).collect()
}

/// The wrong lines of a file, of which it tells no more than twenty.
#[derive(Debug, Default)]
pub struct Faults {
    shown: Vec<String>,
    more: usize,
}

/// Wrong lines that are told one by one.
const SHOWN: usize = 20;

impl Faults {
    /// Notes what is wrong with a line.
    pub fn add(&mut self, line: u64, message: &str) {
        match self.shown.len() < SHOWN {
            true => self.shown.push(format!("line {line}: {message}")),
            false => self.more += 1,
        }
    }

    /// Nothing, or all that was noted.
    ///
    /// # Errors
    /// A line for every wrong line.
    pub fn result(&self) -> Result<(), String> {
        match self.shown.as_slice() {
            [] => Ok(()),
            [one] => Err(one.clone()),
            many => {
                let lines = many.len() + self.more;
                Err(format!("{lines} lines are wrong\n{}{}", many.join("\n"), and_more(self.more)))
            }
        }
    }
}

/// `, and 3 more`, or nothing.
pub fn and_more(count: usize) -> String {
    if count > 0 { format!(", and {count} more") } else { String::new() }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A pipe that nobody writes to was waited for, for ever.
    #[test]
    fn what_is_no_plain_file_is_refused() {
        let fifo = std::env::temp_dir().join(format!("tailback-lines-{}", std::process::id()));
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let path = fifo.to_str().unwrap();
        let refused = read(path, 10, "table").unwrap_err();
        std::fs::remove_file(&fifo).unwrap();
        assert_eq!(refused, format!("{path} is a device or a pipe, and no plain file"));
        assert_eq!(read("/dev/zero", 10, "table").unwrap_err(), "/dev/zero is a device or a pipe, and no plain file");
        assert_eq!(read("/", 10, "table").unwrap_err(), "/ is a folder, and no plain file");
        assert!(read("/no/such/file", 10, "table").unwrap_err().starts_with("cannot open /no/such/file: "));
    }
}
