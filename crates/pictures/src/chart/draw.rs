//! Draws series, bands and reference lines into a plot area.

use super::data::{Area, Pixel, decimate, exits, runs, steps, thin};
use super::legend::look;
use super::range::Spans;
use super::{Chart, Mark, Series, Style};
use crate::ended::Ended;
use crate::look::{Fill, Look};
use crate::scale::Span;
use crate::style::{CURVE, FRAME, INTERVAL, PT, QUIET, RULE};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

/// Marks of a line are this far apart at least, in pixels, once there are too many.
const MARK_GAP: f64 = 14.0;
/// As many marks as this are all drawn.
const MARKS_ALL: usize = 60;
/// More marks than this stand on a coarser raster; more error bars become a band.
const CLOUD: usize = 1000;
/// A series shows where it leaves the axis range this often at most.
const EXITS: usize = 4;

/// Draws all series of `chart`, whose looks have the numbers `slots`.
pub(super) fn draw_series(canvas: &mut Canvas, chart: &Chart, spans: &Spans, area: &Area, slots: &[usize]) {
    let each = || chart.series.iter().zip(slots).map(|(s, slot)| (s, spans.y_of(s), look(*slot, s)));
    canvas.open_window((area.left, area.top - 1.0), (area.width + 1.0, area.height + 2.0));
    for (series, span, look) in each() {
        draw_band(canvas, series, (spans.x, span), area, look);
    }
    let mut leaving = String::new();
    for (series, span, look) in each().filter(|e| e.0.style != Style::Marks) {
        leaving.push_str(&draw_line(canvas, series, (spans.x, span), area, look));
    }
    canvas.raw("</svg>");
    canvas.raw(&leaving);
    for (series, span, look) in each().filter(|e| matches!(e.0.style, Style::Marks | Style::LineMarks)) {
        draw_marks(canvas, series, (spans.x, span), area, look);
    }
}

fn project(points: &[(f64, f64)], (x, y): (Span, Span), area: &Area) -> Vec<Option<Pixel>> {
    points.iter().map(|p| Some((area.x(x, p.0)?, area.y(y, p.1)?))).collect()
}

fn path(points: &[Pixel]) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", num(*x), num(*y))).collect();
    format!("M{}", points.join("L"))
}

/// Draws the line; returns small arrows for where it leaves the area.
fn draw_line(canvas: &mut Canvas, series: &Series, spans: (Span, Span), area: &Area, look: Look) -> String {
    let mut data = String::new();
    let mut leaving = Vec::new();
    for run in runs(project(&series.points, spans, area)) {
        let run = if series.style == Style::Step { steps(&run) } else { run };
        let run = decimate(run, area.width);
        leaving.extend(exits(&run, area));
        if let ([(x, y)], Style::Line | Style::Step) = (run.as_slice(), series.style) {
            // A lone point has no line to be seen by.
            data.push_str(&format!("M{} {}h3", num(x - 1.5), num(*y)));
        } else if run.len() > 1 {
            data.push_str(&path(&run));
        }
    }
    if !data.is_empty() {
        canvas.raw(&format!("<path d=\"{data}\" {}/>", look.stroke(1.2 * CURVE)));
    }
    let arrow = |((x, y), up): &(Pixel, bool)| {
        let (x, y, tip) = (num(x - 4.0), num(*y), if *up { "-6" } else { "6" });
        format!("<path d=\"M{x} {y}h8l-4 {tip}Z\" fill=\"{}\"/>", look.colour)
    };
    leaving.iter().take(EXITS).map(arrow).collect()
}

