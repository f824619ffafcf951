//! What the report of a study begins with: the headline, how it was made, and the table by variant.

use super::{Made, Row, Saturates, headline, notes};
use crate::made::Made as Making;
use crate::show::numbers::{count, scalar};
use tailback_pictures::report::{Answer, Block, Dot, Fill, Head, Value, Variant, Variants};
use tailback_results::Scalar;
use tailback_summary::digits::{decimals, number, shown};
use tailback_summary::mark::Mark;
use tailback_summary::points::Point;
use tailback_summary::spread::Spread;

/// The answer, without pictures.
pub fn answer(made: &Made, making: &Making) -> Answer {
    let points: usize = made.rows.iter().map(|row| row.points.len() * (1 + row.twins.len())).sum();
    let runs = format!("{}, {} with the searches", count(points as u64, "point"), count(made.study.runs, "run"));
    let below: Vec<Block> = notes(made).into_iter().map(Block::Note).collect();
    Answer {
        headline: headline(made).join(" "),
        made: making.facts(&[runs]),
        command: making.command.clone(),
        blocks: std::iter::once(Block::Variants(table(made))).chain(below).collect(),
    }
}

fn table(made: &Made) -> Variants {
    let rows = &made.rows;
    let mut columns: Vec<(Head, Vec<Value>)> = vec![
        (Head::new("zero load", "cycles"), plain(rows, |row| row.zero_load.map(|zero| number(zero, 1)))),
        (Head::new("knee", "load"), spreads(rows, |row| row.knee)),
        (Head::new("saturation", "load"), saturation(rows)),
        (Head::new("peak", "accepted").optional(), rows.iter().map(peak).collect()),
        (Head::new("sustained", "accepted"), spreads(rows, |row| row.sustained.map(|found| found.0))),
    ];
    if rows.len() > 1 {
        let against = rows.iter().enumerate().map(|(place, row)| self::against(place, row)).collect();
        columns.push((Head::new(format!("against {}", rows[0].name), "sustained"), against));
    }
    let row = |(place, row): (usize, &Row)| Variant {
        name: if row.label().is_empty() { "all".to_owned() } else { row.label() },
        colour: (rows.len() > 1).then_some(row.variant),
        dots: row.points.iter().map(|(load, point)| dot(*load, point)).collect(),
        status: format!("{} of {} steady", row.steady(), row.points.len()),
        values: columns.iter().map(|(_, cells)| cells[place].clone()).collect(),
    };
    Variants {
        name: Head::new(if rows.len() > 1 { made.heading() } else { String::new() }, ""),
        status: Head::new("status", "by load"),
        rows: rows.iter().enumerate().map(row).collect(),
        heads: columns.iter().map(|(head, _)| head.clone()).collect(),
    }
}

fn plain(rows: &[Row], of: impl Fn(&Row) -> Option<String>) -> Vec<Value> {
    rows.iter().map(|row| Value::new(of(row).unwrap_or_else(|| "-".to_owned()), "")).collect()
}

/// A column of means with intervals, which share their decimals.
fn spreads(rows: &[Row], of: impl Fn(&Row) -> Option<Spread>) -> Vec<Value> {
    let all: Vec<Option<Spread>> = rows.iter().map(of).collect();
    let places = decimals(all.iter().flatten());
    let value = |spread: &Option<Spread>| match spread {
        Some(spread) => {
            let shown = shown(spread, places);
            Value::new(shown.mean, shown.interval)
        }
        None => Value::new("-", ""),
    };
    all.iter().map(value).collect()
}

/// Where there is no saturation point, what is known of it.
fn saturation(rows: &[Row]) -> Vec<Value> {
    let at = |row: &Row| match row.saturates {
        Saturates::At(spread) => Some(spread),
        _ => None,
    };
    let mut values = spreads(rows, at);
    for (value, row) in values.iter_mut().zip(rows) {
        if let Some(words) = row.unfound() {
            *value = Value::new(words, "");
        }
    }
    values
}

fn peak(row: &Row) -> Value {
    let value =
        |(accepted, load): (f64, f64)| Value::new(number(accepted, 3), format!("at {}", scalar(&Scalar::Float(load))));
    row.peak.map_or(Value::new("-", ""), value)
}

fn against(place: usize, row: &Row) -> Value {
    match row.sustained_difference {
        _ if place == 0 => Value::new("reference", ""),
        None => Value::new("-", ""),
        Some(found) => {
            let (words, interval) = (found.words(), found.interval_words());
            let behind = if interval.is_empty() { interval } else { format!("({interval})") };
            Value { bold: found.differs(), ..Value::new(words.trim_end_matches(" *"), behind) }
        }
    }
}

fn dot(load: f64, point: &Point) -> Dot {
    let fill = match point.mark() {
        Mark::Filled => Fill::Filled,
        Mark::Hollow => Fill::Hollow,
        Mark::Half => Fill::Half,
        Mark::Crossed => Fill::Crossed,
    };
    Dot { fill, title: format!("load {}: {}", scalar(&Scalar::Float(load)), point.statuses().brief()) }
}
