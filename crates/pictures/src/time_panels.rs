//! Panels over time: a column for each variant, a row for each quantity. Thin lines are seeds, thick ones their mean; warm-up
//! and drain are shaded.

#[cfg(test)]
mod tests;

use crate::area::Area;
use crate::csv::Rows;
use crate::figure::Figure;
use crate::look::Look;
use crate::plate::{Numbers, Plate, numbers_width};
use crate::scale::{Span, Ticks, nice_step};
use crate::style::{FIELD, FRAME, PT, QUIET, RULE, SIZE, TICK, TWO_COLUMNS};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

const HEIGHT: f64 = 8.4 * SIZE;
/// Panels side by side.
const ACROSS: usize = 4;

/// Values over time: the middle of each window \[cycles\], and what was measured in it.
pub type Trace = Vec<(f64, f64)>;

/// One variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// What it is called, its twins included.
    pub name: String,
    /// Its place in the order of the spec.
    pub place: usize,
    /// What was measured, for the upper right: `accepted 0.266`.
    pub measured: String,
    /// For each quantity, a trace for each seed; all have the same windows.
    pub traces: Vec<Vec<Trace>>,
}

/// One quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    /// What it is, e.g. `Accepted load`.
    pub label: String,
    /// Its unit; empty for none.
    pub unit: String,
    /// Its column in the table: `accepted_load`.
    pub column: String,
    /// A level that all variants share, with its name: `offered 0.40`.
    pub level: Option<(f64, String)>,
}

/// The figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimePanels {
    /// The variants.
    pub columns: Vec<Column>,
    /// The quantities, from top to bottom.
    pub quantities: Vec<Quantity>,
    /// End of the warm-up and of the measured window \[cycles\], where all variants have the same ones.
    pub measured: Option<(f64, f64)>,
    /// Which points these are: `4 of 48 points (load 0.40)`.
    pub chosen: String,
}

impl TimePanels {
    /// The figure with its caption and its numbers, in two columns of a paper.
    pub fn figure(&self, name: &str) -> Figure {
        Figure { name: name.to_owned(), svg: self.svg(), caption: self.caption(), csv: self.csv() }
    }

    fn end(&self) -> f64 {
        let traces = self.columns.iter().flat_map(|c| c.traces.iter().flatten());
        // A window's middle is half a window before its end.
        let ends = traces.filter_map(|trace| match trace[..] {
            [.., (before, _), (last, _)] => Some(last + (last - before) / 2.0),
            _ => trace.last().map(|last| last.0),
        });
        ends.filter(|end| end.is_finite()).fold(0.0, f64::max)
    }

    fn svg(&self) -> String {
        let across = match self.columns.len() {
            0 => 1,
            count if count <= ACROSS => count,
            count => count.div_ceil(count.div_ceil(3)),
        };
        let end = self.end();
        let x = Span { lo: 0.0, hi: if end > 0.0 { end } else { 1.0 }, log: false };
        let thousand = end >= 5000.0;
        let axes: Vec<(Span, Ticks)> = (0..self.quantities.len()).map(|row| self.axis(row)).collect();
        let numbers = axes.iter().map(|(_, ticks)| numbers_width(ticks, SIZE)).fold(0.0, f64::max);
        let left = 2.7 * SIZE + numbers + 2.0 * PT;
        let gap = 1.8 * SIZE;
        let width = (TWO_COLUMNS - left - SIZE - gap * (across as f64 - 1.0)) / across as f64;
        let (head, between) = (1.9 * SIZE, 1.3 * SIZE);
        let foot = TICK + 2.0 * PT + 2.7 * SIZE;
        let step = head + self.quantities.len() as f64 * (HEIGHT + between) - between + foot;
        let mut canvas = Canvas::new();
        canvas.table(&self.csv());
        for (at, column) in self.columns.iter().enumerate() {
            let (across_at, line) = (at % across, at / across);
            let corner = (left + across_at as f64 * (width + gap), line as f64 * step + head);
            let first = across_at == 0;
            let last = at + 1 == self.columns.len();
            for (row, (span, ticks)) in axes.iter().enumerate() {
                let top = corner.1 + row as f64 * (HEIGHT + between);
                let plate = Plate { area: Area { left: corner.0, top, width, height: HEIGHT }, x, y: *span };
                self.panel(&mut canvas, &plate, (column, row), last);
                let numbers = if first { Numbers::Shown } else { Numbers::Hidden };
                plate.left(&mut canvas, ticks, SIZE, numbers);
                if first {
                    let quantity = &self.quantities[row];
                    let power = crate::scale::power(ticks.exponent);
                    let unit = [power, quantity.unit.clone()].join(" ");
                    let away = numbers_width(ticks, SIZE) + 0.6 * SIZE;
                    plate.name_left(&mut canvas, (&quantity.label, unit.trim()), SIZE, away);
                }
                let bottom = row + 1 == axes.len();
                time_axis(&mut canvas, &plate, thousand, if bottom { Numbers::Shown } else { Numbers::Hidden });
            }
            self.head(&mut canvas, column, corner, width);
        }
        canvas.finish((TWO_COLUMNS, step * self.columns.len().div_ceil(across).max(1) as f64), "")
    }

