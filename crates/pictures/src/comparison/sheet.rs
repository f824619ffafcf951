//! Where the panels of the figure lie.

use super::alike::alike;
use super::limits::{self, Axis};
use super::{Columns, Comparison, Variant};
use crate::area::Area;
use crate::labels::Taken;
use crate::look::Look;
use crate::plate::{Plate, numbers_width};
use crate::style::{INCH, ONE_COLUMN, PT, TICK, TWO_COLUMNS};
use crate::text;

/// More curves than these get a legend.
const LEGEND: usize = 8;

/// More curves than these are not drawn.
pub(super) const MOST: usize = 24;

/// Room between an axis and the labels at its right.
pub(super) const BESIDE: f64 = 6.0 * PT;

/// A panel with the places in it that are taken.
pub(super) struct Panel {
    pub(super) plate: Plate,
    pub(super) axis: Axis,
    pub(super) taken: Taken,
    pub(super) letter: &'static str,
    /// Left end of the letter.
    pub(super) letter_x: f64,
}

impl Panel {
    /// The panel, to be drawn while the sheet is read.
    pub(super) fn take(&mut self) -> Panel {
        Panel { axis: self.axis.clone(), taken: std::mem::take(&mut self.taken), ..*self }
    }
}

/// What a strip shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    Saturation,
    Knee,
    /// The knee in the upper half of a row, saturation in the lower half.
    Both,
}

/// A strip below a panel, a row for each variant.
pub(super) struct Strip {
    pub(super) area: Area,
    pub(super) shows: Shows,
    pub(super) letter: &'static str,
    pub(super) letter_x: f64,
}

/// The whole figure in the making.
pub(super) struct Sheet<'a> {
    pub(super) comparison: &'a Comparison,
    /// The variants that are drawn, with their looks.
    pub(super) variants: Vec<(&'a Variant, Look)>,
    /// Loads at which all variants are drawn as one.
    pub(super) alike: usize,
    /// Size of type in pixels.
    pub(super) size: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Axis,
    pub(super) accepted: Panel,
    pub(super) latency: Panel,
    pub(super) strips: Vec<Strip>,
    /// Top of the legend, where there is one.
    pub(super) legend: Option<f64>,
}

/// Height of a row of the legend, in sizes of type.
pub(super) const LEGEND_ROW: f64 = 1.5;

impl<'a> Sheet<'a> {
    pub(super) fn new(comparison: &'a Comparison, columns: Columns) -> Self {
        let shown = &comparison.variants[..comparison.variants.len().min(MOST)];
        let variants: Vec<(&Variant, Look)> = shown.iter().map(|v| (v, Look::of(v.place))).collect();
        let (width, size, inches) = match columns {
            Columns::One => (ONE_COLUMN, 7.0 * PT, 4.35),
            Columns::Two => (TWO_COLUMNS, 7.5 * PT, 2.75),
        };
        let mut sheet = Plan { comparison, columns, size, width, rows: variants.len() }.lay(inches * INCH);
        sheet.variants = variants;
        sheet
    }

    /// Whether curves have labels at their ends.
    pub(super) fn has_labels(&self) -> bool {
        self.variants.len() <= LEGEND
    }

    /// A label cut to what is reserved for labels.
    pub(super) fn label(&self, variant: &Variant) -> String {
        fit_label(&variant.label(), self.size, self.width)
    }
}

/// At most this share of the width is reserved for labels.
const LABELS: f64 = 0.3;

/// Bold letters are this much wider than the estimate for regular ones.
pub(super) const BOLD: f64 = 1.09;

fn fit_label(label: &str, size: f64, width: f64) -> String {
    let share = if width > 1.5 * ONE_COLUMN { 0.5 } else { 1.0 };
    text::fit(label, size * BOLD, LABELS * share * width)
}

struct Plan<'a> {
    comparison: &'a Comparison,
    columns: Columns,
    size: f64,
    width: f64,
    rows: usize,
}

