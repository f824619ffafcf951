//! Text files with a fact a line, as users write them: read within a bound, every wrong line counted.
//!
//! Whoever writes a spec names such a file, and need not be whoever may read it: a message quotes one word of it at most.

use crate::text;
use std::fs::File;
use std::io::Read;

/// The text of the file at `path`, refused unread beyond `limit` bytes, which is longer than any `what` can be.
///
/// # Errors
/// In words, with the path.
pub fn read(path: &str, limit: u64, what: &str) -> Result<String, String> {
    let (mut content, shown) = (String::new(), text::shown(path));
    // A pipe that nobody writes to would be waited for, for ever, when it is opened.
    let data = std::fs::metadata(path).map_err(|e| format!("cannot open {shown}: {e}"))?;
    if !data.is_file() {
        let what = if data.is_dir() { "a folder" } else { "a device or a pipe" };
        return Err(format!("{shown} is {what}, and no plain file"));
    }
    let file = File::open(path).map_err(|e| format!("cannot open {shown}: {e}"))?;
    let length = file.take(limit + 1).read_to_string(&mut content).map_err(|e| format!("cannot read {shown}: {e}"))?;
    if length as u64 > limit {
        return Err(format!("{shown} is longer than any {what} ({limit} bytes)"));
    }
    Ok(content)
}

/// The words of every line that has some, with the number of the line from 1 on. `#` begins a comment.
pub fn words(text: &str) -> impl Iterator<Item = (u64, Vec<&str>)> {
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().take(8).collect();
        (!words.is_empty()).then_some((number, words))
    })
}

/// The wrong lines of a file. The first one is told with the word that is wrong in it, the others by their numbers.
#[derive(Debug, Default)]
pub struct Faults {
    first: Option<String>,
    others: Vec<u64>,
    more: usize,
}

/// Wrong lines whose numbers are told.
const NUMBERED: usize = 20;

impl Faults {
    /// Notes what is wrong with a line.
    pub fn add(&mut self, line: u64, message: &str) {
        self.note(line, || format!("line {line}: {message}"));
    }

    /// Notes what is wrong at a place of a line; columns count characters from 1 on.
    pub fn add_at(&mut self, line: u64, column: usize, message: &str) {
        self.note(line, || format!("line {line}, column {column}: {message}"));
    }

    fn note(&mut self, line: u64, told: impl Fn() -> String) {
        match self.first {
            None => self.first = Some(told()),
            Some(_) if self.others.len() < NUMBERED => self.others.push(line),
            Some(_) => self.more += 1,
        }
    }

    /// Nothing, or what was noted.
    ///
    /// # Errors
    /// What is wrong with the first wrong line, and which others are wrong.
    pub fn result(&self) -> Result<(), String> {
        let Some(first) = &self.first else { return Ok(()) };
        let numbers: Vec<String> = self.others.iter().map(u64::to_string).collect();
        Err(match numbers.as_slice() {
            [] => first.clone(),
            [one] => format!("{first}; line {one} is wrong, too"),
            many => format!("{first}; lines {}{} are wrong, too", many.join(", "), and_more(self.more)),
        })
    }
}

/// `, and 3 more`, or nothing.
pub fn and_more(count: usize) -> String {
    if count > 0 { format!(", and {count} more") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_line_is_told_with_its_words_and_the_others_with_their_numbers() {
        let mut faults = Faults::default();
        assert_eq!(faults.result(), Ok(()));
        faults.add(3, "`x` is not a node id");
        assert_eq!(faults.result().unwrap_err(), "line 3: `x` is not a node id");
        faults.add_at(5, 2, "secret");
        assert_eq!(faults.result().unwrap_err(), "line 3: `x` is not a node id; line 5 is wrong, too");
        (6..100).for_each(|line| faults.add(line, "secret"));
        let told = faults.result().unwrap_err();
        assert!(told.ends_with("23, 24, and 75 more are wrong, too") && !told.contains("secret"), "{told}");
    }

    /// A pipe that nobody writes to was waited for, for ever.
    #[cfg(unix)]
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
