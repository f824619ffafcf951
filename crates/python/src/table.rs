//! Tables of results: Arrow for data frames, bytes for NumPy.

use crate::work::{Progress, watched};
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::collections::HashMap;
use std::sync::Arc;
use tailback_cli::picture::{self, no_column};
use tailback_results::identical::identical;
use tailback_results::table::{self, Cells};
use tailback_results::{Record, Series};

/// A table of typed columns, immutable.
#[pyclass(frozen, module = "tailback._native")]
pub struct Table {
    batch: RecordBatch,
    /// Where rows are records.
    records: Vec<Record>,
}

/// What NumPy makes an array of: a type and bytes, or a list where there is no such type.
#[derive(IntoPyObject)]
pub enum Column<'py> {
    Bytes((&'static str, Bound<'py, PyBytes>)),
    Bools(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
}

#[pymethods]
impl Table {
    /// Names of the columns.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Units of the columns, empty where there are none.
    #[getter]
    fn units(&self) -> Vec<String> {
        self.metadata("unit")
    }

    /// Meanings of the columns, empty where the name says it all.
    #[getter]
    fn meanings(&self) -> Vec<String> {
        self.metadata("meaning")
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// A column: (NumPy type, bytes) of numbers, NaN where missing; a list of bools or texts.
    fn column<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Column<'py>> {
        let column = self.batch.column_by_name(name);
        let column = column.ok_or_else(|| self.no_column(name))?;
        let column = column.as_ref();
        let floats = |values: Vec<f64>| {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
            Column::Bytes(("f8", PyBytes::new(py, &bytes)))
        };
        Ok(match column.data_type() {
            DataType::Float64 => {
                let column = column.as_primitive::<Float64Type>();
                floats(column.iter().map(|value| value.unwrap_or(f64::NAN)).collect())
            }
            DataType::Int64 if column.null_count() > 0 => {
                let column = column.as_primitive::<Int64Type>();
                floats(column.iter().map(|value| value.map_or(f64::NAN, |v| v as f64)).collect())
            }
            DataType::Int64 => {
                let values = column.as_primitive::<Int64Type>().values();
                Column::Bytes(("i8", PyBytes::new(py, values.inner().as_slice())))
            }
            DataType::UInt64 => {
                let values = column.as_primitive::<UInt64Type>().values();
                Column::Bytes(("u8", PyBytes::new(py, values.inner().as_slice())))
            }
            DataType::Boolean => Column::Bools(column.as_boolean().iter().collect()),
            _ => Column::Texts(column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()),
        })
    }

    /// Curves of column `y` over column `x` as the command draws them: SVG, or PNG.
    #[pyo3(signature = (x, y, png))]
    fn draw(&self, py: Python<'_>, x: Option<String>, y: Option<String>, png: bool) -> PyResult<Vec<u8>> {
        let records = self.records.clone();
        let drawn = watched(py, &Progress::none(), move |_| {
            let svg = picture::curves_svg(&records, x.as_deref(), y.as_deref())?;
            if png { picture::png(&svg) } else { Ok(svg.into_bytes()) }
        })?;
        drawn.map_err(|error| crate::failure::failure(py, &error))
    }

    /// Which of `lines`, rows that differ in nothing but column `x` and the seed, came out identical, bit for bit: their numbers in
    /// groups.
    #[pyo3(signature = (lines, x))]
    fn identical(&self, lines: Vec<Vec<usize>>, x: Option<&str>) -> Vec<Vec<usize>> {
        let line = |rows: &Vec<usize>| rows.iter().filter_map(|&row| self.records.get(row)).collect();
        let lines: Vec<Vec<&Record>> = lines.iter().map(line).collect();
        identical(&lines, x)
    }

    /// The Arrow PyCapsule interface: the table as a stream of one batch, without a copy. Columns are not cast to
    /// `requested_schema`, as that interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches: [Result<RecordBatch, ArrowError>; 1] = [Ok(self.batch.clone())];
        let reader = RecordBatchIterator::new(batches, self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The Arrow PyCapsule interface: the schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref()).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Table {
    fn no_column(&self, name: &str) -> PyErr {
        let names = self.names();
        PyKeyError::new_err(no_column(name, names.iter().map(String::as_str)).to_string())
    }

    fn metadata(&self, key: &str) -> Vec<String> {
        let schema = self.batch.schema();
        schema.fields().iter().map(|field| field.metadata().get(key).cloned().unwrap_or_default()).collect()
    }

    fn new(columns: Vec<(Field, ArrayRef)>, rows: usize) -> PyResult<Table> {
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options).map_err(refused)?;
        Ok(Table { batch, records: Vec::new() })
    }

    /// A row a record, swept parameters first. Types are those of the Parquet file.
    ///
    /// # Errors
    /// For clashing column names.
    pub fn of_records(py: Python<'_>, records: &[Record]) -> PyResult<Table> {
        let columns = table::of_records(records).map_err(|error| crate::failure::results(py, error))?;
        let columns = columns.into_iter().map(|column| {
            // What is swept has the unit of its declaration.
            let unit = if column.unit.is_empty() { unit_of(column.name) } else { column.unit };
            typed(table::Column { unit, ..column })
        });
        Ok(Table { records: records.to_vec(), ..Table::new(columns.collect(), records.len())? })
    }

    /// A series, its axis first; NaN and infinities are null.
    ///
    /// # Errors
    /// For columns of different lengths.
    pub fn of_series(series: &Series) -> PyResult<Table> {
        let columns = table::of_series(series).into_iter().map(typed);
        Table::new(columns.collect(), series.x.len())
    }
}

/// A column as Arrow has it.
fn typed(column: table::Column<'_>) -> (Field, ArrayRef) {
    let array: ArrayRef = match column.cells {
        Cells::Bool(cells) => Arc::new(BooleanArray::from_iter(cells)),
        Cells::Signed(cells) => Arc::new(Int64Array::from_iter(cells)),
        Cells::Unsigned(cells) => Arc::new(UInt64Array::from_iter(cells)),
        Cells::Float(cells) => Arc::new(Float64Array::from_iter(cells)),
        Cells::Text(cells) => Arc::new(StringArray::from_iter(cells)),
    };
    let pairs = [("unit", column.unit), ("meaning", column.meaning)].into_iter().filter(|(_, text)| !text.is_empty());
    let metadata: HashMap<String, String> = pairs.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
    (Field::new(column.name, array.data_type().clone(), column.nullable).with_metadata(metadata), array)
}

/// The unit of a swept parameter, as its declaration has it.
fn unit_of(path: &str) -> &'static str {
    let Some((section, key)) = path.rsplit_once('.') else { return "" };
    let section = tailback_sim::catalogue().section(section);
    section.and_then(|s| s.every_param().find(|p| p.name == key)).map_or("", |p| p.unit)
}
