//! Text of others on its way to a terminal: names, descriptions, words of files.
//!
//! A terminal obeys control characters, and some characters turn the direction of those that follow or cannot be seen. Each
//! of these is shown as the four digits that JSON and TOML read again as the same character, so that neither format is damaged.

use std::borrow::Cow;

/// Characters of a foreign word that messages quote at most.
pub const QUOTED: usize = 20;

/// Whether a character moves a terminal's cursor, changes what is shown of others, or cannot be seen: the control characters
/// of both sets, marks and overrides of the direction of writing, separators of lines, and invisible format characters.
pub fn is_hostile(c: char) -> bool {
    let invisible = matches!(c,
        '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    c.is_control() || invisible
}

/// Text of others on one line: every hostile character as `\u001b`, also ends of lines.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_hostile)
}

/// As [`shown`], and no more than so many characters of it: more are left out behind an ellipsis.
pub fn cut(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((at, _)) => format!("{}…", shown(&text[..at])),
        None => shown(text).into_owned(),
    }
}

/// The most characters of a path that messages show: no file has a longer one.
const LONGEST_PATH: usize = 4096;

/// A path as messages show it: on one line.
pub fn path(path: &std::path::Path) -> String {
    cut(&path.to_string_lossy(), LONGEST_PATH)
}

/// Text with a layout of our own: as [`shown`], but ends of lines and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_hostile(c) && c != '\n' && c != '\t')
}

/// As [`lines`], and sequences that set colours and weights (`ESC [ ... m`) stay: for our own layout, into which nothing of
/// others may have come but by way of [`shown`] or [`lines`].
pub fn styled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let behind = &rest[at + 2..];
        let digits = behind.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(behind.len());
        let end = if behind[digits..].starts_with('m') { at + 2 + digits + 1 } else { at };
        out += &lines(&rest[..at]);
        // What is no such sequence is text.
        out += if end > at { Cow::Borrowed(&rest[at..end]) } else { shown(&rest[at..at + 1]) }.as_ref();
        rest = &rest[end.max(at + 1)..];
    }
    out += &lines(rest);
    out
}

/// A word of a file as a message may quote it: [`QUOTED`] characters of it, on one line.
pub fn word(word: &str) -> String {
    cut(word, QUOTED)
}

/// What a parser says of a file, each quotation in it cut to [`QUOTED`] characters: no message shows a file that others name.
pub fn brief(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some(at) = rest.find(['"', '`']) {
        let quote = &rest[at..=at];
        let inside = &rest[at + 1..];
        let Some(end) = closing(inside, quote) else { break };
        out += &format!("{}{quote}{}{quote}", &rest[..at], word(&inside[..end]));
        rest = &inside[end + 1..];
    }
    let open = rest.find(['"', '`']).map_or(rest.len(), |at| at + 1);
    out += &rest[..open];
    out += &word(&rest[open..]);
    lines(&out).into_owned()
}

/// Where a quotation ends: at a quotation mark that no backslash stands before.
fn closing(inside: &str, quote: &str) -> Option<usize> {
    let mut escaped = false;
    inside.char_indices().find_map(|(at, c)| {
        let ends = !escaped && quote.starts_with(c);
        escaped = !escaped && c == '\\' && quote == "\"";
        ends.then_some(at)
    })
}

fn escaped(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match hostile(c) {
            true => out += &format!("\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_character_and_override_is_neutralised() {
        for code in
            (0..0x20).chain(0x7f..0xa0).chain([0x61c, 0x200e, 0x200f]).chain(0x2028..0x202f).chain(0x2066..0x206a)
        {
            let c = char::from_u32(code).unwrap();
            assert_eq!(shown(&format!("a{c}b")), format!("a\\u{code:04x}b"));
            let kept = c == '\n' || c == '\t';
            assert_eq!(lines(&format!("a{c}b")).contains(c), kept, "{code:x}");
            assert_eq!(styled(&format!("a{c}b")).contains(c), kept, "{code:x}");
        }
        assert_eq!(shown("Grüße, 神戸, e\u{301}, 👩\u{200d}💻"), "Grüße, 神戸, e\u{301}, 👩\u{200d}💻");
    }

    #[test]
    fn only_colours_and_weights_pass_as_our_own() {
        assert_eq!(styled("\u{1b}[1mbold\u{1b}[0m\n\tx"), "\u{1b}[1mbold\u{1b}[0m\n\tx");
        assert_eq!(styled("\u{1b}[38;5;12mx"), "\u{1b}[38;5;12mx");
        for evil in [
            "\u{1b}[2J",
            "\u{1b}]0;title\u{7}",
            "\u{1b}[1",
            "\u{1b}[",
            "\u{1b}",
            "\u{1b}[1;1H",
            "\u{9b}1m",
            "\u{1b}[?25l",
        ] {
            assert!(!styled(evil).contains(is_hostile), "{evil:?}: {:?}", styled(evil));
        }
        assert_eq!(styled("\u{1b}[\u{1b}[1mx"), "\\u001b[\u{1b}[1mx");
    }

    #[test]
    fn no_more_than_twenty_characters_are_quoted() {
        assert_eq!(word("root:x:0:0"), "root:x:0:0");
        assert_eq!(word(&"x".repeat(21)), format!("{}…", "x".repeat(20)));
        assert_eq!(word("\u{1b}[31m"), "\\u001b[31m");
        let long = "s".repeat(300);
        for message in [
            format!("invalid type: string \"{long}\", expected u64 at line 1 column 7"),
            format!("invalid type: string \"a\\\"{long}\", expected u64"),
            format!("unknown field `{long}`, expected `format`"),
            format!("invalid type: string \"{long}"),
            format!("`{long}"),
        ] {
            assert!(brief(&message).matches('s').count() < 24, "{}", brief(&message));
        }
        assert_eq!(brief("missing field `seed` at line 1 column 2"), "missing field `seed` at line 1 column 2");
        assert_eq!(
            brief("unknown field `a`, expected one of `format`, `version`"),
            "unknown field `a`, expected one of `format`, `version`"
        );
    }
}