fn draw_band(canvas: &mut Canvas, series: &Series, (x, y): (Span, Span), area: &Area, look: Look) {
    let Some(band) = &series.band else { return };
    let at = |&(px, lo, hi): &(f64, f64, f64)| Some((area.x(x, px)?, area.y(y, lo)?, area.y(y, hi)?));
    let runs = runs(band.iter().map(at));
    let (data, paint): (String, _) = if series.style == Style::Marks && band.len() <= CLOUD {
        (
            runs.iter().flatten().map(|p| error_bar(*p)).collect(),
            format!("stroke=\"{}\" stroke-width=\"{}\"", look.colour, num(INTERVAL)),
        )
    } else {
        let outlines = runs.iter().map(|run| outline(run, area.width));
        (outlines.collect(), format!("fill=\"{}\" fill-opacity=\"0.18\"", look.colour))
    };
    if !data.is_empty() {
        canvas.raw(&format!("<path d=\"{data}\" {paint}/>"));
    }
}

fn outline(run: &[(f64, f64, f64)], width: f64) -> String {
    let edge = |pick: fn(&(f64, f64, f64)) -> Pixel| decimate(run.iter().map(pick).collect(), width);
    let mut outline = edge(|p| (p.0, p.2));
    outline.extend(edge(|p| (p.0, p.1)).into_iter().rev());
    format!("{}Z", path(&outline))
}

fn error_bar((x, lo, hi): (f64, f64, f64)) -> String {
    let (left, x, lo, hi) = (num(x - 3.0), num(x), num(lo), num(hi));
    format!("M{x} {lo}V{hi}M{left} {lo}h6M{left} {hi}h6")
}

fn draw_marks(canvas: &mut Canvas, series: &Series, spans: (Span, Span), area: &Area, look: Look) {
    let points = project(&series.points, spans, area);
    if series.ended.iter().any(|ended| *ended != Ended::Steady) {
        let marks = points.iter().zip(&series.ended).filter_map(|(point, ended)| Some(((*point)?, ended.fill())));
        return marks.filter(|(at, _)| area.contains(*at)).for_each(|(at, fill)| canvas.raw(&look.mark(at, fill)));
    }
    let points: Vec<Pixel> = points.into_iter().flatten().filter(|at| area.contains(*at)).collect();
    let gap = if series.style == Style::LineMarks && points.len() > MARKS_ALL { MARK_GAP } else { 0.0 };
    let square = if points.len() > CLOUD { 4.0 } else { 1.0 };
    let thinned = thin(&points, gap, square);
    if thinned.len() <= MARKS_ALL {
        return thinned.into_iter().for_each(|at| canvas.raw(&look.mark(at, Fill::Full)));
    }
    let data: String = thinned.into_iter().map(|at| look.mark_path(at)).collect();
    canvas.raw(&format!("<path d=\"{data}\" fill=\"{}\"/>", look.colour));
}

/// Draws the reference lines that lie within the axes.
pub(super) fn draw_reference(canvas: &mut Canvas, chart: &Chart, spans: &Spans, area: &Area) {
    const SIZE: f64 = 7.0 * PT;
    let paint = format!("stroke=\"{RULE}\" stroke-width=\"{}\" stroke-dasharray=\"3.4 1.8\"", num(FRAME));
    for mark in &chart.marks {
        match mark {
            Mark::Vertical { x, label } => {
                let Some(at) = area.x(spans.x, *x).filter(|at| area.contains((*at, area.top))) else { continue };
                canvas.raw(&format!("<path d=\"M{} {}V{}\" {paint}/>", num(at), num(area.top), num(area.bottom())));
                let how = Type { turn: -90.0, halo: true, colour: QUIET, ..Type::new(SIZE, Anchor::End) };
                let label = text::fit(label, SIZE, area.height - 10.0);
                canvas.text((at - 4.0, area.top + 4.0), how, &label);
            }
            Mark::Horizontal { y, label } => {
                let Some(at) = area.y(spans.left, *y).filter(|at| area.contains((area.left, *at))) else { continue };
                canvas.raw(&format!("<path d=\"M{} {}H{}\" {paint}/>", num(area.left), num(at), num(area.right())));
                let how = Type { halo: true, colour: QUIET, ..Type::new(SIZE, Anchor::Start) };
                let below = if at - area.top < SIZE + 6.0 { SIZE + 3.0 } else { -4.0 };
                canvas.text((area.left + 6.0, at + below), how, &text::fit(label, SIZE, area.width - 12.0));
            }
        }
    }
}
