//! Records and series by columns, each of one type: what column files and data frames are made of.

use crate::error::Result;
use crate::schema::{COLUMNS, Kind, Record, Scalar};
use crate::series::Series;
use serde_json::Value;

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// Name, unlike that of any other column.
    pub name: &'a str,
    /// Unit, or empty.
    pub unit: &'a str,
    /// What it is, in a phrase; empty where the name says it all.
    pub meaning: &'a str,
    /// Whether cells may be null.
    pub nullable: bool,
    /// Its values.
    pub cells: Cells,
}

/// The values of a column, `None` for null.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Truth values.
    Bool(Vec<Option<bool>>),
    /// Whole numbers of a spec.
    Signed(Vec<Option<i64>>),
    /// Counts.
    Unsigned(Vec<Option<u64>>),
    /// Other numbers, all finite.
    Float(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
}

/// A row a record, swept parameters before the core columns.
///
/// A parameter that a record lacks is null there. Its type is that of all its values: whole numbers and others mixed
/// become floats, any other mixture text.
///
/// # Errors
/// [`Error::Record`](crate::Error::Record) for clashing column names.
pub fn of_records(records: &[Record]) -> Result<Vec<Column<'_>>> {
    let rows = records.iter().map(Record::row).collect::<Result<Vec<_>>>()?;
    let parameters = parameter_names(records).into_iter().map(|name| {
        let values: Vec<Option<Scalar>> = rows.iter().map(|row| row.get(name).and_then(Scalar::from_json)).collect();
        Column { name, unit: "", meaning: "swept parameter", nullable: true, cells: parameter_cells(&values) }
    });
    let cores = COLUMNS.iter().map(|core| {
        let cells = core_cells(core.kind, rows.iter().map(|row| &row[core.name]));
        let nullable = core.kind == Kind::Float;
        Column { name: core.name, unit: core.unit, meaning: core.meaning, nullable, cells }
    });
    Ok(parameters.chain(cores).collect())
}

/// A series, its axis first; NaN and infinities are null.
pub fn of_series(series: &Series) -> Vec<Column<'_>> {
    let column = |(name, unit, values): (_, _, &[f64])| {
        let cells = Cells::Float(values.iter().map(|v| v.is_finite().then_some(*v)).collect());
        Column { name, unit, meaning: "", nullable: true, cells }
    };
    series.all_columns().map(column).collect()
}

/// Names of all parameters in order of first appearance.
pub fn parameter_names<'a>(records: impl IntoIterator<Item = &'a Record>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in records.into_iter().flat_map(|record| &record.parameters) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn parameter_cells(values: &[Option<Scalar>]) -> Cells {
    let present = || values.iter().flatten();
    let bools = values.iter().map(|v| if let Some(Scalar::Bool(b)) = v { Some(*b) } else { None });
    let integers = values.iter().map(|v| if let Some(Scalar::Integer(i)) = v { Some(*i) } else { None });
    let floats = values.iter().map(|v| v.as_ref().and_then(Scalar::as_f64));
    let texts = values.iter().map(|v| v.as_ref().map(Scalar::to_string));
    if present().all(|v| matches!(v, Scalar::Integer(_))) && present().next().is_some() {
        Cells::Signed(integers.collect())
    } else if present().all(|v| matches!(v, Scalar::Integer(_) | Scalar::Float(_))) {
        Cells::Float(floats.collect())
    } else if present().all(|v| matches!(v, Scalar::Bool(_))) {
        Cells::Bool(bools.collect())
    } else {
        Cells::Text(texts.collect())
    }
}

fn core_cells<'a>(kind: Kind, values: impl Iterator<Item = &'a Value>) -> Cells {
    match kind {
        Kind::Bool => Cells::Bool(values.map(Value::as_bool).collect()),
        Kind::Integer => Cells::Unsigned(values.map(Value::as_u64).collect()),
        Kind::Float => Cells::Float(values.map(Value::as_f64).collect()),
        Kind::Text => Cells::Text(values.map(|v| v.as_str().map(str::to_owned)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Status;

    #[test]
    fn the_type_of_a_parameter_is_that_of_all_its_values() {
        let cells = |values: &[Option<Scalar>]| {
            let with = |value: &Option<Scalar>| Record {
                parameters: value.iter().map(|value| ("p".to_owned(), value.clone())).collect(),
                ..Record::empty("id", 1, "0", Status::Steady)
            };
            let records: Vec<Record> = values.iter().map(with).collect();
            of_records(&records).unwrap().into_iter().find(|column| column.name == "p").unwrap().cells
        };
        let (one, half) = (Scalar::Integer(1), Scalar::Float(0.5));
        assert_eq!(cells(&[Some(one.clone()), None]), Cells::Signed(vec![Some(1), None]));
        assert_eq!(cells(&[Some(one.clone()), Some(half)]), Cells::Float(vec![Some(1.0), Some(0.5)]));
        assert_eq!(cells(&[Some(Scalar::Bool(true))]), Cells::Bool(vec![Some(true)]));
        let mixed = Cells::Text(vec![Some("1".to_owned()), Some("true".to_owned())]);
        assert_eq!(cells(&[Some(one), Some(Scalar::Bool(true))]), mixed);
    }
}
