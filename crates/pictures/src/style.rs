//! The one style of all pictures: lengths are pixels of CSS, 96 to an inch, so a point of type is 4/3 of a pixel.

/// Pixels in a point.
pub(crate) const PT: f64 = 4.0 / 3.0;

/// Size of type in pictures that are as wide as a page, and of their titles.
pub(crate) const SIZE: f64 = 7.5 * PT;
pub(crate) const TITLE: f64 = 8.0 * PT;

/// Pixels in an inch.
pub(crate) const INCH: f64 = 96.0;

/// Widths of a figure in one and in two columns of a paper.
pub(crate) const ONE_COLUMN: f64 = 3.5 * INCH;
pub(crate) const TWO_COLUMNS: f64 = 7.16 * INCH;

/// Colour of text and axes.
pub(crate) const INK: &str = "#1a1a1a";
/// Colour of words beside the data.
pub(crate) const QUIET: &str = "#555555";
/// Colour of reference lines.
pub(crate) const RULE: &str = "#767676";
/// Colour of what several variants share.
pub(crate) const SHARED: &str = "#8a8a8a";
/// Colour of a field behind the data: no steady state, warm-up, drain.
pub(crate) const FIELD: &str = "#f1f1f1";

/// Widths of curves, frames and the bars of intervals.
pub(crate) const CURVE: f64 = 1.0 * PT;
pub(crate) const FRAME: f64 = 0.6 * PT;
pub(crate) const INTERVAL: f64 = 0.8 * PT;

/// Length of a tick.
pub(crate) const TICK: f64 = 2.5 * PT;
