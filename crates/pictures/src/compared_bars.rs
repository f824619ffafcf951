//! Bars with intervals: what a sweep over kinds shows that has no load, a row for each variant and a panel for each
//! quantity. Bars begin at zero, and no interval widens an axis; colour, hatch and mark tell variants apart.

#[cfg(test)]
mod tests;

use crate::area::{Area, Pixel};
use crate::csv::Rows;
use crate::ended::Ended;
use crate::estimate::Estimate;
use crate::figure::Figure;
use crate::look::{Look, RADIUS};
use crate::plate::{Numbers, Plate, bracketed};
use crate::scale::{Span, Ticks, nice_step};
use crate::style::{FRAME, INK, INTERVAL, PT, QUIET, SIZE, TICK, TWO_COLUMNS};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

/// Height of a row and of its bar.
const ROW: f64 = 2.55 * SIZE;
const BAR: f64 = 1.5 * SIZE;
/// Panels side by side.
const ACROSS: usize = 2;
/// Distance between the lines of a hatch.
const HATCH: f64 = 4.4 * PT;

/// One quantity of all variants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What it shows, e.g. `Accepted load`.
    pub title: String,
    /// Its unit; empty for none.
    pub unit: String,
    /// The column of the table: `accepted_load`.
    pub column: String,
    /// A bar for each variant; none where there is no number.
    pub bars: Vec<Option<Estimate>>,
    /// How each compares with the first, at most two lines each; may be empty.
    pub notes: Vec<Vec<String>>,
}

/// A row of the figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// What the variant is called, its twins included.
    pub name: String,
    /// Its place in the order of the spec.
    pub place: usize,
    /// How its point ended.
    pub ended: Ended,
    /// Its status in words.
    pub status: String,
}

/// The figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedBars {
    /// The network and its traffic, for the caption.
    pub subject: String,
    /// Seeds of a variant.
    pub seeds: usize,
    /// The variants, in the order of the spec.
    pub rows: Vec<Row>,
    /// The quantities.
    pub panels: Vec<Panel>,
    /// What else the caption says, e.g. how differences were tested; a sentence, or empty.
    pub remark: String,
}

impl ComparedBars {
    /// The figure with its caption and its numbers, in two columns of a paper.
    pub fn figure(&self, name: &str) -> Figure {
        Figure { name: name.to_owned(), svg: self.svg(), caption: self.caption(), csv: self.csv() }
    }

    fn svg(&self) -> String {
        let names = text::widest(self.rows.iter().map(|row| row.name.as_str()), SIZE * 1.09).min(0.28 * TWO_COLUMNS);
        let notes = |column: usize| {
            let of = self.panels.iter().skip(column).step_by(ACROSS);
            text::widest(of.flat_map(|panel| panel.notes.iter().flatten()).map(String::as_str), 0.93 * SIZE)
        };
        let across = self.panels.len().clamp(1, ACROSS);
        let left = names + 1.2 * SIZE;
        let taken: f64 = (0..across).map(|column| notes(column) + 3.0 * SIZE).sum();
        let width = ((TWO_COLUMNS - left - taken) / across as f64).max(8.0 * SIZE);
        let (head, foot) = (2.2 * SIZE, TICK + 2.0 * PT + 2.9 * SIZE);
        let step = head + ROW * self.rows.len() as f64 + foot;
        let mut canvas = Canvas::new();
        canvas.table(&self.csv());
        for (at, panel) in self.panels.iter().enumerate() {
            let (column, line) = (at % ACROSS, at / ACROSS);
            let before: f64 = (0..column).map(|column| width + notes(column) + 3.0 * SIZE).sum();
            let area = Area {
                left: left + before,
                top: line as f64 * step + head,
                width,
                height: ROW * self.rows.len() as f64,
            };
            self.panel(&mut canvas, panel, area, (column == 0).then_some(names));
        }
        canvas.finish((TWO_COLUMNS, step * self.panels.len().div_ceil(ACROSS).max(1) as f64), "")
    }

