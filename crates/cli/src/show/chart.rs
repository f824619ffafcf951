//! Charts in the terminal.

use tailback_pictures::chart::Chart;
use tailback_pictures::terminal;

/// Rows of one chart.
const HEIGHT: usize = 18;

/// The chart as text, as wide as the terminal.
pub fn chart(chart: &Chart) -> String {
    terminal::plot(chart, super::width().min(100), HEIGHT, super::color())
}
