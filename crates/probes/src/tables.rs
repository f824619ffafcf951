//! The tables that probes fill: a column, rows by number, rows by window.

use tailback_results::Series;
use tailback_results::series::SeriesColumn;

/// A column with its unit.
pub fn column(name: impl Into<String>, unit: &str, values: Vec<f64>) -> SeriesColumn {
    SeriesColumn { name: name.into(), unit: unit.into(), values }
}

/// A table over the numbers of its rows, each of which is a `row`.
pub fn rows(name: &str, unit: &str, row: &str, columns: Vec<SeriesColumn>) -> Series {
    over((name, unit), (row, ""), |row| row as f64, columns)
}

/// A table over the first cycles of windows of `cycles`.
pub fn windows(name: &str, unit: &str, cycles: u64, columns: Vec<SeriesColumn>) -> Series {
    over((name, unit), ("cycle", "cycles"), |window| (window as u64 * cycles) as f64, columns)
}

fn over(
    (name, unit): (&str, &str),
    axis: (&str, &str),
    x: impl Fn(usize) -> f64,
    columns: Vec<SeriesColumn>,
) -> Series {
    let rows = columns.first().map_or(0, |column| column.values.len());
    Series {
        name: name.into(),
        unit: unit.into(),
        x_name: axis.0.into(),
        x_unit: axis.1.into(),
        x: (0..rows).map(x).collect(),
        columns,
    }
}
