//! Functions of one run: columns of its tables, what its links carry, numbers found by analysis, and settings that are lists of tables.

use super::runs::plain;
use crate::formula::Value;
use crate::lab::Run;
use tailback_results::Series;

/// Name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 5] =
    [("links", 2), ("column", 2), ("in_windows", 4), ("finding", 1), ("settings", 2)];

/// The value of a function of a run.
///
/// # Errors
/// Arguments of the wrong kind, or a column that a table does not have.
pub fn call(run: &Run, name: &str, values: &[Value]) -> Result<Value, String> {
    let text = |at: usize| match &values[at] {
        Value::Text(text) => Ok(text.as_str()),
        other => Err(format!("`{name}` takes a name in quotation marks, found {}", other.kind())),
    };
    match name {
        "links" => {
            let (link, channel) = (text(0)?, values[1].number()? as usize);
            let links = run.outcome.link_map.iter().flatten().filter(|other| other.name == link);
            Ok(list(&links.filter_map(|link| link.channels.get(channel).copied()).collect::<Vec<_>>()))
        }
        "column" => Ok(list(&columns(run, text(0)?, text(1)?)?.1)),
        "in_windows" => {
            let (from, to) = (values[2].number()?, values[3].number()?);
            let (starts, column) = columns(run, text(0)?, text(1)?)?;
            let within = starts.iter().zip(&column).filter(|(start, _)| (from..to).contains(start));
            Ok(list(&within.map(|(_, value)| *value).collect::<Vec<_>>()))
        }
        "finding" => {
            let name = text(0)?;
            let found = run.outcome.findings.iter().find(|finding| finding.name == name);
            Ok(Value::Number(found.map_or(f64::NAN, |finding| finding.value)))
        }
        _ => settings(run, text(0)?, text(1)?),
    }
}

fn list(values: &[f64]) -> Value {
    Value::List(values.iter().copied().map(Value::Number).collect())
}

/// The axis of a table and one of its columns; both are empty where the run has no such table.
fn columns(run: &Run, table: &str, column: &str) -> Result<(Vec<f64>, Vec<f64>), String> {
    let Some(table) = Series::named(&run.outcome.series, table) else { return Ok(Default::default()) };
    let found = table.all_columns().find(|(name, _, _)| *name == column).map(|(_, _, values)| values.to_vec());
    let names: Vec<&str> = table.all_columns().map(|(name, _, _)| name).collect();
    let missing = || format!("expected one of the columns {} of `{}`, found `{column}`", names.join(", "), table.name);
    Ok((table.x.clone(), found.ok_or_else(missing)?))
}

/// What each table of a list has under a key, which may be a path.
fn settings(run: &Run, path: &str, key: &str) -> Result<Value, String> {
    let tables = run.point.resolved.get(path).and_then(toml::Value::as_array);
    let tables = tables.ok_or_else(|| format!("there is no list of tables `{path}`"))?;
    let of = |table: &toml::Value| key.split('.').try_fold(table, |table, key| table.get(key)).and_then(plain);
    let found: Option<Vec<Value>> = tables.iter().map(of).collect();
    found.map(Value::List).ok_or_else(|| format!("not every table of `{path}` has `{key}`"))
}
