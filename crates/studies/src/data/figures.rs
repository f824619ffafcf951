//! Pictures of panels.

use super::bars::{Bars, bars};
use super::form::Given;
use super::lines::{Line, Upright, lines, marks_of};
use super::scope::Scope;
use super::values::{allowed, given, loops, number, placed, told};
use crate::formula::{Formula, Text};
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Figure;
use serde::Deserialize;
use tailback_pictures::chart::{Axis, Chart, Mark, Scale, Series, Style};
use toml::Spanned;

/// A picture of panels, or one for each value of some labels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// The labels for whose values there is a picture each.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// File name, if it is not the item's.
    pub name: Option<Text>,
    /// What it shows.
    pub caption: Text,
    /// Panels beside each other.
    pub across: Option<Formula>,
    /// The labels for whose values all panels are there, one value's after the other's.
    #[serde(default)]
    pub panels_for: Vec<Spanned<String>>,
    /// Its panels.
    pub panel: Vec<Panel>,
}

/// One panel, or one for each value of some labels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// The labels whose values it goes through, the last one fastest.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// Values of labels that it is about.
    #[serde(default)]
    pub given: Given,
    /// Whether a combination has a panel.
    pub only: Option<Formula>,
    /// Above it.
    pub title: Text,
    /// Horizontal axis.
    pub x: AxisForm,
    /// Vertical axis.
    pub y: AxisForm,
    /// Its curves.
    #[serde(default)]
    pub curve: Vec<Curve>,
    /// Lines through listed points.
    #[serde(default)]
    pub line: Vec<Line>,
    /// Its bars, instead of curves.
    pub bars: Option<Bars>,
    /// Horizontal lines.
    #[serde(default)]
    pub level: Vec<Level>,
    /// Upright lines at listed places.
    #[serde(default)]
    pub upright: Vec<Upright>,
}

/// An axis.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisForm {
    /// What it shows.
    pub label: String,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// Fixed ends.
    pub range: Option<[f64; 2]>,
    /// The axis begins at 0 and ends here.
    pub to: Option<Formula>,
    /// Equal factors have equal lengths.
    #[serde(default)]
    pub log: bool,
}

/// A curve, or one for each value of some labels.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The labels whose values it goes through.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// Values of labels that it is about.
    #[serde(default)]
    pub given: Given,
    /// Its name in the legend.
    pub name: Text,
    /// A quantity of each run, drawn as its mean over seeds with a band for the interval.
    pub mean: Option<Formula>,
    /// A quantity of all runs of a point.
    pub value: Option<Formula>,
    /// Where a point stands, if not at the value of the label along which curves run.
    pub x: Option<Formula>,
    /// The curve ends before the first point that is higher.
    pub until: Option<Formula>,
}

/// A horizontal line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Where it is.
    pub at: Formula,
    /// Text above it.
    #[serde(default)]
    pub label: String,
}

/// A picture for each value of its labels; none where no panel has runs.
///
/// # Errors
/// A formula that has no value, or a picture that cannot be drawn.
pub fn figures(scope: &Scope, form: &Picture, item: &str) -> Result<Vec<Figure>, StudyError> {
    let mut found = Vec::new();
    for scope in loops(scope, &form.loops)? {
        found.extend(figure(&scope, form, item)?);
    }
    Ok(found)
}

fn figure(scope: &Scope, form: &Picture, item: &str) -> Result<Option<Figure>, StudyError> {
    let mut charts = Vec::new();
    for scope in &loops(scope, &form.panels_for)? {
        for panel in &form.panel {
            for scope in loops(&given(scope, &panel.given)?, &panel.loops)? {
                if allowed(&scope, panel.only.as_ref())? {
                    charts.push(chart(&scope, panel)?);
                }
            }
        }
    }
    if charts.is_empty() {
        return Ok(None);
    }
    let across = form.across.as_ref().map_or(Ok(2.0), |across| number(scope, across))?;
    let name = form.name.as_ref().map_or(Ok(item.to_owned()), |name| told(scope, name))?;
    picture::panels(&name, told(scope, &form.caption)?, &charts, across as usize).map(Some)
}

fn chart(scope: &Scope, panel: &Panel) -> Result<Chart, StudyError> {
    let mut series = Vec::new();
    for curve in &panel.curve {
        for scope in loops(&given(scope, &curve.given)?, &curve.loops)? {
            series.push(drawn(&scope, curve)?);
        }
    }
    for line in &panel.line {
        series.extend(lines(scope, line)?);
    }
    let mut marks = Vec::new();
    for level in &panel.level {
        let y = number(scope, &level.at)?;
        marks.extend((!y.is_nan()).then(|| Mark::Horizontal { y, label: level.label.clone() }));
    }
    for upright in &panel.upright {
        marks.extend(marks_of(scope, upright)?);
    }
    let title = told(scope, &panel.title)?;
    let chart =
        Chart { title, x: axis(scope, &panel.x)?, y: axis(scope, &panel.y)?, series, marks, ..Chart::default() };
    match &panel.bars {
        Some(form) => bars(scope, form, chart),
        None => Ok(chart),
    }
}

fn axis(scope: &Scope, form: &AxisForm) -> Result<Axis, StudyError> {
    let to = form.to.as_ref().map(|to| number(scope, to)).transpose()?;
    Ok(Axis {
        scale: if form.log { Scale::Log } else { Scale::Linear },
        range: form.range.map(|[low, high]| (low, high)).or(to.map(|to| (0.0, to))),
        ..Axis::new(form.label.clone(), form.unit.clone())
    })
}

/// A curve along its label. Points without a value are left out.
fn drawn(scope: &Scope, curve: &Curve) -> Result<Series, StudyError> {
    let most = curve.until.as_ref().map_or(Ok(f64::INFINITY), |until| number(scope, until))?;
    let along = scope.study.form.along.as_ref().map_or(0..0, Spanned::span);
    let mut points = Vec::new();
    let mut band = Vec::new();
    for (at, point) in placed(scope, &along, scope.points())? {
        let x = curve.x.as_ref().map_or(Ok(at), |x| number(&point, x))?;
        let (y, half) = match (&curve.mean, &curve.value) {
            (Some(mean), _) => {
                let summary = placed(scope, &mean.span, point.summary(&mean.is))?;
                (summary.map_or(f64::NAN, |s| s.mean), summary.and_then(|s| s.half_width).unwrap_or(0.0))
            }
            (None, Some(value)) => (number(&point, value)?, 0.0),
            (None, None) => (f64::NAN, 0.0),
        };
        if y > most {
            break;
        }
        if !x.is_nan() && !y.is_nan() {
            points.push((x, y));
            band.push((x, (y - half).max(0.0), y + half));
        }
    }
    let series = Series::new(told(scope, &curve.name)?, points).style(Style::LineMarks);
    Ok(Series { band: curve.mean.is_some().then_some(band), ..series })
}
