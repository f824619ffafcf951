//! Axes, ticks, grid and labels around a plot area.

use super::data::Area;
use super::range::Spans;
use super::{Axis, Chart};
use crate::scale::{Span, Ticks, axis_title};
use crate::svg::{Anchor, Canvas, GRID, INK, Type};
use crate::text;

pub(super) const TICK_SIZE: f64 = 11.0;
pub(super) const LABEL_SIZE: f64 = 12.5;
const TICK: f64 = 4.0;

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
                let labels = text::width(&w[0].label, TICK_SIZE) + text::width(&w[1].label, TICK_SIZE);
                (b - a) * width >= labels / 2.0 + 10.0
            }
            _ => true,
        };
        ticks.major.windows(2).all(room)
    };
    (2..=most).rev().map(|n| span.ticks(n)).find(fits).unwrap_or_else(|| span.ticks(2))
}

fn widest_label(ticks: &Ticks) -> f64 {
    text::widest(ticks.major.iter().map(|t| t.label.as_str()), TICK_SIZE)
}

/// The room that the axes of `chart` need.
pub(super) fn margins(chart: &Chart, axes: &Axes) -> Margins {
    let side = |ticks: &Ticks| widest_label(ticks) + TICK + 4.0 + 12.0 + LABEL_SIZE;
    Margins {
        left: side(&axes.left),
        right: axes.right.as_ref().map_or(16.0, side),
        top: if chart.title.is_empty() { 10.0 } else { 28.0 },
        bottom: TICK + TICK_SIZE + LABEL_SIZE + 17.0,
    }
}

/// Which axis titles a panel shows.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) x: bool,
    pub(super) y: bool,
}

/// Draws what lies behind the data: the grid.
pub(super) fn draw_grid(canvas: &mut Canvas, spans: &Spans, axes: &Axes, area: &Area) {
    for at in axes.x.major.iter().filter_map(|t| area.x(spans.x, t.at)) {
        canvas.line((at, area.top), (at, area.bottom()), GRID, 0.8);
    }
    for at in axes.left.major.iter().filter_map(|t| area.y(spans.left, t.at)) {
        canvas.line((area.left, at), (area.right(), at), GRID, 0.8);
    }
}

/// Draws what lies around the data: axes, ticks, labels, title.
pub(super) fn draw_axes(canvas: &mut Canvas, chart: &Chart, spans: &Spans, axes: &Axes, area: &Area, shown: Shown) {
    draw_x(canvas, chart, spans.x, &axes.x, area, shown.x);
    draw_y(canvas, &chart.y, spans.left, &axes.left, area, (shown.y, false));
    if let (Some(axis), Some(span), Some(ticks)) = (&chart.y2, spans.right, &axes.right) {
        draw_y(canvas, axis, span, ticks, area, (shown.y, true));
    }
    canvas.title((area.left + area.width / 2.0, area.top - 11.0), 13.5, area.width + 60.0, &chart.title);
}

fn draw_x(canvas: &mut Canvas, chart: &Chart, span: Span, ticks: &Ticks, area: &Area, titled: bool) {
    let bottom = area.bottom();
    canvas.line((area.left - 0.5, bottom), (area.right() + 0.5, bottom), INK, 1.0);
    for at in ticks.minor.iter().filter_map(|t| area.x(span, *t)) {
        canvas.line((at, bottom), (at, bottom + TICK * 0.6), INK, 0.7);
    }
    for tick in &ticks.major {
        let Some(at) = area.x(span, tick.at) else { continue };
        canvas.line((at, bottom), (at, bottom + TICK), INK, 1.0);
        let how = Type::new(TICK_SIZE, Anchor::Middle);
        canvas.text((at, bottom + TICK + 3.0 + TICK_SIZE), how, &tick.label);
    }
    if titled {
        let title =
            text::fit(&axis_title(&chart.x.label, &chart.x.unit, ticks.exponent), LABEL_SIZE, area.width + 40.0);
        let at = (area.left + area.width / 2.0, bottom + TICK + TICK_SIZE + LABEL_SIZE + 9.0);
        canvas.text(at, Type::new(LABEL_SIZE, Anchor::Middle), &title);
    }
}

fn draw_y(canvas: &mut Canvas, axis: &Axis, span: Span, ticks: &Ticks, area: &Area, (titled, right): (bool, bool)) {
    let (edge, out, anchor) = if right { (area.right(), 1.0, Anchor::Start) } else { (area.left, -1.0, Anchor::End) };
    canvas.line((edge, area.top), (edge, area.bottom() + 0.5), INK, 1.0);
    for at in ticks.minor.iter().filter_map(|t| area.y(span, *t)) {
        canvas.line((edge, at), (edge + out * TICK * 0.6, at), INK, 0.7);
    }
    for tick in &ticks.major {
        let Some(at) = area.y(span, tick.at) else { continue };
        canvas.line((edge, at), (edge + out * TICK, at), INK, 1.0);
        let place = (edge + out * (TICK + 4.0), at + TICK_SIZE * 0.36);
        canvas.text(place, Type::new(TICK_SIZE, anchor), &tick.label);
    }
    if titled {
        let title = text::fit(&axis_title(&axis.label, &axis.unit, ticks.exponent), LABEL_SIZE, area.height + 40.0);
        let away = TICK + 4.0 + widest_label(ticks) + if right { 9.0 + LABEL_SIZE * 0.8 } else { 9.0 };
        let how = Type { turn: -90.0, ..Type::new(LABEL_SIZE, Anchor::Middle) };
        canvas.text((edge + out * away, area.top + area.height / 2.0), how, &title);
    }
}
