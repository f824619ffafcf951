//! Functions of lists.

use super::Value;
use crate::seeds;
use tailback_results::statistics::{Window, mean, moving_average, summarise};

/// Name and number of arguments.
pub const FUNCTIONS: [(&str, usize); 8] = [
    ("average", 1),
    ("seeds_of", 1),
    ("half_width_of", 1),
    ("smoothed", 2),
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
