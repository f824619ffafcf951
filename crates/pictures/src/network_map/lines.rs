//! Draws links as curves. Links that look alike are one shape, which keeps pictures of many thousands small.

use super::frame::Frame;
use crate::colour::hex;
use crate::scale::Span;
use crate::scale_bar::shade;
use crate::svg::{Canvas, INK, num};

/// Links that carry nothing, or of which nothing is known.
const IDLE: &str = "#d4d4d4";

/// Steps of value, each with a colour and a width of its own.
const STEPS: usize = 32;

/// Links from this part of the span on have a dark edge ...
const EDGED: f64 = 0.75;
/// ... if they are so few of all at most.
const FEW: usize = 25;

/// Adds a curve to the path of a shape.
fn add(path: &mut String, frame: &Frame<'_>, line: usize) {
    let [a, b, c, d] = frame.curve(line);
    // A tenth of a pixel is nothing that anybody sees, and half the size of the file.
    let short = |(x, y): (f64, f64)| format!("{} {}", num((x * 10.0).round() / 10.0), num((y * 10.0).round() / 10.0));
    path.push_str(&format!("M{}C{} {} {}", short(a), short(b), short(c), short(d)));
}

fn path_of(frame: &Frame<'_>, lines: impl IntoIterator<Item = usize>) -> String {
    let mut path = String::new();
    lines.into_iter().for_each(|line| add(&mut path, frame, line));
    path
}

fn stroke(canvas: &mut Canvas, path: &str, colour: &str, width: f64) {
    if !path.is_empty() {
        canvas.raw(&format!("<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"{}\"/>", num(width)));
    }
}

/// Width of the thinnest and of the widest links \[pixels\].
fn widths(frame: &Frame<'_>) -> (f64, f64) {
    let thin = if frame.plan.lines.len() > 3000 { 0.35 } else { 0.7 };
    (thin, (0.16 * frame.pitch()).clamp(2.2, 5.0))
}

/// All links in grey, behind something else.
pub(super) fn grey(canvas: &mut Canvas, frame: &Frame<'_>) {
    stroke(canvas, &path_of(frame, 0..frame.plan.lines.len()), IDLE, widths(frame).0);
}

/// Links of a kind.
pub(super) fn of_kind(canvas: &mut Canvas, frame: &Frame<'_>, lines: &[usize], colour: &str) {
    let (thin, _) = widths(frame);
    stroke(canvas, &path_of(frame, lines.iter().copied()), colour, thin);
}

/// One link, with a dark edge.
pub(super) fn bold(canvas: &mut Canvas, frame: &Frame<'_>, line: usize, colour: &str) {
    let (_, wide) = widths(frame);
    let path = path_of(frame, [line]);
    stroke(canvas, &path, INK, 0.75 * wide + 1.0);
    stroke(canvas, &path, colour, 0.75 * wide);
}

/// Links by their values, the least first.
pub(super) fn by_value(canvas: &mut Canvas, frame: &Frame<'_>, values: &[f64], span: Span) {
    let (thin, wide) = widths(frame);
    let mut steps: Vec<Vec<usize>> = vec![Vec::new(); STEPS];
    let mut idle = Vec::new();
    for (line, &value) in values.iter().enumerate() {
        if value.is_nan() || value == 0.0 {
            idle.push(line);
        } else {
            let part = ((value - span.lo) / (span.hi - span.lo)).clamp(0.0, 1.0);
            steps[((part * STEPS as f64) as usize).min(STEPS - 1)].push(line);
        }
    }
    stroke(canvas, &path_of(frame, idle), IDLE, thin);
    let edged = (EDGED * STEPS as f64) as usize;
    let many: usize = steps[edged..].iter().map(Vec::len).sum();
    let has_edges = many <= values.len().div_ceil(FEW).max(8);
    for (step, lines) in steps.iter().enumerate() {
        let part = (step as f64 + 0.5) / STEPS as f64;
        let width = thin + (wide - thin) * part * part;
        let path = path_of(frame, lines.iter().copied());
        if has_edges && step >= edged {
            stroke(canvas, &path, INK, width + 1.6);
        }
        stroke(canvas, &path, &hex(shade(span, span.lo + part * (span.hi - span.lo))), width);
    }
}
