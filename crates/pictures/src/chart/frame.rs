//! Axes, ticks, grid and labels around a plot area.

use super::data::Area;
use super::range::Spans;
use super::{Axis, Chart};
use crate::plate::{Numbers, Plate, numbers_width};
use crate::scale::{Span, Ticks, power};
use crate::style::{FRAME, INK, PT, SIZE, TICK, TITLE};
use crate::svg::{Anchor, Canvas, Type};
use crate::text;

/// Room around a plot area, in pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margins {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Margins {
    /// Room enough for both.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The ticks of all axes of one chart.
pub(super) struct Axes {
    pub(super) x: Ticks,
    pub(super) left: Ticks,
    pub(super) right: Option<Ticks>,
}

/// Ticks that leave room between labels in a plot area of about `width` by `height` pixels.
pub(super) fn axes(spans: &Spans, width: f64, height: f64) -> Axes {
    let rows = (height / 36.0).clamp(2.0, 7.0) as usize;
    Axes { x: roomy(spans.x, width), left: spans.left.ticks(rows), right: spans.right.map(|s| s.ticks(rows)) }
}

fn roomy(span: Span, width: f64) -> Ticks {
    let most = (width / 62.0).clamp(2.0, 10.0) as usize;
    let fits = |ticks: &Ticks| {
        let room = |w: &[crate::scale::Tick]| match (span.fraction(w[0].at), span.fraction(w[1].at)) {
            (Some(a), Some(b)) => {
                let labels = text::width(&w[0].label, SIZE) + text::width(&w[1].label, SIZE);
                (b - a) * width >= labels / 2.0 + 10.0
            }
            _ => true,
        };
        ticks.major.windows(2).all(room)
    };
    (2..=most).rev().map(|n| span.ticks(n)).find(fits).unwrap_or_else(|| span.ticks(2))
}

/// The room that the axes of `chart` need.
pub(super) fn margins(chart: &Chart, axes: &Axes) -> Margins {
    let side = |ticks: &Ticks, axis: &Axis| {
        numbers_width(ticks, SIZE) + 0.8 * SIZE + if unit(axis, ticks).is_empty() { 1.3 } else { 2.6 } * SIZE
    };
    Margins {
        left: side(&axes.left, &chart.y),
        right: axes.right.as_ref().zip(chart.y2.as_ref()).map_or(1.6 * SIZE, |(ticks, axis)| side(ticks, axis)),
        top: if chart.title.is_empty() { 0.8 } else { 2.4 } * SIZE,
        bottom: TICK + 2.0 * PT + 2.7 * SIZE,
    }
}

/// The unit of an axis with the power of ten that its numbers are to be multiplied by.
fn unit(axis: &Axis, ticks: &Ticks) -> String {
    format!("{} {}", power(ticks.exponent), axis.unit).trim().to_owned()
}

/// Which axis titles a panel shows.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) x: bool,
    pub(super) y: bool,
}

/// Draws what lies around the data: axes, ticks, labels, title.
pub(super) fn draw_axes(canvas: &mut Canvas, chart: &Chart, spans: &Spans, axes: &Axes, area: &Area, shown: Shown) {
    let plate = Plate { area: *area, x: spans.x, y: spans.left };
    plate.bottom(canvas, &axes.x, SIZE, Numbers::Shown);
    plate.left(canvas, &axes.left, SIZE, Numbers::Shown);
    if shown.x {
        plate.name_bottom(canvas, (&chart.x.label, &unit(&chart.x, &axes.x)), SIZE, TICK + 2.0 * PT + 2.1 * SIZE);
    }
    if shown.y {
        let away = numbers_width(&axes.left, SIZE) + 0.7 * SIZE;
        plate.name_left(canvas, (&chart.y.label, &unit(&chart.y, &axes.left)), SIZE, away);
    }
    if let (Some(axis), Some(span), Some(ticks)) = (&chart.y2, spans.right, &axes.right) {
        draw_right(canvas, axis, span, ticks, area, shown.y);
    }
    canvas.title((area.left + area.width / 2.0, area.top - 0.9 * SIZE), TITLE, area.width + 60.0, &chart.title);
}

fn draw_right(canvas: &mut Canvas, axis: &Axis, span: Span, ticks: &Ticks, area: &Area, titled: bool) {
    let edge = area.right();
    canvas.line((edge, area.top), (edge, area.bottom() + FRAME / 2.0), INK, FRAME);
    for at in ticks.minor.iter().filter_map(|t| area.y(span, *t)) {
        canvas.line((edge, at), (edge + TICK * 0.6, at), INK, 0.8 * FRAME);
    }
    for tick in &ticks.major {
        let Some(at) = area.y(span, tick.at) else { continue };
        canvas.line((edge, at), (edge + TICK, at), INK, FRAME);
        canvas.text((edge + TICK + 2.0 * PT, at + 0.36 * SIZE), Type::new(SIZE, Anchor::Start), &tick.label);
    }
    if titled {
        let lines = [axis.label.clone(), crate::plate::bracketed(&unit(axis, ticks))];
        let away = numbers_width(ticks, SIZE) + 0.7 * SIZE + 0.8 * SIZE;
        let how = Type { turn: -90.0, ..Type::new(SIZE, Anchor::Middle) };
        for (line, words) in lines.iter().filter(|words| !words.is_empty()).enumerate() {
            let x = edge + away + line as f64 * 1.22 * SIZE;
            canvas.text((x, area.top + area.height / 2.0), how, &text::fit(words, SIZE, area.height + 40.0));
        }
    }
}
