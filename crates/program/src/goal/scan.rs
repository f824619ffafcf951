//! Lines of a text, and the words on a line.

use super::fault::{At, Fault};
use std::io::{BufRead, Read};
use tailback_base::text::word;

/// Bytes of a line at most.
const LONGEST: u64 = 1 << 16;

/// A word of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'l> {
    /// Letters, digits and underscores, a letter first.
    Word(&'l [u8]),
    /// A whole number.
    Number(u64),
    /// `-1`.
    Any,
    /// One of `{`, `}` and `:`.
    Sign(u8),
    /// The end of the line.
    End,
}

impl Token<'_> {
    /// The word as a message quotes it.
    pub(super) fn quoted(self) -> String {
        match self {
            Token::Word(letters) => format!("`{}`", word(&String::from_utf8_lossy(letters))),
            Token::Number(number) => format!("`{number}`"),
            Token::Any => "`-1`".to_owned(),
            Token::Sign(sign) => format!("`{}`", sign as char),
            Token::End => "the end of the line".to_owned(),
        }
    }
}

/// Lines one after the other, without comments.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: R,
    /// The line that was read last, comments overwritten with blanks.
    pub(super) line: Vec<u8>,
    /// Its number, from 1.
    pub(super) number: u64,
    /// Where a comment began that has not ended.
    comment: Option<At>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Lines<R> {
        Lines { reader, line: Vec::new(), number: 0, comment: None }
    }

    /// Reads the next line; says whether there was one.
    pub(super) fn next(&mut self) -> Result<bool, Fault> {
        self.line.clear();
        let read = self.reader.by_ref().take(LONGEST).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| Fault::system("read", &error))?;
        if read == 0 {
            return match self.comment {
                Some(at) => Err(Fault::new(at, "this comment does not end; close it with `*/`".to_owned())),
                None => Ok(false),
            };
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            self.line.pop_if(|byte| *byte == b'\r');
        } else if read as u64 == LONGEST {
            let message = format!("the line is longer than {LONGEST} bytes; break it, one statement a line");
            return Err(Fault::new(At::Line(self.number, LONGEST), message));
        }
        self.blank();
        Ok(true)
    }

    /// Overwrites comments with blanks.
    fn blank(&mut self) {
        if self.comment.is_none() && !self.line.contains(&b'/') {
            return;
        }
        let mut at = 0;
        while at < self.line.len() {
            let rest = &self.line[at..];
            let wide = match self.comment {
                Some(_) if rest.starts_with(b"*/") => {
                    self.comment = None;
                    2
                }
                Some(_) => 1,
                None if rest.starts_with(b"//") => rest.len(),
                None if rest.starts_with(b"/*") => {
                    self.comment = Some(At::Line(self.number, at as u64 + 1));
                    2
                }
                None => {
                    at += 1;
                    continue;
                }
            };
            self.line[at..at + wide].fill(b' ');
            at += wide;
        }
    }
}

/// Words of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words<'l> {
    line: &'l [u8],
    number: u64,
    next: usize,
    /// Where the word began that was read last.
    began: usize,
}

impl<'l> Words<'l> {
    pub(super) fn new(line: &'l [u8], number: u64) -> Words<'l> {
        Words { line, number, next: 0, began: 0 }
    }

    /// Where the word began that was read last.
    pub(super) fn at(&self) -> At {
        At::Line(self.number, self.began as u64 + 1)
    }

    /// A fault there.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.at(), message.into())
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Result<Token<'l>, Fault> {
        while self.line.get(self.next).is_some_and(|byte| matches!(byte, b' ' | b'\t')) {
            self.next += 1;
        }
        self.began = self.next;
        let rest = &self.line[self.next..];
        let Some(&first) = rest.first() else { return Ok(Token::End) };
        let long = |fits: fn(&u8) -> bool| rest.iter().position(|byte| !fits(byte)).unwrap_or(rest.len());
        let (token, wide) = match first {
            b'{' | b'}' | b':' => (Token::Sign(first), 1),
            b'0'..=b'9' => {
                let wide = long(u8::is_ascii_digit);
                (Token::Number(self.value(&rest[..wide])?), wide)
            }
            b'-' if rest.starts_with(b"-1") && !rest.get(2).is_some_and(u8::is_ascii_digit) => (Token::Any, 2),
            letter if letter.is_ascii_alphabetic() => {
                let wide = long(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                (Token::Word(&rest[..wide]), wide)
            }
            _ => {
                let found = word(&String::from_utf8_lossy(&rest[..rest.len().min(8)]));
                return Err(self.fault(format!("no statement has `{found}` here")));
            }
        };
        self.next += wide;
        Ok(token)
    }

    fn value(&self, digits: &[u8]) -> Result<u64, Fault> {
        let add = |sum: u64, digit: &u8| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0'));
        let value = digits.iter().try_fold(0, add);
        value.ok_or_else(|| self.fault(format!("the number is larger than {}", u64::MAX)))
    }

    /// A number, which is `what`.
    pub(super) fn number(&mut self, what: &str) -> Result<u64, Fault> {
        match self.next()? {
            Token::Number(value) => Ok(value),
            other => Err(self.fault(format!("{} stands where {what} is due", other.quoted()))),
        }
    }

    /// This word and no other.
    pub(super) fn expect(&mut self, due: Token<'_>) -> Result<(), Fault> {
        let found = self.next()?;
        match found == due {
            true => Ok(()),
            false => Err(self.fault(format!("{} stands where {} is due", found.quoted(), due.quoted()))),
        }
    }
}
