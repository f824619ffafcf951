//! The table of a study: one row for each variant, in two widths.

use super::{Made, Row, Saturates};
use crate::show::numbers::scalar;
use crate::show::table::{self, Column};
use tailback_pictures::terminal::Paint;
use tailback_results::Scalar;
use tailback_summary::digits::{decimals, number, plain_decimals, words};
use tailback_summary::paired::Difference;
use tailback_summary::spread::Spread;

/// The least width at which the table has all columns.
const WIDE: usize = 110;

/// The table, for a terminal so many columns wide. What does not fit is left out: the peak, then zero load, then the knee.
pub fn table(made: &Made, width: usize, color: Paint) -> String {
    let fits = |text: &String| text.lines().all(|line| console::measure_text_width(line) <= width);
    let texts = (0..=3).map(|left_out| table::table(&columns(made, width >= WIDE, left_out), color));
    let mut last = String::new();
    for text in texts {
        if fits(&text) {
            return text;
        }
        last = text;
    }
    last
}

fn columns(made: &Made, wide: bool, left_out: usize) -> Vec<Column> {
    let rows = &made.rows;
    let mut columns = vec![Column::text(made.heading(), cells(rows, &|row| row.label()))];
    if left_out < 2 {
        columns.push(Column::new("zero load", "cycles", cells(rows, &|row| maybe(row.zero_load, 1))));
    }
    if left_out < 3 {
        columns.push(Column::new("knee", "load", cells(rows, &|row| maybe(row.knee.map(|knee| knee.mean), 3))));
    }
    columns.push(Column::new("saturation", "load", saturation(rows)));
    if left_out < 1 {
        let places = plain_decimals(rows.iter().filter_map(|row| row.peak).map(|peak| peak.0)).min(3);
        columns.push(Column::new("peak", "accepted", cells(rows, &|row| maybe(row.peak.map(|peak| peak.0), places))));
    }
    if wide && left_out < 1 {
        let load = |row: &Row| row.peak.map_or("-".to_owned(), |(_, load)| scalar(&Scalar::Float(load)));
        columns.push(Column::new("at load", "", cells(rows, &load)));
    }
    columns.push(Column::new("sustained", "accepted", spreads(rows, |row| row.sustained.map(|found| found.0))));
    if wide {
        columns.push(Column::new("of peak", "", cells(rows, &share)));
    }
    if rows.len() > 1 {
        columns.push(difference(rows, wide));
    }
    columns
}

fn cells(rows: &[Row], cell: &dyn Fn(&Row) -> String) -> Vec<String> {
    rows.iter().map(cell).collect()
}

fn maybe(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| number(value, decimals))
}

/// A column of means with intervals, which share their decimals.
fn spreads(rows: &[Row], of: impl Fn(&Row) -> Option<Spread>) -> Vec<String> {
    let all: Vec<Spread> = rows.iter().filter_map(&of).collect();
    let decimals = decimals(&all);
    rows.iter().map(|row| of(row).map_or("-".to_owned(), |spread| words(&spread, decimals))).collect()
}

/// Where each saturates, or what is known of it.
pub fn saturation(rows: &[Row]) -> Vec<String> {
    let at = |row: &Row| match row.saturates {
        Saturates::At(spread) => Some(spread),
        _ => None,
    };
    let mut cells = spreads(rows, at);
    for (cell, row) in cells.iter_mut().zip(rows) {
        if let Some(words) = row.unfound() {
            *cell = words;
        }
    }
    cells
}

fn share(row: &Row) -> String {
    row.share().map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share))
}

/// What is sustained against the first row.
fn difference(rows: &[Row], wide: bool) -> Column {
    let first = rows[0].name.as_str();
    let all: Vec<Option<Difference>> = rows.iter().map(|row| row.sustained_difference).collect();
    let change = |found: &Difference| found.words().trim_end_matches(" *").to_owned();
    let longest = |text: &dyn Fn(&Difference) -> String| all.iter().flatten().map(|found| text(found).len()).max();
    let (changes, intervals) = (longest(&change).unwrap_or(0), longest(&Difference::interval_words).unwrap_or(0));
    let cell = |(number, found): (usize, &Option<Difference>)| match found {
        _ if number == 0 => "reference".to_owned(),
        None => "-".to_owned(),
        Some(found) => {
            let star = if found.differs() { " *" } else { "" };
            let interval = match found.interval {
                Some(_) if wide => format!("  {:<1$}", format!("({})", found.interval_words()), intervals + 2),
                _ => String::new(),
            };
            format!("{:>changes$}{interval}{star}", change(found))
        }
    };
    let cells = all.iter().enumerate().map(cell).collect();
    let (head, unit) = match wide {
        true => (format!("sustained against {first}"), "common seeds"),
        false => (format!("vs {first}"), "sustained"),
    };
    Column { unit: unit.to_owned(), ..Column::text(head, cells) }
}
