//! Long tables: time series and histograms.
//!
//! A value that is missing in a row is NaN in memory, null in JSON and Parquet, and empty in CSV.

use crate::error::{Error, Result};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// One axis and the columns over it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name of the table, fit for a file name.
    pub name: String,
    /// Unit of what the table shows, for an axis; empty where columns differ.
    pub unit: String,
    /// Name of the first column, the axis.
    pub x_name: String,
    /// Unit of the axis.
    pub x_unit: String,
    /// Values of the axis.
    #[serde(serialize_with = "nan_to_null", deserialize_with = "null_to_nan")]
    pub x: Vec<f64>,
    /// The other columns, as long as the axis.
    pub columns: Vec<SeriesColumn>,
}

/// One column of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeriesColumn {
    /// Name, distinct within the series.
    pub name: String,
    /// Unit, empty where there is none.
    pub unit: String,
    /// Values; NaN where missing.
    #[serde(serialize_with = "nan_to_null", deserialize_with = "null_to_nan")]
    pub values: Vec<f64>,
}

impl Series {
    /// The table of this name among others.
    pub fn named<'a>(tables: &'a [Series], name: &str) -> Option<&'a Series> {
        tables.iter().find(|table| table.name == name)
    }

    /// The values of a column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|column| column.name == name).map(|column| column.values.as_slice())
    }

    /// Checks that all columns are as long as the axis and that no two bear one name.
    ///
    /// # Errors
    /// [`Error::Table`] naming the column.
    pub fn check(&self) -> Result<()> {
        let mut seen = BTreeSet::from([self.x_name.as_str()]);
        for column in &self.columns {
            if column.values.len() != self.x.len() {
                let (have, need) = (column.values.len(), self.x.len());
                let cause = format!("column `{}` has {have} values, the axis {need}", column.name);
                return Err(Error::table(&self.name, cause));
            }
            if !seen.insert(&column.name) {
                return Err(Error::table(&self.name, format!("two columns are called `{}`", column.name)));
            }
        }
        Ok(())
    }

    /// All columns as (name, unit, values), the axis first.
    pub fn all_columns(&self) -> impl Iterator<Item = (&str, &str, &[f64])> {
        let axis = (self.x_name.as_str(), self.x_unit.as_str(), self.x.as_slice());
        let rest = self.columns.iter().map(|c| (c.name.as_str(), c.unit.as_str(), c.values.as_slice()));
        std::iter::once(axis).chain(rest)
    }

    /// The table as JSON lines: one flat object a row.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub fn to_json_lines(&self) -> Result<String> {
        self.check()?;
        let keys: Vec<String> =
            self.all_columns().map(|(name, ..)| serde_json::Value::from(name).to_string()).collect();
        let mut text = String::new();
        for row in 0..self.x.len() {
            for (index, (_, _, values)) in self.all_columns().enumerate() {
                text.push(if index == 0 { '{' } else { ',' });
                // A Value made of NaN is null.
                push(&mut text, format_args!("{}:{}", keys[index], serde_json::Value::from(values[row])));
            }
            text.push_str("}\n");
        }
        Ok(text)
    }

    /// The table as CSV (RFC 4180): a header of `name [unit]`, then a row a line.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub fn to_csv(&self) -> Result<String> {
        self.check()?;
        let header: Vec<String> = self.all_columns().map(|(name, unit, _)| csv_title(name, unit)).collect();
        let mut text = header.join(",") + "\r\n";
        for row in 0..self.x.len() {
            for (index, (_, _, values)) in self.all_columns().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                if values[row].is_finite() {
                    // The debug form is the shortest that reads back as the same number.
                    push(&mut text, format_args!("{:?}", values[row]));
                }
            }
            text.push_str("\r\n");
        }
        Ok(text)
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn csv_title(name: &str, unit: &str) -> String {
    let title = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
    if title.contains([',', '"', '\n', '\r']) { format!("\"{}\"", title.replace('"', "\"\"")) } else { title }
}

fn nan_to_null<S: Serializer>(values: &[f64], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|value| value.is_finite().then_some(*value)))
}

fn null_to_nan<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Vec<f64>, D::Error> {
    let values = Vec::<Option<f64>>::deserialize(deserializer)?;
    Ok(values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two columns over time with a missing value and a name that needs quoting.
    pub(crate) fn sample() -> Series {
        let column = |name: &str, unit: &str, values: [f64; 3]| SeriesColumn {
            name: name.into(),
            unit: unit.into(),
            values: values.into(),
        };
        Series {
            name: "ramp".into(),
            unit: "flits/node/cycle".into(),
            x_name: "cycle".into(),
            x_unit: "cycles".into(),
            x: vec![0.0, 100.0, 200.0],
            columns: vec![
                column("throughput", "flits/node/cycle", [0.0, 1e-7, 0.1 + 0.2]),
                column("age, \"mean\"", "", [f64::NAN, 12.5, f64::INFINITY]),
            ],
        }
    }

    #[test]
    fn csv_has_units_and_quotes_and_empty_cells() {
        let expected = "cycle [cycles],throughput [flits/node/cycle],\"age, \"\"mean\"\"\"\r\n\
                        0.0,0.0,\r\n100.0,1e-7,12.5\r\n200.0,0.30000000000000004,\r\n";
        assert_eq!(sample().to_csv().unwrap(), expected);
    }

    #[test]
    fn json_lines_are_flat_rows() {
        let expected = "{\"cycle\":0.0,\"throughput\":0.0,\"age, \\\"mean\\\"\":null}\n";
        let text = sample().to_json_lines().unwrap();
        assert_eq!(text.lines().count(), 3);
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn columns_that_do_not_fit_are_refused_by_name() {
        let mut series = sample();
        series.columns[1].name = "cycle".into();
        assert!(series.to_csv().unwrap_err().to_string().contains("two columns are called `cycle`"));
        series.columns[0].values.pop();
        let message = series.to_json_lines().unwrap_err().to_string();
        assert!(message.contains("table `ramp`: column `throughput` has 2 values, the axis 3"), "{message}");
    }

    proptest! {
        #[test]
        fn every_form_keeps_every_bit(values in proptest::collection::vec(any::<f64>(), 0..20)) {
            let finite: Vec<f64> = values.iter().map(|v| if v.is_finite() { *v } else { f64::NAN }).collect();
            let mut series = sample();
            series.x = values.clone();
            series.columns = vec![];
            let same = |got: &[f64]| got.len() == finite.len()
                && got.iter().zip(&finite).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
            let whole: Series = serde_json::from_str(&serde_json::to_string(&series).unwrap()).unwrap();
            prop_assert!(same(&whole.x));
            let csv: Vec<f64> = series.to_csv().unwrap().lines().skip(1).map(|l| l.parse().unwrap_or(f64::NAN)).collect();
            prop_assert!(same(&csv));
            let lines: Vec<f64> = series.to_json_lines().unwrap().lines()
                .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["cycle"].as_f64().unwrap_or(f64::NAN))
                .collect();
            prop_assert!(same(&lines));
        }
    }
}
