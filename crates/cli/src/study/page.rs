//! What the report of a study begins with: its headline and its table by variant.

use super::{Made, Row, Saturates, headline, notes, saturation};
use crate::overview::{MARKS, against, dot, statuses, values};
use tailback_pictures::report::{Answer, Block, Head, Value, Variant, Variants};
use tailback_summary::digits::{number, plain_decimals};

/// The answer of a study; without pictures.
pub fn answer(made: &Made, how: &crate::made::Made) -> Answer {
    let (fewest, most) = made.seeds();
    let seeds =
        if fewest == most { format!("{most} seeds a point") } else { format!("{fewest} to {most} seeds a point") };
    let runs = crate::show::numbers::count(made.study.runs, "run");
    let notes = notes(made).join(" ").replace("* differs from", "Bold: differs from");
    Answer {
        headline: headline(made).join(" "),
        made: how.facts(&[format!("{runs}, {seeds}")]),
        command: how.command.clone(),
        blocks: vec![Block::Variants(table(made)), Block::Note(notes + MARKS)],
    }
}

fn table(made: &Made) -> Variants {
    let rows = &made.rows;
    let maybe = |value: Option<f64>, decimals: usize| {
        Value::new(value.map_or("-".to_owned(), |value| number(value, decimals)), "")
    };
    let zero_load = rows.iter().map(|row| maybe(row.zero_load, 1)).collect();
    let places = plain_decimals(rows.iter().filter_map(|row| row.peak).map(|peak| peak.0)).min(3);
    let peak = |row: &Row| {
        let load = row.peak.map_or(String::new(), |peak| format!("at {}", number(peak.1, 2)));
        Value { behind: load, ..maybe(row.peak.map(|peak| peak.0), places) }
    };
    let mut columns: Vec<(Head, Vec<Value>)> = vec![
        (Head::new("zero load", "cycles"), zero_load),
        (Head::new("knee", "load"), values(rows.iter().map(|row| row.knee))),
        (Head::new("saturation", "load"), saturates(rows)),
        (Head::new("peak", "accepted").optional(), rows.iter().map(peak).collect()),
        (Head::new("sustained", "accepted"), values(rows.iter().map(|row| row.sustained.map(|found| found.0)))),
    ];
    if rows.len() > 1 {
        let differences = rows.iter().enumerate().map(|(row, found)| against(row, found.sustained_difference.as_ref()));
        columns.push((Head::new(format!("against {}", rows[0].name), "sustained"), differences.collect()));
    }
    let row = |(number, row): (usize, &Row)| Variant {
        name: if row.name.is_empty() { "all".to_owned() } else { row.label() },
        colour: (rows.len() > 1).then_some(row.variant),
        dots: row.points.iter().map(|(_, point)| dot(point)).collect(),
        status: statuses(row.points.iter().map(|(_, point)| point)),
        values: columns.iter().map(|(_, cells)| cells[number].clone()).collect(),
    };
    let several = rows.len() > 1;
    Variants {
        name: Head::new(if several { made.heading() } else { String::new() }, ""),
        status: Head::new("status", loads(rows)),
        rows: rows.iter().enumerate().map(row).collect(),
        heads: columns.iter().map(|(head, _)| head.clone()).collect(),
    }
}

/// Saturation loads, with their intervals behind them, or what is known of them.
fn saturates(rows: &[Row]) -> Vec<Value> {
    let at = |row: &Row| match row.saturates {
        Saturates::At(spread) => Some(spread),
        _ => None,
    };
    let words = saturation(rows);
    let values = values(rows.iter().map(at)).into_iter().zip(words);
    values.map(|(value, words)| if value.text == "-" { Value::new(words, "") } else { value }).collect()
}

/// `12 loads, 0.05 to 0.60`.
fn loads(rows: &[Row]) -> String {
    let longest = rows.iter().max_by_key(|row| row.points.len());
    let loads: Vec<f64> = longest.iter().flat_map(|row| &row.points).map(|point| point.0).collect();
    match (loads.first(), loads.last()) {
        (Some(first), Some(last)) if loads.len() > 1 => {
            format!("{} loads, {} to {}", loads.len(), number(*first, 3), number(*last, 3))
        }
        _ => String::new(),
    }
}
