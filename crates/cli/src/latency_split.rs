//! Where the time goes: the parts of latency as a table and as bars.

use crate::show::numbers::short;
use crate::show::table::Column;
use tailback_pictures::report::{self, Cell};
use tailback_probes::latency_split::{PARTS, PERCENTILES};
use tailback_results::Series;

/// What the table shows.
pub const CAPTION: &str =
    "Where the time goes: parts of the latency of the packets made in the measured window, in cycles.";

/// The row of all packets: names of the columns, and a row for each part and one for the whole. Behind them the means of victims and
/// of culprits, where these are told apart.
struct Rows {
    heads: Vec<String>,
    names: Vec<String>,
    cells: Vec<Vec<String>>,
}

impl Rows {
    /// From the tables `latency_split` and `latency_split_by_role`; `None` without a measured packet.
    fn of(series: &[Series]) -> Option<Rows> {
        let table = Series::named(series, "latency_split").filter(|table| !table.x.is_empty())?;
        let roles = Series::named(series, "latency_split_by_role");
        let value = |name: &str, column: &str| {
            table.column(&format!("{name}_{column}")).and_then(|values| values.first()).copied().unwrap_or(f64::NAN)
        };
        let whole = value("latency", "mean");
        let row = |name: &&str| {
            let mean = value(name, "mean");
            let percentiles = PERCENTILES.iter().map(|(_, column)| short(value(name, column)));
            let means = roles.and_then(|roles| roles.column(&format!("{name}_mean"))).unwrap_or_default();
            let first = [short(mean), format!("{:.1}", 100.0 * mean / whole)];
            first.into_iter().chain(percentiles).chain(means.iter().map(|&mean| short(mean))).collect()
        };
        let names: Vec<&str> = PARTS.into_iter().chain(["latency"]).collect();
        let means = roles.iter().flat_map(|_| ["victims", "culprits"].map(str::to_owned));
        let heads = PERCENTILES.iter().map(|(percent, _)| format!("{percent} %"));
        Some(Rows {
            heads: ["mean".to_owned(), "share".to_owned()].into_iter().chain(heads).chain(means).collect(),
            names: names.iter().map(|name| name.replace('_', " ")).collect(),
            cells: names.iter().map(row).collect(),
        })
    }
}

/// Where the time goes, for the terminal.
pub fn columns(series: &[Series]) -> Option<Vec<Column>> {
    let Rows { heads, names, cells } = Rows::of(series)?;
    let column = |(n, head): (usize, &String)| {
        let unit = if head == "share" { "%" } else { "cycles" };
        Column::new(head, unit, cells.iter().map(|row| row[n].clone()).collect())
    };
    let numbers: Vec<Column> = heads.iter().enumerate().map(column).collect();
    Some(std::iter::once(Column::text("where the time goes", names)).chain(numbers).collect())
}

/// The table of the split for a report.
pub fn reported(series: &[Series]) -> Option<report::Table> {
    let Rows { heads, names, cells } = Rows::of(series)?;
    let unit = |head: &String| if head == "share" { "%" } else { "cycles" };
    let numbers = heads.iter().map(|head| report::Column::new(head, unit(head)));
    let row = |(name, cells): (String, Vec<String>)| [name].into_iter().chain(cells).map(Cell::text).collect();
    Some(report::Table {
        caption: CAPTION.to_owned(),
        columns: std::iter::once(report::Column::new("part", "")).chain(numbers).collect(),
        rows: names.into_iter().zip(cells).map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::series::SeriesColumn;

    /// Parts of 1, 2, ... cycles in a row, and their sum.
    fn table() -> Series {
        let column =
            |(name, value): (String, f64)| SeriesColumn { name, unit: "cycles".to_owned(), values: vec![value] };
        let names = PARTS.iter().copied().chain(["latency"]).zip([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 45.0]);
        let each = names.flat_map(|(name, value)| {
            let ends = ["mean"].into_iter().chain(PERCENTILES.map(|(_, end)| end));
            ends.map(move |end| (format!("{name}_{end}"), value))
        });
        Series {
            name: "latency_split".to_owned(),
            unit: "cycles".to_owned(),
            x_name: "hops".to_owned(),
            x_unit: "links".to_owned(),
            x: vec![3.0],
            columns: each.map(column).collect(),
        }
    }

    #[test]
    fn every_part_has_its_row() {
        let text = crate::show::table::table(&columns(&[table()]).expect("there are packets"), Paint::Plain);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), 13, "heads, units, a rule, the parts and their sum: {text}");
        assert_eq!(rows[7], ["vc", "wait", "5.000", "11.1", "5.000", "5.000", "5.000", "5.000", "5.000"]);
        assert_eq!(rows[12][..3], ["latency", "45.00", "100.0"]);
        let reported = reported(&[table()]).expect("there are packets");
        assert!(reported.rows.len() == 10 && reported.rows.iter().all(|row| row.len() == reported.columns.len()));
    }
}
