//! What the user sees: results on standard output, everything else on standard error.

pub mod chart;
pub mod numbers;
pub mod points;
pub mod progress;
pub mod records;
pub mod table;

use crate::exit::{Failure, Result};
use crate::front;
use crate::told::Warning;
use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use tailback_base::text;
use tailback_pictures::terminal::Paint;

/// Width of pages and plots where the terminal does not tell.
const WIDTH: usize = 80;
/// Beyond this, lines and plots are hard to read.
const WIDEST: usize = 120;

/// Prints to standard output, and nothing of others that a terminal would obey. [`Failure::Pipe`] when nobody reads it any more.
pub fn print(text: &str) -> Result<()> {
    print_bytes(harmless(text, color()).as_bytes())
}

/// Prints bytes that need not be text, as [`print`] does.
pub fn print_bytes(bytes: &[u8]) -> Result<()> {
    if front::takes(bytes) {
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::Pipe,
        _ => Failure::Other(format!("cannot write to standard output: {error}")),
    })
}

/// Prints a line to standard output.
pub fn line(text: &str) -> Result<()> {
    print(&format!("{text}\n"))
}

/// Prints a line to standard error, likewise; there is nobody to tell when that fails.
///
/// A program that calls takes results and warnings only.
pub fn note(text: &str) {
    if !front::is_program() {
        line_of_errors(&harmless(text, Paint::Plain));
    }
}

/// Warns on standard error, or tells the program that calls.
pub fn warn(warning: &Warning) {
    if !front::hears(warning) {
        note(&format!("warning: {}", warning.text()));
    }
}

/// A line on standard error, at once: what goes to standard output at the same time cannot come between it and its end.
fn line_of_errors(text: &str) {
    let _ = std::io::stderr().lock().write_all(format!("{text}\n").as_bytes());
}

/// Prints a note, as [`note`] does, with the program's own colours.
pub fn styled_note(text: &str) {
    line_of_errors(&harmless(text, color_of_errors()));
}

/// The one way of text to a terminal: names, descriptions and the like come as whoever wrote them wants, and only ends of lines and,
/// where there are colours, our own settings of them may pass. Whatever else a terminal would obey is shown as `\u001b`, which
/// in JSON and TOML means the same character.
fn harmless(text: &str, color: Paint) -> Cow<'_, str> {
    if color == Paint::Ansi { Cow::Owned(text::styled(text)) } else { text::lines(text) }
}

/// How text is painted on standard output.
pub fn color() -> Paint {
    paint(!front::is_program() && std::io::stdout().is_terminal() && wanted())
}

/// How text is painted on standard error.
pub fn color_of_errors() -> Paint {
    paint(std::io::stderr().is_terminal() && wanted())
}

fn paint(colours: bool) -> Paint {
    if colours { Paint::Ansi } else { Paint::Plain }
}

fn wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Columns to fill: those of the terminal, or else of the variable COLUMNS.
pub fn width() -> usize {
    let terminal = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(told).unwrap_or(WIDTH).clamp(40, WIDEST)
}

/// A path as messages show it: on one line.
pub fn path(path: &Path) -> String {
    text::path(path)
}

/// `text` in bold where standard output shows colours.
pub fn bold(text: &str) -> String {
    let text = text::lines(text);
    if color() == Paint::Ansi { format!("\x1b[1m{text}\x1b[0m") } else { text.into_owned() }
}

/// `text` wrapped into lines of at most [`width`], each behind `indent` spaces.
pub fn wrapped(text: &str, indent: usize) -> String {
    let text = text::lines(text);
    let room = width().saturating_sub(indent).max(20);
    let mut out = String::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && console::measure_text_width(&line) + 1 + console::measure_text_width(word) > room {
                out += &format!("{:indent$}{line}\n", "");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        out += &format!("{:indent$}{line}\n", "");
    }
    out
}
