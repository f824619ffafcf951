//! Bytes to a tree with places, within limits that keep hostile files cheap.

use toml::de::{DeTable, DeValue};
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use crate::error::{Faults, SpecError};
use crate::node::{Item, Node, Place, Reader};
use crate::words::shorten;

/// The largest spec, in bytes.
pub const MAX_BYTES: usize = 1 << 20;
/// The deepest nesting of tables and lists.
pub const MAX_DEPTH: usize = 32;

/// The text of a spec file: UTF-8 without byte order mark, not too long. A file that is no text yields what can be shown.
pub(crate) fn text(bytes: &[u8], faults: &mut Faults) -> String {
    if bytes.len() > MAX_BYTES {
        let message = format!("a spec is at most 1 MiB; this file has {} bytes", bytes.len());
        faults.push(
            SpecError::at("", message).help("give large data, such as permutations and traces, in files of their own"),
        );
        return String::new();
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        let message = format!("byte {at} is NUL: this is a binary file or UTF-16 text, not a spec");
        faults.push(SpecError::at("", message).help("a spec is TOML, a text in UTF-8"));
        return String::new();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("byte {at} (0x{:02x}) is not UTF-8", bytes[at]);
            let place = Place::new(0, at..at + '\u{fffd}'.len_utf8());
            faults.push(SpecError::placed("", place, message).help("save the spec as UTF-8"));
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}

/// Parses a whole document that stands in text 0.
pub(crate) fn document(text: &str, faults: &mut Faults) -> Node {
    let place = Place::new(0, 0..0);
    if !depth(text, 0, 0, faults) {
        return Node { item: Item::Table(Vec::new()), place };
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    syntax(&errors, text, 0, 0, faults);
    let pairs = Reader { text: 0, offset: 0 }.table(table.get_ref());
    Node { item: Item::Table(pairs), place }
}

/// Parses one value, which stands at `offset` of text `index`.
pub(crate) fn value(text: &str, index: usize, offset: usize, faults: &mut Faults) -> Option<Node> {
    if !depth(text, index, offset, faults) {
        return None;
    }
    let (value, errors) = DeValue::parse_recoverable(text);
    if errors.is_empty() {
        return Some(Reader { text: index, offset }.value(value.get_ref(), value.span()));
    }
    syntax(&errors, text, index, offset, faults);
    None
}

/// Reports what the parser refused. `text` begins at `offset` of text `index`.
fn syntax(errors: &[toml::de::Error], text: &str, index: usize, offset: usize, faults: &mut Faults) {
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let found = text.get(span.clone()).unwrap_or("");
        let place = Place::new(index, span.start + offset..span.end + offset);
        let unquoted = error.message().starts_with("string values must be quoted");
        let error = match found {
            "" if unquoted => SpecError::placed("", place, "there is no value here").label("value missing"),
            word if unquoted => SpecError::placed("", place, format!("`{}` is not a value", shorten(word)))
                .help(format!("text needs quotes: \"{}\"", shorten(word))),
            _ => SpecError::placed("", place, error.message()),
        };
        faults.push(error);
    }
}

/// Whether `text` nests at most [`MAX_DEPTH`] deep, counted on tokens before any recursive code sees it. Dots of keys
/// count too: each opens a table.
fn depth(text: &str, index: usize, offset: usize, faults: &mut Faults) -> bool {
    let mut open: Vec<usize> = vec![0];
    let mut total = 0;
    let mut line_begins = true;
    let mut header = false;
    for token in Source::new(text).lex() {
        let top = open.len() - 1;
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                header |= line_begins && top == 0;
                open.push(0);
                total += 1;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket if top > 0 => {
                total -= open.pop().unwrap_or(0) + 1;
            }
            TokenKind::Dot => {
                open[top] += 1;
                total += 1;
            }
            TokenKind::Comma => total -= std::mem::take(&mut open[top]),
            TokenKind::Newline if header || top == 0 => (open, total, header) = (vec![0], 0, false),
            _ => {}
        }
        if total > MAX_DEPTH {
            let span = token.span();
            let place = Place::new(index, span.start() + offset..span.end() + offset);
            let message = format!("tables and lists nest deeper than {MAX_DEPTH} levels here");
            faults.push(SpecError::placed("", place, message).label("too deep"));
            return false;
        }
        line_begins = match token.kind() {
            TokenKind::Newline => true,
            TokenKind::Whitespace => line_begins,
            TokenKind::LeftSquareBracket => line_begins,
            _ => false,
        };
    }
    true
}
