//! Functions of lists of numbers, such as the columns of a run's tables.

use super::Value;
use tailback_results::statistics::{Window, mean, moving_average};

/// The functions: name and number of arguments.
pub const LISTS: [(&str, usize); 4] = [("average", 1), ("smoothed", 2), ("since", 3), ("reached", 3)];

/// The value of such a function, which takes as many values as [`LISTS`] says.
///
/// # Errors
/// Values of the wrong kind.
pub fn of_lists(name: &str, values: &[Value]) -> Result<Value, String> {
    if name == "average" {
        return Ok(Value::Number(mean(&flat(&values[0])?).unwrap_or(f64::NAN)));
    }
    let list = values[0].numbers()?;
    Ok(match name {
        "smoothed" => list_of(moving_average(&list, values[1].number()? as usize, Window::Centred)),
        "since" => {
            let from = values[2].number()?;
            list_of(pairs(&list, &values[1])?.filter(|(x, _)| *x >= from).map(|(_, y)| y))
        }
        _ => {
            let level = values[2].number()?;
            Value::Number(pairs(&list, &values[1])?.find(|(_, y)| *y >= level).map_or(f64::NAN, |(x, _)| x))
        }
    })
}

/// The numbers of a list, and of the lists in it.
fn flat(value: &Value) -> Result<Vec<f64>, String> {
    let lists = match value {
        Value::List(values) => values.iter().map(flat).collect::<Result<Vec<_>, _>>()?,
        number => return Ok(vec![number.number()?]),
    };
    Ok(lists.concat())
}

/// A list of numbers.
pub fn list_of(numbers: impl IntoIterator<Item = f64>) -> Value {
    Value::List(numbers.into_iter().map(Value::Number).collect())
}

fn pairs(x: &[f64], y: &Value) -> Result<impl Iterator<Item = (f64, f64)>, String> {
    Ok(x.iter().copied().zip(y.numbers()?))
}

/// Two numbers with a sign between them; a list and a number, or two lists, value by value.
///
/// # Errors
/// Other values, or lists of two lengths.
pub fn value_by_value(with: &dyn Fn(f64, f64) -> f64, a: &Value, b: &Value) -> Result<Value, String> {
    let one = |number: &Value, list: &[Value], with: &dyn Fn(f64, f64) -> f64| {
        let number = number.number()?;
        list.iter().map(|value| Ok(Value::Number(with(number, value.number()?)))).collect::<Result<_, String>>()
    };
    Ok(match (a, b) {
        (Value::List(a), Value::List(b)) if a.len() == b.len() => {
            let each = a.iter().zip(b).map(|(a, b)| value_by_value(with, a, b));
            Value::List(each.collect::<Result<_, _>>()?)
        }
        (Value::List(a), Value::List(b)) => {
            return Err(format!("expected lists of one length, found {} and {} values", a.len(), b.len()));
        }
        (Value::List(list), number) => Value::List(one(number, list, &|number, value| with(value, number))?),
        (number, Value::List(list)) => Value::List(one(number, list, with)?),
        _ => Value::Number(with(a.number()?, b.number()?)),
    })
}
