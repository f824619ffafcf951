//! What a reproduction found.

use crate::paper::Paper;

/// One number of a paper beside the measured one, or a measured number that the paper only draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Item, e.g. `table2`.
    pub item: &'static str,
    /// Row, e.g. the pattern.
    pub row: String,
    /// Column, e.g. the method; says in a quick form which network and length it is.
    pub column: String,
    /// What the paper prints; `None` where it prints no number for this very experiment.
    pub paper_value: Option<f64>,
    /// What was measured; `None` where there was nothing to measure.
    pub measured: Option<f64>,
    /// Unit of both, empty where there is none.
    pub unit: &'static str,
    /// `measured / paper_value - 1`.
    pub deviation: Option<f64>,
    /// A remark: how many seeds, why a value cannot be met.
    pub note: Option<String>,
    /// What the measured value must reach, in words; `None` where nothing is required.
    pub required: Option<String>,
    /// Whether it reaches that.
    pub ok: Option<bool>,
}

impl Cell {
    /// A cell in which nothing is required.
    pub fn new(
        item: &'static str,
        row: impl Into<String>,
        column: impl Into<String>,
        unit: &'static str,
        (paper_value, measured): (Option<f64>, Option<f64>),
    ) -> Self {
        let deviation = match (paper_value, measured) {
            (Some(paper), Some(measured)) if paper != 0.0 => Some(measured / paper - 1.0),
            _ => None,
        };
        let (row, column) = (row.into(), column.into());
        Cell { item, row, column, paper_value, measured, unit, deviation, note: None, required: None, ok: None }
    }

    /// The same cell with a remark.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        Cell { note: Some(note.into()), ..self }
    }

    /// The same cell, required to reach something, which `holds` where it does; a value that was not measured does not reach it.
    #[must_use]
    pub fn require(self, what: impl Into<String>, holds: bool) -> Self {
        let ok = Some(holds && self.measured.is_some());
        Cell { required: Some(what.into()), ok, ..self }
    }
}

/// The verdict on one claim of a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its name in the targets, e.g. `c1`.
    pub id: String,
    /// What the paper claims.
    pub text: String,
    /// Whether it holds here; `None` where this form of the study cannot judge it.
    pub holds: Option<bool>,
    /// The numbers, the rule of the verdict, or why there is none.
    pub evidence: String,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// File name without extension, e.g. `fig6-a`.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture as SVG.
    pub svg: Option<String>,
    /// The picture as PNG.
    pub png: Option<Vec<u8>>,
}

/// What one item found.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub cells: Vec<Cell>,
    /// Claim id, verdict and evidence.
    pub verdicts: Vec<(&'static str, Option<bool>, String)>,
    pub figures: Vec<Figure>,
    /// Remarks, a paragraph each.
    pub notes: Vec<String>,
}

/// A reproduction of a paper, or of some of its items.
#[derive(Clone, Debug)]
pub struct Study {
    /// The paper.
    pub paper: &'static Paper,
    /// Whether this is the short form: smaller networks, shorter ramps.
    pub quick: bool,
    /// The items that were finished, in the order of the paper.
    pub items: Vec<&'static str>,
    /// All numbers.
    pub cells: Vec<Cell>,
    /// The claims that the items bear on.
    pub claims: Vec<Claim>,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// Remarks: item and paragraph.
    pub notes: Vec<(&'static str, String)>,
    /// Whether the user stopped it; the item that was under way is missing.
    pub interrupted: bool,
}

impl Study {
    /// Whether a required number is missed. A number that the paper prints but arithmetic excludes is never required.
    pub fn failed(&self) -> bool {
        self.cells.iter().any(|cell| cell.ok == Some(false))
    }

    /// The cells whose required number is missed.
    pub fn misses(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.ok == Some(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviation_is_relative_and_absent_without_both_values() {
        let cell = |values| Cell::new("table2", "bcmp", "no-th", "cycles", values);
        assert_eq!(cell((Some(1271.0), Some(1271.0))).deviation, Some(0.0));
        assert!((cell((Some(200.0), Some(150.0))).deviation.unwrap() + 0.25).abs() < 1e-12);
        assert_eq!(cell((Some(200.0), None)).deviation, None);
        assert_eq!(cell((None, Some(3.0))).deviation, None);
        assert_eq!(cell((Some(0.0), Some(3.0))).deviation, None);
    }

    #[test]
    fn what_was_not_measured_reaches_nothing() {
        let cell = Cell::new("table2", "bcmp", "no-th", "cycles", (Some(1271.0), None));
        assert_eq!(cell.require("within 12 %", true).ok, Some(false));
    }
}
