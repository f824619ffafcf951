//! Functions of lists.

use super::Value;
use crate::seeds;
use tailback_results::statistics::{Window, mean, moving_average, summarise};

/// Name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 10] = [
    ("average", 1),
    ("seeds_of", 1),
    ("half_width_of", 1),
    ("smoothed", 2),
    ("since", 3),
    ("reached", 3),
    ("sums", 1),
    ("first", 2),
    ("flat", 1),
    ("indices", 1),
];

/// The value of a function.
///
/// # Errors
/// Arguments of the wrong kind.
pub fn call(name: &str, values: &[Value]) -> Result<Value, String> {
    let given = &values[0];
    let list = |numbers: Vec<f64>| Ok(Value::List(numbers.into_iter().map(Value::Number).collect()));
    match name {
        "average" => Ok(Value::Number(mean(&given.numbers()?).unwrap_or(f64::NAN))),
        "seeds_of" => Ok(Value::Text(seeds::seeds(summarise(&given.numbers()?)))),
        "half_width_of" => {
            let half = summarise(&given.numbers()?).and_then(|summary| summary.half_width);
            Ok(Value::Number(half.unwrap_or(f64::NAN)))
        }
        "smoothed" => list(moving_average(&given.numbers()?, values[1].number()? as usize, Window::Centred)),
        "since" => list(pairs(values)?.into_iter().filter(|(x, _, from)| x >= from).map(|(_, y, _)| y).collect()),
        "reached" => {
            let reached = pairs(values)?.into_iter().find(|(_, y, level)| y >= level);
            Ok(Value::Number(reached.map_or(f64::NAN, |(x, _, _)| x)))
        }
        "sums" => {
            let sums = given.numbers()?.into_iter().scan(0.0, |sum, number| {
                *sum += number;
                Some(*sum)
            });
            list(sums.collect())
        }
        "first" => Ok(Value::List(given.list()?.iter().take(values[1].number()? as usize).cloned().collect())),
        "flat" => {
            let lists: Vec<&[Value]> = given.list()?.iter().map(Value::list).collect::<Result<_, _>>()?;
            Ok(Value::List(lists.concat()))
        }
        _ => list((0..given.list()?.len()).map(|at| at as f64).collect()),
    }
}

/// The values of two lists beside each other, each with the number that they are compared with.
fn pairs(values: &[Value]) -> Result<Vec<(f64, f64, f64)>, String> {
    let number = values[2].number()?;
    Ok(values[0].numbers()?.into_iter().zip(values[1].numbers()?).map(|(x, y)| (x, y, number)).collect())
}

/// Two numbers with a sign between them; a list and a number, or two lists, value by value.
///
/// # Errors
/// Other values, or lists of two lengths.
pub fn value_by_value(with: &dyn Fn(f64, f64) -> f64, a: &Value, b: &Value) -> Result<Value, String> {
    Ok(match (a, b) {
        (Value::List(a), Value::List(b)) if a.len() != b.len() => {
            return Err(format!("expected lists of one length, found {} and {} values", a.len(), b.len()));
        }
        (Value::List(a), Value::List(b)) => of_each(a.iter().zip(b), with)?,
        (Value::List(a), _) => of_each(a.iter().map(|a| (a, b)), with)?,
        (_, Value::List(b)) => of_each(b.iter().map(|b| (a, b)), with)?,
        _ => Value::Number(with(a.number()?, b.number()?)),
    })
}

fn of_each<'v>(
    pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    with: &dyn Fn(f64, f64) -> f64,
) -> Result<Value, String> {
    pairs.map(|(a, b)| value_by_value(with, a, b)).collect::<Result<_, _>>().map(Value::List)
}
