//! Why a point ended as it did, as lines in the terminal.

use super::remedies::{Remedies, Row};
use crate::show::{bold, width as width_of_page, wrapped};
use tailback_base::text::shown;
use tailback_sim::Why;
use tailback_sim::remedy::Remedy;

/// The column in which sentences begin: labels stand before it.
const TEXT: usize = 18;

/// Spaces before a remedy.
const INDENT: usize = 4;

/// What a change changes stands in the last column when it has no more characters than this, else below it.
const BRIEF: usize = 24;

/// The page.
pub fn page(why: &Why) -> String {
    let status = bold(why.status.name());
    let mut text = hanging(&format!("{status}  "), why.status.name().len() + 2, &why.headline);
    text.push('\n');
    for line in &why.lines {
        let sentences = std::iter::once(&line.text).filter(|text| !text.is_empty()).chain(&line.items);
        text += &labelled(&line.label, sentences.map(String::as_str));
    }
    text += &remedies(&why.remedies);
    if !why.care.is_empty() {
        text += &labelled("Read with care", why.care.iter().map(String::as_str));
    }
    if !why.options.is_empty() {
        text += &format!("\n{}", wrapped(&why.options, 2));
    }
    // Where nothing stands below the headline, no line is empty.
    text.trim_end().to_owned() + "\n"
}

/// A label with its sentences; those that stand on lines of their own come one after the other.
fn labelled<'a>(label: &str, mut lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = hanging(&format!("  {label:<16}"), TEXT, lines.next().unwrap_or_default());
    lines.for_each(|line| text += &wrapped(line, TEXT));
    text
}

/// Wrapped text behind a head that fills so many columns of its first line.
fn hanging(head: &str, columns: usize, text: &str) -> String {
    let lines = wrapped(text, columns);
    format!("{head}{}", lines.get(columns..).unwrap_or_default())
}

fn remedies(all: &[Remedy]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let found = match Remedies::of(all) {
        Remedies::Untried(text) => return labelled("What would help", std::iter::once(text.as_str())),
        Remedies::Tried(found) => found,
    };
    let wide = |cell: fn(&Row) -> &str| found.rows.iter().map(|row| cell(row).chars().count()).max().unwrap_or(0);
    let (width, interval) = (wide(|row| &row.setting), wide(|row| &row.interval));
    let mut text = "  What would help\n".to_owned();
    for row in &found.rows {
        let setting = shown(&row.setting);
        let head = format!("{:INDENT$}{setting:<width$}  {:>7}  {:<interval$}  ", "", row.change, row.interval);
        let columns = head.chars().count();
        let whole = format!("{} {}", row.verdict, row.words);
        let fits = columns + whole.chars().count() <= width_of_page() || row.words.chars().count() <= BRIEF;
        text += &hanging(&head, columns, if fits { &whole } else { &row.verdict });
        if !fits {
            text += &wrapped(&row.words, INDENT + 2);
        }
    }
    text + &found.unfit.map_or(String::new(), |unfit| wrapped(&unfit, INDENT))
}
