//! Lines through listed points, and marks at listed places: what panels over time have.

use super::form::Given;
use super::measure::{given, list, loops, over, told};
use super::scope::Scope;
use crate::formula::{Formula, Text, Value, eval};
use crate::reproduce::StudyError;
use serde::Deserialize;
use tailback_pictures::chart::{Mark, Series, Style};
use toml::Spanned;

/// A line through points that two formulas list, or one for each value of some labels.
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
    pub over: toml::Table,
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

/// A line of a panel for each combination of its labels that has runs.
///
/// # Errors
/// A formula that has no value.
pub fn series(scope: &Scope, line: &Line) -> Result<Vec<Series>, StudyError> {
    let mut found = Vec::new();
    let each = loops(&given(scope, &line.given)?, &line.loops)?;
    for scope in each.into_iter().flat_map(|scope| over(scope, &line.over)) {
        if scope.here().is_empty() {
            continue;
        }
        let (x, y) = (numbers(&scope, &line.x)?, numbers(&scope, &line.y)?);
        let style = match line.style {
            Drawn::Line => Style::Line,
            Drawn::Step => Style::Step,
        };
        let dashed = line.dashed.as_ref().map_or(Ok(false), |dashed| super::measure::truth(&scope, dashed))?;
        let points = x.into_iter().zip(y).collect();
        found.push(Series { dashed, ..Series::new(told(&scope, &line.name)?, points).style(style) });
    }
    Ok(found)
}

/// The marks of upright lines.
///
/// # Errors
/// A formula that has no value.
pub fn marks(scope: &Scope, upright: &Upright) -> Result<Vec<Mark>, StudyError> {
    let labels = list(scope, &upright.label)?;
    let mark = |(x, label): (f64, Value)| Mark::Vertical { x, label: label.told(None) };
    Ok(numbers(scope, &upright.at)?.into_iter().zip(labels).map(mark).collect())
}

fn numbers(scope: &Scope, formula: &Formula) -> Result<Vec<f64>, StudyError> {
    let found = eval(&formula.is, scope).and_then(|value| value.numbers());
    found.map_err(|fault| StudyError::Form(scope.study.fault(&formula.span, &fault)))
}
