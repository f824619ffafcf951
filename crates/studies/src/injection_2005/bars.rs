//! Bar charts.

use tailback_pictures::chart::{Axis, Chart, Mark, Series};

/// Part of a group's width that its bars fill.
const FILLED: f64 = 0.8;

/// One series of bars: its name and a value a group; nothing where there is none.
pub type Bars = (String, Vec<Option<f64>>);

/// Groups of bars, one bar a series in each; a mark with the group's name ends it.
pub fn chart(title: String, y: Axis, groups: &[String], series: &[Bars]) -> Chart {
    let width = FILLED / series.len().max(1) as f64;
    let bars = series.iter().enumerate().map(|(i, (name, values))| {
        let places = values.iter().enumerate().filter_map(|(group, value)| {
            let left = group as f64 + 0.5 * (1.0 - FILLED) + i as f64 * width;
            Some((left, left + 0.9 * width, (*value)?))
        });
        let places: Vec<(f64, f64, f64)> = places.collect();
        Series { band: Some(filled(&places)), ..Series::new(name.clone(), outline(&places)) }
    });
    let marks = groups.iter().enumerate().map(|(i, name)| Mark::Vertical { x: (i + 1) as f64, label: name.clone() });
    Chart {
        title,
        x: Axis::new("", "").range(0.0, groups.len().max(1) as f64),
        y,
        series: bars.collect(),
        marks: marks.collect(),
        ..Chart::default()
    }
}

/// The outlines, with a gap (a point that no axis shows) after each.
fn outline(places: &[(f64, f64, f64)]) -> Vec<(f64, f64)> {
    let one = |&(left, right, height): &(f64, f64, f64)| {
        [(left, 0.0), (left, height), (right, height), (right, 0.0), (f64::NAN, f64::NAN)]
    };
    places.iter().flat_map(one).collect()
}

/// The areas, with gaps likewise.
fn filled(places: &[(f64, f64, f64)]) -> Vec<(f64, f64, f64)> {
    let one = |&(left, right, height): &(f64, f64, f64)| {
        [(left, 0.0, height), (right, 0.0, height), (f64::NAN, f64::NAN, f64::NAN)]
    };
    places.iter().flat_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_bar_within_its_group() {
        let groups = ["x+".to_owned(), "x-".to_owned()];
        let series = [("a".to_owned(), vec![Some(1.0), Some(2.0)]), ("b".to_owned(), vec![None, Some(3.0)])];
        let chart = chart("t".to_owned(), Axis::new("y", ""), &groups, &series);
        let tops = |i: usize| -> Vec<(f64, f64)> { chart.series[i].points.chunks(5).map(|bar| bar[1]).collect() };
        assert_eq!(tops(0).iter().map(|top| top.1).collect::<Vec<_>>(), [1.0, 2.0]);
        assert_eq!(tops(1).len(), 1);
        assert!((1.5..2.0).contains(&tops(1)[0].0), "the second bar of the second group");
        assert!(chart.svg().starts_with("<svg"));
    }
}
