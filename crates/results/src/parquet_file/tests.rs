//! Tests that read the files back with the library's reader.

use super::*;
use crate::schema::Status;
use crate::series::tests::sample;
use crate::test_support::{any_record, filled};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use proptest::prelude::*;

fn read(bytes: Vec<u8>) -> (Arc<Schema>, RecordBatch) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(bytes)).unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<RecordBatch> = builder.with_batch_size(1 << 20).build().unwrap().map(|b| b.unwrap()).collect();
    let batch = batches.into_iter().next().unwrap_or_else(|| RecordBatch::new_empty(schema.clone()));
    (schema, batch)
}

fn with(parameters: &[(&str, Scalar)]) -> Record {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Record { parameters, ..filled() }
}

#[test]
fn columns_are_typed_and_carry_units() {
    let (schema, batch) = read(records_to_parquet(&[filled()]).unwrap());
    let names: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
    assert_eq!(names[..5], ["traffic.load", "router.channels", "admission.kind", "admission.ideal", "offered_load"]);
    for column in COLUMNS {
        let field = schema.field_with_name(column.name).unwrap();
        let unit = field.metadata().get("unit").map_or("", String::as_str);
        assert_eq!(unit, column.unit);
        assert_eq!(field.metadata()["meaning"], column.meaning);
        let expected = match column.kind {
            Kind::Bool => DataType::Boolean,
            Kind::Integer => DataType::UInt64,
            Kind::Float => DataType::Float64,
            Kind::Text => DataType::Utf8,
        };
        assert_eq!(*field.data_type(), expected, "{}", column.name);
        assert_eq!(field.is_nullable(), column.kind == Kind::Float);
    }
    assert_eq!(batch["accepted_load"].as_primitive::<Float64Type>().value(0), 0.1 + 0.2);
    assert_eq!(batch["seed"].as_primitive::<UInt64Type>().value(0), u64::MAX);
    assert_eq!(batch["status"].as_string::<i32>().value(0), "steady");
    assert!(batch["admission.ideal"].as_boolean().value(0));
    assert!(batch["ideal"].as_boolean().value(0));
}

#[test]
fn parameters_take_the_type_that_holds_all_their_values() {
    use Scalar::{Bool, Float, Integer, Text};
    let records = [
        with(&[("a.n", Integer(1)), ("a.x", Integer(2)), ("a.mixed", Bool(true)), ("a.nan", Float(f64::NAN))]),
        with(&[("a.x", Float(0.5)), ("a.mixed", Integer(3)), ("a.late", Text("yes".into()))]),
        with(&[("a.n", Integer(-7)), ("a.x", Float(f64::INFINITY)), ("a.mixed", Text("none".into()))]),
    ];
    let (schema, batch) = read(records_to_parquet(&records).unwrap());
    let names: Vec<&str> = schema.fields()[..5].iter().map(|f| f.name().as_str()).collect();
    assert_eq!(names, ["a.n", "a.x", "a.mixed", "a.nan", "a.late"]);
    let integers: Vec<Option<i64>> = batch["a.n"].as_primitive::<Int64Type>().iter().collect();
    assert_eq!(integers, [Some(1), None, Some(-7)], "absent is null");
    let floats: Vec<Option<f64>> = batch["a.x"].as_primitive::<Float64Type>().iter().collect();
    assert_eq!(floats, [Some(2.0), Some(0.5), None], "whole numbers become floats, infinity null");
    let texts: Vec<Option<&str>> = batch["a.mixed"].as_string::<i32>().iter().collect();
    assert_eq!(texts, [Some("true"), Some("3"), Some("none")]);
    assert_eq!(batch["a.nan"].null_count(), 3);
    assert_eq!(batch["a.late"].as_string::<i32>().iter().collect::<Vec<_>>(), [None, Some("yes"), None]);
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
    let (schema, batch) = read(records_to_parquet(&[]).unwrap());
    assert_eq!((schema.fields().len(), batch.num_rows()), (COLUMNS.len(), 0));
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
    let (schema, batch) = read(series_to_parquet(&sample()).unwrap());
    assert_eq!(schema.metadata()["tailback.table"], "ramp");
    assert_eq!(schema.field(0).metadata()["unit"], "cycles");
    assert_eq!(schema.field(1).metadata()["unit"], "flits/node/cycle");
    let throughput: Vec<Option<f64>> = batch["throughput"].as_primitive::<Float64Type>().iter().collect();
    assert_eq!(throughput, [Some(0.0), Some(1e-7), Some(0.1 + 0.2)]);
    let age: Vec<Option<f64>> = batch.column(2).as_primitive::<Float64Type>().iter().collect();
    assert_eq!(age, [None, Some(12.5), None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn core_columns_survive(records in proptest::collection::vec(any_record(), 1..6)) {
        let (_, batch) = read(records_to_parquet(&records).unwrap());
        prop_assert_eq!(batch.num_rows(), records.len());
        for (row, record) in records.iter().enumerate() {
            let latency = batch["latency_mean"].as_primitive::<Float64Type>();
            prop_assert_eq!(latency.is_valid(row).then(|| latency.value(row)), record.latency_mean);
            prop_assert_eq!(batch["cycles"].as_primitive::<UInt64Type>().value(row), record.cycles);
            prop_assert_eq!(batch["point_id"].as_string::<i32>().value(row), &record.point_id);
            prop_assert_eq!(batch["status"].as_string::<i32>().value(row), record.status.name());
        }
    }
}
