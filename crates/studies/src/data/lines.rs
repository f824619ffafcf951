//! Lines through listed points, and marks at listed places: what panels over time have.

use super::form::Given;
use super::scope::Scope;
use super::values::{allowed, given, list, loops, over, told};
use crate::formula::{Formula, Text, Value};
use crate::reproduce::StudyError;
use serde::Deserialize;
use tailback_pictures::chart::{Mark, Series, Style};
use toml::{Spanned, Table};

/// A line through points that two formulas list, or one for each value of some labels and of some lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The labels whose values it goes through.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// Values of labels that it is about; without such runs there is no line.
    #[serde(default)]
    pub given: Given,
    /// Names and lists of values that it goes through, the last one fastest.
    #[serde(default)]
    pub over: Table,
    /// Its name in the legend.
    pub name: Text,
    /// Where its points stand.
    pub x: Formula,
    /// How high they are.
    pub y: Formula,
    /// How it is drawn.
    #[serde(default)]
    pub style: Drawn,
    /// Whether it is dashed.
    pub dashed: Option<Formula>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// From point to point.
    #[default]
    Line,
    /// A value holds until the next point.
    Step,
}

/// Upright lines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upright {
    /// A list of places.
    pub at: Formula,
    /// A text beside each.
    pub label: Formula,
}

/// A line for each combination of the values that it goes through. One without runs or without points is left out.
///
/// # Errors
/// A formula that has no value.
pub fn lines(scope: &Scope, form: &Line) -> Result<Vec<Series>, StudyError> {
    let style = match form.style {
        Drawn::Line => Style::Line,
        Drawn::Step => Style::Step,
    };
    let mut found = Vec::new();
    for scope in over(given(scope, &form.given)?, &form.over) {
        for scope in loops(&scope, &form.loops)?.iter().filter(|scope| !scope.here().is_empty()) {
            let points: Vec<(f64, f64)> = numbers(scope, &form.x)?.zip(numbers(scope, &form.y)?).collect();
            let dashed = form.dashed.is_some() && allowed(scope, form.dashed.as_ref())?;
            if !points.is_empty() {
                found.push(Series { dashed, ..Series::new(told(scope, &form.name)?, points).style(style) });
            }
        }
    }
    Ok(found)
}

/// The marks of upright lines.
///
/// # Errors
/// A formula that has no value.
pub fn marks_of(scope: &Scope, upright: &Upright) -> Result<Vec<Mark>, StudyError> {
    let labels = list(scope, &upright.label)?;
    let mark = |(x, label): (f64, Value)| Mark::Vertical { x, label: label.told(None) };
    Ok(numbers(scope, &upright.at)?.zip(labels).map(mark).collect())
}

fn numbers(scope: &Scope, formula: &Formula) -> Result<impl Iterator<Item = f64>, StudyError> {
    Ok(list(scope, formula)?.into_iter().map(|value| value.number().unwrap_or(f64::NAN)))
}
