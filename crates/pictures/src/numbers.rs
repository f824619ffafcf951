//! The numbers behind a picture, as JSON in the `<metadata>` of its SVG: reports make live charts and maps of them, and a
//! reader of the file has the data.

use crate::chart::{Axis, Chart, Mark, Series, Side, Spans, Style, spans};
use crate::colour::{VIRIDIS, hex};
use crate::look::Look;
use crate::scale::Span;
use serde_json::{Value, json};

/// A picture of more numbers than these keeps them to itself: the file would be larger than what it shows.
const MOST: usize = 40_000;

/// The numbers of charts whose series have the given slots of colour; `None` where they are too many.
pub(crate) fn of_charts(charts: &[Chart], slots: &[Vec<usize>]) -> Option<Value> {
    let numbers = |series: &Series| 2 * series.points.len() + 3 * series.band.as_ref().map_or(0, Vec::len);
    let all: usize = charts.iter().flat_map(|chart| &chart.series).map(numbers).sum();
    let charts = charts.iter().zip(slots).map(|(chart, slots)| of_chart(chart, slots));
    (all <= MOST).then(|| json!({ "charts": charts.collect::<Vec<_>>() }))
}

fn of_chart(chart: &Chart, slots: &[usize]) -> Value {
    let Spans { x, left, right } = spans(chart);
    let series = chart.series.iter().zip(slots).map(|(series, &slot)| of_series(series, slot));
    json!({
        "title": chart.title,
        "x": of_axis(&chart.x, x),
        "y": of_axis(&chart.y, left),
        "y2": chart.y2.as_ref().zip(right).map(|(axis, span)| of_axis(axis, span)),
        "series": series.collect::<Vec<_>>(),
        "marks": chart.marks.iter().map(of_mark).collect::<Vec<_>>(),
    })
}

fn of_axis(axis: &Axis, span: Span) -> Value {
    json!({ "label": axis.label, "unit": axis.unit, "log": span.log, "low": span.lo, "high": span.hi })
}

fn of_series(series: &Series, slot: usize) -> Value {
    json!({
        "name": format!("{}{}", series.name, series.note),
        "colour": Look::of(slot).colour,
        "line": series.style != Style::Marks,
        "step": series.style == Style::Step,
        "dots": matches!(series.style, Style::LineMarks | Style::Marks),
        "dashed": series.dashed,
        "right": series.axis == Side::Right,
        "points": series.points,
        "band": series.band,
    })
}

fn of_mark(mark: &Mark) -> Value {
    match mark {
        Mark::Vertical { x, label } => json!({ "x": x, "label": label }),
        Mark::Horizontal { y, label } => json!({ "y": y, "label": label }),
    }
}

/// The palette of values, from low to high.
pub(crate) fn palette() -> Vec<String> {
    VIRIDIS.iter().map(|&colour| hex(colour)).collect()
}