impl<'a> Plan<'a> {
    fn lay(&self, height: f64) -> Sheet<'a> {
        let Plan { comparison, size, width, .. } = *self;
        let x = limits::offered(comparison);
        let accepted = limits::accepted(comparison, 0.095);
        let latency = limits::latency(comparison);
        let labels: Vec<String> =
            comparison.variants.iter().take(MOST).map(|v| fit_label(&v.label(), size, width)).collect();
        let right = BESIDE + BOLD * text::widest(labels.iter().map(String::as_str), size) + 2.0 * PT;
        let numbers = numbers_width(&accepted.ticks, size).max(numbers_width(&latency.ticks, size));
        let left = 2.6 * size + numbers + 2.0 * PT;
        let (strips, pitch) = self.strips();
        // Below the lowest axis: ticks, their numbers, and the axis's name.
        let foot = TICK + 2.0 * PT + 2.35 * size;
        let strip = if strips.is_empty() { 0.0 } else { pitch * self.rows as f64 + 1.35 * size };
        let grown = (strip - self.usual_strip()).max(0.0);
        let height = height + grown;
        let panels = height - foot - strip - 0.65 * size;
        let legend = (self.rows > LEGEND).then_some(height);
        let panel = |plate: Plate, axis: Axis, letter, letter_x| Panel {
            plate,
            axis,
            taken: Taken::default(),
            letter,
            letter_x,
        };
        let plate = |left: f64, top: f64, width: f64, height: f64, y: &Axis| Plate {
            area: Area { left, top, width, height },
            x: x.span,
            y: y.span,
        };
        let top = 0.65 * size;
        let (first, second, columns) = match self.columns {
            Columns::Two => {
                let half = width / 2.0;
                let across = half - left - right;
                let first = plate(left, top, across, panels, &accepted);
                (first, plate(half + left, top, across, panels, &latency), vec![0.0, half])
            }
            Columns::One => {
                let across = width - left - right;
                let between = 1.1 * size;
                let upper = (panels - between) * 0.555;
                let lower = panels - between - upper;
                let first = plate(left, top, across, upper, &accepted);
                (first, plate(left, top + upper + between, across, lower, &latency), vec![0.0])
            }
        };
        let letters = ["(c)", "(d)"];
        let strips = strips.iter().enumerate().map(|(at, &shows)| {
            let column = match (shows, columns.as_slice()) {
                (Shows::Knee, [_, second]) => *second,
                _ => 0.0,
            };
            let top = height - foot - strip + 1.35 * size;
            let area = Area { left: column + left, top, width: first.area.width, height: strip - 1.35 * size };
            Strip { area, shows, letter: letters[at], letter_x: column + 2.0 * PT }
        });
        let strips: Vec<Strip> = strips.collect();
        let second_x = if self.columns == Columns::Two { width / 2.0 } else { 0.0 };
        let alike = if self.rows == comparison.variants.len() { alike(comparison) } else { 0 };
        Sheet {
            comparison,
            variants: Vec::new(),
            alike,
            size,
            width,
            height: height + legend.map_or(0.0, |_| LEGEND_ROW * size * self.legend_rows() as f64 + 0.5 * size),
            x: x.clone(),
            accepted: panel(first, accepted, "(a)", 2.0 * PT),
            latency: panel(second, latency, "(b)", second_x + 2.0 * PT),
            strips,
            legend,
        }
    }

    /// The strips that have something to show, and the height of a row of theirs.
    fn strips(&self) -> (Vec<Shows>, f64) {
        let any = |pick: fn(&Variant) -> bool| self.comparison.variants.iter().any(pick);
        let (saturation, knee) = (any(|v| v.saturation.is_some()), any(|v| v.knee.is_some()));
        match self.columns {
            Columns::Two => {
                let pitch = if self.rows <= 3 { 1.68 } else { 1.5 } * self.size;
                let shown = [(saturation, Shows::Saturation), (knee, Shows::Knee)];
                (shown.into_iter().filter(|(any, _)| *any).map(|(_, shows)| shows).collect(), pitch)
            }
            Columns::One => match (saturation, knee) {
                (true, true) => (vec![Shows::Both], 2.2 * self.size),
                (true, false) => (vec![Shows::Saturation], 1.6 * self.size),
                (false, true) => (vec![Shows::Knee], 1.6 * self.size),
                (false, false) => (Vec::new(), 0.0),
            },
        }
    }

    /// The height of strips up to which the figure keeps its own height.
    fn usual_strip(&self) -> f64 {
        match self.columns {
            Columns::Two => (4.0 * 1.5 + 1.35) * self.size,
            Columns::One => (3.0 * 2.2 + 1.35) * self.size,
        }
    }

    /// Rows of the legend: as many names in each as have room.
    fn legend_rows(&self) -> usize {
        self.rows.div_ceil(legend_columns(self.comparison, self.size, self.width).0)
    }
}

/// Names in a row of the legend, and the width of each.
pub(super) fn legend_columns(comparison: &Comparison, size: f64, width: f64) -> (usize, f64) {
    let labels: Vec<String> =
        comparison.variants.iter().take(MOST).map(|v| text::fit(&v.label(), size, 0.4 * width)).collect();
    let each = text::widest(labels.iter().map(String::as_str), size) + 4.5 * size;
    (((width - 2.0 * size) / each).floor().max(1.0) as usize, each)
}
