//! What every rank does over time: a row for each, and in it a bar for each kind of thing and each span of time.

use crate::area::Area;
use crate::colour::SERIES;
use crate::plate::{Numbers, Plate};
use crate::scale::{LARGEST, Span};
use crate::style::{FIELD, SIZE, TITLE};
use crate::svg::{Anchor, Canvas, Type};
use crate::text;

const WIDTH: f64 = 640.0;
const EDGE: f64 = 16.0;
const TOP: f64 = 34.0;
/// Height of all rows that is aimed at, and of a row at least and at most.
const HEIGHT: f64 = 420.0;
const LEAST: f64 = 1.5;
const MOST: f64 = 18.0;
/// Rows of which each has a lane for every kind.
const LANES: f64 = 6.0;
const ROW: f64 = 19.0;
const SQUARE: f64 = 11.0;

/// The most rows that are drawn.
pub const MOST_ROWS: usize = 1024;

/// The most bars, about: shorter gaps are closed.
const BARS: usize = 60_000;

/// A bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Its row.
    pub row: usize,
    /// Its kind.
    pub kind: usize,
    /// Where it begins and ends, in the unit of the axis.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// Rows of bars over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// Printed above; empty for none.
    pub title: String,
    /// What a row is, e.g. `Rank`.
    pub row: String,
    /// How many rows there are. Those beyond [`MOST_ROWS`] are left out.
    pub rows: usize,
    /// The unit of time.
    pub unit: String,
    /// The end of the axis.
    pub end: f64,
    /// Names of the kinds of bars.
    pub kinds: Vec<String>,
    /// The bars, in any order. Those that no axis can show are left out.
    pub bars: Vec<Bar>,
}

impl Timeline {
    /// The rows as an SVG document, 640 pixels wide.
    pub fn svg(&self) -> String {
        let rows = self.rows.clamp(1, MOST_ROWS);
        let each = (HEIGHT / rows as f64).clamp(LEAST, MOST);
        let left = text::widest([rows.to_string().as_str()], SIZE) + TITLE + 30.0;
        let area = Area { left, top: TOP, width: WIDTH - left - EDGE, height: each * rows as f64 };
        let end = if self.end > 0.0 && self.end < LARGEST { self.end } else { 1.0 };
        let x = Span { lo: 0.0, hi: end, log: false };
        // Rank 0 is above.
        let y = Span { lo: rows as f64, hi: 0.0, log: false };
        let plate = Plate { area, x, y };
        let mut canvas = Canvas::new();
        canvas.rect((area.left, area.top), (area.width, area.height), &format!("fill=\"{FIELD}\""));
        self.draw(&mut canvas, area, (each, end));
        let ticks = x.ticks(6);
        plate.bottom(&mut canvas, &ticks, SIZE, Numbers::Shown);
        plate.name_left(&mut canvas, (&self.row, ""), TITLE, 30.0);
        row_numbers(&mut canvas, area, rows, each);
        let unit = crate::scale::axis_title("Time", &self.unit, ticks.exponent);
        plate.name_bottom(&mut canvas, (&unit, ""), TITLE, 34.0);
        canvas.title((area.left + area.width / 2.0, 20.0), crate::style::TITLE, area.width, &self.title);
        let bottom = self.legend(&mut canvas, (area.left, area.bottom() + 46.0));
        canvas.finish((WIDTH, bottom + 10.0), &self.title)
    }

    fn draw(&self, canvas: &mut Canvas, area: Area, (each, end): (f64, f64)) {
        let lanes = if each >= LANES { self.kinds.len().max(1) } else { 1 };
        let lane = each * 0.9 / lanes as f64;
        for bar in self.merged(end) {
            let from = area.left + area.width * bar.from / end;
            let wide = (area.width * (bar.to - bar.from) / end).max(0.15);
            let place = if lanes > 1 { bar.kind } else { 0 };
            let top = area.top + each * bar.row as f64 + lane * place as f64;
            let fill = format!("fill=\"{}\"", SERIES[bar.kind % SERIES.len()]);
            canvas.rect((from, top), (wide, lane), &fill);
        }
    }

