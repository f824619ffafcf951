//! Tables of results: Arrow for data frames, bytes for NumPy.

use crate::points::{curves, means, shown};
use crate::values::from_json;
use crate::work::{Progress, watched};
use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, RecordBatchIterator, StringArray, UInt64Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use tailback_cli::picture::{self, no_column};
use tailback_results::table::{self, Cells};
use tailback_results::{Record, Series};
use tailback_summary::filter::{self, Filter};

/// A table of typed columns, immutable.
#[pyclass(frozen, module = "tailback._native")]
pub struct Table {
    batch: RecordBatch,
    source: Source,
}

/// What a table shows.
#[derive(Serialize, Deserialize)]
enum Source {
    /// A record a row.
    Records(Vec<Record>),
    /// A series.
    Series(Series),
    /// A point a row, made of these records.
    Points(Vec<Record>),
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
        let records = self.records().to_vec();
        let drawn = watched(py, &Progress::none(), move |_| {
            let svg = picture::curves_svg(&records, x.as_deref(), y.as_deref())?;
            if png { picture::png(&svg) } else { Ok(svg.into_bytes()) }
        })?;
        drawn.map_err(|error| crate::failure::failure(py, &error))
    }

    /// One row per point, with means over seeds.
    fn means(&self, py: Python<'_>) -> PyResult<Table> {
        means(py, self.records())
    }

    /// Variants over the column `x`, as plain data.
    fn curves<'py>(&self, py: Python<'py>, x: &str, columns: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &curves(self.records(), x, &columns))
    }

    /// Means with their intervals as people read them: a text per point, for each column.
    fn shown(&self, columns: Vec<String>) -> Vec<Vec<String>> {
        shown(self.records(), &columns)
    }

    /// The rows that filters choose, each as of `--where`.
    fn chosen(&self, py: Python<'_>, filters: Vec<String>) -> PyResult<Vec<usize>> {
        let records = self.records();
        let filters = filters.iter().map(|filter| filter.parse()).collect::<Result<Vec<Filter>, _>>();
        let chosen = filters.and_then(|filters| filter::chosen(&filters, records));
        let chosen = chosen.map_err(|error| crate::failure::usage(py, error))?;
        let mut rows = Vec::new();
        let mut chosen = chosen.into_iter().peekable();
        for (row, record) in records.iter().enumerate() {
            if chosen.next_if(|next| std::ptr::eq(*next, record)).is_some() {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// The table of records that are a JSON array of rows.
    #[staticmethod]
    fn of_rows(py: Python<'_>, rows: &str) -> PyResult<Table> {
        let records: Result<Vec<Record>, _> = serde_json::from_str(rows);
        Table::of_records(py, &records.map_err(|error| PyValueError::new_err(format!("no records: {error}")))?)
    }

    /// A table of these rows, which are records.
    fn take(&self, py: Python<'_>, rows: Vec<usize>) -> PyResult<Table> {
        let records: Option<Vec<Record>> = rows.iter().map(|&row| self.records().get(row).cloned()).collect();
        let records = records.ok_or_else(|| PyIndexError::new_err("there is no such row"))?;
        Table::of_records(py, &records)
    }

    /// All of it as bytes, for another process or another day of this version.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &rmp_serde::to_vec_named(&self.source).expect("a table can be written"))
    }

    /// What `to_bytes` returned.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Table> {
        let source = rmp_serde::from_slice(bytes);
        match source.map_err(|error| PyValueError::new_err(format!("not a table: {error}")))? {
            Source::Records(records) => Table::of_records(py, &records),
            Source::Series(series) => Table::of_series(&series),
            Source::Points(records) => means(py, &records),
        }
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

    /// The records that are its rows; none of a series.
    fn records(&self) -> &[Record] {
        match &self.source {
            Source::Records(records) => records,
            Source::Series(_) | Source::Points(_) => &[],
        }
    }

    fn new(columns: Vec<(Field, ArrayRef)>, rows: usize, source: Source) -> PyResult<Table> {
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options).map_err(refused)?;
        Ok(Table { batch, source })
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
        Table::new(columns.collect(), records.len(), Source::Records(records.to_vec()))
    }

    /// One row per point, of these records.
    ///
    /// # Errors
    /// For columns of different lengths.
    pub fn of_points(columns: Vec<(Field, ArrayRef)>, rows: usize, records: &[Record]) -> PyResult<Table> {
        Table::new(columns, rows, Source::Points(records.to_vec()))
    }

    /// A series, its axis first; NaN and infinities are null.
    ///
    /// # Errors
    /// For columns of different lengths.
    pub fn of_series(series: &Series) -> PyResult<Table> {
        let columns = table::of_series(series).into_iter().map(typed);
        Table::new(columns.collect(), series.x.len(), Source::Series(series.clone()))
    }
}

/// A column as Arrow has it.
pub fn typed(column: table::Column<'_>) -> (Field, ArrayRef) {
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
pub fn unit_of(path: &str) -> &'static str {
    let Some((section, key)) = path.rsplit_once('.') else { return "" };
    let section = tailback_sim::catalogue().section(section);
    section.and_then(|s| s.every_param().find(|p| p.name == key)).map_or("", |p| p.unit)
}
