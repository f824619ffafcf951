//! Over what completion times are measured.

use crate::exit::{Failure, Result};
use tailback_base::text::shown;
use tailback_sim::catalogue;
use tailback_spec::{Document, Plan};
use toml::Value;

/// The length of the messages of a generated program.
pub const SIZE: &str = "workload.generate.flits";

/// By what the size of the spec is divided for the first point of a curve, if nobody says over what.
const SMALLEST: i64 = 64;

/// The number that is varied.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    path: String,
    /// Its values as TOML; `None`: the spec sweeps it.
    values: Option<String>,
}

impl Axis {
    /// Its dotted path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Sweeps it.
    ///
    /// # Errors
    /// Where the values are no list in TOML.
    pub fn set_in(&self, document: &mut Document) -> Result<()> {
        let Some(values) = &self.values else { return Ok(()) };
        document.set(&format!("sweep.{:?}={values}", self.path))?;
        numeric(document, &self.path)
    }
}

/// The axis that `--vary` names; without it the size of messages or another number that the spec sweeps, and else the size of messages up
/// to that of the spec.
///
/// # Errors
/// For a `--vary` that says nothing, and where there is nothing to vary.
pub fn axis(document: &Document, vary: Option<&str>) -> Result<Axis> {
    if let Some(vary) = vary {
        return named(vary);
    }
    let plan = document.plan(catalogue())?;
    if let Some(path) = swept(&plan)? {
        return Ok(Axis { path, values: None });
    }
    let first = plan.point(0)?;
    let size = first.resolved.value(SIZE).and_then(Value::as_integer);
    let Some(largest) = size.filter(|size| *size > 0) else {
        return Err(Failure::usage(
            "this program has no size to vary; name a number of the spec, such as --vary router.buffer_flits=8..64, or \
             sweep one",
        ));
    };
    let values = doubled((largest / SMALLEST).max(1), largest);
    Ok(Axis { path: SIZE.to_owned(), values: Some(values) })
}

/// The size of messages if it is swept, else the first number that is.
fn swept(plan: &Plan) -> Result<Option<String>> {
    let axes: Vec<String> = plan.axes().into_iter().map(str::to_owned).filter(|path| path != "run.seed").collect();
    let mut numbers = Vec::new();
    for path in axes {
        if is_number(plan, &path)? {
            numbers.push(path);
        }
    }
    let size = numbers.iter().position(|path| path == SIZE).unwrap_or(0);
    Ok((size < numbers.len()).then(|| numbers.swap_remove(size)))
}

/// Whether an axis has a number in the first and the last point.
fn is_number(plan: &Plan, path: &str) -> Result<bool> {
    for at in [0, plan.len().saturating_sub(1)] {
        let point = plan.point(at)?;
        let value = point.swept.iter().find(|(other, _)| other == path).map(|(_, value)| value);
        if !value.is_some_and(|value| value.is_integer() || value.is_float()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Refuses values that are no numbers.
fn numeric(document: &Document, path: &str) -> Result<()> {
    if is_number(&document.plan(catalogue())?, path)? {
        return Ok(());
    }
    let path = shown(path);
    Err(Failure::usage(format!(
        "--vary: a curve goes along numbers, and `{path}` has words; sweep it in the spec instead"
    )))
}

/// `PATH=FROM..TO`, doubled, or `PATH=A,B,C`.
fn named(text: &str) -> Result<Axis> {
    let wrong = || {
        Failure::usage(format!(
            "--vary `{}`: PATH=FROM..TO is wanted, which is doubled from FROM to TO, or PATH=A,B,C, such as \
             {SIZE}=64..65536",
            shown(text)
        ))
    };
    let (path, values) = text.split_once('=').ok_or_else(wrong)?;
    let (path, values) = (path.trim(), values.trim());
    let known = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
    if path.is_empty() || !path.chars().all(known) || values.is_empty() {
        return Err(wrong());
    }
    let values = match values.split_once("..") {
        Some((from, to)) => {
            let (from, to): (i64, i64) =
                (from.trim().parse().map_err(|_| wrong())?, to.trim().parse().map_err(|_| wrong())?);
            if from < 1 || to <= from {
                return Err(wrong());
            }
            doubled(from, to)
        }
        None if values.starts_with('[') => values.to_owned(),
        None => format!("[{}]", values.split(',').map(value).collect::<Vec<_>>().join(", ")),
    };
    Ok(Axis { path: path.to_owned(), values: Some(values) })
}

/// One value of a list, as TOML: a bare word is a text.
fn value(text: &str) -> String {
    let text = text.trim();
    let is_word = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if is_word { Value::from(text).to_string() } else { text.to_owned() }
}

/// `from`, doubled up to `to`, and `to`.
fn doubled(from: i64, to: i64) -> String {
    let mut values: Vec<i64> =
        std::iter::successors(Some(from), |at| at.checked_mul(2)).take_while(|at| *at < to).collect();
    values.push(to);
    format!("{values:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Option<String> {
        named(text).ok().and_then(|axis| axis.values)
    }

    #[test]
    fn ranges_are_doubled_and_end_where_they_say() {
        assert_eq!(values("a.b=64..256").as_deref(), Some("[64, 128, 256]"));
        assert_eq!(values("a.b=1,2.5,ring").as_deref(), Some("[1, 2.5, \"ring\"]"));
        assert_eq!(values("a.b = 3 .. 10").as_deref(), Some("[3, 6, 10]"));
        assert_eq!(values("a.b=1,5").as_deref(), Some("[1, 5]"));
        assert_eq!(values("a.b=[1, 5]").as_deref(), Some("[1, 5]"));
        let most = values(&format!("a.b=1..{}", i64::MAX)).unwrap();
        assert_eq!(most.matches(',').count(), 63);
        for wrong in ["", "a.b", "=1..2", "a.b=", "a.b=2..1", "a.b=0..4", "a.b=x..4", "a\"b=1..2", "a b=1..2"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