    /// The bars by kind, row and time, where gaps that nobody sees are closed.
    fn merged(&self, end: f64) -> Vec<Bar> {
        let shown = |bar: &&Bar| {
            let there = bar.row < self.rows.min(MOST_ROWS) && bar.kind < self.kinds.len();
            there && bar.from >= 0.0 && bar.to >= bar.from && bar.from < end && bar.to < LARGEST
        };
        let mut bars: Vec<Bar> =
            self.bars.iter().filter(shown).map(|bar| Bar { to: bar.to.min(end), ..*bar }).collect();
        bars.sort_by(|a, b| (a.kind, a.row).cmp(&(b.kind, b.row)).then(a.from.total_cmp(&b.from)));
        let gap = if bars.len() > BARS { end * self.rows.min(MOST_ROWS) as f64 / BARS as f64 } else { 0.0 };
        let mut merged: Vec<Bar> = Vec::new();
        for bar in bars {
            match merged.last_mut().filter(|last| (last.kind, last.row) == (bar.kind, bar.row)) {
                Some(last) if bar.from <= last.to + gap => last.to = last.to.max(bar.to),
                _ => merged.push(bar),
            }
        }
        merged
    }

    /// Draws the names of the kinds, and returns where they end.
    fn legend(&self, canvas: &mut Canvas, (left, top): (f64, f64)) -> f64 {
        let each = text::widest(self.kinds.iter().map(String::as_str), SIZE).min(200.0) + SQUARE + 24.0;
        for (at, name) in self.kinds.iter().enumerate() {
            let x = left + each * at as f64;
            canvas.rect((x, top), (SQUARE, SQUARE), &format!("fill=\"{}\"", SERIES[at % SERIES.len()]));
            let name = text::fit(name, SIZE, 200.0);
            canvas.text((x + SQUARE + 6.0, top + SQUARE - 1.5), Type::new(SIZE, Anchor::Start), &name);
        }
        top + ROW
    }
}

/// Numbers of rows, as many as fit, in steps of a power of two.
fn row_numbers(canvas: &mut Canvas, area: Area, rows: usize, each: f64) {
    let mut step = 1;
    while each * (step as f64) < 1.3 * SIZE {
        step *= 2;
    }
    for row in (0..rows).step_by(step) {
        let middle = area.top + each * (row as f64 + 0.5);
        canvas.text((area.left - 6.0, middle + 0.36 * SIZE), Type::new(SIZE, Anchor::End), &row.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bars: &[(usize, usize, f64, f64)]) -> Timeline {
        let bar = |&(row, kind, from, to): &(usize, usize, f64, f64)| Bar { row, kind, from, to };
        Timeline {
            title: "Ranks".into(),
            row: "Rank".into(),
            rows: 4,
            unit: "cycles".into(),
            end: 100.0,
            kinds: vec!["computes".into(), "sends".into()],
            bars: bars.iter().map(bar).collect(),
        }
    }

    #[test]
    fn bars_that_touch_are_one() {
        let timeline = of(&[(0, 0, 0.0, 10.0), (0, 0, 10.0, 20.0), (0, 1, 15.0, 25.0), (1, 0, 20.0, 200.0)]);
        let found: Vec<_> = timeline.merged(100.0).iter().map(|bar| (bar.row, bar.kind, bar.from, bar.to)).collect();
        assert_eq!(found, [(0, 0, 0.0, 20.0), (1, 0, 20.0, 100.0), (0, 1, 15.0, 25.0)]);
        let svg = timeline.svg();
        assert!(svg.contains("Time [cycles]") && svg.contains("computes") && svg.contains("Rank"), "{svg}");
    }

    #[test]
    fn odd_values_give_valid_pictures() {
        let odd =
            [(9, 0, 0.0, 1.0), (0, 7, 0.0, 1.0), (0, 0, f64::NAN, 2.0), (0, 0, 5.0, f64::INFINITY), (0, 0, 3.0, 1.0)];
        for picture in
            [of(&odd), Timeline { end: 0.0, ..of(&odd) }, Timeline { rows: 5000, ..of(&odd) }, Timeline::default()]
        {
            let svg = picture.svg();
            assert!(roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn a_picture_of_a_long_run_stays_small() {
        let mut timeline = of(&[]);
        timeline.end = 1e6;
        timeline.bars =
            (0..400_000).map(|n| Bar { row: n % 4, kind: 0, from: 2.5 * n as f64, to: 2.5 * n as f64 + 1.0 }).collect();
        assert!(timeline.merged(1e6).len() <= 2 * BARS);
    }
}
