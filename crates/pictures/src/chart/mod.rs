//! Curves over labelled axes: latency over load, time series, and panels of them.
//!
//! Points that an axis cannot show (not finite; zero or negative on a logarithmic axis) break the line.

mod data;
mod draw;
mod frame;
mod legend;
mod panels;
mod range;

pub use crate::ended::Ended;
pub(crate) use legend::{mark_index, slots};
pub use panels::{Page, grid, page};
pub(crate) use range::{Spans, spans};

/// How an axis maps values to length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps, equal lengths.
    #[default]
    Linear,
    /// Equal factors, equal lengths; shows positive values only.
    Log,
}

/// One axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it shows, e.g. `Latency`.
    pub label: String,
    /// Its unit, printed in square brackets, e.g. `cycles`; empty for none.
    pub unit: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// Fixed lower and upper end. None, or ends that make no axis (not finite, not ascending, not positive on a
    /// logarithmic axis): taken from the data.
    pub range: Option<(f64, f64)>,
    /// For latency over load: shows at most 8 times the median of the curves' lowest values, so that the knee stays
    /// readable; a curve that diverges leaves through the top, marked by a small arrow. Linear axes without a fixed
    /// range only.
    pub knee: bool,
}

impl Axis {
    /// A linear axis that takes its range from the data.
    pub fn new(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), ..Self::default() }
    }

    /// The same axis, logarithmic.
    pub fn log(self) -> Self {
        Self { scale: Scale::Log, ..self }
    }

    /// The same axis with fixed ends.
    pub fn range(self, lo: f64, hi: f64) -> Self {
        Self { range: Some((lo, hi)), ..self }
    }

    /// The same axis, kept readable where a curve diverges (see the field).
    pub fn knee(self) -> Self {
        Self { knee: true, ..self }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Straight lines between the points.
    #[default]
    Line,
    /// Lines with a mark on every point.
    LineMarks,
    /// Marks only; a confidence band becomes error bars.
    Marks,
    /// A value holds until the next point.
    Step,
}

/// The vertical axis that a series belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// `Chart::y`.
    #[default]
    Left,
    /// `Chart::y2`; the left axis where there is no such axis.
    Right,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Name in the legend; empty for no entry. Series of equal name share colour and mark, in all panels of a grid.
    pub name: String,
    /// What the legend says behind the name, whole even where the name has to be cut; may be empty.
    pub note: String,
    /// Points (x, y) in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
    /// Line, marks or both.
    pub style: Style,
    /// Left or right axis.
    pub axis: Side,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Confidence intervals (x, low, high), drawn as a pale band.
    pub band: Option<Vec<(f64, f64, f64)>>,
    /// How each point ended, which its mark tells; empty where all are filled.
    pub ended: Vec<Ended>,
}

impl Series {
    /// A plain line on the left axis.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    /// The same series in another style.
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// The same series with a note behind its name.
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }
}

/// A reference line, e.g. a bound. It widens an automatic range up to twofold; farther out it is not shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// At an x value, from bottom to top.
    Vertical {
        /// Position on the x axis.
        x: f64,
        /// Text beside the line; may be empty.
        label: String,
    },
    /// At a y value of the left axis, from left to right.
    Horizontal {
        /// Position on the left y axis.
        y: f64,
        /// Text above the line; may be empty.
        label: String,
    },
}

/// A chart. Empty ones are fine: they show axes from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Printed above; empty for none.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Left vertical axis.
    pub y: Axis,
    /// Right vertical axis, if any.
    pub y2: Option<Axis>,
    /// The curves, in the order of colours and legend.
    pub series: Vec<Series>,
    /// Reference lines.
    pub marks: Vec<Mark>,
}

impl Chart {
    /// The chart as an SVG document, 640 pixels wide and about 400 high (higher by a legend below the plot).
    pub fn svg(&self) -> String {
        panels::single(self)
    }
}
