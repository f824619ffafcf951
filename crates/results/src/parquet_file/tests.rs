//! Tests that read the files back with the library's row reader.

use super::*;
use crate::schema::{COLUMNS, Kind, Scalar, Status};
use crate::series::tests::sample;
use crate::table::parameter_names;
use crate::test_support::{any_record, filled};
use parquet::file::metadata::FileMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use proptest::prelude::*;

/// A file read back.
struct Read {
    file: FileMetaData,
    groups: usize,
    /// Cells by column name, in file order.
    columns: Vec<(String, Vec<Field>)>,
}

impl Read {
    fn new(bytes: Vec<u8>) -> Self {
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let file = reader.metadata().file_metadata().clone();
        let names = file.schema().get_fields().iter().map(|field| field.name().to_owned());
        let mut columns: Vec<(String, Vec<Field>)> = names.map(|name| (name, Vec::new())).collect();
        for row in reader.get_row_iter(None).unwrap() {
            for ((name, cells), (found, cell)) in columns.iter_mut().zip(row.unwrap().into_columns()) {
                assert_eq!(*name, found);
                cells.push(cell);
            }
        }
        Self { file, groups: reader.num_row_groups(), columns }
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn column(&self, name: &str) -> &[Field] {
        &self.columns.iter().find(|(other, _)| other == name).unwrap().1
    }

    fn field(&self, name: &str) -> &Type {
        self.file.schema().get_fields().iter().find(|field| field.name() == name).unwrap()
    }

    fn metadata(&self, key: &str) -> &str {
        let pairs = self.file.key_value_metadata().unwrap();
        pairs.iter().find(|pair| pair.key == key).unwrap().value.as_deref().unwrap()
    }

    fn object(&self, key: &str) -> Row {
        serde_json::from_str(self.metadata(key)).unwrap()
    }
}

fn with(parameters: &[(&str, Scalar)]) -> Record {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Record { parameters, ..filled() }
}

fn text(value: &str) -> Field {
    Field::Str(value.to_owned())
}

fn number(value: Option<f64>) -> Field {
    value.map_or(Field::Null, Field::Double)
}

#[test]
fn columns_are_typed_and_carry_units() {
    let read = Read::new(records_to_parquet(&[filled()]).unwrap());
    let first = ["traffic.load", "router.channels", "admission.kind", "admission.ideal", "offered_load"];
    assert_eq!(read.names()[..5], first);
    let (units, meanings) = (read.object(UNITS), read.object(MEANINGS));
    for column in COLUMNS {
        assert_eq!(units.get(column.name).map_or("", |unit| unit.as_str().unwrap()), column.unit);
        assert_eq!(meanings[column.name], column.meaning);
        let (physical, logical) = match column.kind {
            Kind::Bool => (PhysicalType::BOOLEAN, None),
            Kind::Integer => (PhysicalType::INT64, Some(LogicalType::integer(64, false))),
            Kind::Float => (PhysicalType::DOUBLE, None),
            Kind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = read.field(column.name);
        assert_eq!(field.get_physical_type(), physical, "{}", column.name);
        assert_eq!(field.get_basic_info().logical_type_ref(), logical.as_ref(), "{}", column.name);
        assert_eq!(field.is_optional(), column.kind == Kind::Float, "{}", column.name);
    }
    assert_eq!(units.keys().next().unwrap(), "offered_load", "columns without a unit are left out");
    assert!(read.field("router.channels").is_optional());
    assert_eq!(read.column("router.channels"), [Field::Long(3)]);
    assert_eq!(read.column("accepted_load"), [Field::Double(0.1 + 0.2)]);
    assert_eq!(read.column("seed"), [Field::ULong(u64::MAX)]);
    assert_eq!(read.column("status"), [text("steady")]);
    assert_eq!(read.column("admission.ideal"), [Field::Bool(true)]);
    assert_eq!(read.column("ideal"), [Field::Bool(true)]);
    assert_eq!(read.file.created_by(), Some(concat!("tailback version ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn parameters_take_the_type_that_holds_all_their_values() {
    use Scalar::{Bool, Float, Integer, Text};
    let records = [
        with(&[("a.n", Integer(1)), ("a.x", Integer(2)), ("a.mixed", Bool(true)), ("a.nan", Float(f64::NAN))]),
        with(&[("a.x", Float(0.5)), ("a.mixed", Integer(3)), ("a.late", Text("yes".into()))]),
        with(&[("a.n", Integer(-7)), ("a.x", Float(f64::INFINITY)), ("a.mixed", Text("none".into()))]),
    ];
    let read = Read::new(records_to_parquet(&records).unwrap());
    assert_eq!(read.names()[..5], ["a.n", "a.x", "a.mixed", "a.nan", "a.late"]);
    assert_eq!(read.column("a.n"), [Field::Long(1), Field::Null, Field::Long(-7)], "absent is null");
    let floats = [Field::Double(2.0), Field::Double(0.5), Field::Null];
    assert_eq!(read.column("a.x"), floats, "whole numbers become floats, infinity null");
    assert_eq!(read.column("a.mixed"), [text("true"), text("3"), text("none")]);
    assert_eq!(read.column("a.nan"), [Field::Null, Field::Null, Field::Null]);
    assert_eq!(read.field("a.nan").get_physical_type(), PhysicalType::DOUBLE);
    assert_eq!(read.column("a.late"), [Field::Null, text("yes"), Field::Null]);
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let records = [filled(), Record::empty("p", 1, "0.1.0", Status::Interrupted)];
    let first = records_to_parquet(&records).unwrap();
    for _ in 0..5 {
        assert_eq!(records_to_parquet(&records).unwrap(), first);
        assert_eq!(series_to_parquet(&sample()).unwrap(), series_to_parquet(&sample()).unwrap());
    }
}

#[test]
fn no_records_are_an_empty_table() {
    let read = Read::new(records_to_parquet(&[]).unwrap());
    assert_eq!((read.columns.len(), read.file.num_rows(), read.groups), (COLUMNS.len(), 0, 0));
}

#[test]
fn clashing_names_are_refused() {
    assert!(records_to_parquet(&[with(&[("seed", Scalar::Integer(1))])]).is_err());
    let mut series = sample();
    series.x.pop();
    assert!(series_to_parquet(&series).is_err());
}

#[test]
fn a_series_keeps_its_units_and_gaps() {
    let read = Read::new(series_to_parquet(&sample()).unwrap());
    assert_eq!(read.metadata(TABLE), "ramp");
    assert_eq!(read.metadata(TABLE_UNIT), "flits/node/cycle");
    assert_eq!(read.metadata(UNITS), r#"{"cycle":"cycles","throughput":"flits/node/cycle"}"#);
    assert_eq!(read.metadata(MEANINGS), "{}");
    let throughput = [Field::Double(0.0), Field::Double(1e-7), Field::Double(0.1 + 0.2)];
    assert_eq!(read.column("throughput"), throughput);
    assert_eq!(read.column("age, \"mean\""), [Field::Null, Field::Double(12.5), Field::Null]);
}

#[test]
fn a_series_of_many_pages_is_one_row_group() {
    let x: Vec<f64> = (0..50_000).map(f64::from).collect();
    let mut series = sample();
    series.columns.truncate(1);
    series.columns[0].values = x.iter().map(|v| if v % 3.0 == 0.0 { f64::NAN } else { v / 7.0 }).collect();
    series.x = x;
    let read = Read::new(series_to_parquet(&series).unwrap());
    assert_eq!((read.groups, read.file.num_rows()), (1, 50_000));
    for (values, name) in [(&series.x, "cycle"), (&series.columns[0].values, "throughput")] {
        let expected = values.iter().map(|v| number(v.is_finite().then_some(*v)));
        assert!(expected.eq(read.column(name).iter().cloned()), "{name}");
    }
}

/// Whether a cell is what a parameter may become beside other values of its column.
fn holds(cell: &Field, value: Option<&Scalar>) -> bool {
    match (cell, value) {
        (Field::Null, None) => true,
        (Field::Bool(cell), Some(Scalar::Bool(value))) => cell == value,
        (Field::Long(cell), Some(Scalar::Integer(value))) => cell == value,
        (Field::Double(cell), Some(value)) => value.as_f64() == Some(*cell),
        (Field::Str(cell), Some(value)) => *cell == value.to_string(),
        _ => false,
    }
}

proptest! {
    #[test]
    fn every_row_survives(records in proptest::collection::vec(any_record(), 1..6)) {
        let read = Read::new(records_to_parquet(&records).unwrap());
        prop_assert_eq!(read.file.num_rows(), records.len() as i64);
        for (row, record) in records.iter().enumerate() {
            prop_assert_eq!(&read.column("latency_mean")[row], &number(record.latency_mean));
            prop_assert_eq!(&read.column("hops_mean")[row], &number(record.hops_mean));
            prop_assert_eq!(&read.column("cycles")[row], &Field::ULong(record.cycles));
            prop_assert_eq!(&read.column("point_id")[row], &text(&record.point_id));
            prop_assert_eq!(&read.column("status")[row], &text(record.status.name()));
            for name in parameter_names(&records) {
                let value = record.parameters.iter().find(|(other, _)| other == name).map(|(_, value)| value);
                let cell = &read.column(name)[row];
                prop_assert!(holds(cell, value), "{name}: {cell} for {value:?}");
            }
        }
    }
}
