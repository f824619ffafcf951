//! Values of formulas in a scope. A fault gets the place of its formula.

use super::form::Given;
use super::runs::plain;
use super::scope::Scope;
use crate::formula::{Formula, Names as _, Text, Value, eval, text};
use crate::reproduce::StudyError;
use std::ops::Range;
use toml::Spanned;

/// The same; a fault is told with the place of what has these bytes.
pub fn placed<T>(scope: &Scope, span: &Range<usize>, found: Result<T, String>) -> Result<T, StudyError> {
    found.map_err(|fault| StudyError::Form(scope.study.fault(span, &fault)))
}

/// Words without their places.
pub fn words(words: &[Spanned<String>]) -> Vec<&str> {
    words.iter().map(|word| word.get_ref().as_str()).collect()
}

/// One scope for each combination of values of these lists; a single value is a list of one.
pub fn over<'a>(scope: Scope<'a>, lists: &toml::Table) -> Vec<Scope<'a>> {
    lists.iter().fold(vec![scope], |scopes, (name, list)| {
        let values = match plain(list) {
            Some(Value::List(values)) => values,
            value => value.into_iter().collect(),
        };
        scopes.iter().flat_map(|scope| values.iter().map(|value| scope.with(name, value.clone()))).collect()
    })
}

/// The runs whose labels have these values.
pub fn given<'a>(scope: &Scope<'a>, given: &Given) -> Result<Scope<'a>, StudyError> {
    given.iter().try_fold(scope.clone(), |scope, (label, value)| {
        let found = plain(value).ok_or("expected a number, a text, or true or false".to_owned());
        let found = found.and_then(|value| scope.given(label.get_ref(), value));
        placed(&scope, &label.span(), found)
    })
}

/// One scope for each combination of labels that has runs.
pub fn loops<'a>(scope: &Scope<'a>, labels: &[Spanned<String>]) -> Result<Vec<Scope<'a>>, StudyError> {
    placed(scope, &labels.first().map_or(0..0, Spanned::span), scope.each(&words(labels)))
}

/// Whether a condition is there and false.
pub fn allowed(scope: &Scope, only: Option<&Formula>) -> Result<bool, StudyError> {
    only.map_or(Ok(true), |only| truth(scope, only))
}

/// The number of a formula.
pub fn number(scope: &Scope, formula: &Formula) -> Result<f64, StudyError> {
    placed(scope, &formula.span, eval(&formula.is, scope).and_then(|value| value.number()))
}

/// The list of a formula.
pub fn list(scope: &Scope, formula: &Formula) -> Result<Vec<Value>, StudyError> {
    placed(scope, &formula.span, eval(&formula.is, scope).and_then(|value| value.list().map(<[Value]>::to_vec)))
}

/// Whether a rule holds.
pub fn truth(scope: &Scope, formula: &Formula) -> Result<bool, StudyError> {
    placed(scope, &formula.span, eval(&formula.is, scope).and_then(|value| value.truth()))
}

/// A text with its numbers.
pub fn told(scope: &Scope, pieces: &Text) -> Result<String, StudyError> {
    placed(scope, &pieces.span, text(&pieces.is, scope))
}
