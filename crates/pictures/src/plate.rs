//! Two axes in the style of all figures: a line at the left and one at the bottom, ticks outwards, no grid.

use crate::area::{Area, Pixel};
use crate::scale::{Span, Ticks};
use crate::style::{FRAME, INK, PT, TICK};
use crate::svg::{Anchor, Canvas, Type};
use crate::text;

/// An area with a value at each of its edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plate {
    pub(crate) area: Area,
    pub(crate) x: Span,
    pub(crate) y: Span,
}

/// Whether ticks have their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    Shown,
    Hidden,
}

impl Plate {
    /// Where a point lies; none for what the axes cannot show.
    pub(crate) fn at(&self, x: f64, y: f64) -> Option<Pixel> {
        Some((self.area.x(self.x, x)?, self.area.y(self.y, y)?))
    }

    /// Draws the line at the bottom, its ticks and their numbers in `size` pixels.
    pub(crate) fn bottom(&self, canvas: &mut Canvas, ticks: &Ticks, size: f64, numbers: Numbers) {
        let y = self.area.bottom();
        canvas.line((self.area.left - FRAME / 2.0, y), (self.area.right() + FRAME / 2.0, y), INK, FRAME);
        for minor in ticks.minor.iter().filter_map(|&at| self.area.x(self.x, at)) {
            canvas.line((minor, y), (minor, y + 0.6 * TICK), INK, 0.8 * FRAME);
        }
        for tick in &ticks.major {
            let Some(at) = self.area.x(self.x, tick.at) else { continue };
            canvas.line((at, y), (at, y + TICK), INK, FRAME);
            if numbers == Numbers::Shown {
                let below = y + TICK + 2.0 * PT + 0.75 * size;
                canvas.text((at, below), Type::new(size, Anchor::Middle), &tick.label);
            }
        }
    }

    /// Draws the line at the left, its ticks and their numbers in `size` pixels.
    pub(crate) fn left(&self, canvas: &mut Canvas, ticks: &Ticks, size: f64, numbers: Numbers) {
        let x = self.area.left;
        canvas.line((x, self.area.top - FRAME / 2.0), (x, self.area.bottom() + FRAME / 2.0), INK, FRAME);
        for minor in ticks.minor.iter().filter_map(|&at| self.area.y(self.y, at)) {
            canvas.line((x - 0.6 * TICK, minor), (x, minor), INK, 0.8 * FRAME);
        }
        for tick in &ticks.major {
            let Some(at) = self.area.y(self.y, tick.at) else { continue };
            canvas.line((x - TICK, at), (x, at), INK, FRAME);
            if numbers == Numbers::Shown {
                let beside = (x - TICK - 2.0 * PT, at + 0.36 * size);
                canvas.text(beside, Type::new(size, Anchor::End), &tick.label);
            }
        }
    }

    /// Names the left axis: what it shows and, on a line of its own, its unit; `away` pixels left of it.
    pub(crate) fn name_left(&self, canvas: &mut Canvas, (name, unit): (&str, &str), size: f64, away: f64) {
        let how = Type { turn: -90.0, ..Type::new(size, Anchor::Middle) };
        let middle = self.area.top + self.area.height / 2.0;
        let lines: Vec<String> =
            [name.to_owned(), bracketed(unit)].into_iter().filter(|line| !line.is_empty()).collect();
        for (line, words) in lines.iter().rev().enumerate() {
            let x = self.area.left - away - line as f64 * 1.22 * size;
            canvas.text((x, middle), how, &text::fit(words, size, self.area.height + 24.0));
        }
    }

    /// Names the bottom axis, `below` pixels under it.
    pub(crate) fn name_bottom(&self, canvas: &mut Canvas, (name, unit): (&str, &str), size: f64, below: f64) {
        let at = (self.area.left + self.area.width / 2.0, self.area.bottom() + below);
        let words = [name.to_owned(), bracketed(unit)].join(" ");
        canvas.text(at, Type::new(size, Anchor::Middle), &text::fit(words.trim(), size, self.area.width + 60.0));
    }
}

/// A unit in brackets; nothing for none.
pub(crate) fn bracketed(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!("[{unit}]") }
}

/// Width of the numbers at the left of an axis, with their ticks.
pub(crate) fn numbers_width(ticks: &Ticks, size: f64) -> f64 {
    TICK + 2.0 * PT + text::widest(ticks.major.iter().map(|tick| tick.label.as_str()), size)
}
