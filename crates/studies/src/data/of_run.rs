//! Functions of one run: columns of its tables, the use of its links, numbers found by analysis, and settings that are lists of tables.

use super::busy;
use super::runs::plain;
use crate::formula::{Value, list_of};
use crate::lab::Run;
use tailback_results::Series;

/// Name and number of arguments.
const FUNCTIONS: [(&str, usize); 6] =
    [("series", 2), ("in_windows", 4), ("links", 2), ("finding", 1), ("settings", 2), ("channel_load_bound", 0)];

/// All functions of a run, those of space-time charts among them.
pub fn functions() -> impl Iterator<Item = &'static (&'static str, usize)> {
    FUNCTIONS.iter().chain(&busy::FUNCTIONS)
}

/// The value of a function of a run.
///
/// - `series(table, column)`: the values of a column of a table, or of its axis where the column is `x`.
/// - `in_windows(table, column, from, to)`: the same of the rows whose axis is at least `from` and below `to`.
/// - `links(name, channel)`: what each of the links of this name carries in one virtual channel \[share of cycles\].
/// - `finding(name)`: a number found by analysis.
/// - `channel_load_bound()`: the offered load above which some link would have to carry more than it can \[flits/node/cycle\].
/// - `settings(path, key)`: what each table of a list has under a key, which may be a path.
///
/// The list is empty where the run has no such table or links.
///
/// # Errors
/// Arguments of the wrong kind, or a column that a table does not have.
pub fn call(run: &Run, name: &str, values: &[Value]) -> Result<Value, String> {
    let text = |at: usize| match &values[at] {
        Value::Text(text) => Ok(text.as_str()),
        other => Err(format!("`{name}` takes a name in quotation marks, found {}", other.kind())),
    };
    match name {
        "series" => Ok(list_of(columns(run, text(0)?, text(1)?)?.1)),
        "in_windows" => {
            let (from, to) = (values[2].number()?, values[3].number()?);
            let (starts, column) = columns(run, text(0)?, text(1)?)?;
            let within = starts.into_iter().zip(column).filter(|(start, _)| (from..to).contains(start));
            Ok(list_of(within.map(|(_, value)| value)))
        }
        "links" => {
            let (name, channel) = (text(0)?, values[1].number()? as usize);
            let links = run.outcome.link_map.iter().flatten().filter(|link| link.name == name);
            Ok(list_of(links.filter_map(|link| link.channels.get(channel).copied())))
        }
        "finding" => {
            let name = text(0)?;
            let found = run.outcome.findings.iter().find(|finding| finding.name == name);
            Ok(Value::Number(found.map_or(f64::NAN, |finding| finding.value)))
        }
        "channel_load_bound" => Ok(Value::Number(run.channel_load_bound.unwrap_or(f64::NAN))),
        "settings" => settings(run, text(0)?, text(1)?),
        _ => busy::call(run, name, values),
    }
}

/// The axis of a table and one of its columns; both are empty where the run has no such table.
fn columns(run: &Run, table: &str, column: &str) -> Result<(Vec<f64>, Vec<f64>), String> {
    let Some(table) = Series::named(&run.outcome.series, table) else { return Ok(Default::default()) };
    let found = if column == "x" { Some(&table.x[..]) } else { table.column(column) };
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let missing =
        || format!("expected x or one of the columns {} of `{}`, found `{column}`", names.join(", "), table.name);
    Ok((table.x.clone(), found.ok_or_else(missing)?.to_vec()))
}

fn settings(run: &Run, path: &str, key: &str) -> Result<Value, String> {
    let tables = run.point.resolved.get(path).and_then(toml::Value::as_array);
    let tables = tables.ok_or_else(|| format!("there is no list of tables `{path}`"))?;
    let of = |table: &toml::Value| key.split('.').try_fold(table, |table, key| table.get(key)).and_then(plain);
    let found: Option<Vec<Value>> = tables.iter().map(of).collect();
    found.map(Value::List).ok_or_else(|| format!("not every table of `{path}` has `{key}`"))
}
