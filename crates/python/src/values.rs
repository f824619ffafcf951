//! Plain Python values as TOML, and JSON as Python values.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use tailback_base::text;
use toml::{Table, Value};

/// A dictionary as a table.
///
/// # Errors
/// A `TypeError` naming the path of what TOML cannot hold.
pub fn table(dict: &Bound<'_, PyDict>, path: &str) -> PyResult<Table> {
    let mut table = Table::new();
    for (key, value) in dict {
        let key: String =
            key.extract().map_err(|_| PyTypeError::new_err(format!("{}: keys are texts", text::shown(path))))?;
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        table.insert(key, self::value(&value, &inner)?);
    }
    Ok(table)
}

/// A bool, number, text, list or dictionary as TOML.
///
/// # Errors
/// The errors of [`table`].
pub fn value(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    // A bool is an int, too.
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(flag.is_true()));
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract().map(Value::Integer);
    }
    if value.is_instance_of::<PyFloat>() {
        return value.extract().map(Value::Float);
    }
    if value.is_instance_of::<PyString>() {
        return value.extract().map(Value::String);
    }
    if let Ok(list) = value.cast::<PyList>() {
        let elements =
            list.iter().enumerate().map(|(index, element)| self::value(&element, &format!("{path}.{index}")));
        return elements.collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        return table(dict, path).map(Value::Table);
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("{}: a spec holds no {kind}", text::shown(path))))
}

/// JSON as Python values.
pub fn from_json<'py>(py: Python<'py>, value: &serde_json::Value) -> PyResult<Bound<'py, PyAny>> {
    use serde_json::Value as Json;
    Ok(match value {
        Json::Null => py.None().into_bound(py),
        Json::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Json::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (_, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(list) => {
            let elements = list.iter().map(|element| from_json(py, element)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, elements)?.into_any()
        }
        Json::Object(object) => {
            let dict = PyDict::new(py);
            for (key, value) in object {
                dict.set_item(key, from_json(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// TOML as Python values. Dates, which no spec has, become texts.
pub fn from_toml<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Boolean(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Integer(whole) => whole.into_pyobject(py)?.into_any(),
        Value::Float(number) => PyFloat::new(py, *number).into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Datetime(date) => PyString::new(py, &date.to_string()).into_any(),
        Value::Array(list) => {
            let elements = list.iter().map(|element| from_toml(py, element)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, elements)?.into_any()
        }
        Value::Table(table) => {
            let dict = PyDict::new(py);
            for (key, value) in table {
                dict.set_item(key, from_toml(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Text of others for a terminal, on one line.
#[pyfunction]
pub fn shown(text: &str) -> String {
    text::shown(text).into_owned()
}

/// Text for a terminal whose lines are our own.
#[pyfunction]
pub fn shown_lines(text: &str) -> String {
    text::lines(text).into_owned()
}
