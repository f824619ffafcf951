//! Tests of the record: struct and table agree, rows are flat, names do not clash.

use super::*;
use crate::test_support::{any_record, filled};
use proptest::prelude::*;
use serde_json::Value;

const ARCHITECTURE: &[&str] = &[
    "offered_load",
    "generated_load",
    "accepted_load",
    "latency_mean",
    "latency_p50",
    "latency_p95",
    "latency_p99",
    "latency_max",
    "network_latency_mean",
    "hops_mean",
    "packets_delivered",
    "flits_delivered",
    "cycles",
    "measured_cycles",
    "status",
    "duration",
    "seed",
    "point_id",
    "wall_seconds",
    "cycles_per_second",
    "flit_hops_per_second",
];

#[test]
fn struct_and_table_hold_the_same_columns() {
    let record = filled();
    let row = record.row().unwrap();
    let names: Vec<&str> = row.keys().map(String::as_str).collect();
    let parameters: Vec<&str> = record.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let table: Vec<&str> = COLUMNS.iter().map(|c| c.name).collect();
    assert_eq!(names, [parameters, table].concat(), "parameters first, then the core columns in table order");
    for column in COLUMNS {
        let fits = match (&row[column.name], column.kind) {
            (Value::Bool(_), Kind::Bool) | (Value::String(_), Kind::Text) => true,
            (Value::Number(n), Kind::Integer) => n.is_u64(),
            (Value::Number(n), Kind::Float) => n.is_f64(),
            _ => false,
        };
        assert!(fits, "{} is not of kind {:?}", column.name, column.kind);
        assert!(!column.meaning.is_empty());
    }
}

#[test]
fn nullable_columns_are_the_float_columns() {
    let row = Record::empty("p", 1, "0.1.0", Status::Interrupted).row().unwrap();
    for column in COLUMNS {
        assert_eq!(row[column.name].is_null(), column.kind == Kind::Float, "{}", column.name);
    }
}

#[test]
fn every_core_column_of_the_architecture_is_there() {
    for name in ARCHITECTURE {
        assert!(column(name).is_some(), "{name}");
    }
}

#[test]
fn status_names_are_those_of_the_files() {
    use Status::*;
    for status in [Steady, Saturated, Deadlocked, Starved, Livelocked, Completed, Slow, Stuck, Interrupted] {
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
}

#[test]
fn nan_and_infinity_become_null() {
    let mut record = filled();
    record.latency_mean = Some(f64::NAN);
    record.latency_max = Some(f64::INFINITY);
    record.parameters = vec![("a.b".into(), Scalar::Float(f64::NAN)), ("a.c".into(), Scalar::Integer(1))];
    let text = serde_json::to_string(&record).unwrap();
    let back: Record = serde_json::from_str(&text).unwrap();
    assert_eq!((back.latency_mean, back.latency_max), (None, None));
    assert_eq!(back.parameters, [("a.c".to_owned(), Scalar::Integer(1))]);
}

#[test]
fn a_parameter_may_not_hide_a_core_column_or_another_parameter() {
    let mut record = filled();
    record.parameters = vec![("seed".into(), Scalar::Integer(1))];
    assert!(record.row().unwrap_err().to_string().contains("`seed` has the name of a core column"));
    record.parameters = vec![("a.b".into(), Scalar::Integer(1)), ("a.b".into(), Scalar::Integer(2))];
    assert!(record.row().unwrap_err().to_string().contains("`a.b` is there twice"));
}

#[test]
fn bad_rows_are_refused_with_the_column() {
    let good = serde_json::to_string(&filled()).unwrap();
    for (from, to, expected) in [
        ("\"steady\"", "\"stedy\"", "unknown variant `stedy`"),
        ("\"traffic.load\":0.25", "\"traffic.load\":[1]", "`traffic.load` is no boolean"),
        ("\"router.channels\":3", "\"router.channels\":18446744073709551615", "`router.channels`"),
        ("\"cycles\":30000", "\"cycles\":-1", "-1"),
        ("\"cycles\":30000,", "", "missing field `cycles`"),
        ("\"cycles\":30000", "\"cycles\":1,\"cycles\":2", "duplicate field `cycles`"),
        ("\"router.channels\"", "\"traffic.load\"", "`traffic.load` is there twice"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        let message = serde_json::from_str::<Record>(&bad).unwrap_err().to_string();
        assert!(message.contains(expected), "{message} lacks {expected}");
    }
}

#[test]
fn a_field_alone_is_that_of_the_row() {
    let record = filled();
    let row = record.row().unwrap();
    assert!(row.len() > COLUMNS.len());
    for (name, value) in &row {
        assert_eq!(record.scalar(name), Scalar::nearest(value), "{name}");
    }
}

#[test]
fn values_are_found_by_column_name() {
    let record = filled();
    assert_eq!(record.number("traffic.load"), Some(0.25));
    assert_eq!(record.number("latency_mean"), Some(80.5));
    assert_eq!(record.number("cycles"), Some(30_000.0));
    assert_eq!(record.number("status"), None);
    assert_eq!(record.scalar("status"), Some(Scalar::Text("steady".into())));
    assert_eq!(record.scalar("no such"), None);
    assert_eq!(record.number("seed"), Some(u64::MAX as f64));
}

proptest! {
    #[test]
    fn records_survive_json(record in any_record()) {
        let text = serde_json::to_string(&record).unwrap();
        prop_assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
    }
}
