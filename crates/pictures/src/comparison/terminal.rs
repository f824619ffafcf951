//! The comparison for a terminal: both quantities over offered load in braille dots, side by side where there is room.
//!
//! Each variant has a letter of its name as its mark. What all variants share has one mark, a disc, and `#` stands where
//! marks of several variants fall into one cell. Intervals are not drawn.

use super::alike::{alike, shared};
use super::beside::field;
use super::limits::{self, Axis};
use super::words::thousands;
use super::{Comparison, Point, Variant, accepted_of, latency_of};
use crate::estimate::Estimate;
use crate::terminal::{Dots, Paint, cut, tick_at, x_axis, x_ticks};
use std::collections::HashMap;

/// Column and row of a character.
type Cell = (usize, usize);
/// A mark, whose colour it has, and its place in the plot.
type Marked = (char, usize, (f64, f64));

/// The least width at which the two panels stand side by side.
const WIDE: usize = 100;
/// More variants than these are not drawn: their marks would hide each other.
const MOST: usize = 12;
/// What all variants share.
const SHARED: char = '●';
/// Several variants in one cell.
const SEVERAL: char = '#';
/// ANSI 256-colour codes near those of the picture.
const COLOURS: [u8; 7] = [255, 33, 36, 202, 175, 214, 248];

/// A comparison drawn for a terminal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terminal {
    /// The charts, line by line.
    pub charts: String,
    /// What marks mean and what is left out, to be wrapped by whoever prints it.
    pub note: String,
}

impl Comparison {
    /// The comparison for a terminal that is `width` columns wide.
    pub fn terminal(&self, width: usize, paint: Paint) -> Terminal {
        let drawing = Drawing::new(self, paint);
        let latency = drawing.latency();
        let charts = if width >= WIDE {
            let half = width / 2;
            let left = drawing.accepted().lines(half + 3);
            beside(&left, &latency.lines(width - half - 3), half + 3)
        } else {
            let lines = |panel: &Panel| panel.lines(width).join("\n") + "\n";
            format!("{}\n{}", lines(&drawing.accepted()), lines(&latency))
        };
        Terminal { charts, note: drawing.note() }
    }
}

/// Lines of two panels beside each other, aligned at the bottom.
fn beside(left: &[String], right: &[String], width: usize) -> String {
    let rows = left.len().max(right.len());
    let line = |lines: &[String], row: usize| -> String {
        // Titles stand in one line; what is taller grows downwards from there.
        match row {
            0 => lines[0].clone(),
            row => {
                (row + lines.len()).checked_sub(rows).filter(|at| *at > 0).map_or(String::new(), |at| lines[at].clone())
            }
        }
    };
    let joined = |row: usize| {
        let first = line(left, row);
        let gap = " ".repeat(width.saturating_sub(shown_width(&first)));
        format!("{first}{gap}{}", line(right, row)).trim_end().to_owned() + "\n"
    };
    (0..rows).map(joined).collect()
}

/// Columns of a line without its colours.
fn shown_width(line: &str) -> usize {
    let mut hidden = false;
    let shown = |c: &char| {
        let begins = *c == '\u{1b}';
        let ends = hidden && *c == 'm';
        let shown = !hidden && !begins;
        hidden = (hidden || begins) && !ends;
        shown
    };
    line.chars().filter(shown).count()
}

struct Drawing<'a> {
    comparison: &'a Comparison,
    variants: &'a [Variant],
    marks: Vec<char>,
    alike: usize,
    x: Axis,
    paint: Paint,
}

/// What is drawn at a point: load, value, whether it is steady.
type Pick = fn(&Point) -> Option<Estimate>;

impl<'a> Drawing<'a> {
    fn new(comparison: &'a Comparison, paint: Paint) -> Self {
        let variants = &comparison.variants[..comparison.variants.len().min(MOST)];
        let marks = letters(variants);
        let alike = if variants.len() == comparison.variants.len() { alike(comparison) } else { 0 };
        Drawing { comparison, variants, marks, alike, x: limits::offered(comparison), paint }
    }

