//! What a reproduction found.

use crate::paper::Paper;
use crate::reading::Reading;

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
    /// What the study's other simulator says; `None` where it was not run.
    pub peer_value: Option<f64>,
    /// What was measured; `None` where there was nothing to measure.
    pub measured: Option<f64>,
    /// Unit of them all, empty where there is none.
    pub unit: &'static str,
    /// `measured / paper_value - 1`.
    pub deviation: Option<f64>,
    /// A remark: how many seeds, why a value cannot be met.
    pub note: Option<String>,
    /// What the measured value must reach, in words; `None` where nothing is required.
    pub required: Option<String>,
    /// Whether it reaches that.
    pub ok: Option<bool>,
    /// How a search of readings takes it; `None` where it does not count.
    pub chosen: Option<Chosen>,
}

/// How a search of readings takes a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Whether it counts as the sign of an effect, not as a number.
    pub sign: bool,
    /// Whether it is held back: shown, and not chosen by.
    pub held_back: bool,
    /// Whether it is met.
    pub met: bool,
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
        Cell {
            item,
            row,
            column,
            paper_value,
            peer_value: None,
            measured,
            unit,
            deviation,
            note: None,
            required: None,
            ok: None,
            chosen: None,
        }
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
    /// The verdicts by other wordings of the claim.
    pub beside: Vec<Beside>,
    /// Whether a search of readings holds it back.
    pub held_back: bool,
}

impl Claim {
    /// What its verdict is called.
    pub fn verdict(&self) -> &'static str {
        verdict(self.holds)
    }

    /// The evidence, and what other wordings of the claim make of it.
    pub fn whole_evidence(&self) -> String {
        let beside = self.beside.iter().map(|beside| {
            let words = beside.text.as_ref().map_or(String::new(), |text| format!(" (\"{text}\")"));
            format!("; {}{words}: {}: {}", beside.under, verdict(beside.holds), beside.evidence)
        });
        self.evidence.clone() + &beside.collect::<String>()
    }
}

/// What the verdict of a claim is called.
pub(crate) fn verdict(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "not judged",
    }
}

/// The verdict on a claim by another wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Under which choices it counts, e.g. `wording = 0.1.0`.
    pub under: String,
    /// The words, if they are others.
    pub text: Option<String>,
    /// Whether the claim holds by it.
    pub holds: Option<bool>,
    /// The numbers.
    pub evidence: String,
}

/// What an item found of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub id: &'static str,
    /// Words that stand for those of the targets.
    pub text: Option<String>,
    pub holds: Option<bool>,
    pub evidence: String,
    pub beside: Vec<Beside>,
    pub held_back: bool,
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
    pub verdicts: Vec<Verdict>,
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
    /// The reading under which it ran.
    pub reading: Reading,
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
