//! A study as JSON lines, as text for the terminal, as a report and as Markdown.

mod json;
mod markdown;
mod report;
mod search;
mod text;

use crate::study::{Cell, Study};

/// A number as short as it may be without loss of meaning: at most four significant digits after a leading zero, one
/// decimal from a hundred on.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        v if v == 0.0 || (v >= 100.0 && v.fract() == 0.0) => 0,
        v if v >= 100.0 => 1,
        v if v >= 1.0 => 3,
        v if v >= 0.01 => 5,
        _ => 7,
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn optional(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), number)
}

fn deviation(cell: &Cell) -> String {
    cell.deviation.map_or("-".to_owned(), |deviation| format!("{:+.1} %", 100.0 * deviation))
}

impl Study {
    /// The simulator whose numbers stand in cells of an item beside the paper's, if some do.
    fn peer_of(&self, item: &str) -> Option<&str> {
        let stands = |cell: &Cell| cell.item == item && cell.peer_value.is_some();
        self.paper.peer().filter(|_| self.cells.iter().any(stands))
    }
}

/// What the verdict of a cell is called.
fn verdict(cell: &Cell) -> &'static str {
    match cell.ok {
        None => "",
        Some(true) => "ok",
        Some(false) => "missed",
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 1301.0, 671.54, 1.3804, 0.11095, 0.000_123_4, -2.5, 100.0, 20.0];
        let shown = ["0", "1301", "671.5", "1.38", "0.11095", "0.0001234", "-2.5", "100", "20"];
        assert_eq!(all.map(number), shown);
    }
}
