//! Functions of lists, such as the columns of a run's tables.

use super::Value;
use crate::seeds;
use tailback_results::statistics::{Window, fit_line, mean, moving_average, summarise};

/// Name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 16] = [
    ("average", 1),
    ("seeds_of", 1),
    ("half_width_of", 1),
    ("smoothed", 2),
    ("trailed", 2),
    ("since", 3),
    ("up_to", 3),
    ("reached", 3),
    ("slope", 2),
    ("averaged", 1),
    ("finite", 1),
    ("thinned", 2),
    ("sums", 1),
    ("first", 2),
    ("flat", 1),
    ("indices", 1),
];

/// The value of a function, which takes as many values as [`FUNCTIONS`] says.
///
/// # Errors
/// Arguments of the wrong kind.
pub fn call(name: &str, values: &[Value]) -> Result<Value, String> {
    let given = &values[0];
    Ok(match name {
        "average" => Value::Number(mean(&numbers_within(given)?).unwrap_or(f64::NAN)),
        "seeds_of" => Value::Text(seeds::seeds(summarise(&given.numbers()?))),
        "half_width_of" => {
            let half = summarise(&given.numbers()?).and_then(|summary| summary.half_width);
            Value::Number(half.unwrap_or(f64::NAN))
        }
        "smoothed" => list_of(moving_average(&given.numbers()?, values[1].number()? as usize, Window::Centred)),
        "trailed" => list_of(moving_average(&given.numbers()?, values[1].number()? as usize, Window::Trailing)),
        "since" => {
            let from = values[2].number()?;
            list_of(pairs(given, &values[1])?.filter(|(x, _)| *x >= from).map(|(_, y)| y))
        }
        "up_to" => {
            let to = values[2].number()?;
            list_of(pairs(given, &values[1])?.filter(|(x, _)| *x <= to).map(|(_, y)| y))
        }
        "slope" => {
            let line = fit_line(&given.numbers()?, &values[1].numbers()?);
            Value::Number(line.map_or(f64::NAN, |line| line.slope))
        }
        "averaged" => {
            let lists: Vec<Vec<f64>> = given.list()?.iter().map(Value::numbers).collect::<Result<_, _>>()?;
            let shortest = lists.iter().map(Vec::len).min().unwrap_or(0);
            let at = |i: usize| lists.iter().map(|list| list[i]).sum::<f64>() / lists.len() as f64;
            list_of((0..shortest).map(at))
        }
        "finite" => list_of(given.numbers()?.into_iter().filter(|number| number.is_finite())),
        "thinned" => {
            let list = given.list()?;
            let step = (list.len() / (values[1].number()? as usize).max(1)).max(1);
            Value::List(list.iter().step_by(step).cloned().collect())
        }
        "reached" => {
            let level = values[2].number()?;
            Value::Number(pairs(given, &values[1])?.find(|(_, y)| *y >= level).map_or(f64::NAN, |(x, _)| x))
        }
        "sums" => list_of(given.numbers()?.into_iter().scan(0.0, |sum, number| {
            *sum += number;
            Some(*sum)
        })),
        "first" => Value::List(given.list()?.iter().take(values[1].number()? as usize).cloned().collect()),
        "flat" => {
            let lists: Vec<&[Value]> = given.list()?.iter().map(Value::list).collect::<Result<_, _>>()?;
            Value::List(lists.concat())
        }
        _ => list_of((0..given.list()?.len()).map(|at| at as f64)),
    })
}

/// The numbers of a list, and of the lists in it.
fn numbers_within(value: &Value) -> Result<Vec<f64>, String> {
    let lists = match value {
        Value::List(values) => values.iter().map(numbers_within).collect::<Result<Vec<_>, _>>()?,
        number => return Ok(vec![number.number()?]),
    };
    Ok(lists.concat())
}

/// A list of numbers.
pub fn list_of(numbers: impl IntoIterator<Item = f64>) -> Value {
    Value::List(numbers.into_iter().map(Value::Number).collect())
}

fn pairs(x: &Value, y: &Value) -> Result<impl Iterator<Item = (f64, f64)>, String> {
    Ok(x.numbers()?.into_iter().zip(y.numbers()?))
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
