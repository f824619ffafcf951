//! The picture of completion times: a curve for each variant, and the bounds that nothing beats, dashed.

use super::{Curves, axis, page};
use crate::compared::ended;
use crate::curves::axis_of;
use tailback_pictures::chart::{Axis, Chart, Scale, Series, Style};
use tailback_pictures::figure::Figure;
use tailback_summary::points::Point;
use tailback_summary::table::{Cell, Table};
use tailback_summary::variants::Variant;

/// From this factor between the ends on, an axis is logarithmic.
const WIDE: f64 = 8.0;

/// Points of a line.
type Line = Vec<(f64, f64)>;

/// The chart.
pub fn chart(curves: &Curves) -> Chart {
    let drawn: Vec<&Variant> = curves.drawn().collect();
    let several = drawn.len() > 1;
    let mut series: Vec<Series> = Vec::new();
    let mut bounds: Vec<(Line, Vec<&str>)> = Vec::new();
    for variant in &drawn {
        let name = if several { variant.label.as_str() } else { "duration" };
        series.push(times(variant, curves.x, name));
        let bound: Line = values(variant, curves.x, "bound");
        match bounds.iter_mut().find(|(other, _)| *other == bound) {
            Some((_, names)) => names.push(name),
            None => bounds.push((bound, vec![name])),
        }
    }
    let one = bounds.len() == 1;
    series.extend(bounds.into_iter().map(|(points, names)| {
        let name = if one { "bound".to_owned() } else { format!("bound of {}", names.join(", ")) };
        Series { dashed: true, ..Series::new(name, points) }
    }));
    let all = |at: fn(&(f64, f64)) -> f64| series.iter().flat_map(|of| of.points.iter().map(at)).collect::<Vec<f64>>();
    let (xs, ys) = (all(|point| point.0), all(|point| point.1));
    let x = if curves.x == axis::SIZE { Axis::new("Message size", "flits") } else { axis_of(curves.x) };
    let x = scaled(x, &xs);
    Chart { x, y: scaled(Axis::new("Completion time", "cycles"), &ys), series, ..Chart::default() }
}

/// The chart as a picture, with its table.
pub fn figure(curves: &Curves) -> Figure {
    let chart = chart(curves);
    let over = chart.x.label.to_lowercase();
    let log = if chart.x.scale == Scale::Log { " Both ends lie far apart, so axes are logarithmic." } else { "" };
    let caption = format!(
        "Completion time over {over}. Dashed: the bound, below which no run ends. Bands are 95 % intervals over seeds, where seeds differ.{log}"
    );
    Figure { name: "curve".to_owned(), svg: chart.svg(), caption, csv: csv(curves) }
}

fn scaled(axis: Axis, values: &[f64]) -> Axis {
    let ends = values.iter().copied().filter(|value| value.is_finite());
    let (low, high) = ends.fold((f64::INFINITY, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
    if low > 0.0 && high >= WIDE * low { axis.log() } else { axis }
}

fn values(variant: &Variant, x: &str, y: &str) -> Vec<(f64, f64)> {
    let at = |point: &Point| Some((point.number(x)?, point.number(y).unwrap_or(f64::NAN)));
    variant.points.iter().filter_map(at).collect()
}

fn times(variant: &Variant, x: &str, name: &str) -> Series {
    let interval = |point: &Point| {
        let interval = point.spread("duration")?.interval()?;
        Some((point.number(x)?, interval.low, interval.high))
    };
    let band: Vec<(f64, f64, f64)> = variant.points.iter().filter_map(interval).collect();
    let ended = variant.points.iter().map(ended).collect();
    let band = (!band.is_empty()).then_some(band);
    Series { band, ended, ..Series::new(name, values(variant, x, "duration")).style(Style::LineMarks) }
}

fn csv(curves: &Curves) -> String {
    let names = ["variant", curves.x, "duration", "duration_low", "duration_high", "bound", "bound_by", "efficiency"];
    let names = names.into_iter().chain(["seeds", "status"]).map(str::to_owned).collect();
    let number = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
    let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
    let row = |variant: &Variant, point: &Point| {
        let interval = point.spread("duration").and_then(|spread| spread.interval());
        vec![
            text(&variant.label),
            number(point.number(curves.x)),
            number(point.number("duration")),
            number(interval.map(|of| of.low)),
            number(interval.map(|of| of.high)),
            number(point.number("bound")),
            text(&page::bound_by(point)),
            number(point.number("efficiency")),
            Cell::Number(point.seeds() as f64),
            Cell::Text(point.statuses().to_string()),
        ]
    };
    let rows = curves.variants.iter().flat_map(|variant| variant.points.iter().map(move |point| row(variant, point)));
    Table { names, rows: rows.collect() }.csv()
}
