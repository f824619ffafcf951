//! Why a point ended as it did, as lines in the terminal.

use crate::show::{bold, width as width_of_page, wrapped};
use tailback_base::text::shown;
use tailback_sim::Why;
use tailback_sim::remedy::{Remedy, Tried};

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
    if all.iter().all(|remedy| remedy.tried == Tried::Not) {
        let named: Vec<&str> = all.iter().map(|remedy| remedy.setting.as_str()).collect();
        let text = format!(
            "Not tried: {}. The option --remedies tries these and others, and measures each.",
            named.join(", ")
        );
        return labelled("What would help", std::iter::once(text.as_str()));
    }
    let (refused, told): (Vec<&Remedy>, Vec<&Remedy>) =
        all.iter().partition(|remedy| matches!(remedy.tried, Tried::Refused { .. }));
    let width = told.iter().map(|remedy| remedy.setting.chars().count()).max().unwrap_or(0);
    let rows: Vec<Row> = told.iter().map(|remedy| Row::of(remedy)).collect();
    let interval = rows.iter().map(|row| row.interval.chars().count()).max().unwrap_or(0);
    let mut text = "  What would help\n".to_owned();
    for (remedy, row) in told.iter().zip(&rows) {
        let setting = shown(&remedy.setting);
        let head = format!("{:INDENT$}{setting:<width$}  {:>7}  {:<interval$}  ", "", row.change, row.interval);
        let columns = head.chars().count();
        let whole = format!("{} {}", row.text, row.words);
        let fits = columns + whole.chars().count() <= width_of_page() || row.words.chars().count() <= BRIEF;
        text += &hanging(&head, columns, if fits { &whole } else { &row.text });
        if !fits {
            text += &wrapped(&row.words, INDENT + 2);
        }
    }
    if !refused.is_empty() {
        let (many, verb) = (refused.len(), if refused.len() == 1 { "change does" } else { "changes do" });
        text += &wrapped(&format!("{many} other {verb} not fit this point; --json names the reasons."), INDENT);
    }
    text
}

/// A remedy's cells.
struct Row {
    change: String,
    interval: String,
    text: String,
    /// What the change changes.
    words: String,
}

impl Row {
    fn of(remedy: &Remedy) -> Row {
        let (change, interval, text) = match &remedy.tried {
            Tried::Measured(gain) => {
                (gain.change().unwrap_or_default(), gain.interval_words(), format!("{}.", gain.verdict()))
            }
            Tried::Same => {
                ("0 %".to_owned(), String::new(), "measured: every run is the same, bit for bit.".to_owned())
            }
            Tried::Not => (String::new(), String::new(), "not tried.".to_owned()),
            Tried::Refused { reason } => (String::new(), String::new(), reason.clone()),
        };
        let words = if remedy.tried == Tried::Same { String::new() } else { remedy.words.clone() };
        Row { change, interval, text, words }
    }
}
