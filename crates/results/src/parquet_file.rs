//! Records and series as Parquet, for data frames and SQL.
//!
//! Columns are typed; unit and meaning of a column are in its field metadata (`unit`, `meaning`). The bytes are
//! the same for the same table.

use crate::error::{Error, Result};
use crate::schema::{COLUMNS, Kind, Record, Scalar};
use crate::series::Series;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

type Row = Map<String, Value>;

/// Records as the bytes of one Parquet file, parameters before the core columns.
///
/// A parameter that a record lacks is null there. Its type is that of all its values: whole numbers and others mixed
/// become floats, any other mixture text.
///
/// # Errors
/// [`Error::Record`] for clashing column names, [`Error::Parquet`] where the library refuses the table.
pub fn records_to_parquet(records: &[Record]) -> Result<Vec<u8>> {
    let rows = records.iter().map(Record::row).collect::<Result<Vec<Row>>>()?;
    let mut fields = Vec::new();
    for name in parameter_names(records) {
        let values: Vec<Option<Scalar>> = rows.iter().map(|row| row.get(name).and_then(Scalar::from_json)).collect();
        let array = parameter_array(&values);
        fields.push((field(name, array.data_type().clone(), true, "", "swept parameter"), array));
    }
    for column in COLUMNS {
        let values: Vec<&Value> = rows.iter().map(|row| &row[column.name]).collect();
        let array = core_array(column.kind, &values);
        let nullable = column.kind == Kind::Float;
        fields.push((field(column.name, array.data_type().clone(), nullable, column.unit, column.meaning), array));
    }
    write("records", fields, HashMap::new())
}

/// A series as the bytes of one Parquet file; NaN and infinities are null.
///
/// # Errors
/// [`Error::Table`] for columns that do not fit, [`Error::Parquet`] where the library refuses the table.
pub fn series_to_parquet(series: &Series) -> Result<Vec<u8>> {
    series.check()?;
    let fields = series.all_columns().map(|(name, unit, values)| {
        let array: ArrayRef = Arc::new(Float64Array::from_iter(values.iter().map(|v| v.is_finite().then_some(*v))));
        (field(name, DataType::Float64, true, unit, ""), array)
    });
    let metadata = HashMap::from([
        ("tailback.table".to_owned(), series.name.clone()),
        ("tailback.unit".to_owned(), series.unit.clone()),
    ]);
    write(&series.name, fields.collect(), metadata)
}

/// Names of all parameters in order of first appearance.
fn parameter_names(records: &[Record]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in records.iter().flat_map(|record| &record.parameters) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn parameter_array(values: &[Option<Scalar>]) -> ArrayRef {
    let present = || values.iter().flatten();
    let bools = values.iter().map(|v| if let Some(Scalar::Bool(b)) = v { Some(*b) } else { None });
    let integers = values.iter().map(|v| if let Some(Scalar::Integer(i)) = v { Some(*i) } else { None });
    let floats = values.iter().map(|v| v.as_ref().and_then(Scalar::as_f64));
    let texts = values.iter().map(|v| v.as_ref().map(Scalar::to_string));
    if present().all(|v| matches!(v, Scalar::Integer(_))) && present().next().is_some() {
        Arc::new(Int64Array::from_iter(integers))
    } else if present().all(|v| matches!(v, Scalar::Integer(_) | Scalar::Float(_))) {
        Arc::new(Float64Array::from_iter(floats))
    } else if present().all(|v| matches!(v, Scalar::Bool(_))) {
        Arc::new(BooleanArray::from_iter(bools))
    } else {
        Arc::new(StringArray::from_iter(texts))
    }
}

fn core_array(kind: Kind, values: &[&Value]) -> ArrayRef {
    let values = values.iter();
    match kind {
        Kind::Bool => Arc::new(BooleanArray::from_iter(values.map(|v| v.as_bool()))),
        Kind::Integer => Arc::new(UInt64Array::from_iter(values.map(|v| v.as_u64()))),
        Kind::Float => Arc::new(Float64Array::from_iter(values.map(|v| v.as_f64()))),
        Kind::Text => Arc::new(StringArray::from_iter(values.map(|v| v.as_str()))),
    }
}

fn field(name: &str, kind: DataType, nullable: bool, unit: &str, meaning: &str) -> Field {
    let pairs = [("unit", unit), ("meaning", meaning)];
    let metadata = pairs.iter().filter(|(_, v)| !v.is_empty()).map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Field::new(name, kind, nullable).with_metadata(metadata.collect::<HashMap<_, _>>())
}

fn write(table: &str, columns: Vec<(Field, ArrayRef)>, metadata: HashMap<String, String>) -> Result<Vec<u8>> {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let refused = |cause: String| Error::Parquet { table: table.to_owned(), cause };
    let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(|e| refused(e.to_string()))?;
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).map_err(|e| refused(e.to_string()))?;
    writer.write(&batch).map_err(|e| refused(e.to_string()))?;
    writer.into_inner().map_err(|e| refused(e.to_string()))
}

#[cfg(test)]
mod tests;
