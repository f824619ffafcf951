//! Values of swept parameters, and how they flatten into the row.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// The value of one swept parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number; NaN and infinities are null in files.
    Float(f64),
    /// A name.
    Text(String),
}

impl Scalar {
    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            Self::Bool(_) | Self::Text(_) => None,
        }
    }

    /// As [`Scalar::from_json`], but an integer beyond 64 signed bits becomes the nearest float.
    pub fn nearest(value: &Value) -> Option<Self> {
        Self::from_json(value).or_else(|| value.as_f64().map(Self::Float))
    }

    /// The scalar a JSON value stands for; `None` for null, arrays, objects and integers beyond 64 signed bits.
    pub fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(flag) => Some(Self::Bool(*flag)),
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) if number.is_f64() => number.as_f64().map(Self::Float),
            Value::Number(number) => number.as_i64().map(Self::Integer),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

pub(super) fn serialize<S: Serializer>(values: &[(String, Scalar)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(values.len()))?;
    for (name, value) in values {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, Scalar)>, D::Error> {
    deserializer.deserialize_map(ParametersVisitor)
}

struct ParametersVisitor;

impl<'de> Visitor<'de> for ParametersVisitor {
    type Value = Vec<(String, Scalar)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters with scalar values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values: Self::Value = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            // Null stands for a parameter that this point does not have (or a NaN): nothing to keep.
            if value.is_null() {
                continue;
            }
            let Some(scalar) = Scalar::from_json(&value) else {
                return Err(A::Error::custom(format!("column `{name}` is no boolean, number or text: {value}")));
            };
            if values.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom(format!("column `{name}` is there twice")));
            }
            values.push((name, scalar));
        }
        Ok(values)
    }
}