    fn panel(&self, canvas: &mut Canvas, panel: &Panel, area: Area, names: Option<f64>) {
        let (span, ticks) = axis(panel);
        let plate = Plate { area, x: span, y: span };
        canvas.text(
            (area.left, area.top - 0.9 * SIZE),
            Type { bold: true, ..Type::new(1.07 * SIZE, Anchor::Start) },
            &panel.title,
        );
        for (at, row) in self.rows.iter().enumerate() {
            let middle = area.top + ROW * (at as f64 + 0.5);
            let look = Look::of(row.place);
            if let Some(max) = names {
                let how = Type { bold: true, colour: look.colour, ..Type::new(SIZE, Anchor::End) };
                canvas.text(
                    (area.left - 0.9 * SIZE, middle + 0.36 * SIZE),
                    how,
                    &text::fit(&row.name, SIZE * 1.09, max),
                );
            }
            if let Some(Some(value)) = panel.bars.get(at) {
                bar(canvas, &plate, value, (middle, look, row));
            }
            let notes = panel.notes.get(at).map_or(&[][..], Vec::as_slice);
            for (line, note) in notes.iter().enumerate() {
                let y = middle + 0.36 * SIZE + 1.15 * SIZE * (line as f64 - 0.5 * (notes.len() as f64 - 1.0));
                let how = Type { colour: INK, ..Type::new(0.93 * SIZE, Anchor::Start) };
                canvas.text((area.right() + 0.7 * SIZE, y), how, note);
            }
        }
        canvas.line((area.left, area.top - 0.3 * SIZE), (area.left, area.bottom()), INK, FRAME);
        plate.bottom(canvas, &ticks, SIZE, Numbers::Shown);
        let power = crate::scale::power(ticks.exponent);
        let unit = bracketed([power, panel.unit.clone()].join(" ").trim());
        let below = (area.left + area.width / 2.0, area.bottom() + TICK + 2.0 * PT + 2.2 * SIZE);
        canvas.text(below, Type::new(SIZE, Anchor::Middle), &unit);
    }

    fn caption(&self) -> String {
        let titles: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        let subject = if self.subject.is_empty() { String::new() } else { format!(", {}", self.subject) };
        let intervals = self.panels.iter().flat_map(|p| p.bars.iter().flatten()).any(|e| e.band().is_some());
        let seeds = match (self.seeds, intervals) {
            (0, _) => String::new(),
            (1, _) => " One seed, so there are no intervals.".to_owned(),
            (many, true) => format!(" Means over {many} seeds, with 95 % intervals."),
            (many, false) => format!(" Means over {many} seeds, too few for intervals."),
        };
        let marks: String = Ended::MARKS
            .iter()
            .filter(|(ended, _)| self.rows.iter().any(|row| row.ended == *ended))
            .map(|(_, words)| format!(" {words}"))
            .collect();
        let remark = if self.remark.is_empty() { String::new() } else { format!(" {}", self.remark) };
        format!("{}{subject}.{seeds}{marks}{remark}", titles.join(" and "))
    }

    fn csv(&self) -> String {
        let mut head = vec!["variant".to_owned()];
        for panel in &self.panels {
            head.extend(["", "_low", "_high"].map(|end| format!("{}{end}", panel.column)));
        }
        head.extend(["seeds", "status"].map(str::to_owned));
        let mut rows = Rows::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        for (at, row) in self.rows.iter().enumerate() {
            let numbers = self.panels.iter().flat_map(|panel| {
                let value = panel.bars.get(at).cloned().flatten().unwrap_or(Estimate::of(f64::NAN));
                value.ends()
            });
            let cells = numbers.fold(rows.row().text(&row.name), crate::csv::Row::number);
            cells.number(self.seeds as f64).text(&row.status).end();
        }
        rows.finish()
    }
}

/// From zero to the next tick above the largest mean, with a little room.
fn axis(panel: &Panel) -> (Span, Ticks) {
    let means = panel.bars.iter().flatten().map(|value| value.mean).filter(|mean| mean.is_finite());
    let most = means.fold(0.0, f64::max);
    if most <= 1e-300 || most > 1e300 {
        let span = Span { lo: 0.0, hi: 1.0, log: false };
        return (span, span.ticks_at(0.5));
    }
    let step = nice_step(most / 4.5);
    let hi = (1.04 * most / step).ceil() * step;
    let span = Span { lo: 0.0, hi, log: false };
    (span, span.ticks_at(step))
}

