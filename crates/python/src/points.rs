//! Records summed up over their seeds: points, intervals and variants, as plain data.

use crate::table::{Table, typed, unit_of};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use tailback_results::table::{Cells, Column, of_records};
use tailback_results::{Record, Scalar};
use tailback_summary::table::{self, Cell, SUFFIX};
use tailback_summary::variants::variants_over;
use tailback_summary::{Mark, NoInterval, Point, Spread, digits, points};

/// One row per point: swept parameters, then means with half of their intervals' widths, as in `records.csv`.
///
/// # Errors
/// For clashing column names.
pub fn means(py: Python<'_>, records: &[Record]) -> PyResult<Table> {
    let points = points::points(records);
    let summed = table::table(&points);
    let firsts: Vec<Record> = points.iter().filter_map(|point| point.runs.first().copied().cloned()).collect();
    let swept = of_records(&firsts).map_err(|error| crate::failure::results(py, error))?;
    let mut columns = Vec::new();
    for (place, name) in summed.names.iter().enumerate() {
        let cells = || summed.rows.iter().map(|row| &row[place]);
        let parameter = swept.iter().position(|column| column.name == name).filter(|_| is_swept(&firsts, name));
        columns.push(match (parameter, name.as_str()) {
            (Some(at), _) => {
                let Column { name, meaning, nullable, ref cells, .. } = swept[at];
                typed(Column { name, unit: unit_of(name), meaning, nullable, cells: cells.clone() })
            }
            (None, "seeds" | "interrupted") => typed(counts(name, cells())),
            (None, "status") => typed(words(name, cells())),
            (None, name) => typed(numbers(name, cells())),
        });
    }
    Table::of_points(columns, points.len(), records)
}

fn is_swept(records: &[Record], name: &str) -> bool {
    records.iter().any(|record| record.parameters.iter().any(|(other, _)| other == name))
}

fn numbers<'a>(name: &'a str, cells: impl Iterator<Item = &'a Cell>) -> Column<'a> {
    let cells = cells.map(|cell| if let Cell::Number(number) = cell { Some(*number) } else { None }).collect();
    let of = name.strip_suffix(SUFFIX);
    let core = tailback_results::schema::column(of.unwrap_or(name));
    let meaning = match of {
        Some(_) => "half of the 95 % interval of the mean over seeds",
        None => core.map_or("", |core| core.meaning),
    };
    let unit = core.map_or("", |core| core.unit);
    Column { name, unit, meaning, nullable: true, cells: Cells::Float(cells) }
}

fn counts<'a>(name: &'a str, cells: impl Iterator<Item = &'a Cell>) -> Column<'a> {
    let cells = cells.map(|cell| if let Cell::Number(number) = cell { Some(*number as u64) } else { None }).collect();
    let meaning = if name == "seeds" { "seeds that the means are over" } else { "runs that were interrupted" };
    Column { name, unit: "", meaning, nullable: false, cells: Cells::Unsigned(cells) }
}

fn words<'a>(name: &'a str, cells: impl Iterator<Item = &'a Cell>) -> Column<'a> {
    let cells = cells.map(|cell| if let Cell::Text(text) = cell { Some(text.clone()) } else { None }).collect();
    Column { name, unit: "", meaning: "how the runs ended, with counts", nullable: false, cells: Cells::Text(cells) }
}

/// Variants over the column `x`, as JSON: names, labels, and of each point its rows, mark, statuses and the spreads of `columns`.
pub fn curves(records: &[Record], x: &str, columns: &[String]) -> Value {
    let row: HashMap<*const Record, usize> = records.iter().map(std::ptr::from_ref).zip(0..).collect();
    let rows = |point: &Point| point.runs.iter().map(|run| row[&std::ptr::from_ref(*run)]).collect::<Vec<usize>>();
    let point = |point: &Point| {
        let spreads = columns.iter().map(|column| (column.clone(), json!(point.spread(column).map(spread))));
        json!({
            "x": point.number(x), "rows": rows(point), "seeds": point.seeds(), "mark": mark(point.mark()),
            "status": point.statuses().brief(), "spreads": spreads.collect::<serde_json::Map<_, _>>(),
        })
    };
    let variants = variants_over(points::points(records), x);
    let variant = variants.iter().map(|variant| {
        let parameters = variant.parameters.iter().map(|(name, value)| (name.clone(), plain(value)));
        json!({
            "name": variant.name, "label": variant.label, "same_as": variant.same_as,
            "parameters": parameters.collect::<serde_json::Map<_, _>>(),
            "points": variant.points.iter().map(point).collect::<Vec<_>>(),
        })
    });
    Value::Array(variant.collect())
}

/// Means with their intervals as people read them, `0.322 ± 0.013`: a text per point, for each column.
pub fn shown(records: &[Record], columns: &[String]) -> Vec<Vec<String>> {
    let points = points::points(records);
    let column = |name: &String| {
        let spreads: Vec<Option<Spread>> = points.iter().map(|point| point.spread(name)).collect();
        let decimals = digits::decimals(spreads.iter().flatten());
        spreads.iter().map(|one| one.as_ref().map_or(String::new(), |one| digits::words(one, decimals))).collect()
    };
    columns.iter().map(column).collect()
}

fn plain(value: &Scalar) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Filled => "filled",
        Mark::Hollow => "hollow",
        Mark::Half => "half",
        Mark::Crossed => "crossed",
    }
}

fn spread(spread: Spread) -> Value {
    let interval = spread.interval();
    let why = spread.interval.err().map(|why| match why {
        NoInterval::Fewer => "fewer than 3 seeds",
        NoInterval::AllZero => "every seed has 0",
        NoInterval::TooFew(_) => "too few seeds",
    });
    json!({
        "mean": spread.mean, "seeds": spread.n, "low": interval.map(|i| i.low), "high": interval.map(|i| i.high), "why": why,
    })
}
