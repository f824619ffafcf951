//! Functions of one run: columns of its tables, and the use of its links.

use super::runs::Runs;
use crate::formula::{Value, list_of};
use tailback_results::Series;

/// The functions: name and number of arguments.
pub const OF_RUN: [(&str, usize); 2] = [("series", 2), ("links", 2)];

/// `series(table, column)`: the values of a column of a run's table, or of its first axis where the column is `x`. `links(name,
/// channel)`: what each of the links of this name carries in one virtual channel \[share of cycles\]. An empty list where the run
/// has no such table or links.
///
/// # Errors
/// Values of the wrong kind.
pub fn of_run(runs: &Runs, run: usize, name: &str, values: &[Value]) -> Result<Value, String> {
    let outcome = &runs.run(run).outcome;
    match (name, values) {
        ("series", [Value::Text(table), Value::Text(column)]) => {
            let table = Series::named(&outcome.series, table);
            let found = table.and_then(|table| if column == "x" { Some(&table.x[..]) } else { table.column(column) });
            Ok(list_of(found.unwrap_or_default().iter().copied()))
        }
        ("links", [Value::Text(link), channel]) => {
            let channel = channel.number()? as usize;
            let links = outcome.link_map.iter().flatten().filter(|other| other.name == *link);
            Ok(list_of(links.filter_map(|link| link.channels.get(channel).copied())))
        }
        _ => {
            Err(format!("`{name}` takes names, in quotation marks, of a table and a column or of links, and a channel"))
        }
    }
}