fn bar(canvas: &mut Canvas, plate: &Plate, value: &Estimate, (middle, look, row): (f64, Look, &Row)) {
    let area = plate.area;
    let Some(end) = area.x(plate.x, value.mean).map(|x| x.clamp(area.left, area.right())) else { return };
    let (corner, size) = ((area.left, middle - BAR / 2.0), (end - area.left, BAR));
    canvas.rect(corner, size, &format!("fill=\"{0}\" fill-opacity=\"0.26\"", look.colour));
    hatch(canvas, (corner, size), row.place, look);
    let outline = format!("stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"0.7\"", look.colour, num(FRAME));
    canvas.rect(corner, size, &outline);
    if let Some((low, high)) = value.band() {
        let (low, high) = (area.x(plate.x, low), area.x(plate.x, high));
        error_bar(canvas, area, (low.unwrap_or(end), high.unwrap_or(end)), middle);
    }
    for seed in value.dots().iter().filter_map(|&seed| area.x(plate.x, seed)).filter(|&x| x <= area.right()) {
        let (x, y, r) = (num(seed), num(middle), num(0.9 * PT));
        canvas.raw(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{INK}\"/>"));
    }
    canvas.raw(&look.mark((end, middle), row.ended.fill()));
    number(canvas, value.mean, (area.left, end), middle);
}

/// Draws an interval; an end beyond the area has no cap.
fn error_bar(canvas: &mut Canvas, area: Area, (low, high): (f64, f64), middle: f64) {
    let cap = 2.4 * PT;
    canvas.line((low.max(area.left), middle), (high.min(area.right()), middle), INK, INTERVAL);
    for end in [low, high].into_iter().filter(|end| (area.left..=area.right()).contains(end)) {
        canvas.line((end, middle - cap), (end, middle + cap), INK, INTERVAL);
    }
}

/// Writes the mean into the bar where there is room, else beside it.
fn number(canvas: &mut Canvas, mean: f64, (left, end): (f64, f64), middle: f64) {
    let words = crate::comparison::number(mean);
    let width = text::width(&words, SIZE);
    let inside = end - left > width + 3.0 * RADIUS + 6.0 * PT;
    let x = if inside { left + 4.0 * PT } else { end + 3.0 * RADIUS };
    if inside {
        let white = "fill=\"#ffffff\" fill-opacity=\"0.85\"";
        canvas.rect((x - 1.5 * PT, middle - 0.6 * SIZE), (width + 3.0 * PT, 1.2 * SIZE), white);
    }
    let colour = if inside { INK } else { QUIET };
    canvas.text((x, middle + 0.36 * SIZE), Type { colour, ..Type::new(SIZE, Anchor::Start) }, &words);
}

/// Lines across a bar: none for the first variant, other directions for the following five.
fn hatch(canvas: &mut Canvas, ((left, top), (width, height)): (Pixel, Pixel), place: usize, look: Look) {
    if width < 1.0 {
        return;
    }
    let mut data = String::new();
    let slanted = |data: &mut String, up: bool| {
        let mut x = left - height;
        while x < left + width {
            let (from, to) = if up { (top + height, top) } else { (top, top + height) };
            data.push_str(&format!("M{} {}L{} {}", num(x), num(from), num(x + height), num(to)));
            x += HATCH * std::f64::consts::SQRT_2;
        }
    };
    match place % 6 {
        0 => return,
        1 => slanted(&mut data, true),
        3 => slanted(&mut data, false),
        2 | 5 => {
            let mut x = left + HATCH / 2.0;
            while x < left + width {
                data.push_str(&format!("M{} {}v{}", num(x), num(top), num(height)));
                x += if place % 6 == 2 { HATCH } else { HATCH / 2.0 };
            }
        }
        _ => {
            slanted(&mut data, true);
            slanted(&mut data, false);
        }
    }
    canvas.open_window((left, top), (width, height));
    let paint = format!("stroke=\"{}\" stroke-width=\"{}\" stroke-opacity=\"0.55\"", look.colour, num(0.8 * PT));
    canvas.raw(&format!("<path d=\"{data}\" {paint}/>"));
    canvas.raw("</svg>");
}