    fn accepted(&self) -> Panel<'_> {
        let axis = limits::accepted(self.comparison, 0.0);
        Panel { drawing: self, title: "Accepted load [flits/node/cycle]", axis, pick: accepted_of }
    }

    fn latency(&self) -> Panel<'_> {
        Panel {
            drawing: self,
            title: "Mean latency [cycles]",
            axis: limits::latency(self.comparison),
            pick: latency_of,
        }
    }

    fn note(&self) -> String {
        let mut said = Vec::new();
        let marks: Vec<String> = self.marks.iter().map(char::to_string).collect();
        if self.alike > 0 {
            said.push(format!("{SHARED} all variants alike (their difference is within the intervals)"));
        }
        if self.variants.len() > 1 {
            said.push(format!("{} one variant", marks.join(" ")));
            said.push(format!("{SEVERAL} two or more in one cell"));
        }
        let mut note = if said.is_empty() { String::new() } else { format!("{}.", said.join(", ")) };
        let all = self.comparison.variants.len();
        if all > self.variants.len() {
            note += &format!(" The first {} of {all} variants are drawn.", self.variants.len());
        }
        let top = limits::latency(self.comparison).end();
        if let Some(field) = field(self.comparison, top).filter(|field| field.in_field > 0) {
            let (low, high) = (thousands(field.ends.0), thousands(field.ends.1));
            let range = if low == high { high } else { format!("{low} to {high}") };
            let steady = self.largest_steady();
            let begin =
                steady.map_or("No point is steady".to_owned(), |load| format!("Beyond load {load} no point is steady"));
            let (noun, grow) = if field.in_field == 1 {
                ("a latency", "is left out, it grows")
            } else {
                ("latencies", "are left out, they grow")
            };
            note += &format!(" {begin}: {noun} of {range} cycles {grow} with the length of the run.");
        }
        note.trim_start().to_owned()
    }

    fn largest_steady(&self) -> Option<String> {
        let points = self.comparison.variants.iter().flat_map(|variant| &variant.points);
        let steady = points.filter(|point| point.ended == super::Ended::Steady).map(|point| point.load);
        steady
            .reduce(f64::max)
            .map(|load| super::words::number(load).trim_end_matches('0').trim_end_matches('.').to_owned())
    }
}

struct Panel<'a> {
    drawing: &'a Drawing<'a>,
    title: &'static str,
    axis: Axis,
    pick: Pick,
}

