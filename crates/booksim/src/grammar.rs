//! The grammar of configuration files: `key = value;`, comments, lists in braces, strings with arguments.
//!
//! The tokens are those of BookSim's scanner (`src/config.l`), with its rule that the longest token counts. So `traffic=uniform//x` is a
//! string with slashes in it, and `seed=5;//x` ends in a comment.

use crate::fault::{Fault, Place};
use tailback_base::text;

/// A value as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Digits.
    Integer(i32),
    /// Digits with a point or an exponent, and how it was written.
    Float(f64, String),
    /// Anything else.
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Integer(value) => write!(f, "{value}"),
            Value::Float(_, written) => f.write_str(written),
            Value::Text(text) => f.write_str(text),
        }
    }
}

/// One `key = value;`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The key.
    pub key: String,
    /// The value.
    pub value: Value,
    /// Where the key stands.
    pub place: Place,
}

/// Reads a text, a file or an argument; `name` is what messages call it.
///
/// # Errors
/// The first place at which it is none of the grammar.
pub fn parse(name: &str, text: &str) -> Result<Vec<Assignment>, Fault> {
    let mut scanner = Scanner { name, text, at: 0, line: 1, begin: 0 };
    let mut found = Vec::new();
    while let Some((token, place)) = scanner.next()? {
        let Token::Text(key) = token else {
            return Err(expected("a key", &token.words(), place));
        };
        scanner.sign('=', &format!("`=` after {}", quoted(&key)))?;
        let value = match scanner.next()? {
            Some((Token::Text(text), _)) => Value::Text(text),
            Some((Token::Number(value), _)) => value,
            Some((token, place)) => {
                return Err(expected(&format!("the value of {}", quoted(&key)), &token.words(), place));
            }
            None => return Err(expected(&format!("the value of {}", quoted(&key)), "the end", scanner.place())),
        };
        scanner.sign(';', &format!("`;` after the value of {}", quoted(&key)))?;
        found.push(Assignment { key, value, place });
    }
    if found.is_empty() {
        return Err(expected("a line `key = value;`", "nothing at all", scanner.place()));
    }
    Ok(found)
}

fn expected(what: &str, found: &str, place: Place) -> Fault {
    Fault::at(place, format!("expected {what}, found {found}"))
}

fn quoted(word: &str) -> String {
    format!("`{}`", text::word(word))
}

enum Token {
    Text(String),
    Number(Value),
    Sign(char),
}

impl Token {
    fn words(&self) -> String {
        match self {
            Token::Text(text) => quoted(text),
            Token::Number(value) => quoted(&value.to_string()),
            Token::Sign(sign) => quoted(&sign.to_string()),
        }
    }
}

struct Scanner<'a> {
    name: &'a str,
    text: &'a str,
    at: usize,
    line: u32,
    /// Where the line begins.
    begin: usize,
}

impl Scanner<'_> {
    fn place(&self) -> Place {
        let column = self.text[self.begin..self.at].chars().count() as u32 + 1;
        Place::new(self.name, self.line, column)
    }

    /// The next token, with its place.
    fn next(&mut self) -> Result<Option<(Token, Place)>, Fault> {
        self.skip();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let place = self.place();
        let (number, word, list) = (number(rest), word(rest), list(rest));
        let length = number.max(word).max(list);
        let token = if length == 0 {
            Token::Sign(first)
        } else if length == number {
            Token::Number(value(&rest[..length]).ok_or_else(|| {
                let message = format!("{} does not fit a number of 32 bits", quoted(&rest[..length]));
                Fault::at(place.clone(), message)
            })?)
        } else {
            Token::Text(rest[..length].to_owned())
        };
        self.at += length.max(first.len_utf8());
        Ok(Some((token, place)))
    }

    fn sign(&mut self, sign: char, what: &str) -> Result<(), Fault> {
        let end = self.place();
        match self.next()? {
            Some((Token::Sign(found), _)) if found == sign => Ok(()),
            Some((token, place)) => Err(expected(what, &token.words(), place)),
            None => Err(expected(what, "the end", end)),
        }
    }

    /// Skips blanks, ends of lines and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            match rest.as_bytes().first() {
                Some(b'\n') => {
                    self.at += 1;
                    self.line += 1;
                    self.begin = self.at;
                }
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'/') if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
                _ => return,
            }
        }
    }
}

/// Length of the number at the begin: `-?digits`, with a point and an exponent where there are some.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let whole = sign + digits(sign);
    let fraction = if bytes.get(whole) == Some(&b'.') { digits(whole + 1) } else { 0 };
    let end = if fraction > 0 { whole + 1 + fraction } else { whole };
    if end == sign {
        return 0;
    }
    let exponent = exponent(&bytes[end..]);
    end + exponent
}

/// Length of `e5`, `E-3`, where the text begins with it.
fn exponent(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    let digits = bytes[1 + sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// Length of the string at the begin: `islip(3)`, `hotspot({{1,2}})`, `-`, `out/mesh.m`.
fn word(text: &str) -> usize {
    let begins = |byte: u8| byte.is_ascii_alphabetic() || b"_-/.".contains(&byte);
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-/.+({,)}".contains(byte);
    match text.as_bytes() {
        [first, rest @ ..] if begins(*first) => 1 + rest.iter().take_while(|byte| goes_on(byte)).count(),
        _ => 0,
    }
}

/// Length of the list at the begin: braces with no blank between them, up to the last `}`.
fn list(text: &str) -> usize {
    let holds = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.({,)}".contains(byte);
    match text.as_bytes() {
        [b'{', rest @ ..] => {
            let run = &rest[..rest.iter().take_while(|byte| holds(byte)).count()];
            // There is something between the braces.
            run.iter().rposition(|&byte| byte == b'}').filter(|&last| last > 0).map_or(0, |last| last + 2)
        }
        _ => 0,
    }
}

fn value(written: &str) -> Option<Value> {
    if written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return written.parse().ok().map(Value::Integer);
    }
    let value: f64 = written.parse().ok()?;
    value.is_finite().then(|| Value::Float(value, written.to_owned()))
}

#[cfg(test)]
mod tests;
