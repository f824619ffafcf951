//! Words of a text with their places, and what is wrong with them.

use std::fmt;
use tailback_base::text;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The line, from 1; 0 where the file as a whole is wrong.
    pub line: usize,
    /// The column, from 1, in characters; 0 where the line as a whole is wrong.
    pub column: usize,
    /// The sentence.
    pub message: String,
}

impl Wrong {
    /// The file as a whole is wrong.
    pub fn whole(message: impl Into<String>) -> Wrong {
        Wrong { line: 0, column: 0, message: message.into() }
    }

    /// A text ends where something was expected.
    pub fn at_end(text: &str, what: &str) -> Wrong {
        let message = format!("expected {what}, found the end of the file");
        Wrong { line: text.lines().count(), column: 0, message }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => f.write_str(&self.message),
            (line, 0) => write!(f, "line {line}: {}", self.message),
            (line, column) => write!(f, "line {line}, column {column}: {}", self.message),
        }
    }
}

impl std::error::Error for Wrong {}

/// A line that has words, from the next word on.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its number, from 1.
    pub number: usize,
    text: &'t str,
    at: usize,
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub struct Word<'t> {
    /// The word.
    pub text: &'t str,
    line: Line<'t>,
    at: usize,
}

/// The lines of a text that have words, without comments, which begin with `#`.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let line = |number, text| Line { number, text: before_comment(text), at: 0 };
    (1..).zip(text.lines()).map(move |(number, text)| line(number, text)).filter(|line| !line.rest().is_empty())
}

fn before_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}

impl<'t> Line<'t> {
    /// The next word.
    pub fn next(&mut self) -> Option<Word<'t>> {
        let rest = &self.text[self.at..];
        let begin = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let length = self.text[begin..].find(char::is_whitespace).unwrap_or(self.text.len() - begin);
        self.at = begin + length;
        Some(Word { text: &self.text[begin..self.at], line: *self, at: begin })
    }

    /// What is left of the line, without blanks around it.
    pub fn rest(&self) -> &'t str {
        self.text[self.at..].trim()
    }

    /// The next word, which must be there.
    pub fn expect(&mut self, what: &str) -> Result<Word<'t>, Wrong> {
        self.next().ok_or_else(|| {
            let column = self.text.trim_end().chars().count() + 1;
            Wrong { line: self.number, column, message: format!("expected {what}, found the end of the line") }
        })
    }

    /// The next word as a whole number of at most `most`.
    pub fn number(&mut self, what: &str, most: u64) -> Result<u32, Wrong> {
        self.expect(what)?.number(what, most)
    }

    /// Refuses more words.
    pub fn end(&mut self) -> Result<(), Wrong> {
        self.next().map_or(Ok(()), |word| Err(word.instead_of("the end of the line")))
    }

    /// The line as a whole is wrong.
    pub fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong { line: self.number, column: 0, message: message.into() }
    }
}

impl Word<'_> {
    /// The number of its line.
    pub fn line(&self) -> usize {
        self.line.number
    }

    /// Another word was expected here.
    pub fn instead_of(&self, what: &str) -> Wrong {
        self.wrong(format!("expected {what}, found `{}`", text::word(self.text)))
    }

    /// The word is wrong.
    pub fn wrong(&self, message: impl Into<String>) -> Wrong {
        let column = self.line.text[..self.at].chars().count() + 1;
        Wrong { line: self.line.number, column, message: message.into() }
    }

    /// The word as a whole number of at most `most`.
    pub fn number(&self, what: &str, most: u64) -> Result<u32, Wrong> {
        // `parse` takes a sign, too.
        let digits = self.text.bytes().all(|b| b.is_ascii_digit());
        let number = if digits { self.text.parse::<u64>().ok() } else { None };
        match number {
            Some(number) if number <= most => Ok(number as u32),
            _ if digits => Err(self.instead_of(&format!("{what}, at most {most}"))),
            _ => Err(self.instead_of(what)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places() {
        let text = "# head\n\n  link 12 x # tail\nend";
        let mut lines = lines(text);
        let mut line = lines.next().unwrap();
        assert_eq!((line.number, line.next().unwrap().text, line.number("a number", 20)), (3, "link", Ok(12)));
        let wrong = line.number("a router", 9).unwrap_err();
        assert_eq!(wrong.to_string(), "line 3, column 11: expected a router, found `x`");
        let wrong = line.expect("a port").unwrap_err();
        assert_eq!(wrong.to_string(), "line 3, column 12: expected a port, found the end of the line");
        let mut last = lines.next().unwrap();
        assert_eq!(last.end().unwrap_err().to_string(), "line 4, column 1: expected the end of the line, found `end`");
    }

    #[test]
    fn numbers_are_digits_in_range() {
        for (word, found) in
            [("7", true), ("10", false), ("-1", false), ("+1", false), ("1e3", false), ("99999999999999999999", false)]
        {
            assert_eq!(lines(word).next().unwrap().number("a port", 9).is_ok(), found, "{word}");
        }
    }

    #[test]
    fn columns_count_characters_and_hostile_ones_are_not_quoted() {
        let wrong =
            lines("é\u{a0}\u{1b}[2J").next().map(|mut line| (line.next(), line.number("x", 1).unwrap_err())).unwrap().1;
        assert_eq!(wrong.to_string(), "line 1, column 3: expected x, found `\\u001b[2J`");
    }
}