impl Panel<'_> {
    /// The panel with its title, axes and labels, `width` columns wide.
    fn lines(&self, width: usize) -> Vec<String> {
        let drawing = self.drawing;
        let ticks = &self.axis.ticks;
        let gutter = ticks.major.iter().map(|tick| tick.label.chars().count()).max().unwrap_or(0).max(3) + 2;
        let labels: Vec<String> = drawing.variants.iter().map(Variant::label).collect();
        let longest = labels.iter().map(|label| label.chars().count() + 3).max().unwrap_or(0).min(width / 3);
        let columns = width.saturating_sub(gutter + longest + 1).max(20);
        let rows = 2 * ticks.major.len().saturating_sub(1).clamp(2, 8) + 1;
        let mut dots = Dots::new(columns, rows);
        self.draw(&mut dots);
        let beside = self.labels(&labels, longest, rows);
        let mut lines = vec![self.title.to_owned()];
        for (row, label) in beside.iter().enumerate() {
            let tick = tick_at(ticks, self.axis.span, row, rows).unwrap_or_default();
            let axis = if tick.is_empty() { '│' } else { '┤' };
            let cells = dots.row(row, |slot| (drawing.paint == Paint::Ansi).then(|| COLOURS[slot % COLOURS.len()]));
            let tick = format!("{tick:>0$}", gutter - 1);
            lines.push(format!("{tick} {axis}{cells} {label}").trim_end().to_owned());
        }
        let x = x_ticks(drawing.x.span, columns);
        lines.push(x_axis(&x, drawing.x.span, gutter, columns));
        lines.push(self.numbers(&x, gutter, columns));
        lines.push(format!("{}Offered load", " ".repeat(gutter + 1)));
        lines
    }

    /// The labels of the ends of the curves by row: each at its end, or at the nearest row that is free.
    fn labels(&self, labels: &[String], longest: usize, rows: usize) -> Vec<String> {
        let mut beside = vec![String::new(); rows];
        for ((variant, label), mark) in self.drawing.variants.iter().zip(labels).zip(&self.drawing.marks) {
            let Some(end) = variant.points.last().and_then(self.pick) else { continue };
            let Some(share) = self.axis.span.fraction(end.mean).filter(|share| (0.0..=1.0).contains(share)) else {
                continue;
            };
            let wanted = ((1.0 - share) * (rows * 4 - 1) as f64).round() as usize / 4;
            let mut free: Vec<usize> = (0..rows).filter(|row| beside[*row].is_empty()).collect();
            free.sort_by_key(|row| row.abs_diff(wanted));
            if let Some(&row) = free.first() {
                let text = if self.drawing.variants.len() > 1 { format!("{mark} {label}") } else { label.clone() };
                beside[row] = cut(&text, longest);
            }
        }
        beside
    }

    fn draw(&self, dots: &mut Dots) {
        let drawing = self.drawing;
        let place = |(x, y): (f64, f64)| Some((drawing.x.span.fraction(x)?, self.axis.span.fraction(y)?));
        let mut marks: HashMap<Cell, Marked> = HashMap::new();
        let mut put = |dots: &Dots, at: (f64, f64), mark: char, slot: usize| {
            let Some(cell) = dots.cell(at) else { return };
            let mark = marks.get(&cell).map_or(mark, |before| if before.0 == mark { mark } else { SEVERAL });
            marks.insert(cell, (mark, slot, at));
        };
        let common: Vec<Option<(f64, f64)>> = (0..drawing.alike).map(|at| place(self.shared(at)?)).collect();
        lines(dots, &common, 0);
        common.iter().flatten().for_each(|at| put(dots, *at, SHARED, 0));
        for (slot, variant) in drawing.variants.iter().enumerate() {
            let own = variant.points.iter().map(|point| place((point.load, (self.pick)(point)?.mean)));
            let own: Vec<Option<(f64, f64)>> = own.collect();
            let mut curve: Vec<Option<(f64, f64)>> = common.last().copied().into_iter().collect();
            curve.extend(own.iter().skip(drawing.alike).copied());
            lines(dots, &curve, slot);
            let mark = if drawing.variants.len() == 1 { SHARED } else { drawing.marks[slot] };
            own.iter().skip(drawing.alike).flatten().for_each(|at| put(dots, *at, mark, slot));
        }
        for (mark, slot, at) in marks.into_values() {
            dots.mark(at, mark, slot);
        }
    }

    /// What the variants share at a load.
    fn shared(&self, at: usize) -> Option<(f64, f64)> {
        let points = self.drawing.variants.iter().map(|variant| &variant.points[at]);
        let values: Option<Vec<Estimate>> = points.map(self.pick).collect();
        Some((self.drawing.variants[0].points[at].load, shared(values?.into_iter()).mean))
    }

    /// The numbers of the ticks of the load.
    fn numbers(&self, ticks: &crate::scale::Ticks, gutter: usize, columns: usize) -> String {
        let mut line = vec![' '; gutter + columns + 4];
        for tick in &ticks.major {
            let share = self.drawing.x.span.fraction(tick.at).unwrap_or(0.0);
            let column = (share * (columns * 2 - 1) as f64).round() as usize / 2;
            let start = (gutter + 1 + column).saturating_sub(tick.label.chars().count() / 2);
            line.iter_mut().skip(start).zip(tick.label.chars()).for_each(|(cell, c)| *cell = c);
        }
        line.into_iter().collect::<String>().trim_end().to_owned()
    }
}

fn lines(dots: &mut Dots, curve: &[Option<(f64, f64)>], slot: usize) {
    for pair in curve.windows(2) {
        if let [Some(from), Some(to)] = pair {
            dots.line(*from, *to, Some(slot), 1);
        }
    }
}

/// A letter for each variant: the first of its name that no earlier one has, at the beginning of a word where there is one.
fn letters(variants: &[Variant]) -> Vec<char> {
    let mut taken: Vec<char> = Vec::new();
    for variant in variants {
        let words = variant.name.split(|c: char| !c.is_alphanumeric());
        let firsts = words.filter_map(|word| word.chars().next());
        let all = variant.name.chars().filter(|c| c.is_alphanumeric());
        let fallback = ('a'..='z').chain('A'..='Z');
        let free = |c: &char| !taken.contains(c) && c.is_ascii() && *c != SEVERAL;
        let letter = firsts.chain(all).chain(fallback).find(free);
        taken.push(letter.unwrap_or('*'));
    }
    taken
}

#[cfg(test)]
mod tests;