    /// The axis from zero to the next tick above all traces and the level.
    fn axis(&self, row: usize) -> (Span, Ticks) {
        let traces = self.columns.iter().filter_map(|column| column.traces.get(row)).flatten().flatten();
        let level = self.quantities[row].level.iter().map(|(level, _)| 1.12 * level);
        let most =
            traces.map(|(_, value)| *value).chain(level).filter(|v| v.is_finite() && *v < 1e300).fold(0.0, f64::max);
        if most <= 1e-300 {
            let span = Span { lo: 0.0, hi: 1.0, log: false };
            return (span, span.ticks_at(0.5));
        }
        let step = nice_step(most / 4.5);
        let span = Span { lo: 0.0, hi: (most / step - 1e-6).ceil() * step, log: false };
        (span, span.ticks_at(step))
    }

    fn head(&self, canvas: &mut Canvas, column: &Column, (left, top): (f64, f64), width: f64) {
        let y = top - 0.7 * SIZE;
        let look = Look::of(column.place);
        let right = text::width(&column.measured, 0.93 * SIZE);
        let name = text::fit(&column.name, 1.07 * SIZE * 1.09, width - right - SIZE);
        let how = Type { bold: true, colour: look.colour, ..Type::new(1.07 * SIZE, Anchor::Start) };
        canvas.text((left, y), how, &name);
        let how = Type { colour: QUIET, ..Type::new(0.93 * SIZE, Anchor::End) };
        canvas.text((left + width, y), how, &column.measured);
    }

    fn panel(&self, canvas: &mut Canvas, plate: &Plate, (column, row): (&Column, usize), last: bool) {
        let area = plate.area;
        self.shade(canvas, plate);
        if let Some((level, name)) = &self.quantities[row].level
            && let Some(y) = area.y(plate.y, *level)
        {
            let paint = format!("stroke=\"{RULE}\" stroke-width=\"{}\" stroke-dasharray=\"3.4 1.8\"", num(FRAME));
            canvas.raw(&format!("<path d=\"M{} {}H{}\" {paint}/>", num(area.left), num(y), num(area.right())));
            if last {
                let how = Type { colour: QUIET, ..Type::new(0.9 * SIZE, Anchor::End) };
                canvas.text((area.right() - 2.0 * PT, y - 2.2 * PT), how, name);
            }
        }
        let look = Look { dash: "", ..Look::of(column.place) };
        let traces = column.traces.get(row).map_or(&[][..], Vec::as_slice);
        canvas.open_window((area.left, area.top), (area.width, area.height));
        if traces.len() > 1 {
            for trace in traces {
                line(canvas, plate, trace, &format!("{} stroke-opacity=\"0.4\"", look.stroke(0.5 * PT)));
            }
        }
        line(canvas, plate, &mean(traces), &look.stroke(1.35 * PT));
        canvas.raw("</svg>");
        if last && row + 1 == self.quantities.len() {
            self.name_phases(canvas, plate, traces);
        }
    }

    fn shade(&self, canvas: &mut Canvas, plate: &Plate) {
        let Some((from, to)) = self.measured else { return };
        let area = plate.area;
        let x = |at: f64| area.x(plate.x, at).map_or(area.left, |x| x.clamp(area.left, area.right()));
        for (left, right) in [(area.left, x(from)), (x(to), area.right())] {
            if right > left {
                canvas.rect((left, area.top), (right - left, area.height), &format!("fill=\"{FIELD}\""));
            }
        }
    }

