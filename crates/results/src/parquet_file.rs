//! Records and series as Parquet, for data frames and SQL.
//!
//! Columns are typed. The key-value metadata of the file hold [`UNITS`] and [`MEANINGS`] of its columns. The bytes
//! are the same for the same table.

use crate::error::{Error, Result};
use crate::schema::Record;
use crate::series::Series;
use crate::table::{self, Cells, Column};
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Metadata key of the units: a JSON object from column name to unit, without the columns that have none.
pub const UNITS: &str = "tailback.units";
/// Metadata key of the meanings: a JSON object from column name to one phrase, where there is one.
pub const MEANINGS: &str = "tailback.meanings";
/// Metadata key of the name of a series.
pub const TABLE: &str = "tailback.table";
/// Metadata key of the unit of a series as a whole.
pub const TABLE_UNIT: &str = "tailback.unit";

type Row = Map<String, Value>;

/// Records as the bytes of one Parquet file, with the columns of [`table::of_records`].
///
/// # Errors
/// [`Error::Record`] for clashing column names, [`Error::Parquet`] where the library refuses the table.
pub fn records_to_parquet(records: &[Record]) -> Result<Vec<u8>> {
    write("records", records.len(), table::of_records(records)?, Vec::new())
}

/// A series as the bytes of one Parquet file; NaN and infinities are null.
///
/// # Errors
/// [`Error::Table`] for columns that do not fit, [`Error::Parquet`] where the library refuses the table.
pub fn series_to_parquet(series: &Series) -> Result<Vec<u8>> {
    series.check()?;
    let metadata = vec![key_value(TABLE, series.name.clone()), key_value(TABLE_UNIT, series.unit.clone())];
    write(&series.name, series.x.len(), table::of_series(series), metadata)
}

fn write(table: &str, rows: usize, columns: Vec<Column<'_>>, mut metadata: Vec<KeyValue>) -> Result<Vec<u8>> {
    metadata.push(named(UNITS, columns.iter().map(|column| (column.name, column.unit))));
    metadata.push(named(MEANINGS, columns.iter().map(|column| (column.name, column.meaning))));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(concat!("tailback version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(metadata))
        .build();
    encode(rows, columns, properties).map_err(|e| Error::Parquet { table: table.to_owned(), cause: e.to_string() })
}

/// The file: one row group, or none for an empty table.
fn encode(rows: usize, columns: Vec<Column<'_>>, properties: WriterProperties) -> ParquetResult<Vec<u8>> {
    let fields = columns.iter().map(field).collect::<ParquetResult<Vec<TypePtr>>>()?;
    let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    if rows > 0 {
        let mut group = file.next_row_group()?;
        for column in columns {
            let mut writer = group.next_column()?.expect("the schema has a field for each column");
            match column.cells {
                Cells::Bool(cells) => put::<BoolType>(&mut writer, cells, column.nullable)?,
                Cells::Signed(cells) => put::<Int64Type>(&mut writer, cells, column.nullable)?,
                // By their bits: Parquet has one physical type for both.
                Cells::Unsigned(cells) => {
                    put::<Int64Type>(&mut writer, mapped(cells, u64::cast_signed), column.nullable)?
                }
                Cells::Float(cells) => put::<DoubleType>(&mut writer, cells, column.nullable)?,
                Cells::Text(cells) => {
                    let bytes = mapped(cells, |text: String| ByteArray::from(text.into_bytes()));
                    put::<ByteArrayType>(&mut writer, bytes, column.nullable)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
    }
    file.into_inner()
}

fn mapped<A, B>(cells: Vec<Option<A>>, to: impl Fn(A) -> B) -> Vec<Option<B>> {
    cells.into_iter().map(|cell| cell.map(&to)).collect()
}

fn field(column: &Column<'_>) -> ParquetResult<TypePtr> {
    let (physical, logical) = match column.cells {
        Cells::Bool(_) => (PhysicalType::BOOLEAN, None),
        Cells::Signed(_) => (PhysicalType::INT64, None),
        Cells::Unsigned(_) => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
        Cells::Float(_) => (PhysicalType::DOUBLE, None),
        Cells::Text(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let builder = Type::primitive_type_builder(column.name, physical);
    Ok(Arc::new(builder.with_repetition(repetition).with_logical_type(logical).build()?))
}

/// Writes all cells of a column. A definition level is 1 for a value and 0 for null; the values are without gaps.
fn put<D: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: Vec<Option<D::T>>,
    nullable: bool,
) -> ParquetResult<()> {
    let levels: Option<Vec<i16>> = nullable.then(|| cells.iter().map(|cell| i16::from(cell.is_some())).collect());
    let values: Vec<D::T> = cells.into_iter().flatten().collect();
    writer.typed::<D>().write_batch(&values, levels.as_deref(), None)?;
    Ok(())
}

fn key_value(key: &str, value: String) -> KeyValue {
    KeyValue::new(key.to_owned(), value)
}

/// A JSON object from column name to text, in column order, without the empty texts.
fn named<'a>(key: &str, texts: impl Iterator<Item = (&'a str, &'a str)>) -> KeyValue {
    let object: Row =
        texts.filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name.into(), text.into())).collect();
    key_value(key, Value::Object(object).to_string())
}

#[cfg(test)]
mod tests;
