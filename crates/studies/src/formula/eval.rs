//! From formulas to values.

use super::lists::{self, value_by_value};
use super::{Expr, Piece, Value, ramp};

/// Gives names and functions their values.
pub trait Names: Sized {
    /// The value of a name.
    ///
    /// # Errors
    /// A name that there is not.
    fn value(&self, name: &str) -> Result<Value, String>;

    /// Whether numbers of this name are shown whole: labels are, quantities are not.
    fn whole(&self, name: &str) -> bool;

    /// A function of runs, whose arguments it evaluates itself; `None` where it is none of them.
    fn call(&self, name: &str, arguments: &[Expr]) -> Option<Result<Value, String>>;

    /// The same names where a label has a value.
    ///
    /// # Errors
    /// A label that there is not.
    fn given(&self, label: &str, value: Value) -> Result<Self, String>;

    /// The same names with another one.
    fn with(&self, name: &str, value: Value) -> Self;

    /// The values that a label has here.
    ///
    /// # Errors
    /// A label that there is not.
    fn values(&self, label: &str) -> Result<Vec<Value>, String>;
}

type Found = Result<Value, String>;

/// The value of a formula.
///
/// # Errors
/// A name or function that there is not, or a value of the wrong kind.
pub fn eval<N: Names>(expr: &Expr, names: &N) -> Found {
    let number = |expr: &Expr| eval(expr, names)?.number();
    let truth = |expr: &Expr| eval(expr, names)?.truth();
    match expr {
        Expr::Number(number) => Ok(Value::Number(*number)),
        Expr::Text(pieces) => text(pieces, names).map(Value::Text),
        Expr::Name(name) => names.value(name),
        Expr::List(values) => Ok(Value::List(values.iter().map(|value| eval(value, names)).collect::<Result<_, _>>()?)),
        Expr::Element(list, at) => element(&eval(list, names)?, number(at)?),
        Expr::Minus(value) => Ok(Value::Number(-number(value)?)),
        Expr::Not(value) => Ok(Value::Truth(!truth(value)?)),
        Expr::Binary("and", a, b) => Ok(Value::Truth(truth(a)? && truth(b)?)),
        Expr::Binary("or", a, b) => Ok(Value::Truth(truth(a)? || truth(b)?)),
        Expr::Binary(sign, a, b) => value_by_value(&|a, b| calculated(sign, a, b), &eval(a, names)?, &eval(b, names)?),
        Expr::Chain(first, rest) => chain(eval(first, names)?, rest, names),
        Expr::If(condition, then, other) => eval(if truth(condition)? { then } else { other }, names),
        Expr::Call(name, arguments, given) => call(name, arguments, given, names),
        Expr::For { body, name, list, only } => each(body, name, (list.as_deref(), only.as_deref()), names),
    }
}

/// The text of pieces.
///
/// # Errors
/// The errors of [`eval`].
pub fn text<N: Names>(pieces: &[Piece], names: &N) -> Result<String, String> {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Plain(plain) => text += plain,
            Piece::Value(expr, format) => {
                let whole = matches!(expr, Expr::Name(name) if names.whole(name));
                let format = format.as_deref().or(if whole { Some("raw") } else { None });
                text += &eval(expr, names)?.told(format);
            }
        }
    }
    Ok(text)
}

fn calculated(sign: &str, a: f64, b: f64) -> f64 {
    match sign {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => a % b,
    }
}

fn element(list: &Value, at: f64) -> Found {
    let list = list.list()?;
    list.get(at as usize).cloned().ok_or_else(|| format!("the list has {} values, and no number {at}", list.len()))
}

fn chain<N: Names>(mut left: Value, rest: &[(&str, Expr)], names: &N) -> Found {
    for (sign, right) in rest {
        let right = eval(right, names)?;
        if !compared(sign, &left, &right)? {
            return Ok(Value::Truth(false));
        }
        left = right;
    }
    Ok(Value::Truth(true))
}

fn compared(sign: &str, a: &Value, b: &Value) -> Result<bool, String> {
    Ok(match sign {
        "==" => a == b,
        "!=" => a != b,
        "in" => b.list()?.contains(a),
        "<=" => a.number()? <= b.number()?,
        ">=" => a.number()? >= b.number()?,
        "<" => a.number()? < b.number()?,
        _ => a.number()? > b.number()?,
    })
}

fn each<N: Names>(body: &Expr, name: &str, (list, only): (Option<&Expr>, Option<&Expr>), names: &N) -> Found {
    let values = match list {
        Some(list) => eval(list, names)?.list()?.to_vec(),
        None => names.values(name)?,
    };
    let mut found = Vec::new();
    for value in values {
        let here = if list.is_some() { names.with(name, value) } else { names.given(name, value)? };
        if only.map_or(Ok(true), |only| eval(only, &here)?.truth())? {
            found.push(eval(body, &here)?);
        }
    }
    Ok(Value::List(found))
}

