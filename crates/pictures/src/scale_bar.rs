//! The colours of values: the span that they cover, and the bar beside a map that says which is which.

use crate::cells::Cells;
use crate::colour::{MISSING, Rgb, viridis};
use crate::scale::{LARGEST, Span, axis_title};
use crate::svg::{Anchor, Canvas, INK, Type};
use crate::text;

const SIZE: f64 = crate::style::SIZE;

/// The span of these values, from zero where that is not far below them; `range` if it is one.
pub(crate) fn span(values: impl Iterator<Item = f64>, range: Option<(f64, f64)>) -> Span {
    let usable = |v: &f64| v.abs() < LARGEST;
    let data: Vec<f64> = values.filter(usable).collect();
    let (min, max) = data.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
    let lo = if min >= 0.0 && min <= 0.5 * max { 0.0 } else { min };
    let fits = |(lo, hi): &(f64, f64)| usable(lo) && usable(hi) && hi - lo > 1e-9 * lo.abs().max(hi.abs());
    let given = range.filter(fits).or(Some((lo, max)).filter(fits));
    // Nothing to tell apart: any span around the one value will do.
    let (lo, hi) = given.unwrap_or(if data.is_empty() || max.abs() < 1.0 / LARGEST {
        (0.0, 1.0)
    } else {
        (lo - 0.5 * lo.abs(), lo + 0.5 * lo.abs())
    });
    Span { lo, hi, log: false }
}

/// The colour of a value; grey for what is not a number.
pub(crate) fn shade(span: Span, value: f64) -> Rgb {
    match value {
        v if v.is_nan() => MISSING,
        // Steps of 1/255 let equal-looking neighbours merge.
        v => viridis((((v - span.lo) / (span.hi - span.lo)).clamp(0.0, 1.0) * 255.0).round() / 255.0),
    }
}

/// Draws the bar; returns the right end of what is drawn.
pub(crate) fn draw(
    canvas: &mut Canvas,
    span: Span,
    (label, unit): (&str, &str),
    (x, y): (f64, f64),
    height: f64,
) -> f64 {
    const WIDTH: f64 = 14.0;
    const STEPS: usize = 128;
    let colours: Vec<Option<Rgb>> = (0..STEPS).rev().map(|i| Some(viridis((i as f64 + 0.5) / STEPS as f64))).collect();
    Cells { width: 1, height: STEPS, colours }.draw(canvas, (x, y), (WIDTH, height / STEPS as f64));
    canvas.rect((x - 0.5, y - 0.5), (WIDTH + 1.0, height + 1.0), &format!("stroke=\"{INK}\""));
    let ticks = span.ticks((height / 50.0) as usize);
    for tick in &ticks.major {
        let at = y + height * (1.0 - span.fraction(tick.at).unwrap_or(0.0));
        canvas.line((x + WIDTH, at), (x + WIDTH + 4.0, at), INK, 1.0);
        canvas.text((x + WIDTH + 8.0, at + SIZE * 0.36), Type::new(SIZE, Anchor::Start), &tick.label);
    }
    let labels = text::widest(ticks.major.iter().map(|t| t.label.as_str()), SIZE);
    let title = text::fit(&axis_title(label, unit, ticks.exponent), 12.0, height + 30.0);
    let title_x = x + WIDTH + 8.0 + labels + 18.0;
    let how = Type { turn: -90.0, ..Type::new(SIZE, Anchor::Middle) };
    canvas.text((title_x, y + height / 2.0), how, &title);
    title_x + 12.0
}
