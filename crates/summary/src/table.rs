//! One row per point: what `records.csv` holds.
//!
//! Swept parameters come first, then for every core column with a scale its mean over the seeds, `X`, and half of the width
//! of its 95 % interval, `X_seeds_ci95`; then how many seeds there are, how many runs were interrupted, and how the runs ended.

use crate::points::Point;
use crate::scale::{SCALES, Scale};
use crate::spread::Spread;
use std::collections::HashMap;
use tailback_results::table::{Cells, of_records, parameter_names};
use tailback_results::{Record, Scalar};

/// A value of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// An empty cell: no run has a number, or there is no interval.
    Empty,
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// A table: names of columns, and one row per point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names, all different.
    pub names: Vec<String>,
    /// Rows, each as long as the names.
    pub rows: Vec<Vec<Cell>>,
}

/// What follows the name of a column in that of its interval.
pub const SUFFIX: &str = "_seeds_ci95";

/// The table of these points.
pub fn table(points: &[Point]) -> Table {
    let runs: Vec<&Record> = points.iter().flat_map(|point| point.runs.iter().copied()).collect();
    let swept: Vec<String> = parameter_names(runs.iter().copied()).into_iter().map(str::to_owned).collect();
    let swept: Vec<String> = swept.into_iter().filter(|name| name != "run.seed").collect();
    let means = SCALES.iter().filter(|(_, scale)| *scale != Scale::None);
    let mut names = swept.clone();
    names.extend(means.flat_map(|(name, _)| [(*name).to_owned(), format!("{name}{SUFFIX}")]));
    names.extend(["seeds", "interrupted", "status"].map(str::to_owned));
    let rows = points.iter().map(|point| row(point, &swept)).collect();
    Table { names, rows }
}

fn row(point: &Point, swept: &[String]) -> Vec<Cell> {
    let mut row: Vec<Cell> = swept.iter().map(|name| point.parameter(name).map_or(Cell::Empty, parameter)).collect();
    let values = values(point);
    for (name, scale) in SCALES.iter().filter(|(_, scale)| *scale != Scale::None) {
        let spread = values.get(name).and_then(|values| Spread::of(values, *scale));
        row.push(spread.map_or(Cell::Empty, |spread| Cell::Number(spread.mean)));
        row.push(spread.and_then(|spread| spread.half()).map_or(Cell::Empty, Cell::Number));
    }
    row.push(Cell::Number(point.seeds() as f64));
    row.push(Cell::Number(point.interrupted() as f64));
    row.push(Cell::Text(point.statuses().to_string()));
    row
}

/// The numbers of the finished runs by column.
fn values(point: &Point) -> HashMap<&'static str, Vec<f64>> {
    let finished: Vec<Record> = point.finished().map(|run| Record { parameters: Vec::new(), ..run.clone() }).collect();
    let columns = of_records(&finished).unwrap_or_default();
    let numbers = |cells: &Cells| match cells {
        Cells::Float(values) => values.iter().flatten().copied().collect(),
        Cells::Unsigned(values) => values.iter().flatten().map(|value| *value as f64).collect(),
        Cells::Signed(values) => values.iter().flatten().map(|value| *value as f64).collect(),
        Cells::Bool(_) | Cells::Text(_) => Vec::new(),
    };
    let known = |name: &str| SCALES.iter().map(|(known, _)| *known).find(|known| *known == name);
    columns.iter().filter_map(|column| Some((known(column.name)?, numbers(&column.cells)))).collect()
}

fn parameter(value: &Scalar) -> Cell {
    match value.as_f64() {
        Some(number) => Cell::Number(number),
        None => Cell::Text(value.to_string()),
    }
}

impl Table {
    /// The table as comma-separated values with a line of names. Numbers are written so that reading them gives the same bits.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let mut csv = line(self.names.iter().map(|name| quoted(name)).collect());
        csv.extend(self.rows.iter().map(|row| line(row.iter().map(Cell::csv).collect())));
        csv
    }
}

impl Cell {
    fn csv(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Number(value) => format!("{value}"),
            Cell::Text(text) => quoted(text),
        }
    }
}

/// A field as RFC 4180 wants it.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::points;
    use crate::test_support::{record, run, text};
    use tailback_results::Status;

    fn cell<'a>(table: &'a Table, row: usize, name: &str) -> &'a Cell {
        let place = table.names.iter().position(|other| other == name).expect("a column");
        &table.rows[row][place]
    }

    #[test]
    fn a_row_for_each_point_with_means_and_intervals() {
        let mut records: Vec<Record> = (1..=4).map(|seed| run("off", 0.2, seed, "a")).collect();
        for (record, latency) in records.iter_mut().zip([20.0, 21.0, 22.0, 99.0]) {
            record.latency_mean = Some(latency);
            record.packets_delivered = 10;
        }
        records[2].status = Status::Saturated;
        records[3].status = Status::Interrupted;
        records.push(run("alo, \"x\"", 0.2, 1, "b"));
        let table = table(&points(&records));
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.names.iter().collect::<std::collections::BTreeSet<_>>().len(), table.names.len());
        assert_eq!(cell(&table, 0, "latency_mean"), &Cell::Number(21.0), "without the interrupted one");
        let Cell::Number(half) = cell(&table, 0, "latency_mean_seeds_ci95") else { panic!("three seeds") };
        let spread = Spread::of(&[20.0, 21.0, 22.0], Scale::Logarithm).expect("values");
        assert_eq!(Some(*half), spread.half());
        assert_eq!(cell(&table, 0, "packets_delivered_seeds_ci95"), &Cell::Number(0.0));
        assert_eq!(
            (cell(&table, 0, "seeds"), cell(&table, 0, "interrupted")),
            (&Cell::Number(3.0), &Cell::Number(1.0))
        );
        assert_eq!(cell(&table, 0, "status"), &Cell::Text("2 steady, 1 saturated, 1 interrupted".into()));
        assert_eq!(cell(&table, 1, "accepted_load_seeds_ci95"), &Cell::Empty, "one seed");
        assert_eq!(cell(&table, 1, "hops_mean"), &Cell::Empty);
        assert!(table.csv().contains("\n\"alo, \"\"x\"\"\",0.2,"), "{}", table.csv());
        assert!(table.csv().contains("\"2 steady, 1 saturated, 1 interrupted\""));
    }

    #[test]
    fn a_parameter_that_a_point_lacks_is_empty_and_seeds_are_not_swept() {
        let mut records = [record(&[("a", text("x"))]), record(&[("b", Scalar::Bool(true))])];
        records[0].parameters.push(("run.seed".into(), Scalar::Integer(1)));
        let table = table(&points(&records));
        assert_eq!(table.names[..2], ["a", "b"]);
        assert_eq!(table.rows[0][..2], [Cell::Text("x".into()), Cell::Empty]);
        assert_eq!(table.rows[1][1], Cell::Text("true".into()));
    }
}
