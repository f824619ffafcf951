//! Charts in the terminal: curves in braille dots, marks on their points, axes with ticks and units.
//!
//! Without colour the series are told apart by their marks; with colour by both. Characters are all one column wide.

mod braille;

use crate::chart::{Chart, Mark, Series, Spans, Style, mark_index, slots, spans};
use crate::scale::{Span, Ticks, axis_title};
pub(crate) use braille::Dots;

const MARKS: [char; 10] = ['o', 'x', '+', '*', '#', '@', '%', '&', '=', '~'];
/// ANSI 256-colour codes near the Okabe-Ito palette.
const COLOURS: [u8; 7] = [33, 202, 36, 175, 214, 81, 248];
/// Columns between the marks of a series with many points.
const MARK_GAP: usize = 10;
const SMALLEST: (usize, usize) = (30, 8);
const LARGEST: (usize, usize) = (500, 200);

/// How text is painted in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Without colours.
    Plain,
    /// With ANSI colours.
    Ansi,
}

/// Draws `chart` into at most `width` x `height` characters (kept within 30 x 8 and 500 x 200). Ends with a line feed. Bands are not shown.
pub fn plot(chart: &Chart, width: usize, height: usize, paint: Paint) -> String {
    let width = width.clamp(SMALLEST.0, LARGEST.0);
    let height = height.clamp(SMALLEST.1, LARGEST.1);
    let slots = slots(std::slice::from_ref(chart)).remove(0);
    let legend = legend(chart, &slots, width, (height - SMALLEST.1 + 1).div_ceil(2), paint);
    let spans = spans(chart);
    let rows = height - legend.len() - 4 - usize::from(!chart.title.is_empty());
    let left = spans.left.ticks((rows / 3).clamp(2, 8));
    let right = spans.right.map(|s| s.ticks((rows / 3).clamp(2, 8)));
    let gutter = widest(&left).min(width / 4);
    let right_gutter = right.as_ref().map_or(0, |t| widest(t).min(width / 4) + 1);
    let columns = width - gutter - right_gutter - 2;
    let dots = draw(chart, &spans, &slots, (columns, rows));
    let mut out = String::new();
    if !chart.title.is_empty() {
        push_line(&mut out, &centred(&chart.title, width));
    }
    push_line(&mut out, &titles(chart, &left, right.as_ref(), width));
    for row in 0..rows {
        let label = tick_at(&left, spans.left, row, rows).unwrap_or_default();
        let axis = if label.is_empty() { '│' } else { '┤' };
        let cells = dots.row(row, |slot| colour_code(slot).filter(|_| paint == Paint::Ansi));
        let right = right.as_ref().map_or(String::new(), |ticks| {
            let label = spans.right.and_then(|s| tick_at(ticks, s, row, rows)).unwrap_or_default();
            format!("{}{}", if label.is_empty() { '│' } else { '├' }, cut(&label, right_gutter - 1))
        });
        push_line(&mut out, &format!("{:>gutter$}{axis}{cells}{right}", cut(&label, gutter)));
    }
    let x = x_ticks(spans.x, columns);
    push_line(&mut out, &x_axis(&x, spans.x, gutter, columns));
    push_line(
        &mut out,
        &x_labels(&x, spans.x, gutter, (columns, width), &axis_title(&chart.x.label, &chart.x.unit, x.exponent)),
    );
    legend.iter().for_each(|line| push_line(&mut out, line));
    out
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

fn colour_code(slot: usize) -> Option<u8> {
    Some(COLOURS[slot % COLOURS.len()])
}

/// `text` in at most `width` columns, without control characters.
pub(crate) fn cut(text: &str, width: usize) -> String {
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    if text.chars().count() <= width {
        return text.chars().map(clean).collect();
    }
    text.chars().take(width.saturating_sub(1)).map(clean).chain(['…']).take(width).collect()
}

fn centred(text: &str, width: usize) -> String {
    format!("{:^width$}", cut(text, width))
}

fn widest(ticks: &Ticks) -> usize {
    ticks.major.iter().map(|t| t.label.chars().count()).max().unwrap_or(0)
}

/// Line above the plot: title of the left axis, and of the right one at the other end.
fn titles(chart: &Chart, left: &Ticks, right: Option<&Ticks>, width: usize) -> String {
    let first = axis_title(&chart.y.label, &chart.y.unit, left.exponent);
    let Some((axis, ticks)) = chart.y2.as_ref().zip(right) else { return cut(&first, width) };
    let second = cut(&axis_title(&axis.label, &axis.unit, ticks.exponent), width / 2 - 1);
    let room = width - second.chars().count();
    format!("{:<room$}{second}", cut(&first, room - 1))
}

/// Label of the tick in this row of characters, if any.
pub(crate) fn tick_at(ticks: &Ticks, span: Span, row: usize, rows: usize) -> Option<String> {
    let row_of = |at: f64| span.fraction(at).map(|f| ((1.0 - f) * (rows * 4 - 1) as f64).round() as usize / 4);
    ticks.major.iter().find(|t| row_of(t.at) == Some(row)).map(|t| t.label.clone())
}

pub(crate) fn x_ticks(span: Span, columns: usize) -> Ticks {
    let fits = |ticks: &Ticks| {
        let ends: Vec<_> =
            ticks.major.iter().map(|t| (column_of(span, t.at, columns), t.label.chars().count())).collect();
        ends.windows(2).all(|w| w[1].0.saturating_sub(w[0].0) >= (w[0].1 + w[1].1) / 2 + 2)
    };
    (2..=8).rev().map(|n| span.ticks(n)).find(fits).unwrap_or_else(|| span.ticks(2))
}

fn column_of(span: Span, value: f64, columns: usize) -> usize {
    let fraction = span.fraction(value).unwrap_or(0.0).clamp(0.0, 1.0);
    (fraction * (columns * 2 - 1) as f64).round() as usize / 2
}

pub(crate) fn x_axis(ticks: &Ticks, span: Span, gutter: usize, columns: usize) -> String {
    let mut line = vec!['─'; columns];
    for tick in &ticks.major {
        line[column_of(span, tick.at, columns)] = '┬';
    }
    format!("{}└{}", " ".repeat(gutter), line.into_iter().collect::<String>())
}

/// Tick labels, with the title of the axis at the right end where there is room, else instead of the last labels.
fn x_labels(ticks: &Ticks, span: Span, gutter: usize, (columns, width): (usize, usize), title: &str) -> String {
    let mut line = vec![' '; width];
    for tick in &ticks.major {
        let length = tick.label.chars().count();
        let start = (gutter + 1 + column_of(span, tick.at, columns)).saturating_sub(length / 2);
        let start = start.min(width.saturating_sub(length));
        line.iter_mut().skip(start).zip(tick.label.chars()).for_each(|(cell, c)| *cell = c);
    }
    let labels: String = line.into_iter().collect();
    let title = cut(title, width - gutter - 1);
    format!("{}\n{:^width$}", labels.trim_end(), title, width = width)
}

/// Entries side by side, in at most `most` lines.
fn legend(chart: &Chart, slots: &[usize], width: usize, most: usize, paint: Paint) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (series, slot) in chart.series.iter().zip(slots) {
        if series.name.is_empty() || !seen.insert(*slot) {
            continue;
        }
        let note = cut(&series.note, width - 4);
        let name = cut(&series.name, (width - 4).saturating_sub(note.chars().count())) + &note;
        let length = name.chars().count() + 4;
        let mark = MARKS[mark_index(*slot, MARKS.len())];
        let entry = match colour_code(*slot).filter(|_| paint == Paint::Ansi) {
            Some(code) => format!("\u{1b}[38;5;{code}m{mark}\u{1b}[0m {name}  "),
            None => format!("{mark} {name}  "),
        };
        match lines.last_mut() {
            Some((line, used)) if *used + length <= width + 2 => {
                line.push_str(&entry);
                *used += length;
            }
            _ => lines.push((entry, length)),
        }
    }
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        lines.push(("…".to_owned(), 1));
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

fn draw(chart: &Chart, spans: &Spans, slots: &[usize], size: (usize, usize)) -> Dots {
    let mut dots = Dots::new(size.0, size.1);
    let place = |span: Span, p: (f64, f64)| Some((spans.x.fraction(p.0)?, span.fraction(p.1)?));
    for mark in &chart.marks {
        let ends = match mark {
            Mark::Vertical { x, .. } => spans.x.fraction(*x).map(|x| ((x, 0.0), (x, 1.0))),
            Mark::Horizontal { y, .. } => spans.left.fraction(*y).map(|y| ((0.0, y), (1.0, y))),
        };
        if let Some((from, to)) = ends {
            dots.line(from, to, None, 4);
        }
    }
    for (series, slot) in chart.series.iter().zip(slots).filter(|(s, _)| s.style != Style::Marks) {
        let points: Vec<_> = series.points.iter().map(|p| place(spans.y_of(series), *p)).collect();
        for ends in points.windows(2) {
            let (Some(from), Some(to)) = (ends[0], ends[1]) else { continue };
            let corner = if series.style == Style::Step { (to.0, from.1) } else { from };
            let gap = if series.dashed { 2 } else { 1 };
            dots.line(from, corner, Some(*slot), gap);
            dots.line(corner, to, Some(*slot), gap);
        }
    }
    for (index, (series, slot)) in chart.series.iter().zip(slots).enumerate() {
        let points = series.points.iter().filter_map(|p| place(spans.y_of(series), *p));
        draw_marks(&mut dots, series, points, (index, *slot));
    }
    dots
}

/// Marks on all points of a short series; on some, at other places for each series, of a long one.
fn draw_marks(
    dots: &mut Dots,
    series: &Series,
    points: impl Iterator<Item = (f64, f64)>,
    (index, slot): (usize, usize),
) {
    let crowded = series.style != Style::Marks && series.points.len() > dots.columns() / 3;
    let mut next = if crowded { index * 3 % MARK_GAP } else { 0 };
    for point in points {
        let Some(column) = dots.cell(point).map(|c| c.0) else { continue };
        if !crowded || column >= next {
            dots.mark(point, MARKS[mark_index(slot, MARKS.len())], slot);
            next = column + MARK_GAP;
        }
    }
}

#[cfg(test)]
mod tests;