fn call<N: Names>(name: &str, arguments: &[Expr], given: &[(String, Expr)], names: &N) -> Found {
    if let Some((label, value)) = given.first() {
        let here = names.given(label, eval(value, names)?)?;
        // The values of all conditions are those outside.
        let here = given[1..].iter().try_fold(here, |here, (label, value)| here.given(label, eval(value, names)?))?;
        return call(name, arguments, &[], &here);
    }
    if let Some(found) = names.call(name, arguments) {
        return found;
    }
    let values: Vec<Value> = arguments.iter().map(|argument| eval(argument, names)).collect::<Result<_, _>>()?;
    common(name, &values)
}

/// Functions of values alone: name and number of arguments.
const COMMON: [(&str, usize); 15] = [
    ("all", 1),
    ("any", 1),
    ("count", 1),
    ("length", 1),
    ("sum", 1),
    ("max", 1),
    ("min", 1),
    ("abs", 1),
    ("round", 1),
    ("known", 1),
    ("rising", 1),
    ("join", 2),
    ("index", 2),
    ("pairs_in_order", 2),
    ("descending", 2),
];

/// Whether a function is one of values alone.
pub fn is_common(name: &str) -> bool {
    functions().any(|(other, _)| *other == name)
}

fn functions() -> impl Iterator<Item = &'static (&'static str, usize)> {
    COMMON.iter().chain(&lists::FUNCTIONS).chain(&ramp::FUNCTIONS)
}

fn common(name: &str, values: &[Value]) -> Found {
    let Some((_, count)) = functions().find(|(other, _)| *other == name) else {
        return Err(format!("there is no function `{name}`"));
    };
    if values.len() != *count {
        return Err(format!("`{name}` takes {count} arguments, found {}", values.len()));
    }
    let first = &values[0];
    let truths = || first.list()?.iter().map(Value::truth).collect::<Result<Vec<bool>, String>>();
    let folded =
        |start: f64, with: fn(f64, f64) -> f64| Ok(Value::Number(first.numbers()?.into_iter().fold(start, with)));
    match name {
        "all" => Ok(Value::Truth(truths()?.into_iter().all(|truth| truth))),
        "any" => Ok(Value::Truth(truths()?.into_iter().any(|truth| truth))),
        "count" => Ok(Value::Number(truths()?.into_iter().filter(|truth| *truth).count() as f64)),
        "length" => Ok(Value::Number(first.list()?.len() as f64)),
        "sum" => folded(0.0, |a, b| a + b),
        "max" => folded(f64::NAN, f64::max),
        "min" => folded(f64::NAN, f64::min),
        "abs" => Ok(Value::Number(first.number()?.abs())),
        "round" => Ok(Value::Number(first.number()?.round())),
        "known" => Ok(Value::Truth(!first.number()?.is_nan())),
        "rising" => Ok(Value::Truth(first.numbers()?.windows(2).all(|pair| pair[0] < pair[1]))),
        "join" => {
            let Value::Text(between) = &values[1] else { return Err("`join` takes a list and a text".to_owned()) };
            let texts: Vec<String> = first.list()?.iter().map(|value| value.told(None)).collect();
            Ok(Value::Text(texts.join(between)))
        }
        "index" => {
            let at = first.list()?.iter().position(|value| *value == values[1]);
            at.map(|at| Value::Number(at as f64)).ok_or_else(|| format!("`{}` is not in the list", values[1]))
        }
        "pairs_in_order" => pairs_in_order(&first.numbers()?, &values[1].numbers()?),
        "descending" => descending(first.list()?, &values[1].numbers()?),
        _ if ramp::FUNCTIONS.iter().any(|(other, _)| *other == name) => ramp::call(name, values),
        _ => lists::call(name, values),
    }
}

/// How many pairs of values of the one list have the order that the same pair has in the other.
fn pairs_in_order(a: &[f64], b: &[f64]) -> Found {
    let pairs = (0..a.len().min(b.len())).flat_map(|i| (0..i).map(move |j| (i, j)));
    Ok(Value::Number(pairs.filter(|&(i, j)| (a[i] > a[j]) == (b[i] > b[j])).count() as f64))
}

/// The values of a list, that with the largest number first.
fn descending(list: &[Value], by: &[f64]) -> Found {
    let mut both: Vec<(&Value, f64)> = list.iter().zip(by.iter().copied()).collect();
    both.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(Value::List(both.into_iter().map(|(value, _)| value.clone()).collect()))
}