    /// Names warm-up, measured window and drain at the bottom of the last panel, where no trace is.
    fn name_phases(&self, canvas: &mut Canvas, plate: &Plate, traces: &[Trace]) {
        let Some((from, to)) = self.measured else { return };
        let (area, size) = (plate.area, 6.0 * PT);
        let clip = |at: f64| area.x(plate.x, at).map_or(area.left, |x| x.clamp(area.left, area.right()));
        let baseline = area.bottom() - 2.6 * PT;
        for (name, left, right) in
            [("warm-up", area.left, clip(from)), ("measured", clip(from), clip(to)), ("drain", clip(to), area.right())]
        {
            let width = text::width(name, size);
            // A name may reach a little into what is beside it.
            let middle = ((left + right) / 2.0).clamp(area.left + width / 2.0 + 1.0, area.right() - width / 2.0 - 1.0);
            let over = |&(x, y): &(f64, f64)| {
                let Some((x, y)) = plate.at(x, y) else { return false };
                (x - middle).abs() < width / 2.0 + 4.0 && y > baseline - size
            };
            if width <= 1.2 * (right - left) && !traces.iter().flatten().any(over) {
                let how = Type { colour: QUIET, ..Type::new(size, Anchor::Middle) };
                canvas.text((middle, baseline), how, name);
            }
        }
    }

    fn caption(&self) -> String {
        let labels: Vec<String> = self.quantities.iter().map(|q| q.label.to_lowercase()).collect();
        let mut what = labels.join(" and ");
        if let Some(first) = what.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let shaded = if self.measured.is_some() { " Shaded: warm-up and drain, which are not measured." } else { "" };
        let seeds = if self.columns.iter().flat_map(|c| &c.traces).any(|traces| traces.len() > 1) {
            " Thin lines are seeds, thick ones their mean."
        } else {
            ""
        };
        format!("{what} over time: {}.{seeds}{shaded}", self.chosen)
    }

    fn csv(&self) -> String {
        let mut head = vec!["variant", "seed_number", "cycle"];
        head.extend(self.quantities.iter().map(|quantity| quantity.column.as_str()));
        let mut rows = Rows::new(&head);
        for column in &self.columns {
            let seeds = column.traces.iter().map(Vec::len).max().unwrap_or(0);
            for seed in 0..seeds {
                let of = |row: usize| column.traces.get(row).and_then(|traces| traces.get(seed));
                let Some(first) = of(0) else { continue };
                for (at, (cycle, _)) in first.iter().enumerate() {
                    let values =
                        (0..self.quantities.len()).map(|row| of(row).and_then(|t| t.get(at)).map_or(f64::NAN, |p| p.1));
                    let cells = rows.row().text(&column.name).number((seed + 1) as f64).number(*cycle);
                    values.fold(cells, crate::csv::Row::number).end();
                }
            }
        }
        rows.finish()
    }
}

fn time_axis(canvas: &mut Canvas, plate: &Plate, thousand: bool, numbers: Numbers) {
    let unit = if thousand { 1000.0 } else { 1.0 };
    let span = Span { hi: plate.x.hi / unit, ..plate.x };
    let ticks = span.ticks_at(nice_step(span.hi / 4.5));
    Plate { x: span, ..*plate }.bottom(canvas, &ticks, SIZE, numbers);
    if numbers == Numbers::Shown {
        let name = if thousand { "1000 cycles" } else { "cycles" };
        plate.name_bottom(canvas, ("Time", name), SIZE, TICK + 2.0 * PT + 2.1 * SIZE);
    }
}

fn line(canvas: &mut Canvas, plate: &Plate, trace: &Trace, paint: &str) {
    for run in crate::area::runs(trace.iter().map(|&(x, y)| plate.at(x, y))) {
        let points: Vec<String> = run.iter().map(|(x, y)| format!("{} {}", num(*x), num(*y))).collect();
        if points.len() > 1 {
            canvas.raw(&format!("<path d=\"M{}\" {paint}/>", points.join("L")));
        }
    }
}

/// The mean of traces, window by window; it ends with the shortest of them, or where their windows differ.
fn mean(traces: &[Trace]) -> Trace {
    let shortest = traces.iter().map(Vec::len).min().unwrap_or(0);
    let same = |window: &usize| traces.iter().all(|trace| trace[*window].0 == traces[0][*window].0);
    let windows = (0..shortest).take_while(same).count();
    let at = |window: usize| {
        let sum: f64 = traces.iter().map(|trace| trace[window].1).sum();
        (traces[0][window].0, sum / traces.len() as f64)
    };
    (0..windows).map(at).collect()
}
