//! Bar charts.

use super::scope::Scope;
use super::values::{list, number};
use crate::formula::{Formula, Names as _, Value};
use crate::reproduce::StudyError;
use serde::Deserialize;
use tailback_pictures::chart::{Chart, Mark, Series};

/// Groups of bars.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bars {
    /// A list of the groups.
    pub groups: Formula,
    /// A list of the series, each of which has a bar in every group.
    pub series: Formula,
    /// The height of the bar of `series` in `group`.
    pub value: Formula,
}

/// Part of a group's width that its bars fill.
const FILLED: f64 = 0.8;

/// A bar: its left and right end, and its height.
type Bar = (f64, f64, f64);

/// Puts groups of bars into a chart, one bar for each series in each; a mark with the group's name ends it.
///
/// # Errors
/// A formula that has no value.
pub fn bars(scope: &Scope, form: &Bars, chart: Chart) -> Result<Chart, StudyError> {
    let (groups, names) = (list(scope, &form.groups)?, list(scope, &form.series)?);
    let width = FILLED / names.len().max(1) as f64;
    let mut series = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let mut bars = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            let height = number(&scope.with("series", name.clone()).with("group", group.clone()), &form.value)?;
            let left = at as f64 + 0.5 * (1.0 - FILLED) + i as f64 * width;
            bars.extend((!height.is_nan()).then_some((left, left + 0.9 * width, height)));
        }
        series.push(drawn(name, &bars));
    }
    let ends = groups.iter().enumerate().map(|(i, name)| Mark::Vertical { x: (i + 1) as f64, label: name.told(None) });
    let x = chart.x.range(0.0, groups.len().max(1) as f64);
    Ok(Chart { x, series, marks: ends.chain(chart.marks).collect(), ..chart })
}

fn drawn(name: &Value, bars: &[Bar]) -> Series {
    Series { band: Some(filled(bars)), ..Series::new(name.told(None), outline(bars)) }
}

/// The outlines, with a gap (a point that no axis shows) after each.
fn outline(places: &[Bar]) -> Vec<(f64, f64)> {
    let one = |&(left, right, height): &Bar| {
        [(left, 0.0), (left, height), (right, height), (right, 0.0), (f64::NAN, f64::NAN)]
    };
    places.iter().flat_map(one).collect()
}

/// The areas, with gaps likewise.
fn filled(places: &[Bar]) -> Vec<Bar> {
    let one =
        |&(left, right, height): &Bar| [(left, 0.0, height), (right, 0.0, height), (f64::NAN, f64::NAN, f64::NAN)];
    places.iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_the_axis_with_gaps_between_them() {
        let series = drawn(&Value::Text("a".to_owned()), &[(0.1, 0.4, 1.0), (1.1, 1.4, 2.0)]);
        let tops: Vec<(f64, f64)> = series.points.chunks(5).map(|bar| bar[1]).collect();
        assert_eq!(tops, [(0.1, 1.0), (1.1, 2.0)]);
        assert!(series.points.chunks(5).all(|bar| bar[0].1 == 0.0 && bar[3].1 == 0.0 && bar[4].0.is_nan()));
        assert_eq!(series.band.map(|band| band.len()), Some(6));
        assert!(Chart { series: vec![drawn(&Value::Number(1.0), &[])], ..Chart::default() }.svg().starts_with("<svg"));
    }
}
