//! What a formula gives.

use crate::seeds::shown;
use std::fmt;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number; NaN where nothing was measured.
    Number(f64),
    /// A text.
    Text(String),
    /// Yes or no.
    Truth(bool),
    /// Values in an order.
    List(Vec<Value>),
}

impl Value {
    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list",
        }
    }

    /// The number.
    ///
    /// # Errors
    /// Another kind of value.
    pub fn number(&self) -> Result<f64, String> {
        match self {
            Value::Number(number) => Ok(*number),
            other => Err(format!("expected a number, found {}", other.kind())),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// Another kind of value.
    pub fn truth(&self) -> Result<bool, String> {
        match self {
            Value::Truth(truth) => Ok(*truth),
            other => Err(format!("expected true or false, found {}", other.kind())),
        }
    }

    /// The values of a list.
    ///
    /// # Errors
    /// Another kind of value.
    pub fn list(&self) -> Result<&[Value], String> {
        match self {
            Value::List(list) => Ok(list),
            other => Err(format!("expected a list, found {}", other.kind())),
        }
    }

    /// The numbers of a list.
    ///
    /// # Errors
    /// Another kind of value, or a list of others.
    pub fn numbers(&self) -> Result<Vec<f64>, String> {
        self.list()?.iter().map(Value::number).collect()
    }

    /// As a text shows it: numbers with three digits (`none` where nothing was measured), or as the format says, which is `raw`
    /// for all digits, `short` for three, or one of Rust's with a sign and digits, such as `+.2`.
    pub fn told(&self, format: Option<&str>) -> String {
        match (self, format) {
            (Value::Number(number), None | Some("short")) => shown((!number.is_nan()).then_some(*number)),
            (Value::Number(number), Some(format)) => numeral(*number, format),
            (Value::Text(text), _) => text.clone(),
            (Value::Truth(truth), _) => (if *truth { "holds" } else { "does not hold" }).to_owned(),
            (Value::List(list), _) => list.iter().map(|value| value.told(format)).collect::<Vec<_>>().join(", "),
        }
    }
}

fn numeral(number: f64, format: &str) -> String {
    let (sign, digits) = format.strip_prefix('+').map_or((false, format), |rest| (true, rest));
    match (digits.strip_prefix('.').and_then(|digits| digits.parse::<usize>().ok()), sign) {
        _ if number.is_nan() => shown(None),
        (Some(digits), true) => format!("{number:+.digits$}"),
        (Some(digits), false) => format!("{number:.digits$}"),
        (None, _) => format!("{number}"),
    }
}

/// A value as messages and conditions quote it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "{text}"),
            other => write!(f, "{}", other.told(None)),
        }
    }
}
