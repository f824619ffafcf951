//! The table of points, as the report and the page of `tailback view` show it.

use crate::curves::unit_of;
use crate::show::numbers::scalar;
use tailback_pictures::report::{Cell, Column, Table};
use tailback_results::table::parameter_names;
use tailback_results::{Record, Scalar};
use tailback_summary::points::offers_swept_load;
use tailback_summary::{Point, digits, points, scale};

/// A row for each point, its swept parameters first, with means over its seeds and their intervals.
pub fn points_table(records: &[Record]) -> Table {
    let points = points(records);
    let swept = parameter_names(records).into_iter().filter(|name| *name != "run.seed");
    let swept: Vec<&str> = swept.collect();
    let columns: Vec<(&str, Vec<Cell>)> = NUMBERS
        .into_iter()
        .filter(|name| says_something(records, name))
        .map(|name| (name, numbers(&points, name)))
        .filter(|(_, cells)| cells.iter().any(|cell| !matches!(cell, Cell::Text(_))))
        .collect();
    let row = |(row, point): (usize, &Point)| {
        let parameters = swept.iter().map(|name| cell(point.parameter(name).cloned(), name));
        let statuses = [Cell::text(point.statuses().brief()), Cell::number(point.seeds() as f64, 0)];
        parameters.chain(statuses).chain(columns.iter().map(|(_, cells)| cells[row].clone())).collect()
    };
    let rows = points.iter().enumerate().map(row).collect();
    let names = swept.iter().copied().chain(["status", "seeds"]).chain(columns.iter().map(|(name, _)| *name));
    let caption = "One row for each point, means over its seeds; click a head to sort.".to_owned();
    Table { caption, columns: names.map(|name| Column::new(name, unit_of(name))).collect(), rows }
}

/// Whether a column says what no other one does.
fn says_something(records: &[Record], name: &str) -> bool {
    match name {
        "offered_load" => !records.iter().all(offers_swept_load),
        "message_latency_mean" => records.iter().any(|r| r.message_latency_mean != r.latency_mean),
        _ => true,
    }
}

/// A cell with a value of a column.
pub fn cell(value: Option<Scalar>, name: &str) -> Cell {
    match value {
        None => Cell::text("-"),
        Some(value) => match value.as_f64() {
            Some(number) if name.ends_with("load") || name.contains("_load_") => Cell::number(number, 4),
            Some(number) if number.fract() == 0.0 => Cell::number(number, 0),
            Some(number) => Cell::number(number, if number.abs() < 1.0 { 4 } else { 2 }),
            None => Cell::text(scalar(&value)),
        },
    }
}

/// Columns of the table of points, where they have numbers.
const NUMBERS: [&str; 21] = [
    "offered_load",
    "accepted_load",
    "duration",
    "bound",
    "efficiency",
    "slowdown",
    "latency_mean",
    "latency_p99",
    "source_latency_mean",
    "message_latency_mean",
    "latency_mean_ns",
    "accepted_flits_per_ns",
    "hops_mean",
    "packets_delivered",
    "jain_index",
    "longest_wait",
    "injection_queue_mean",
    "victim_load",
    "culprit_load",
    "set_aside_max_ingress",
    "set_aside_max_egress",
];

/// A column of means with their intervals.
fn numbers(points: &[Point], name: &str) -> Vec<Cell> {
    debug_assert!(scale::scale(name) != scale::Scale::None, "{name} has a mean");
    let spreads: Vec<_> = points.iter().map(|point| point.spread(name)).collect();
    let decimals = digits::decimals(spreads.iter().flatten());
    let cell = |spread: &Option<tailback_summary::Spread>| match spread {
        Some(spread) => {
            let shown = digits::shown(spread, decimals);
            Cell::Shown { value: spread.mean, text: shown.mean, behind: shown.interval }
        }
        None => Cell::text("-"),
    };
    spreads.iter().map(cell).collect()
}
