//! Lines over the tables of runs.

use super::form::Line;
use super::measure::{allowed, list, over, told};
use super::scope::Scope;
use crate::formula::Value;
use crate::reproduce::StudyError;
use tailback_pictures::chart::Series;

/// A line for each combination of the values that it goes through. One without points is left out.
///
/// # Errors
/// A formula that has no value.
pub fn lines(scope: &Scope, form: &Line) -> Result<Vec<Series>, StudyError> {
    let mut found = Vec::new();
    for scope in &over(scope.clone(), &form.over) {
        let numbers = |values: Vec<Value>| values.into_iter().map(|value| value.number().unwrap_or(f64::NAN));
        let points: Vec<(f64, f64)> = numbers(list(scope, &form.x)?).zip(numbers(list(scope, &form.y)?)).collect();
        let dashed = form.dashed.is_some() && allowed(scope, form.dashed.as_ref())?;
        if !points.is_empty() {
            found.push(Series { dashed, ..Series::new(told(scope, &form.name)?, points) });
        }
    }
    Ok(found)
}
